//! Files that are cut short under their maps.

use std::env;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use super::*;

const PAGES: usize = 8;

/// A file of a few pages, each full of its number from 1 on, and its map.
fn mapped() -> (File, Mmap, usize) {
    let page_bytes = signal::handled().expect("the handler is installed");
    let mut file = tempfile::tempfile().expect("a file");
    for page in 1..=PAGES {
        file.write_all(&vec![page as u8; page_bytes]).expect("written");
    }
    // SAFETY: nobody but these tests has the file, and they read the map in ways that its guard was made for.
    #[allow(unsafe_code)]
    let map = unsafe { Mmap::map(&file) }.expect("mapped");
    (file, map, page_bytes)
}

fn guarded() -> (File, GuardedMap, usize) {
    let (file, map, page_bytes) = mapped();
    (file, GuardedMap::new(map).expect("a free slot"), page_bytes)
}

/// Reads a byte where it lies; without this, a compiler may remember what it read before.
fn byte(map: &[u8], at: usize) -> u8 {
    std::hint::black_box(map).get(at).copied().expect("within the map")
}

#[test]
fn what_a_file_lost_reads_as_zeros_and_the_map_says_so() {
    let (file, map, page) = guarded();
    let (_other_file, other, _) = guarded();
    assert_eq!(byte(&map, PAGES * page - 1), PAGES as u8);
    file.set_len((3 * page) as u64).expect("cut");
    assert_eq!((byte(&map, 3 * page - 1), map.faulted()), (3, false), "what is left is left alone");
    assert_eq!((byte(&map, 5 * page + 7), map.faulted()), (0, true));
    assert!(map.get(5 * page..).expect("within").iter().all(|byte| *byte == 0), "to the end of the map");
    assert_eq!(byte(&map, 3 * page), 0, "a page before the one that faulted first");
    assert_eq!(byte(&map, 0), 1);
    assert!(!other.faulted());
    assert_eq!(byte(&other, 5 * page), 6);
    file.set_len((PAGES * page) as u64).expect("grown again");
    assert!(map.faulted(), "zeros stay, and so does the mark");
}

#[test]
fn many_threads_may_fault_at_once_while_other_maps_come_and_go() {
    for _ in 0..20 {
        let (file, map, page) = guarded();
        file.set_len(0).expect("cut");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let map = &map;
                scope.spawn(move || {
                    for at in 0..PAGES {
                        assert_eq!(byte(map, (at + thread) % PAGES * page), 0);
                        assert!(map.faulted());
                    }
                });
            }
            scope.spawn(|| {
                for _ in 0..20 {
                    let (_file, map, page) = guarded();
                    assert_eq!((byte(&map, page), map.faulted()), (2, false));
                }
            });
        });
    }
}

/// Set for the process that the next test starts to die.
const DOOMED: &str = "OPENMIND_PACK_TEST_DOOMED";

#[test]
fn a_fault_elsewhere_ends_the_process_as_it_would_without_the_guard() {
    if let Some(how) = env::var_os(DOOMED) {
        let (_file, guarded, page) = guarded();
        assert_eq!(byte(&guarded, page), 2);
        let (file, unguarded, page) = mapped();
        if how == "after a fault of ours" {
            let (file, map, page) = self::guarded();
            file.set_len(0).expect("cut");
            assert_eq!(byte(&map, page), 0);
        }
        file.set_len(0).expect("cut");
        byte(&unguarded, page);
        return;
    }
    for how in ["at once", "after a fault of ours"] {
        let status = Command::new(env::current_exe().expect("this program"))
            .args([
                "--exact",
                "guard::tests::a_fault_elsewhere_ends_the_process_as_it_would_without_the_guard",
            ])
            .env(DOOMED, how)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("starts");
        assert_eq!(status.signal(), Some(libc::SIGBUS), "{how}: {status}");
    }
}
