//! A good bundle is cut short, overwritten, deleted and restored where it lies.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Client, Reply};
use crate::common::Desk;
use crate::knowledge::{FEW, MANY, build, questions};
use crate::random::Random;
use crate::{Weather, changes};

/// A file that nothing good happens to.
struct Victim {
    path: PathBuf,
    good: Vec<u8>,
    random: Random,
}

impl Victim {
    fn new(path: &Path, good: Vec<u8>) -> Self {
        fs::write(path, &good).unwrap();
        Self { path: path.to_owned(), good, random: Random::for_name("storm") }
    }

    /// Does one thing to the file.
    fn change(&mut self) {
        let length = self.random.below(self.good.len() + 1);
        match self.random.below(8) {
            0 | 1 => self.open(|file| file.set_len(length as u64).unwrap()),
            2 => self.open(|file| file.set_len(0).unwrap()),
            3 => {
                let garbage: Vec<u8> =
                    (0..1 + self.random.below(70_000)).map(|at| (at * 7 + length) as u8).collect();
                self.open(|file| {
                    file.seek(SeekFrom::Start(length as u64)).unwrap();
                    file.write_all(&garbage).unwrap();
                });
            }
            4 => {
                let _ = fs::remove_file(&self.path);
            }
            5 => self.replace(length),
            6 => self.replace(self.good.len()),
            _ => fs::write(&self.path, &self.good).unwrap(),
        }
    }

    /// Opens the file where it lies, if it does.
    fn open(&self, work: impl FnOnce(&mut fs::File)) {
        if let Ok(mut file) = OpenOptions::new().write(true).open(&self.path) {
            work(&mut file);
        }
    }

    /// Renames so many of the good bytes over the file.
    fn replace(&self, length: usize) {
        let temporary = self.path.with_extension("temporary");
        fs::write(&temporary, &self.good[..length]).unwrap();
        fs::rename(temporary, &self.path).unwrap();
    }
}

#[test]
fn a_server_of_a_small_bundle_survives_whatever_happens_to_it() {
    storm(FEW);
}

#[test]
fn a_server_of_a_mapped_bundle_survives_whatever_happens_to_it() {
    storm(MANY);
}

fn storm(entries: usize) {
    let desk = Desk::new();
    let bundle = build(&desk, "good", "good", entries);
    let asked = questions(entries);
    let mut undisturbed = Client::start(&desk, &[], &bundle);
    let expected = undisturbed.answers(&asked);
    undisturbed.end();
    let live = desk.path("live.ompack");
    let mut victim = Victim::new(&live, fs::read(&bundle).unwrap());
    let over = AtomicBool::new(false);
    let (good, errors) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let began = Instant::now();
    // All are up before the weather turns: a bundle that can't be loaded is no server's beginning.
    let clients = [&[][..], &[], &[], &["--no-mmap"]]
        .map(|arguments| (arguments.is_empty(), Client::start(&desk, arguments, &live)));
    thread::scope(|scope| {
        for (maps, mut client) in clients {
            let (asked, expected, over, good, errors) = (&asked, &expected, &over, &good, &errors);
            scope.spawn(move || {
                for at in (0..asked.len()).cycle() {
                    if over.load(Ordering::SeqCst) {
                        break;
                    }
                    match client.ask(&asked[at]) {
                        Reply::Answer(text) => {
                            assert_eq!(text, expected[at]);
                            good.fetch_add(1, Ordering::Relaxed);
                        }
                        Reply::Error(text) => {
                            assert!(maps, "what is in memory stays good: {text}");
                            assert!(text.contains("changed"), "{text}");
                            errors.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                assert_eq!(client.answers(asked), *expected, "a good file gives good answers again");
                client.end();
            });
        }
        let weather = Weather(&over);
        for _ in 0..changes() {
            victim.change();
            thread::sleep(Duration::from_micros(victim.random.below(6000) as u64));
        }
        victim.replace(victim.good.len());
        drop(weather);
    });
    println!(
        "cut, {entries} entries: {} changes, {good:?} good answers, {errors:?} errors, {:.1?}",
        changes(),
        began.elapsed()
    );
    assert!(good.into_inner() > 0 && errors.into_inner() > 0, "both happened");
}

#[test]
fn a_command_reads_a_bundle_whole_or_says_no() {
    let desk = Desk::new();
    let bundle = build(&desk, "good", "good", MANY);
    let live = desk.path("live.ompack");
    let mut victim = Victim::new(&live, fs::read(&bundle).unwrap());
    let commands: [&[&str]; 4] = [
        &["verify", "live.ompack", "--json"],
        &["inspect", "live.ompack", "--json"],
        &["symbol", "hold_item_3999", "--bundle", "live.ompack", "--json"],
        &["unpack", "live.ompack", "unpacked"],
    ];
    let expected = commands.map(|arguments| {
        let stdout = desk.run(arguments).expect(0).stdout;
        let _ = fs::remove_dir_all(desk.path("unpacked"));
        stdout
    });
    let over = AtomicBool::new(false);
    let mut whole = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                victim.change();
                thread::sleep(Duration::from_micros(victim.random.below(9000) as u64));
                // Half of the time, so that commands have something to read.
                if victim.random.below(2) == 0 {
                    victim.replace(victim.good.len());
                    thread::sleep(Duration::from_micros(victim.random.below(60_000) as u64));
                }
            }
        });
        let weather = Weather(&over);
        for at in (0..commands.len()).cycle().take(40) {
            let run = desk.run(commands[at]);
            // None at all is the death by a signal.
            assert!(matches!(run.code, Some(0 | 1 | 3)), "{:?}: {run:?}", commands[at]);
            if run.code == Some(0) {
                assert_eq!(run.stdout, expected[at], "{:?}", commands[at]);
                whole += 1;
            }
            let unpacked = desk.path("unpacked");
            assert_eq!(unpacked.exists(), at == 3 && run.code == Some(0), "nothing is left of what failed");
            let _ = fs::remove_dir_all(unpacked);
        }
        drop(weather);
    });
    println!("commands: {whole} of 40 found the bundle whole");
}
