//! Builds that are killed at random moments.
//!
//! `OPENMIND_PACK_KILLS` sets how many, and `--nocapture` shows where they landed:
//! `OPENMIND_PACK_KILLS=500 cargo test --test cli -- killed --nocapture`.

use std::fmt;
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{invented_directory, skipped};
use crate::common::Desk;
use crate::random::Random;

/// Kills where the variable sets no other number.
const KILLS: usize = 40;

#[test]
fn a_build_killed_at_any_moment_leaves_a_whole_file_and_at_most_one_temporary_one() {
    let kills = std::env::var("OPENMIND_PACK_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let desk = Desk::new();
    for (name, symbols) in [("a", 6_000), ("b", 6_001)] {
        invented_directory(&desk, name, symbols);
    }
    let mut places = vec![("disk", TempDir::new().expect("made"), false)];
    if Path::new("/dev/shm").is_dir() {
        places.push(("memory", TempDir::new_in("/dev/shm").expect("made"), false));
    }
    if Command::new("unshare").args(WITHOUT_PROC).arg("true").status().is_ok_and(|status| status.success()) {
        // A file without a name gets one through /proc. Where that is missing, drafts have names from the beginning.
        places.push(("disk, drafts with names", TempDir::new().expect("made"), true));
    } else {
        skipped("kills of builds whose drafts have names. Hiding /proc takes root and `unshare`");
    }
    let count = places.len();
    for (number, (name, place, hide_proc)) in places.iter().enumerate() {
        // The remainder goes to the first ones.
        let share = kills / count + usize::from(number < kills % count);
        let tally = Storm::new(&desk, place.path(), *hide_proc).run(share);
        let _ = writeln!(std::io::stderr(), "{share} kills, output on {name}: {tally}");
    }
}

/// Runs what follows without /proc, under the same process id.
const WITHOUT_PROC: [&str; 5] =
    ["--mount", "sh", "-c", r#"mount -t tmpfs openmind-pack-test /proc && exec "$@""#, "sh"];

/// Where kills landed.
#[derive(Default)]
struct Tally {
    /// Before anything was made in the output's directory.
    before: usize,
    /// While the draft was there and the former file in its place.
    writing: usize,
    /// After the rename.
    replaced: usize,
    /// Too late: the build had ended.
    ended: usize,
    /// Kills that left a temporary file.
    left_behind: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, writing, replaced, ended, left_behind } = self;
        write!(
            f,
            "{before} before publishing, {writing} while writing, {replaced} after the rename, {ended} after the end; \
             {left_behind} left a temporary file"
        )
    }
}

/// Builds of two directories in turns onto one path.
struct Storm<'a> {
    desk: &'a Desk,
    place: &'a Path,
    hide_proc: bool,
    /// What each of the two builds writes.
    bundles: [Vec<u8>; 2],
}

impl<'a> Storm<'a> {
    fn new(desk: &'a Desk, place: &'a Path, hide_proc: bool) -> Self {
        let mut storm = Self { desk, place, hide_proc, bundles: Default::default() };
        for which in [1, 0] {
            assert!(storm.build(which).wait().expect("ends").success());
            storm.bundles[which] = fs::read(storm.output()).expect("read");
        }
        assert_ne!(storm.bundles[0], storm.bundles[1]);
        storm
    }

    fn output(&self) -> PathBuf {
        self.place.join("x.ompack")
    }

    fn build(&self, which: usize) -> Child {
        let dir = ["a", "b"][which];
        let mut build = self.desk.program(["build", dir, "-o"]);
        build.arg(self.output());
        if self.hide_proc {
            let mut hidden = Command::new("unshare");
            hidden.args(WITHOUT_PROC).arg(build.get_program()).args(build.get_args());
            hidden.current_dir(self.desk.path("."));
            build = hidden;
        }
        build.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    }

    fn run(&self, kills: usize) -> Tally {
        let (whole, publishing) = self.durations();
        let mut random = Random::for_name(&format!("{}", std::process::id()));
        let mut within = |time: Duration| {
            let micros = usize::try_from(time.as_micros()).expect("short").max(1);
            Duration::from_micros(random.below(micros) as u64)
        };
        let (mut tally, mut former) = (Tally::default(), 0);
        for kill in 0..kills {
            let new = 1 - former;
            let mut build = self.build(new);
            // Every other kill is aimed at the short time in which the output is written.
            if kill % 2 == 0 {
                std::thread::sleep(within(whole));
            } else {
                self.await_draft(&mut build);
                std::thread::sleep(within(publishing * 2 / 3));
            }
            let writes = self.has_draft(&build);
            build.kill().expect("killed, or over");
            let status = build.wait().expect("ends");
            let found = fs::read(self.output()).expect("there is always one");
            let replaced = found == self.bundles[new];
            assert!(replaced || found == self.bundles[former], "kill {kill}: {} bytes", found.len());
            match (status.signal(), replaced) {
                (None, _) => {
                    assert!(status.success() && replaced, "kill {kill}: {status}");
                    tally.ended += 1;
                }
                (Some(_), true) => tally.replaced += 1,
                (Some(_), false) if writes => tally.writing += 1,
                (Some(_), false) => tally.before += 1,
            }
            let left = self.temporary_files();
            assert!(left <= 1, "kill {kill}: {left} temporary files pile up");
            tally.left_behind += left;
            if replaced {
                former = new;
            }
            if left > 0 {
                // Its successor has to find it, and not only the next build that gets as far.
                assert!(self.build(1 - former).wait().expect("ends").success());
                assert_eq!(self.temporary_files(), 0, "kill {kill}: swept by the next build");
                former = 1 - former;
            }
        }
        assert!(self.build(0).wait().expect("ends").success());
        assert_eq!(fs::read_dir(self.place).expect("listed").count(), 1);
        tally
    }

    /// How long a build takes, and how long its output is being written.
    fn durations(&self) -> (Duration, Duration) {
        let start = Instant::now();
        let mut build = self.build(0);
        self.await_draft(&mut build);
        let writing = Instant::now();
        assert!(build.wait().expect("ends").success());
        (start.elapsed(), writing.elapsed())
    }

    /// Waits until the build has made its draft, or is over.
    fn await_draft(&self, build: &mut Child) {
        while !self.has_draft(build) && build.try_wait().expect("asked").is_none() {
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// Whether a build has a file open in the output's directory, with a name or without.
    fn has_draft(&self, build: &Child) -> bool {
        let Ok(open) = fs::read_dir(format!("/proc/{}/fd", build.id())) else { return false };
        let leads_here = |target: PathBuf| target.parent() == Some(self.place);
        open.flatten().any(|entry| fs::read_link(entry.path()).is_ok_and(leads_here))
    }

    fn temporary_files(&self) -> usize {
        fs::read_dir(self.place).expect("listed").count() - 1
    }
}
