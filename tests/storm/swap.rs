//! Two good bundles take each other's place by rename.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Client, Reply};
use crate::common::Desk;
use crate::knowledge::{FEW, MANY, build, listing, questions};
use crate::{Weather, changes};

const CLIENTS: usize = 8;

/// What one client has seen of each bundle.
#[derive(Default)]
struct Seen([AtomicUsize; 2]);

impl Seen {
    fn both(&self) -> bool {
        self.0.iter().all(|count| count.load(Ordering::Relaxed) > 0)
    }
}

#[test]
fn each_answer_is_one_bundles_while_small_ones_are_swapped_under_eight_clients() {
    storm(FEW);
}

#[test]
fn each_answer_is_one_bundles_while_mapped_ones_are_swapped_under_eight_clients() {
    storm(MANY);
}

fn storm(entries: usize) {
    let desk = Desk::new();
    let bundles = ["first", "other"].map(|name| build(&desk, name, name, entries));
    let mut asked = questions(entries);
    asked.push(listing());
    let expected = bundles.each_ref().map(|bundle| {
        let mut client = Client::start(&desk, &[], bundle);
        let answers = client.answers(&asked);
        client.end();
        answers
    });
    for (one, other) in expected[0].iter().zip(&expected[1]) {
        assert_ne!(one, other, "who answers can be told");
    }
    let live = desk.path("live.ompack");
    fs::copy(&bundles[0], &live).unwrap();
    let seen: [Seen; CLIENTS] = Default::default();
    let (over, renames) = (AtomicBool::new(false), AtomicUsize::new(0));
    let began = Instant::now();
    thread::scope(|scope| {
        for (number, seen) in seen.iter().enumerate() {
            let (desk, live, asked, expected, over) = (&desk, &live, &asked, &expected, &over);
            scope.spawn(move || {
                let mut client = Client::start(desk, &[], live);
                for at in (0..asked.len()).cycle().skip(number) {
                    let last = over.load(Ordering::SeqCst);
                    let reply = client.ask(&asked[at]);
                    let Reply::Answer(text) = reply else { panic!("{:?}: {reply:?}", asked[at]) };
                    let from = expected.iter().position(|expected| expected[at] == text);
                    let from = from.unwrap_or_else(|| panic!("neither bundle's answer: {text}"));
                    seen.0[from].fetch_add(1, Ordering::Relaxed);
                    if last {
                        assert_eq!(from, 1, "what was renamed last is what is served in the end");
                        break;
                    }
                }
                client.end();
            });
        }
        let weather = Weather(&over);
        // Until all clients have seen both; slow machines get more renames rather than a failure.
        let patience = Instant::now() + Duration::from_secs(120);
        while renames.load(Ordering::Relaxed) < changes() || !seen.iter().all(Seen::both) {
            let number = renames.fetch_add(1, Ordering::Relaxed);
            put(&bundles[number % 2], &desk.path("temporary"), &live);
            thread::sleep(Duration::from_millis(2));
            if Instant::now() > patience && renames.load(Ordering::Relaxed) >= changes() {
                break;
            }
        }
        put(&bundles[1], &desk.path("temporary"), &live);
        drop(weather);
    });
    let totals = [0, 1].map(|of| seen.iter().map(|seen| seen.0[of].load(Ordering::Relaxed)).sum::<usize>());
    println!(
        "swap, {entries} entries: {renames:?} renames, {totals:?} answers of each, {:.1?}",
        began.elapsed()
    );
    assert!(seen.iter().all(Seen::both), "each client saw answers of both bundles");
}

/// Publishes a copy as a build does.
fn put(bundle: &Path, temporary: &Path, live: &Path) {
    fs::copy(bundle, temporary).unwrap();
    fs::rename(temporary, live).unwrap();
}
