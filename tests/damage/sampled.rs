//! Mutations drawn at random, of bundles too large for all of them.

use std::time::Instant;

use openmind_pack_format::read_aligned;

use crate::WIDE;
use crate::oracle::{Oracle, Tally};

/// Bytes that one mutation can touch.
const SPAN: usize = 64;

/// Marsaglia's xorshift: the same mutations everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// Changes up to [`SPAN`] bytes and gives where it began, what stood there, and its kind.
fn mutate(bytes: &mut [u8], random: &mut Random) -> (usize, Vec<u8>, &'static str) {
    let at = random.below(bytes.len() - 2 * SPAN);
    let before = bytes[at..at + SPAN].to_vec();
    let length = 1 + random.below(SPAN);
    let kind = match random.below(5) {
        0 => {
            bytes[at] ^= 1 << random.below(8);
            "flipped bit"
        }
        1 => {
            bytes[at..at + length].fill(0);
            "zeros"
        }
        2 => {
            bytes[at..at + length].fill_with(|| random.next() as u8);
            "noise"
        }
        3 => {
            let from = random.below(bytes.len() - SPAN);
            bytes.copy_within(from..from + length, at);
            "bytes of another place"
        }
        _ => {
            let word = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let near = word.wrapping_add_signed(random.below(5) as i32 - 2);
            bytes[at..at + 4].copy_from_slice(&near.to_le_bytes());
            "a number near"
        }
    };
    (at, before, kind)
}

fn sampled(good: &[u8], mutations: u64, seed: u64) -> Tally {
    let oracle = Oracle::of(good);
    let mut random = Random(seed);
    let mut tally = Tally::default();
    let mut bytes = read_aligned(good, good.len() as u64).unwrap();
    let mut done = 0;
    while done < mutations {
        let (at, before, kind) = mutate(&mut bytes, &mut random);
        if bytes[at..at + SPAN] == before {
            continue;
        }
        done += 1;
        let (found, back) = oracle.check(bytes, || format!("{kind} at {at}, mutation {done}"));
        tally.add(found);
        bytes = match back {
            Some(mut bytes) => {
                bytes[at..at + SPAN].copy_from_slice(&before);
                bytes
            }
            None => read_aligned(good, good.len() as u64).unwrap(),
        };
    }
    assert!(bytes.as_slice() == good, "every mutation was undone");
    tally
}

#[test]
fn sampled_mutations_are_found_and_none_changes_an_answer() {
    let number = |name: &str| std::env::var(name).ok().map(|value| value.parse().unwrap());
    let mutations = number("OPENMIND_PACK_MUTATIONS").unwrap_or(1000);
    let given = std::env::var_os("OPENMIND_PACK_MUTATE").map(|path| std::fs::read(path).unwrap());
    let good = given.as_deref().unwrap_or(WIDE);
    let start = Instant::now();
    let tally = sampled(good, mutations, 0x9e37_79b9_7f4a_7c15);
    println!("{mutations} mutations of {} bytes in {} s: {tally:?}", good.len(), start.elapsed().as_secs());
    assert!(tally.answered > 0 && tally.errors > 0, "{tally:?}");
}
