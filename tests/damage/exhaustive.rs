//! All of a kind of damage, on bundles that are small enough.

use std::thread;

use openmind_pack_format::read_aligned;

use crate::oracle::{Oracle, Tally};
use crate::{EMPTY, SAMPLE};

/// Damages the bundle at each place in turn, undoing it in between, with as many threads as there are cores.
fn at_each_place(good: &[u8], places: usize, damage: impl Fn(&mut [u8], usize) -> bool + Sync) -> Tally {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let oracle = Oracle::of(good);
    let some = |first: usize| {
        let copy = || read_aligned(good, good.len() as u64).unwrap();
        let mut tally = Tally::default();
        let mut bytes = copy();
        for place in (first..places).step_by(threads) {
            if !damage(&mut bytes, place) {
                continue;
            }
            let (found, back) = oracle.check(bytes, || format!("damage at {place}"));
            tally.add(found);
            bytes = back.unwrap_or_else(copy);
            bytes.copy_from_slice(good);
        }
        tally
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || some(first))).collect();
        let mut tally = Tally::default();
        for worker in workers {
            tally.add(worker.join().unwrap());
        }
        tally
    })
}

fn flip(bytes: &mut [u8], place: usize) -> bool {
    bytes[place / 8] ^= 1 << (place % 8);
    true
}

/// Zeroes sixteen bytes, if they aren't zero.
fn zero(bytes: &mut [u8], place: usize) -> bool {
    let window = &mut bytes[place..place + 16];
    let changes = window.iter().any(|byte| *byte != 0);
    window.fill(0);
    changes
}

#[test]
fn every_flipped_bit_is_found_and_none_changes_an_answer() {
    for good in [EMPTY, SAMPLE] {
        let tally = at_each_place(good, good.len() * 8, flip);
        // What isn't refused at open lies in a group that isn't looked at then.
        assert!(good == EMPTY || (tally.answered > 0 && tally.errors > 0), "{tally:?}");
        assert!(good != EMPTY || tally.refused == good.len() as u64 * 8, "{tally:?}");
    }
}

#[test]
fn every_zeroed_window_is_found_and_none_changes_an_answer() {
    for good in [EMPTY, SAMPLE] {
        let tally = at_each_place(good, good.len() - 15, zero);
        assert!(tally.refused > 0, "{tally:?}");
    }
}

#[test]
fn every_truncated_file_is_refused() {
    for good in [EMPTY, SAMPLE] {
        let oracle = Oracle::of(good);
        for length in 0..good.len() {
            let bytes = read_aligned(good, length as u64).unwrap();
            let (tally, _) = oracle.check(bytes, || format!("{length} bytes"));
            assert_eq!(tally.refused, 1, "{length} bytes");
        }
    }
}
