//! Two builds that race onto one path.

use std::fs;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use super::invented_directory;
use crate::common::Desk;

#[test]
fn two_builds_onto_one_path_leave_one_of_the_two_whole_and_a_reader_never_sees_less() {
    const ROUNDS: usize = 25;
    let desk = Desk::new();
    let bundles: Vec<Vec<u8>> = [400, 401]
        .into_iter()
        .map(|symbols| {
            let name = format!("dir{symbols}");
            invented_directory(&desk, &name, symbols);
            desk.run(["build", &name, "-o", "one.ompack"]).expect(0);
            desk.read("one.ompack")
        })
        .collect();
    assert_ne!(bundles[0], bundles[1]);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = 0;
            while !over.load(Ordering::Relaxed) {
                // One file from opening to end, whatever the path leads to meanwhile.
                let found = fs::read(desk.path("one.ompack")).expect("there is always one");
                assert!(bundles.contains(&found), "{} bytes that neither build wrote", found.len());
                seen += 1;
            }
            seen
        });
        for _ in 0..ROUNDS {
            let racers = ["dir400", "dir401"].map(|dir| {
                let mut build = desk.program(["build", dir, "-o", "one.ompack"]);
                build.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
            });
            for mut racer in racers {
                assert_eq!(racer.wait().expect("ends").code(), Some(0));
            }
            assert!(bundles.contains(&desk.read("one.ompack")));
            assert_eq!(desk.list("."), ["dir400", "dir401", "one.ompack"]);
        }
        over.store(true, Ordering::Relaxed);
        assert!(reader.join().expect("the reader holds") > 0);
    });
}
