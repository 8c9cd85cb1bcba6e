//! Which entries may speak of a claim, found through the postings of its terms.

use std::cmp::Reverse;

use openmind_pack_format::postings::{Block, PostingsList};
use openmind_pack_format::{Bundle, ReadError};

use super::terms::Terms;

/// Documents read from postings, rarest terms first; of the terms that would pass this only the first block is read.
/// That block is where their glossary entries, components and flows are.
const MAX_POSTINGS: u32 = 1 << 15;
/// Documents looked at closely: one bit each in a [`Holders`].
pub(super) const MAX_CANDIDATES: usize = Holders::BITS as usize;
/// How much more a document counts for being named by the claim, in terms.
pub(super) const NAMED: usize = 2;

/// Which candidates hold a term: bit `n` for the candidate of number `n`.
pub(super) type Holders = u32;

/// The postings of a claim's terms; none where no document holds the term.
pub(super) struct Lists<'a>(Vec<Option<PostingsList<'a>>>);

impl<'a> Lists<'a> {
    pub(super) fn of(bundle: &'a Bundle, terms: &Terms) -> Result<Self, ReadError> {
        let dictionary = bundle.terms()?;
        let list = |key: &str| match dictionary.get(key.as_bytes())? {
            Some(ordinal) => bundle.postings(ordinal).map(Some),
            None => Ok(None),
        };
        terms.all().iter().map(|term| list(&term.key)).collect::<Result<_, _>>().map(Self)
    }

    /// Up to [`MAX_CANDIDATES`] documents that hold most terms or are `named`, ascending. Of equals the first are taken.
    pub(super) fn candidates(&self, named: &[u32]) -> Result<Vec<u32>, ReadError> {
        let mut lists: Vec<&PostingsList<'_>> = self.0.iter().flatten().collect();
        // Stable: of equally rare terms the first of the claim is read first.
        lists.sort_by_key(|list| list.document_frequency());
        let mut left = MAX_POSTINGS;
        let mut found = Vec::new();
        let mut block = Block::default();
        for list in lists {
            let frequency = list.document_frequency();
            let blocks = if frequency <= left { list.block_count() } else { 1 };
            for index in 0..blocks {
                list.decode(index, &mut block)?;
                found.extend_from_slice(block.documents());
            }
            left = left.saturating_sub(if blocks > 1 { frequency } else { 0 });
        }
        for _ in 0..NAMED {
            found.extend_from_slice(named);
        }
        found.sort_unstable();
        let mut counted: Vec<(Reverse<usize>, u32)> = found
            .chunk_by(|a, b| a == b)
            .filter_map(|same| same.first().map(|document| (Reverse(same.len()), *document)))
            .collect();
        if counted.len() > MAX_CANDIDATES {
            counted.select_nth_unstable(MAX_CANDIDATES - 1);
            counted.truncate(MAX_CANDIDATES);
        }
        let mut candidates: Vec<u32> = counted.into_iter().map(|(_, document)| document).collect();
        candidates.sort_unstable();
        Ok(candidates)
    }

    /// For each term, which of the ascending candidates hold it.
    pub(super) fn holders(&self, candidates: &[u32]) -> Result<Vec<Holders>, ReadError> {
        let mut block = Block::default();
        let one = |list: &Option<PostingsList<'_>>| match list {
            Some(list) => holders(list, candidates, &mut block),
            None => Ok(0),
        };
        self.0.iter().map(one).collect()
    }
}

/// Decodes no more than one block for each candidate.
fn holders(list: &PostingsList<'_>, candidates: &[u32], block: &mut Block) -> Result<Holders, ReadError> {
    let mut holders = 0;
    let mut decoded = None;
    let mut at = 0;
    for (number, document) in candidates.iter().enumerate() {
        at = block_of(list, *document, at)?;
        if at == list.block_count() {
            break;
        }
        if decoded != Some(at) {
            list.decode(at, block)?;
            decoded = Some(at);
        }
        holders |= Holders::from(block.documents().binary_search(document).is_ok()) << number;
    }
    Ok(holders)
}

/// The first block from `low` on that doesn't end before the document.
fn block_of(list: &PostingsList<'_>, document: u32, mut low: u32) -> Result<u32, ReadError> {
    let mut high = list.block_count();
    while low < high {
        let middle = low + (high - low) / 2;
        if list.header(middle)?.last_document < document { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}
