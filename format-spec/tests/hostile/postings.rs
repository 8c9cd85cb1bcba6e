//! Postings: lists, block headers and payloads.

use openmind_pack_format::postings::Block;
use openmind_pack_format::{Area, Bundle, Problem, ReadError, SectionKind};

use crate::forgery::{Forgery, assert_refused, at_row, too_large, unexpected};
use crate::sample;

const LISTS: SectionKind = SectionKind::Postings;
const BLOCKS: SectionKind = SectionKind::Blocks;
const BYTES: SectionKind = SectionKind::BlockBytes;

fn documents() -> u32 {
    sample().open().unwrap().document_count().unwrap()
}

/// The first list of one document, or of several.
fn list(of_one: bool) -> u32 {
    (0..sample().rows(LISTS)).find(|row| (sample().get(LISTS, *row, "documents") == 1) == of_one).unwrap()
}

fn decode(bundle: &Bundle, ordinal: u32) -> Result<(), ReadError> {
    let list = bundle.postings(ordinal)?;
    (0..list.block_count()).try_for_each(|block| list.decode(block, &mut Block::default()))
}

/// The first block's header with one of its four bytes changed.
fn with_layout(ordinal: u32, byte: usize, value: u8) -> (Forgery, u32) {
    let block = sample().get(LISTS, ordinal, "first");
    let mut layout = sample().get(BLOCKS, block, "layout").to_le_bytes();
    assert_ne!(layout[byte], value);
    layout[byte] = value;
    (sample().set(BLOCKS, block, "layout", u32::from_le_bytes(layout)), block)
}

#[test]
fn a_list_of_no_documents() {
    let forged = sample().set(LISTS, 0, "documents", 0);
    let read = forged.open().unwrap().postings(0).map(drop);
    assert_refused(read, at_row(&forged, LISTS, 0), Problem::Block("the list is empty"));
}

#[test]
fn a_list_of_more_documents_than_there_are() {
    let forged = sample().set(LISTS, 0, "documents", u32::MAX);
    let problem = too_large("number of documents", u32::MAX.into(), documents().into());
    assert_refused(forged.open().unwrap().postings(0).map(drop), at_row(&forged, LISTS, 0), problem);
}

#[test]
fn an_impact_that_no_byte_holds_and_one_of_nothing() {
    let forged = sample().set(LISTS, 0, "max_impact", 256);
    let problem = too_large("maximum impact", 256, 255);
    assert_refused(forged.open().unwrap().postings(0).map(drop), at_row(&forged, LISTS, 0), problem);
    let forged = sample().set(LISTS, 0, "max_impact", 0);
    let read = forged.open().unwrap().postings(0).map(drop);
    assert_refused(read, at_row(&forged, LISTS, 0), Problem::Block("an impact is 0"));
}

#[test]
fn a_list_of_one_document_that_is_none() {
    let ordinal = list(true);
    let forged = sample().set(LISTS, ordinal, "first", documents());
    let problem = too_large("document", documents().into(), u64::from(documents()) - 1);
    let read = forged.open().unwrap().postings(ordinal).map(drop);
    assert_refused(read, at_row(&forged, LISTS, ordinal), problem);
}

#[test]
fn a_list_whose_blocks_are_beyond_all_blocks() {
    let (ordinal, blocks) = (list(false), sample().rows(BLOCKS));
    let forged = sample().set(LISTS, ordinal, "first", blocks);
    let problem = too_large("end of a row range", u64::from(blocks) + 1, blocks.into());
    let read = forged.open().unwrap().postings(ordinal).map(drop);
    assert_refused(read, at_row(&forged, BLOCKS, 0), problem);
}

#[test]
fn a_payload_beyond_all_payloads() {
    let ordinal = list(false);
    let block = sample().get(LISTS, ordinal, "first");
    let forged = sample().set(BLOCKS, block, "payload", u32::MAX);
    match decode(&forged.open().unwrap(), ordinal) {
        Err(ReadError::Malformed {
            area: Area::Section(BYTES),
            offset,
            problem: Problem::TooLarge { limit, .. },
        }) => {
            assert_eq!((offset, limit), (forged.start(BYTES), forged.length(BYTES)));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bit_widths_that_there_are_not() {
    for (byte, value) in [(1, 33), (1, 255), (2, 9), (3, 5), (3, 7), (3, 9), (3, 255)] {
        let ordinal = list(false);
        let (forged, block) = with_layout(ordinal, byte, value);
        let problem = Problem::Block("a bit width is out of range");
        assert_refused(decode(&forged.open().unwrap(), ordinal), at_row(&forged, BLOCKS, block), problem);
    }
}

#[test]
fn a_block_that_reaches_another_impact_than_it_says() {
    let ordinal = (0..sample().rows(LISTS))
        .find(|row| {
            let first = sample().get(LISTS, *row, "first");
            sample().get(LISTS, *row, "documents") > 1 && sample().get(BLOCKS, first, "layout") >> 24 > 0
        })
        .unwrap();
    let (forged, block) = with_layout(ordinal, 0, 255);
    let problem = Problem::Block("its highest impact is not the one in its header");
    assert_refused(decode(&forged.open().unwrap(), ordinal), at_row(&forged, BLOCKS, block), problem);
}

#[test]
fn a_block_that_reaches_more_than_its_list() {
    let ordinal = list(false);
    let forged = sample().add(LISTS, ordinal, "max_impact", -1);
    let block = forged.get(LISTS, ordinal, "first");
    let problem = Problem::Block("its highest impact is not the one in its header");
    assert_refused(decode(&forged.open().unwrap(), ordinal), at_row(&forged, BLOCKS, block), problem);
}

#[test]
fn a_list_that_promises_more_than_its_blocks_reach() {
    let ordinal = list(false);
    let highest = sample().get(LISTS, ordinal, "max_impact");
    let forged = sample().set(LISTS, ordinal, "max_impact", 255);
    decode(&forged.open().unwrap(), ordinal).unwrap();
    let problem = unexpected("maximum impact", 255, highest.into());
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, LISTS, ordinal), problem);
}

#[test]
fn impacts_of_nothing() {
    // All impacts of the block are its maximum, and that is made 0.
    let ordinal = (0..sample().rows(LISTS))
        .find(|row| {
            let first = sample().get(LISTS, *row, "first");
            sample().get(LISTS, *row, "documents") > 1 && sample().get(BLOCKS, first, "layout") >> 24 == 0
        })
        .unwrap();
    let (forged, block) = with_layout(ordinal, 0, 0);
    let problem = Problem::Block("an impact is 0");
    assert_refused(decode(&forged.open().unwrap(), ordinal), at_row(&forged, BLOCKS, block), problem);
}

#[test]
fn a_block_that_ends_with_another_document_than_it_says() {
    let ordinal = list(false);
    let block = sample().get(LISTS, ordinal, "first");
    for difference in [1, -1] {
        let forged = sample().add(BLOCKS, block, "last_document", difference);
        let problem = Problem::Block("its last document is not the one in its header, or is no document");
        assert_refused(decode(&forged.open().unwrap(), ordinal), at_row(&forged, BLOCKS, block), problem);
    }
}

#[test]
fn a_block_of_more_documents_than_its_list() {
    let ordinal = (0..sample().rows(LISTS)).find(|row| sample().get(LISTS, *row, "documents") == 3).unwrap();
    let forged = sample().set(LISTS, ordinal, "documents", 2);
    let block = forged.get(LISTS, ordinal, "first");
    match decode(&forged.open().unwrap(), ordinal) {
        Err(ReadError::Malformed { area, offset, problem: Problem::Block(_) }) => {
            assert_eq!((area, offset), at_row(&forged, BLOCKS, block));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_lists_with_one_block() {
    let ordinals: Vec<u32> =
        (0..sample().rows(LISTS)).filter(|row| sample().get(LISTS, *row, "documents") > 1).take(2).collect();
    let forged = sample().set(LISTS, ordinals[1], "first", 0);
    let problem = unexpected("first block of a list", 0, 1);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, LISTS, ordinals[1]), problem);
}

#[test]
fn two_blocks_with_one_payload() {
    // The second of two blocks whose bytes are the same.
    let row = |block: u32, field| sample().get(BLOCKS, block, field);
    let (earlier, later) = (1..sample().rows(BLOCKS) - 1)
        .flat_map(|later| (0..later).map(move |earlier| (earlier, later)))
        .find(|(earlier, later)| {
            let bytes = |block: u32| {
                let bytes = sample().bytes(BYTES).to_vec();
                bytes[row(block, "payload") as usize..row(block + 1, "payload") as usize].to_vec()
            };
            row(*earlier, "layout") == row(*later, "layout") && bytes(*earlier) == bytes(*later)
        })
        .unwrap();
    let forged = sample().set(BLOCKS, later, "payload", row(earlier, "payload"));
    let problem =
        unexpected("place of a payload", row(earlier, "payload").into(), row(later, "payload").into());
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, BLOCKS, later), problem);
}

#[test]
fn bytes_behind_the_last_payload() {
    let length = sample().length(BYTES);
    let forged = sample().resize(BYTES, length as usize + 1);
    let problem = unexpected("end of the last payload", length, length + 1);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, BLOCKS, 0), problem);
}

#[test]
fn an_empty_payload_somewhere_else() {
    // All documents of the block follow one another and have one impact: it takes no bytes, and may not lie anywhere.
    let wide = crate::wide();
    let (ordinal, block) = (0..wide.rows(LISTS))
        .filter(|ordinal| wide.get(LISTS, *ordinal, "documents") > 128)
        .flat_map(|ordinal| {
            let first = wide.get(LISTS, ordinal, "first");
            let blocks = wide.get(LISTS, ordinal, "documents").div_ceil(128);
            (first + 1..first + blocks).map(move |block| (ordinal, block))
        })
        .find(|(_, block)| wide.get(BLOCKS, *block, "layout") >> 8 == 0)
        .unwrap();
    let place = wide.get(BLOCKS, block, "payload");
    let forged = wide.set(BLOCKS, block, "payload", place + 1);
    decode(&forged.open().unwrap(), ordinal).unwrap();
    let problem = unexpected("place of a payload", u64::from(place) + 1, place.into());
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, BLOCKS, block), problem);
}
