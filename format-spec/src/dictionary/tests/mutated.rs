//! Good shards, damaged at random: refused, or read to the end as what the table promises.

use std::ops::ControlFlow;
use std::panic::catch_unwind;

use fst::Streamer;

use super::{Random, figures, open, seal, shard_of};
use crate::dictionary::{BuiltShard, NearQuery, Shard, StepBudget, WalkEnd};

/// Shards of many shapes: names, all words of some bits, wide and indexed nodes, one long key, few and many keys.
fn good_shards(random: &mut Random) -> Vec<BuiltShard> {
    let words =
        |bits: usize| (0..1 << bits).map(|number| format!("{number:0bits$b}")).collect::<Vec<String>>();
    let names =
        |count: usize, random: &mut Random| (0..count).map(|_| random.name()).collect::<Vec<String>>();
    let wide: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
    let indexed: Vec<Vec<u8>> = (0..120).map(|byte: u8| vec![byte, byte % 50 + 5, byte % 7]).collect();
    let random_bytes: Vec<Vec<u8>> =
        (0..60).map(|_| (0..random.below(5)).map(|_| random.next() as u8).collect()).collect();
    vec![
        shard_of(&names(3, random)),
        shard_of(&names(12, random)),
        shard_of(&names(40, random)),
        shard_of(&names(200, random)),
        shard_of(&words(4)),
        shard_of(&words(9)),
        shard_of(&wide),
        shard_of(&indexed),
        shard_of(&random_bytes),
        shard_of(&["x".repeat(300)]),
        shard_of(&["a", "b"]),
        shard_of(&["", "a", "ab", "abc", "b", "bc"]),
    ]
}

/// Changes some of a shard's bytes.
fn mutate(good: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match random.below(8) {
        // One bit; one byte; a few bytes.
        0 | 1 => bytes[random.below(good.len())] ^= 1 << random.below(8),
        2 => bytes[random.below(good.len())] = random.next() as u8,
        3 | 4 => {
            for _ in 0..random.below(6) + 2 {
                bytes[random.below(good.len())] =
                    *random.pick(&[0, 1, 2, 0x10, 0x11, 0x18, 0x81, 0x81, 0x80, 0xc0, 255]);
            }
        }
        // The end missing; a stretch missing, with the root where it should be; one shard's middle in another's.
        5 => bytes.truncate(random.below(good.len())),
        6 => {
            let from = random.below(good.len());
            bytes.drain(from..(from + random.below(12)).min(good.len()));
            if let Some(root) = bytes.len().checked_sub(21)
                && let Some(place) = bytes.get_mut(root + 9..root + 17)
            {
                place.copy_from_slice(&(root as u64).to_le_bytes());
            }
        }
        _ => {
            let (to, from) = (random.below(good.len()), random.below(donor.len()));
            let length = random.below(40).min(good.len() - to).min(donor.len() - from);
            bytes[to..to + length].copy_from_slice(&donor[from..from + length]);
        }
    }
    // An attacker seals, an accident doesn't.
    if random.below(8) > 0 {
        seal(&mut bytes);
    }
    bytes
}

/// Reads a shard in every way there is, and finds the promised number of keys, in order, each at its rank.
fn read_all(shard: &Shard<'_>, bytes: &[u8], near: &NearQuery, promised: &BuiltShard) {
    let mut previous: Option<Vec<u8>> = None;
    let mut count = 0;
    let mut by_rank = Vec::new();
    let end = shard.visit_from(b"", &mut StepBudget::new(1 << 30), |key, rank| {
        assert_eq!(rank, count);
        assert_eq!(shard.get(key), Some(rank));
        assert!(shard.key(rank, &mut by_rank) && by_rank == key);
        assert!(key.len() <= promised.longest_key as usize);
        assert!(previous.as_deref().is_none_or(|previous| previous < key));
        previous = Some(key.to_vec());
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((end, count), (WalkEnd::Complete, promised.key_count));
    let last = previous.expect("a key at least");
    assert_eq!(shard.prefix_ranks(b""), 0..count);
    for cut in 0..last.len().min(5) {
        let mut with_prefix = Vec::new();
        let end = shard.visit_prefix(&last[..cut], &mut StepBudget::new(1 << 30), |_, rank| {
            with_prefix.push(rank);
            ControlFlow::Continue(())
        });
        let ranks = shard.prefix_ranks(&last[..cut]);
        assert_eq!((end, with_prefix), (WalkEnd::Complete, ranks.collect()));
    }
    let end = near.search(shard, &mut StepBudget::new(1 << 30), |_, rank, _| {
        assert!(rank < count);
        ControlFlow::Continue(())
    });
    assert_eq!(end, WalkEnd::Complete);
    // `fst`'s own stream agrees.
    let map = fst::Map::new(bytes).expect("opened before");
    let mut stream = map.stream();
    let mut streamed = 0;
    while let Some((_, value)) = stream.next() {
        assert_eq!(value, streamed);
        streamed += 1;
    }
    assert_eq!(streamed, u64::from(count));
}

/// `OMPACK_MUTATIONS` sets the number of mutants.
#[test]
fn a_damaged_shard_is_refused_or_reads_as_promised() {
    let mutants = std::env::var("OMPACK_MUTATIONS").map_or(10_000, |count| count.parse().expect("a number"));
    let seed = std::env::var("OMPACK_SEED").map_or(8, |seed| seed.parse().expect("a number"));
    let mut random = Random(seed);
    let good = good_shards(&mut random);
    let near = NearQuery::new("GetBuckt", 2).unwrap();
    for shard in &good {
        read_all(&open(shard).unwrap(), &shard.bytes, &near, shard);
    }
    let mut changed_and_sound = 0;
    for number in 0..mutants {
        let shard = &good[number % good.len()];
        let donor = &good[random.below(good.len())].bytes;
        let bytes = mutate(&shard.bytes, donor, &mut random);
        // What the table says follows the bytes half of the time: an attacker writes both.
        let mut figures = figures(shard);
        let mut promised = shard.clone();
        if random.below(2) == 0
            && let Some(keys) = bytes.len().checked_sub(20).and_then(|at| bytes[at..].first_chunk::<8>())
        {
            figures.key_count = u64::from_le_bytes(*keys) as u32;
            promised.key_count = figures.key_count;
        }
        let sound = catch_unwind(|| match Shard::open(&bytes, &figures) {
            Ok(opened) => {
                read_all(&opened, &bytes, &near, &promised);
                bytes != shard.bytes
            }
            Err(_) => false,
        });
        let sound = sound.unwrap_or_else(|_| panic!("seed {seed}, mutant {number}: {bytes:02x?}"));
        changed_and_sound += usize::from(sound);
    }
    // Some changes turn one dictionary into another; without any the test would prove little.
    assert!(changed_and_sound > mutants / 100, "{changed_and_sound} of {mutants}");
    println!("{changed_and_sound} of {mutants} mutants were sound");
}
