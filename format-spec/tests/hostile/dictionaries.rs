//! Tables of dictionary shards, and what a look-up trusts of a shard's bytes.

use openmind_pack_format::dictionary::{FaultKind, ShardFault};
use openmind_pack_format::{Area, Bundle, Problem, ReadError, SectionKind};

use crate::forgery::{Forgery, assert_refused, at_row, too_large, unexpected};
use crate::{sample, wide};

const SHARDS: SectionKind = SectionKind::NameShards;
const KEYS: SectionKind = SectionKind::NameKeys;
const FST: SectionKind = SectionKind::NameFst;

/// Looks up a name that sorts behind all others: in the last shard.
fn look_up_last(bundle: &Bundle) -> Result<Option<u32>, ReadError> {
    bundle.names()?.get(&[0xf4, 0x8f])
}

fn shard_fault(forgery: &Forgery, shard: u32, offset: usize, kind: FaultKind) -> ((Area, u64), Problem) {
    let start = forgery.start(FST) + u64::from(forgery.get(SHARDS, shard, "offset"));
    ((Area::Section(FST), start + offset as u64), Problem::Shard(ShardFault { offset, kind }))
}

#[test]
fn a_shard_beyond_all_shards() {
    let length = sample().length(FST);
    for (field, value) in [("offset", u32::MAX), ("length", u32::MAX)] {
        let forged = sample().set(SHARDS, 0, field, value);
        let end = u64::from(forged.get(SHARDS, 0, "offset")) + u64::from(forged.get(SHARDS, 0, "length"));
        let problem = too_large("end of a byte range", end, length);
        let bundle = forged.open().unwrap();
        assert_refused(look_up_last(&bundle), (Area::Section(FST), forged.start(FST)), problem);
    }
}

#[test]
fn a_shard_that_promises_other_keys_than_it_has() {
    let keys = sample().get(SHARDS, 0, "keys");
    let forged = sample().set(SHARDS, 0, "keys", keys + 1);
    let footer = forged.get(SHARDS, 0, "length") as usize - 20;
    let kind = FaultKind::FooterKeys { found: keys.into(), expected: keys + 1 };
    let (place, problem) = shard_fault(&forged, 0, footer, kind);
    assert_refused(look_up_last(&forged.open().unwrap()), place, problem);
}

#[test]
fn a_shard_of_no_keys_or_of_more_than_any_has() {
    for found in [0, 65_537] {
        let forged = sample().set(SHARDS, 0, "keys", found);
        let kind = FaultKind::PromisedKeys { found, most: 65_536 };
        let (place, problem) = shard_fault(&forged, 0, 0, kind);
        assert_refused(look_up_last(&forged.open().unwrap()), place, problem);
    }
}

#[test]
fn a_shard_that_does_not_count_on() {
    let first = wide().get(SHARDS, 1, "ordinal");
    for found in [0, first - 1, first + 1, u32::MAX] {
        let forged = wide().set(SHARDS, 1, "ordinal", found);
        let problem = unexpected("first ordinal of a shard", found.into(), first.into());
        let bundle = forged.open().unwrap();
        assert_refused(look_up_last(&bundle), at_row(&forged, SHARDS, 1), problem);
    }
    let forged = wide().set(SHARDS, 0, "ordinal", 1);
    let problem = unexpected("first ordinal of a shard", 1, 0);
    let bundle = forged.open().unwrap();
    assert_refused(
        bundle.names().unwrap().key(1, &mut Vec::new()),
        at_row(&forged, SHARDS, 0),
        problem.clone(),
    );
    assert_refused(bundle.verify_deep(), at_row(&forged, SHARDS, 0), problem);
}

#[test]
fn a_shard_within_another() {
    // A thousand rows could name the same bytes, and each be checked anew.
    let end = wide().get(SHARDS, 0, "length");
    let forged = wide().set(SHARDS, 1, "offset", end - 1);
    let problem = unexpected("offset of a shard", u64::from(end) - 1, end.into());
    assert_refused(look_up_last(&forged.open().unwrap()), at_row(&forged, SHARDS, 1), problem);
}

#[test]
fn a_shard_with_another_longest_key() {
    let longest = sample().get(SHARDS, 0, "longest");
    let forged = sample().set(SHARDS, 0, "longest", longest + 1);
    let root = forged.get(SHARDS, 0, "length") as usize - 21;
    let kind = FaultKind::LongestKey { found: longest, expected: longest + 1 };
    let (place, problem) = shard_fault(&forged, 0, root, kind);
    assert_refused(look_up_last(&forged.open().unwrap()), place, problem);
}

#[test]
fn keys_longer_than_names_and_terms_are() {
    let forged = sample().set(SHARDS, 0, "longest", 8193);
    let problem = too_large("length of a key", 8193, 8192);
    assert_refused(look_up_last(&forged.open().unwrap()), at_row(&forged, SHARDS, 0), problem);
    let terms = SectionKind::TermShards;
    let forged = sample().set(terms, 0, "longest", 256);
    let bundle = forged.open().unwrap();
    let problem = too_large("length of a key", 256, 255);
    assert_refused(bundle.terms().unwrap().get(b"zzz"), at_row(&forged, terms, 0), problem);
}

#[test]
fn a_first_key_that_is_not_the_shards() {
    let forged = sample().put(sample().start(KEYS), b"!");
    let root = forged.get(SHARDS, 0, "length") as usize - 21;
    let (place, problem) = shard_fault(&forged, 0, root, FaultKind::FirstKey);
    assert_refused(look_up_last(&forged.open().unwrap()), place, problem);
}

#[test]
fn a_first_key_beyond_all_first_keys() {
    let length = sample().length(KEYS);
    for (field, value) in [("first_key", u32::MAX), ("first_key_length", u32::MAX)] {
        let forged = sample().set(SHARDS, 0, field, value);
        let end = u64::from(forged.get(SHARDS, 0, "first_key"))
            + u64::from(forged.get(SHARDS, 0, "first_key_length"));
        let problem = too_large("end of a byte range", end, length);
        let bundle = forged.open().unwrap();
        assert_refused(look_up_last(&bundle), (Area::Section(KEYS), forged.start(KEYS)), problem);
    }
}

#[test]
fn shards_whose_keys_overlap() {
    // The second shard claims to begin before the first one ends: a look-up would miss keys of either.
    let forged = wide();
    let at = forged.start(KEYS) + u64::from(forged.get(SHARDS, 1, "first_key"));
    let forged = forged.put(at, &[1]);
    let root = forged.get(SHARDS, 0, "length") as usize - 21;
    let (place, problem) = shard_fault(&forged, 0, root, FaultKind::LastKey);
    let bundle = forged.open().unwrap();
    assert_refused(bundle.names().unwrap().key(0, &mut Vec::new()), place, problem);
}

#[test]
fn a_shard_of_another_fst_version_or_with_a_wrong_checksum() {
    let forged = sample().put(sample().start(FST), &[2]);
    let kind = FaultKind::Version { found: 2, expected: 3 };
    let (place, problem) = shard_fault(&forged, 0, 0, kind);
    assert_refused(look_up_last(&forged.open().unwrap()), place, problem);

    let length = sample().get(SHARDS, 0, "length") as usize;
    let at = sample().start(FST) + length as u64 - 4;
    let bytes: [u8; 4] = sample().bytes(FST)[length - 4..length].try_into().unwrap();
    let expected = u32::from_le_bytes(bytes);
    let forged = sample().put(at, &(expected ^ 1).to_le_bytes());
    let kind = FaultKind::Checksum { found: expected ^ 1, expected };
    let (place, problem) = shard_fault(&forged, 0, length - 4, kind);
    assert_refused(look_up_last(&forged.open().unwrap()), place, problem);
}

#[test]
fn first_keys_with_something_between_or_behind() {
    let place = wide().get(SHARDS, 1, "first_key");
    let forged = wide().set(SHARDS, 1, "first_key", 0);
    // The key that lies there isn't the shard's: seen before its place is.
    assert!(look_up_last(&forged.open().unwrap()).is_err());
    let length = wide().length(KEYS);
    let forged = wide().resize(KEYS, length as usize + 1);
    let problem = unexpected("end of the last first key", length, length + 1);
    assert!(place > 0);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, SHARDS, 1), problem);
}

#[test]
fn a_dictionary_with_another_number_of_keys_than_its_table() {
    // The last ordinal of the terms has no postings: 539 rows become 538 and twelve bytes behind them.
    let kind = SectionKind::Postings;
    let rows = wide().rows(kind);
    let forged = wide();
    let start = forged.start(kind);
    let footer = start + u64::from(rows - 1) * 12;
    let forged = forged
        .put(footer, &(-((rows as i32 - 1) * 12)).to_le_bytes())
        .put(footer + 4, &(rows - 1).to_le_bytes())
        .put(footer + 8, &[0; 12])
        .entry_field(kind, openmind_pack_format::layout::entry::ROW_COUNT, rows - 1)
        .entry_field(kind, openmind_pack_format::layout::entry::LENGTH, (rows - 1) * 12 + 8);
    let bundle = forged.open().unwrap();
    let terms = SectionKind::TermShards;
    let problem = unexpected("number of keys", rows.into(), u64::from(rows) - 1);
    assert_refused(bundle.verify_deep(), at_row(&forged, terms, 0), problem);
    // A question for that term finds no postings.
    let problem = too_large("row number", u64::from(rows) - 1, u64::from(rows) - 1);
    assert_refused(bundle.postings(rows - 1).map(drop), at_row(&forged, kind, 0), problem);
}

#[test]
fn a_prefix_that_ends_in_a_shard_that_does_not_count_on() {
    let terms = SectionKind::TermShards;
    let forged = wide();
    let last = forged.rows(terms) - 1;
    assert!(last >= 2, "there is a shard between");
    // Every key begins with nothing. The shard in the middle isn't looked at.
    let forged = forged.set(terms, 1, "ordinal", u32::MAX);
    let bundle = forged.open().unwrap();
    let read = bundle.terms().unwrap().prefix(b"");
    let expected = unexpected("first ordinal of a shard", forged.get(terms, 2, "ordinal").into(), {
        u64::from(u32::MAX) + u64::from(forged.get(terms, 1, "keys"))
    });
    assert_refused(read, at_row(&forged, terms, 2), expected);
}
