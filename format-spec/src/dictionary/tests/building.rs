//! Where keys are cut into shards.

use std::collections::BTreeSet;

use super::{Random, open, shard_of, shards_of};
use crate::dictionary::writer::Writer;
use crate::dictionary::{
    DictionaryError, MAX_KEY_BYTES, MAX_LONE_SHARD_BYTES, MAX_SHARD_BYTES, MAX_SHARD_KEYS, ShardFigures,
    build_shards,
};

#[test]
fn no_keys_make_no_shards() {
    assert_eq!(build_shards([]), Ok(vec![]));
}

#[test]
fn keys_must_ascend_strictly() {
    let keys =
        |keys: &[&'static str]| build_shards(keys.iter().map(|key| key.as_bytes()).collect::<Vec<_>>());
    assert_eq!(keys(&["a", "c", "b"]), Err(DictionaryError::OutOfOrder { index: 2 }));
    assert_eq!(keys(&["a", "b", "b"]), Err(DictionaryError::Duplicate { index: 2 }));
    assert_eq!(keys(&["", ""]), Err(DictionaryError::Duplicate { index: 1 }));
}

#[test]
fn shards_follow_each_other_and_fill_their_limit() {
    let mut random = Random(2);
    let names: Vec<String> = (0..40_000).map(|_| random.name()).collect();
    let shards = shards_of(&names);
    assert!(shards.len() > 3, "{}", shards.len());
    let mut ordinal = 0;
    for (place, shard) in shards.iter().enumerate() {
        assert_eq!(shard.first_ordinal, ordinal);
        ordinal += shard.key_count;
        assert!(shard.bytes.len() <= MAX_SHARD_BYTES);
        let next = shards.get(place + 1);
        if next.is_some() {
            assert!(shard.bytes.len() > MAX_SHARD_BYTES - 512, "shard {place}: {}", shard.bytes.len());
        }
        let figures = ShardFigures {
            key_count: shard.key_count,
            longest_key: shard.longest_key,
            first_key: &shard.first_key,
            next_first_key: next.map(|next| &*next.first_key),
        };
        crate::dictionary::Shard::open(&shard.bytes, &figures).unwrap();
    }
    let distinct: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(ordinal as usize, distinct.len());
}

/// Random bytes share nothing, wide nodes have an index: the hardest keys to foresee.
#[test]
fn no_shard_passes_its_limit_whatever_the_keys_look_like() {
    let mut random = Random(3);
    for round in 0..15 {
        let alphabet = [2, 40, 256][round % 3];
        let longest = [3, 9, 300, 3000, 20_000][round % 5];
        let keys: Vec<Vec<u8>> = (0..60_000 / longest)
            .map(|_| (0..random.below(longest)).map(|_| random.below(alphabet) as u8).collect())
            .collect();
        for shard in shards_of(&keys) {
            let most = if shard.key_count == 1 { MAX_LONE_SHARD_BYTES } else { MAX_SHARD_BYTES };
            assert!(shard.bytes.len() <= most, "{} keys, {} bytes", shard.key_count, shard.bytes.len());
            open(&shard).unwrap();
        }
    }
}

/// The bound behind it, on keys whose endings are equal in part: then the last node of a chain names its child's place.
#[test]
fn no_shard_is_longer_than_foreseen_before_its_last_key() {
    let mut random = Random(9);
    for _ in 0..2000 {
        let alphabet = &b"ab"[..=random.below(2)];
        let keys: BTreeSet<Vec<u8>> = (0..random.below(12) + 1)
            .map(|_| (0..random.below(12)).map(|_| *random.pick(alphabet)).collect())
            .collect();
        let mut writer = Writer::default();
        let (mut previous, mut most): (&[u8], usize) = (&[], 0);
        for key in &keys {
            let shared = previous.iter().zip(key).take_while(|(a, b)| a == b).count();
            most = writer.most_bytes_with(shared, key.len() - shared);
            writer.add(shared, &key[shared..]);
            previous = key;
        }
        let found = writer.finish().len();
        assert!(found <= most, "{found} {most} {keys:?}");
    }
}

#[test]
fn a_key_too_long_for_company_gets_a_shard_alone() {
    let long = vec![b'~'; MAX_KEY_BYTES];
    let shards = shards_of(&[&b"a"[..], b"b", &long, b"~~~~~\x7f", b"\x7f"]);
    let counts: Vec<_> = shards.iter().map(|shard| shard.key_count).collect();
    assert_eq!(counts, [2, 1, 2]);
    // Header and footer 36; the last byte's node 4, the others 2 each.
    assert_eq!(shards[1].bytes.len(), 36 + 4 + 2 * (MAX_KEY_BYTES - 1));
    assert_eq!(shards[1].longest_key as usize, MAX_KEY_BYTES);
    let shard = open(&shards[1]).unwrap();
    assert_eq!(shard.get(&long), Some(0));
    assert_eq!(shard.get(&long[1..]), None);

    let longer = vec![b'~'; MAX_KEY_BYTES + 1];
    let expected = DictionaryError::KeyTooLong { index: 0, found: longer.len(), most: MAX_KEY_BYTES };
    assert_eq!(build_shards([&*longer]), Err(expected));
}

/// All words of 17 bits: 2^17 keys that share every ending, a few hundred bytes.
#[test]
fn a_shard_has_at_most_65536_keys() {
    let words: Vec<String> = (0..1 << 17).map(|number| format!("{number:017b}")).collect();
    let shards = shards_of(&words);
    let counts: Vec<_> = shards.iter().map(|shard| (shard.key_count, shard.first_ordinal)).collect();
    assert_eq!(counts, [(MAX_SHARD_KEYS, 0), (MAX_SHARD_KEYS, MAX_SHARD_KEYS)]);
    for shard in &shards {
        assert!(shard.bytes.len() < 300, "{}", shard.bytes.len());
        open(shard).unwrap();
    }
    assert_eq!(open(&shards[1]).unwrap().get(words[100_000].as_bytes()), Some(100_000 - 65_536));
}

#[test]
fn the_same_keys_make_the_same_bytes() {
    let mut random = Random(4);
    let names: Vec<String> = (0..5000).map(|_| random.name()).collect();
    let mut reversed = names.clone();
    reversed.reverse();
    assert_eq!(shards_of(&names), shards_of(&reversed));
    // A writer that has written other shards starts over as a new one.
    let shards = shards_of(&names);
    let second = &shards[1];
    let range = second.first_ordinal as usize..(second.first_ordinal + second.key_count) as usize;
    let sorted: BTreeSet<_> = names.iter().collect();
    let keys: Vec<_> = sorted.into_iter().collect();
    assert_eq!(shard_of(&keys[range]).bytes, second.bytes);
}
