//! Postings through a whole bundle: written, opened, read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::{Block, EncodedPostings, PostingsEncoder};
use crate::bundle::Bundle;
use crate::error::{Area, Problem, ReadError};
use crate::hash::KnowledgeHash;
use crate::rows::{BlockRow, ComponentRow, FlowRow, PostingsRow, SymbolRow, TermRow};
use crate::section::SectionKind;
use crate::writer::BundleWriter;

/// A bundle that holds these postings and as many documents.
fn bundle(postings: EncodedPostings, documents: u32) -> Bundle {
    let mut writer = BundleWriter::new();
    writer.rows::<TermRow>(Vec::new()).unwrap();
    writer.rows::<ComponentRow>(Vec::new()).unwrap();
    writer.rows::<FlowRow>(Vec::new()).unwrap();
    writer.rows(vec![SymbolRow { name: 0, kind: 0, line: 1, snippet: 0 }; documents as usize]).unwrap();
    writer.rows(postings.lists).unwrap();
    writer.rows(postings.blocks).unwrap();
    writer.bytes(SectionKind::BlockBytes, postings.bytes).unwrap();
    let mut bytes = Vec::new();
    writer.write_to(KnowledgeHash::from([0; 32]), &mut bytes).unwrap();
    Bundle::from_slice(&bytes, None).unwrap()
}

fn encode(lists: &[Vec<(u32, u8)>]) -> EncodedPostings {
    let mut encoder = PostingsEncoder::default();
    for list in lists {
        let (documents, impacts): (Vec<u32>, Vec<u8>) = list.iter().copied().unzip();
        encoder.push(&documents, &impacts);
    }
    encoder.finish()
}

fn read(bundle: &Bundle, ordinal: u32) -> Result<Vec<(u32, u8)>, ReadError> {
    let list = bundle.postings(ordinal)?;
    let mut block = Block::default();
    let mut read = Vec::new();
    for index in 0..list.block_count() {
        list.decode(index, &mut block)?;
        let header = list.header(index)?;
        assert_eq!(block.documents().last(), Some(&header.last_document));
        assert_eq!(block.impacts().iter().max(), Some(&header.max_impact));
        assert!(header.max_impact <= list.max_impact());
        read.extend(block.documents().iter().copied().zip(block.impacts().iter().copied()));
    }
    assert_eq!(read.len() as u32, list.document_frequency());
    Ok(read)
}

#[test]
fn the_plain_form_by_hand() {
    // Gaps 2, 0, 4 in 3 bits; impacts 9, 200, 9 by a palette of two in 1 bit.
    let encoded = encode(&[vec![(2, 9), (3, 200), (8, 9)]]);
    assert_eq!(encoded.bytes, [9, 200, 0b00_000_010, 0b1, 0b010]);
    assert_eq!(encoded.lists, [PostingsRow { documents: 3, first: 0, max_impact: 200 }]);
    assert_eq!(
        encoded.blocks,
        [BlockRow { last_document: 8, payload: 0, layout: u32::from_le_bytes([200, 3, 0, 1]) }]
    );
}

#[test]
fn the_runs_form_by_hand() {
    // Documents 5..=104 in one run: gap 5 in 3 bits, length less one 99 in 7 bits, one impact in none.
    let encoded = encode(&[(5..105).map(|document| (document, 40)).collect()]);
    assert_eq!(encoded.bytes, [1, 0b101, 99]);
    assert_eq!(
        encoded.blocks,
        [BlockRow { last_document: 104, payload: 0, layout: u32::from_le_bytes([40, 3, 8, 0]) }]
    );
}

#[test]
fn a_single_document_needs_no_block() {
    let encoded = encode(&[vec![(7, 31)]]);
    assert_eq!(encoded.lists, [PostingsRow { documents: 1, first: 7, max_impact: 31 }]);
    assert!(encoded.blocks.is_empty() && encoded.bytes.is_empty());
    assert_eq!(read(&bundle(encoded, 8), 0), Ok(vec![(7, 31)]));
}

#[test]
fn lists_encoded_apart_join_as_if_encoded_together() {
    let lists = [vec![(1, 2), (2, 2)], vec![(0, 9)], (0..300).map(|document| (document * 3, 7)).collect()];
    let mut joined = encode(&lists[..1]);
    joined.append(encode(&lists[1..]));
    let together = encode(&lists);
    assert_eq!(
        (joined.lists, joined.blocks, joined.bytes),
        (together.lists, together.blocks, together.bytes)
    );
}

/// Changes one thing of a good list and gives what reading it says.
fn spoiled(spoil: impl FnOnce(&mut EncodedPostings)) -> (Area, Problem) {
    let mut encoded = encode(&[vec![(2, 9), (3, 200), (8, 9)]]);
    spoil(&mut encoded);
    match read(&bundle(encoded, 9), 0) {
        Err(ReadError::Malformed { area, problem, .. }) => (area, problem),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_broken_rule_of_a_list_is_named() {
    let postings = Area::Section(SectionKind::Postings);
    let blocks = Area::Section(SectionKind::Blocks);
    let bytes = Area::Section(SectionKind::BlockBytes);
    assert_eq!(spoiled(|list| list.lists[0].documents = 0), (postings, Problem::Block("the list is empty")));
    let too_large = |what, found, limit| Problem::TooLarge { what, found, limit };
    assert_eq!(
        spoiled(|list| list.lists[0].documents = 10),
        (postings, too_large("number of documents", 10, 9))
    );
    assert_eq!(
        spoiled(|list| list.lists[0].max_impact = 256),
        (postings, too_large("maximum impact", 256, 255))
    );
    assert_eq!(spoiled(|list| list.lists[0].first = 1), (blocks, too_large("end of a row range", 2, 1)));
    assert_eq!(spoiled(|list| list.blocks[0].payload = 1).0, bytes);
    let broken = |reason| (blocks, Problem::Block(reason));
    let last = broken("its last document is not the one in its header, or is no document");
    assert_eq!(spoiled(|list| list.blocks[0].last_document = 7), last);
    let highest = broken("its highest impact is not the one in its header");
    assert_eq!(spoiled(|list| list.bytes[1] = 199), highest);
    assert_eq!(spoiled(|list| list.lists[0].max_impact = 199), highest);
    let widths = broken("a bit width is out of range");
    for layout in [[200, 33, 0, 1], [200, 3, 9, 1], [200, 3, 0, 5]] {
        assert_eq!(spoiled(|list| list.blocks[0].layout = u32::from_le_bytes(layout)), widths);
    }
    assert_eq!(spoiled(|list| list.lists[0].documents = 2), last);
}

#[test]
fn runs_that_hold_more_or_fewer_documents_than_the_list_are_refused() {
    let run: Vec<(u32, u8)> = (5..105).map(|document| (document, 40)).collect();
    for (length, reason) in [
        (98, "it holds another number of documents than its list says"),
        (100, "it holds another number of documents than its list says"),
        (127, "it holds another number of documents than its list says"),
    ] {
        let mut encoded = encode(std::slice::from_ref(&run));
        encoded.bytes[2] = length;
        let error = read(&bundle(encoded, 200), 0).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn a_document_past_the_last_is_refused() {
    let encoded = encode(&[vec![(2, 9), (8, 9)]]);
    assert!(read(&bundle(encoded, 8), 0).is_err());
}

proptest! {
    #[test]
    fn lists_read_back_as_written(
        lists in prop::collection::vec(
            prop::collection::vec((0_u32..5, 1_u32..60, prop::sample::select(vec![1_u8, 2, 9, 40, 41, 200])), 1..40),
            1..4,
        ),
        noisy in any::<bool>(),
    ) {
        // Runs of consecutive documents, so that both forms occur.
        let lists: Vec<Vec<(u32, u8)>> = lists
            .into_iter()
            .map(|runs| {
                let mut next = 0;
                let mut list = Vec::new();
                for (gap, length, impact) in runs {
                    next += gap;
                    for document in next..next + length {
                        list.push((document, if noisy { impact.wrapping_add((document % 97) as u8).max(1) } else { impact }));
                    }
                    next += length;
                }
                list
            })
            .collect();
        let documents = lists.iter().flatten().map(|(document, _)| document + 1).max().unwrap_or(0);
        let bundle = bundle(encode(&lists), documents);
        for (ordinal, list) in lists.iter().enumerate() {
            prop_assert_eq!(&read(&bundle, ordinal as u32).unwrap(), list);
        }
    }

    #[test]
    fn any_payload_gives_an_error_or_an_ascending_list(bytes in prop::collection::vec(any::<u8>(), 5), layout: u32, last in 0_u32..12) {
        let mut encoded = encode(&[vec![(2, 9), (3, 200), (8, 9)]]);
        encoded.bytes = bytes;
        encoded.blocks[0].layout = layout;
        encoded.blocks[0].last_document = last;
        if let Ok(list) = read(&bundle(encoded, 9), 0) {
            prop_assert!(list.is_sorted_by(|a, b| a.0 < b.0) && list.len() == 3 && list[2].0 < 9);
        }
    }
}
