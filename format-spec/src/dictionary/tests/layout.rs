//! The bytes of a shard, against bytes written by hand and against `fst`'s own writer.

use super::{Assembly, Random, shard_of};
use crate::dictionary::Shard;

#[test]
fn the_empty_key_alone_takes_no_node() {
    assert_eq!(shard_of(&[""]).bytes, Assembly::new().finish_at(1, 0));
}

#[test]
fn one_key_is_a_chain_to_the_node_just_before() {
    // Written from the end: "c" (common input 10) to the empty node, "a" (5) and "~" (no common input) to the node before.
    let expected = Assembly::new().node(&[0, 0x10, 0x80 | 10]).node(&[0xc0 | 5]).node(b"~\xc0").finish(1);
    assert_eq!(shard_of(&["~ac"]).bytes, expected);
}

#[test]
fn a_fork_lists_outputs_addresses_and_inputs_backwards() {
    // Outputs 1 0, both children empty, inputs b a, one byte for an address and one for an output, two transitions.
    let expected = Assembly::new().node(&[1, 0, 0, 0, b'b', b'a', 0x11, 2]).finish(2);
    assert_eq!(shard_of(&["a", "b"]).bytes, expected);
}

#[test]
fn equal_endings_are_written_once() {
    // xab xcb yab ycb: the fork a/c over b, once; the root gives y the two keys under x.
    let expected = Assembly::new()
        .node(&[0, 0x10, 0x80 | 26])
        .node(&[1, 0, 1, 1, b'c', b'a', 0x11, 2])
        .node(&[2, 0, 1, 1, b'y', b'x', 0x11, 2])
        .finish(4);
    assert_eq!(shard_of(&["xab", "xcb", "yab", "ycb"]).bytes, expected);
}

#[test]
fn a_key_within_a_key_makes_a_final_node() {
    // "a" ends at a final node of one transition: its own output 0, then 1 for what goes on with b.
    let expected = Assembly::new().node(&[0, 1, 0, b'b', 0x11, 0x41]).node(&[0xc0 | 5]).finish(2);
    assert_eq!(shard_of(&["a", "ab"]).bytes, expected);
}

#[test]
fn a_node_of_256_transitions_has_an_index_and_count_byte_1() {
    let every: Vec<[u8; 1]> = (0..=255).map(|byte| [byte]).collect();
    let down: Vec<u8> = (0..=255).rev().collect();
    let up: Vec<u8> = (0..=255).collect();
    let node = [&down, &[0; 256][..], &down, &up, &[0x11, 1, 0]].concat();
    assert_eq!(shard_of(&every).bytes, Assembly::new().node(&node).finish(256));
}

#[test]
fn a_node_of_33_transitions_has_an_index_and_no_count_byte() {
    let some: Vec<[u8; 1]> = (b'A'..b'A' + 33).map(|byte| [byte]).collect();
    let mut index = [255; 256];
    for (place, entry) in (0..33).zip(&mut index[65..]) {
        *entry = place;
    }
    let ranks: Vec<u8> = (0..33).rev().collect();
    let inputs: Vec<u8> = (b'A'..b'A' + 33).rev().collect();
    let node = [&ranks, &[0; 33][..], &inputs, &index, &[0x11, 33]].concat();
    assert_eq!(shard_of(&some).bytes, Assembly::new().node(&node).finish(33));
}

/// What `fst`'s own writer makes of sorted keys.
fn written_by_fst(keys: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = fst::MapBuilder::memory();
    for (key, rank) in keys.iter().zip(0..) {
        writer.insert(key, rank).unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn fst_writes_the_same_bytes_for_a_few_keys() {
    let mut random = Random(1);
    for round in 0..300 {
        let mut keys: Vec<Vec<u8>> = match round % 3 {
            0 => (0..8).map(|_| random.name().into_bytes()).collect(),
            1 => (0..40).map(|_| (0..random.below(4)).map(|_| random.next() as u8).collect()).collect(),
            _ => (0..40).map(|_| (0..random.below(9)).map(|_| *random.pick(b"ab\xff")).collect()).collect(),
        };
        keys.sort();
        keys.dedup();
        assert_eq!(shard_of(&keys).bytes, written_by_fst(&keys), "{keys:?}");
    }
}

/// `fst` looks for equal nodes in a cache, which forgets some.
#[test]
fn no_shard_is_longer_than_what_fst_writes() {
    let mut random = Random(6);
    let mut keys: Vec<Vec<u8>> = (0..1000).map(|_| random.name().into_bytes()).collect();
    keys.sort();
    keys.dedup();
    let (ours, theirs) = (shard_of(&keys).bytes.len(), written_by_fst(&keys).len());
    assert!(ours <= theirs, "{ours} {theirs}");
}

#[test]
fn every_common_input_is_read_back_by_fst() {
    for byte in 0..=255 {
        let built = shard_of(&[[byte]]);
        let shard = Shard::from_validated(&built.bytes).unwrap();
        assert_eq!(shard.get(&[byte]), Some(0), "{byte}");
    }
}
