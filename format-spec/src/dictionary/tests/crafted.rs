//! Shards that somebody made to do harm, each with its story.

use super::{Assembly, Random, figures, open, seal, shard_of};
use crate::dictionary::FaultKind as Kind;
use crate::dictionary::{FaultKind, MAX_SHARD_BYTES, MAX_SHARD_KEYS, Shard, ShardFault, ShardFigures};

/// Opens a shard of so many keys, the longest of `longest_key` bytes, the first one `first_key`.
fn open_as(bytes: &[u8], key_count: u32, longest_key: u32, first_key: &str) -> Result<(), ShardFault> {
    let first_key = first_key.as_bytes();
    Shard::open(bytes, &ShardFigures { key_count, longest_key, first_key, next_first_key: None }).map(|_| ())
}

fn fault(offset: usize, kind: FaultKind) -> Result<(), ShardFault> {
    Err(ShardFault { offset, kind })
}

/// "a" and "b": eight bytes of root from 16 to 23.
const FORK: [u8; 8] = [1, 0, 0, 0, b'b', b'a', 0x11, 2];

#[test]
fn what_is_right_by_hand_opens() {
    assert_eq!(open_as(&Assembly::new().node(&FORK).finish(2), 2, 1, "a"), Ok(()));
    assert_eq!(open_as(&Assembly::new().finish_at(1, 0), 1, 0, ""), Ok(()));
    // Wider packing than a writer's is no fault.
    let wide = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'b', b'a', 0x42, 2];
    assert_eq!(open_as(&Assembly::new().node(&wide).finish(2), 2, 1, "a"), Ok(()));
}

/// Sixty forks, both arms of each to the fork before. `fst` opens it gladly and would stream 2^60 keys.
#[test]
fn sixty_forks_in_a_row_are_not_streamed() {
    let forks = || {
        let mut assembly = Assembly::new();
        for level in 0..60 {
            let child = u8::from(level > 0);
            let output = (1_u64 << level).to_le_bytes();
            assembly = assembly.node(&[&output[..], &[0; 8], &[child, child, b'b', b'a', 0x18, 2]].concat());
        }
        assembly
    };
    let honest = forks().finish(1 << 60);
    assert_eq!(fst::Map::new(&honest).unwrap().len(), 1 << 60);
    let keys = MAX_SHARD_KEYS;
    let footer = honest.len() - 20;
    let expected = Kind::FooterKeys { found: 1 << 60, expected: keys };
    assert_eq!(open_as(&honest, keys, 60, &"a".repeat(60)), fault(footer, expected));

    // The seventeenth fork, of 22 bytes like all, spells the first key too many.
    let lying = forks().finish(u64::from(keys));
    let expected = Kind::TooManyKeys { found: 1 << 17, expected: keys };
    assert_eq!(open_as(&lying, keys, 60, &"a".repeat(60)), fault(16 + 17 * 22 - 1, expected));
}

/// An address of eight bytes wraps round: 2^64 - 1 bytes back is one byte on.
#[test]
fn no_transition_leads_up_or_round() {
    let node = |delta: u64| {
        let node = [&delta.to_le_bytes()[..], &[0x80, b'~', 0x80]].concat();
        Assembly::new().node(&[0, 0x10, 0x80 | 1]).node(&node).node(&[0xc0 | 2]).finish(1)
    };
    // The node before lies at 16 to 18, the node at 19 to 29, the root at 30.
    let expected = |delta| fault(29, Kind::Child { transition: 0, delta, start: 19 });
    assert_eq!(open_as(&node(1), 1, 3, "e~t"), Ok(()));
    for (story, to) in [("itself", 29), ("the root", 30), ("its own middle", 24), ("the footer", 40)] {
        let delta = 19_u64.wrapping_sub(to);
        assert_eq!(open_as(&node(delta), 1, 3, "e~t"), expected(delta), "{story}");
    }
}

#[test]
fn a_child_is_a_node_and_not_the_middle_of_one() {
    // A chain "~e" would be read from the middle of the node below.
    let node = |delta| Assembly::new().node(&[0, 0x10, b'~', 0x80]).node(&[delta, 0x10, 0x80 | 2]).finish(1);
    assert_eq!(open_as(&node(1), 1, 2, "e~"), Ok(()));
    // 20 less 1 is the node's end; then its middle, the header, the very address of the empty node, and below.
    for delta in [2, 3, 4, 5, 20, 21] {
        let expected = Kind::Child { transition: 0, delta: delta.into(), start: 20 };
        assert_eq!(open_as(&node(delta), 1, 2, "e~"), fault(22, expected));
    }
}

#[test]
fn the_first_node_has_no_node_before() {
    let shard = Assembly::new().node(&[0xc0 | 1]).finish(1);
    assert_eq!(open_as(&shard, 1, 1, "t"), fault(16, Kind::Child { transition: 0, delta: 1, start: 16 }));
}

#[test]
fn the_root_is_the_last_node() {
    for root in [0, 1, 15, 16, 22, 24, 1 << 40, u64::MAX] {
        let shard = Assembly::new().node(&FORK).finish_at(2, root);
        assert_eq!(open_as(&shard, 2, 1, "a"), fault(32, Kind::Root { found: root, expected: 23 }));
    }
    // Root 0 is the empty node, with which a shard has no others; root 15 of the shortest shard would be its header.
    let shard = Assembly::new().finish_at(1, 15);
    assert_eq!(open_as(&shard, 1, 0, ""), fault(24, Kind::Root { found: 15, expected: 0 }));
}

#[test]
fn the_count_must_be_the_same_everywhere() {
    let shard = |keys| Assembly::new().node(&FORK).finish(keys);
    assert_eq!(open_as(&shard(3), 2, 1, "a"), fault(24, Kind::FooterKeys { found: 3, expected: 2 }));
    assert_eq!(open_as(&shard(2), 3, 1, "a"), fault(24, Kind::FooterKeys { found: 2, expected: 3 }));
    assert_eq!(open_as(&shard(3), 3, 1, "a"), fault(23, Kind::Keys { found: 2, expected: 3 }));
    assert_eq!(open_as(&shard(1), 1, 1, "a"), fault(23, Kind::TooManyKeys { found: 2, expected: 1 }));
    for found in [0, MAX_SHARD_KEYS + 1, u32::MAX] {
        let expected = Kind::PromisedKeys { found, most: MAX_SHARD_KEYS };
        assert_eq!(open_as(&shard(found.into()), found, 1, "a"), fault(0, expected));
    }
}

#[test]
fn the_longest_key_is_as_long_as_promised() {
    let shard = Assembly::new().node(&FORK).finish(2);
    for expected in [0, 2, u32::MAX] {
        assert_eq!(open_as(&shard, 2, expected, "a"), fault(23, Kind::LongestKey { found: 1, expected }));
    }
}

#[test]
fn inputs_ascend() {
    for (first, second) in [(b'b', b'a'), (b'a', b'a')] {
        let shard = Assembly::new().node(&[1, 0, 0, 0, second, first, 0x11, 2]).finish(2);
        assert_eq!(
            open_as(&shard, 2, 1, "a"),
            fault(23, Kind::InputOrder { previous: first, found: second })
        );
    }
}

#[test]
fn values_are_ranks() {
    for found in [0, 2, 255] {
        let shard = Assembly::new().node(&[found, 0, 0, 0, b'b', b'a', 0x11, 2]).finish(2);
        let expected = Kind::Output { transition: 1, found: found.into(), expected: 1 };
        assert_eq!(open_as(&shard, 2, 1, "a"), fault(23, expected));
    }
    // Missing outputs are zeros.
    let shard = Assembly::new().node(&[0, 0, b'b', b'a', 0x10, 2]).finish(2);
    assert_eq!(open_as(&shard, 2, 1, "a"), fault(21, Kind::Output { transition: 1, found: 0, expected: 1 }));
    // The sum of two outputs would overflow.
    let most = [0xff; 8];
    let shard = Assembly::new()
        .node(&[&most[..], &[0, 0x18, 0x81]].concat())
        .node(&[&most[..], &[1, 0x18, 0x82]].concat());
    let expected = Kind::Output { transition: 0, found: u64::MAX, expected: 0 };
    assert_eq!(open_as(&shard.finish(1), 1, 2, "et"), fault(26, expected));
    // "a" within "ab" is the first key through its node.
    let shard = Assembly::new().node(&[1, 1, 0, b'b', 0x11, 0x41]).node(&[0xc0 | 5]).finish(2);
    assert_eq!(open_as(&shard, 2, 2, "a"), fault(21, Kind::FinalOutput { found: 1 }));
}

#[test]
fn packed_sizes_are_1_to_8() {
    // Transitions in 0 and 9 to 15 bytes would make `fst` panic, outputs in more than 8 as well.
    for size in [0, 9, 15] {
        let one = Assembly::new().node(&[0; 20]).node(&[size << 4, 0x81]).finish(1);
        assert_eq!(open_as(&one, 1, 1, "t"), fault(36, Kind::DeltaSize { found: size }));
        let many = Assembly::new().node(&[0; 40]).node(&[b'b', b'a', size << 4, 2]).finish(2);
        assert_eq!(open_as(&many, 2, 1, "a"), fault(58, Kind::DeltaSize { found: size }));
    }
    for size in [9, 15] {
        let one = Assembly::new().node(&[0; 20]).node(&[0x10 | size, b'~', 0x80]).finish(1);
        assert_eq!(open_as(&one, 1, 1, "~"), fault(36, Kind::OutputSize { found: size }));
    }
}

#[test]
fn a_count_byte_is_for_counts_that_need_one() {
    // 0 would be a node without transitions, or the map of no keys; 2 to 63 have room in the state byte.
    for found in [0, 2, 63] {
        let shard = Assembly::new().node(&[0; 400]).node(&[0x11, found, 0]).finish(2);
        assert_eq!(open_as(&shard, 2, 1, "a"), fault(417, Kind::CountByte { found }));
    }
    let empty = fst::Map::default();
    let bytes = empty.as_fst().as_bytes();
    assert_eq!(open_as(bytes, 1, 1, "a"), fault(19, Kind::FooterKeys { found: 0, expected: 1 }));
}

#[test]
fn nodes_take_no_byte_of_the_header() {
    // One byte is missing at the front of either.
    let one = Assembly::new().node(&[0x10, 0x81]).finish(1);
    assert_eq!(open_as(&one, 1, 1, "t"), fault(17, Kind::CutShort));
    let many = Assembly::new().node(&FORK[1..]).finish(2);
    assert_eq!(open_as(&many, 2, 1, "a"), fault(22, Kind::CutShort));
    // The state byte alone.
    let bare = Assembly::new().node(&[0x80]).finish(1);
    assert_eq!(open_as(&bare, 1, 1, "t"), fault(16, Kind::CutShort));
}

#[test]
fn every_node_is_part_of_a_key() {
    // "x" ends at 18; nothing leads to it, as the fork at 19 to 26 has two empty children.
    let shard = Assembly::new().node(&[0, 0x10, 0x80 | 42]).node(&FORK).finish(2);
    assert_eq!(open_as(&shard, 2, 1, "a"), fault(18, Kind::Unreachable));
}

/// `fst` believes the index and never compares it with the inputs.
#[test]
fn the_index_says_what_the_inputs_say() {
    let keys: Vec<[u8; 1]> = (0..40).map(|byte| [byte * 2]).collect();
    let good = shard_of(&keys);
    // Outputs, addresses and inputs of 40 bytes each, then the index of 256, sizes and state.
    let index = 16 + 3 * 40;
    assert_eq!(good.bytes.len(), index + 256 + 2 + 20);
    for (input, found) in [(0, 1), (2, 0), (2, 255), (78, 40), (1, 39), (1, 254), (255, 40)] {
        let mut bad = good.bytes.clone();
        let entry = &mut bad[index + input];
        let expected = std::mem::replace(entry, found);
        seal(&mut bad);
        let fault = Shard::open(&bad, &figures(&good)).err().unwrap();
        let kind = Kind::Index { input: input as u8, found, expected };
        assert_eq!(fault, ShardFault { offset: index + input, kind });
    }
}

#[test]
fn the_frame_is_that_of_a_map_of_version_3() {
    let good = Assembly::new().node(&FORK).finish(2);
    for (at, kind) in [(0, Kind::Version { found: 2, expected: 3 }), (8, Kind::Type { found: 2 })] {
        let mut bad = good.clone();
        bad[at] = 2;
        seal(&mut bad);
        assert_eq!(open_as(&bad, 2, 1, "a"), fault(at, kind));
    }
    for length in [0, 1, 16, 35] {
        let kind = Kind::Length { found: length, least: 36, most: MAX_SHARD_BYTES };
        assert_eq!(open_as(&good[..length], 2, 1, "a"), fault(0, kind));
    }
}

#[test]
fn only_a_single_key_may_take_more_than_16_kib() {
    // Each byte of the key a node of two.
    let chain = |nodes: usize| {
        let mut assembly = Assembly::new().node(&[0, 0x10, b'~', 0x80]);
        for _ in 1..nodes {
            assembly = assembly.node(b"~\xc0");
        }
        assembly
    };
    let key = "~".repeat(9000);
    let one = chain(9000).finish(1);
    assert_eq!(open_as(&one, 1, 9000, &key), Ok(()));
    // A second key at the very top.
    let two = chain(9000).node(&[1, 0, 0, 1, b'~', b'!', 0x11, 2]).finish(2);
    let kind = Kind::Length { found: two.len(), least: 36, most: MAX_SHARD_BYTES };
    assert_eq!(open_as(&two, 2, 9001, "!"), fault(0, kind));
}

#[test]
fn the_checksum_fits() {
    let mut shard = Assembly::new().node(&FORK).finish(2);
    let expected = u32::from_le_bytes(shard[40..].try_into().unwrap());
    shard[43] ^= 0x80;
    let kind = Kind::Checksum { found: expected ^ 0x8000_0000, expected };
    assert_eq!(open_as(&shard, 2, 1, "a"), fault(40, kind));
}

#[test]
fn a_shard_lies_where_the_table_says() {
    let mut random = Random(7);
    let keys: Vec<String> = (0..50).map(|_| random.name()).collect();
    let shard = shard_of(&keys);
    let root = shard.bytes.len() - 21;
    let last = keys.iter().max().unwrap().as_bytes();
    let after = [last, b"\0"].concat();
    let as_table_says = |first_key, next_first_key| {
        Shard::open(&shard.bytes, &ShardFigures { first_key, next_first_key, ..figures(&shard) }).map(|_| ())
    };
    assert_eq!(as_table_says(&shard.first_key, Some(&after)), Ok(()));
    assert_eq!(as_table_says(&shard.first_key, Some(last)), fault(root, Kind::LastKey));
    assert_eq!(as_table_says(&shard.first_key, Some(b"")), fault(root, Kind::LastKey));
    let (cut, longer) = (&shard.first_key[1..], [&shard.first_key, &b"x"[..]].concat());
    for first_key in [cut, &longer, b""] {
        assert_eq!(as_table_says(first_key, None), fault(root, Kind::FirstKey));
    }
    assert!(open(&shard).is_ok());
}

#[test]
fn a_fault_names_the_byte_and_both_numbers() {
    let fault = ShardFault { offset: 24, kind: Kind::FooterKeys { found: 3, expected: 2 } };
    assert_eq!(fault.to_string(), "dictionary shard, byte 24: the footer counts 3 keys, the table row 2");
}
