//! Which entries may speak of a claim, found through the postings of its terms.

use std::cmp::Reverse;

use openmind_pack_format::postings::{Block, PostingsList};
use openmind_pack_format::{Bundle, ReadError};

use super::terms::Terms;

/// Documents read from postings, rarest terms first. Of terms that would pass this only the first block is read, which
/// is where their glossary entries, components and flows are.
const MAX_POSTINGS: u32 = 1 << 14;
/// Terms of which the first block is read so. Those that are still more common say too little to be looked for.
const MAX_BEGUN: usize = 32;
/// Documents looked at closely: one bit each in a [`Holders`].
pub(super) const MAX_CANDIDATES: usize = Holders::BITS as usize;
/// Candidates that are there for their name: the claim is about them, so however many others hold more of its terms,
/// some of these are among the candidates.
const MAX_NAMED: usize = MAX_CANDIDATES / 2;
/// How much more a document counts for being named by the claim, in terms.
pub(super) const NAMED: usize = 2;

/// Which candidates hold a term: bit `n` for the candidate of number `n`.
pub(super) type Holders = u16;

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
        self.candidates_of(named, MAX_POSTINGS)
    }

    /// The same, reading no more than about `most` documents from postings.
    fn candidates_of(&self, named: &[u32], most: u32) -> Result<Vec<u32>, ReadError> {
        let Read { mut documents, begun } = self.read(most)?;
        for _ in 0..NAMED {
            documents.extend_from_slice(named);
        }
        documents.sort_unstable();
        let counted = documents.chunk_by(|a, b| a == b).filter_map(|same| {
            let document = *same.first()?;
            // What was not read counts as held: candidates are looked at closely, others never.
            let unread = begun.partition_point(|end| *end < document);
            Some((Reverse(same.len() + unread), document))
        });
        let (mut about, mut others): (Vec<_>, Vec<_>) =
            counted.partition(|(_, document)| named.binary_search(document).is_ok());
        keep_first(&mut about, MAX_NAMED);
        keep_first(&mut others, MAX_CANDIDATES - about.len());
        let mut candidates: Vec<u32> =
            about.into_iter().chain(others).map(|(_, document)| document).collect();
        candidates.sort_unstable();
        Ok(candidates)
    }

    fn read(&self, most: u32) -> Result<Read, ReadError> {
        let mut lists: Vec<&PostingsList<'_>> = self.0.iter().flatten().collect();
        // Stable: of equally rare terms the first of the claim is read first.
        lists.sort_by_key(|list| list.document_frequency());
        let mut left = most;
        let mut read = Read::default();
        let mut block = Block::default();
        for list in lists {
            let mut blocks = list.block_count();
            match left.checked_sub(list.document_frequency()) {
                Some(rest) => left = rest,
                None if read.begun.len() == MAX_BEGUN => break,
                None => {
                    blocks = 1;
                    read.begun.push(list.header(0)?.last_document);
                }
            }
            for index in 0..blocks {
                list.decode(index, &mut block)?;
                read.documents.extend_from_slice(block.documents());
            }
        }
        read.begun.sort_unstable();
        Ok(read)
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

/// What was read of the postings.
#[derive(Default)]
struct Read {
    /// The documents, one entry for each term that they hold.
    documents: Vec<u32>,
    /// For each list of which only the first block was read, the last document of that block; ascending.
    begun: Vec<u32>,
}

/// Leaves the `most` first in order, in any order.
fn keep_first<T: Ord>(items: &mut Vec<T>, most: usize) {
    if most < items.len() {
        items.select_nth_unstable(most);
        items.truncate(most);
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

#[cfg(test)]
mod tests {
    use openmind_pack_format::Confidence;

    use super::*;
    use crate::testing::TestBundle;

    const LINE: crate::testing::Cited<'_> = ("a.md", 1, "line");

    /// Documents: Shelf, then 300 symbols that hold "item" and "shop", the last of which holds "striped" too.
    fn shop() -> Bundle {
        let names: Vec<String> = (0..300).map(|number| format!("item_{number}")).collect();
        let mut symbols: Vec<(&str, &str, u32)> =
            names.iter().zip(1..).map(|(name, line)| (name.as_str(), "", line)).collect();
        if let Some(last) = symbols.last_mut() {
            last.1 = "striped";
        }
        TestBundle::default()
            .term("Shelf", "Holds one item.", Confidence::High, &[LINE])
            .file("shop.py", &symbols)
            .open()
    }

    fn candidates(claim: &str, named: &[u32], most: u32) -> Vec<u32> {
        let bundle = shop();
        let lists = Lists::of(&bundle, &Terms::of(claim)).expect("undamaged");
        lists.candidates_of(named, most).expect("undamaged")
    }

    #[test]
    fn those_that_hold_most_terms_come_first_and_then_those_of_lower_number() {
        let last: u32 = 300;
        let expected: Vec<u32> = (1..=15).chain([last]).collect();
        assert_eq!(candidates("shop striped", &[], 1000), expected);
    }

    #[test]
    fn rare_terms_are_read_in_full_and_common_ones_begun() {
        // "striped" leaves 9 of 10; of the 300 for "shop" the first block of 128 is read, which is without the last: it
        // is taken to hold both, as it does.
        assert_eq!(candidates("shop striped", &[], 10), (1..=15).chain([300]).collect::<Vec<u32>>());
        // A common term alone still finds its first documents, glossary first.
        assert_eq!(candidates("items", &[], 10), (0..16).collect::<Vec<u32>>());
    }

    #[test]
    fn named_documents_are_candidates_whatever_the_others_hold() {
        assert!(candidates("shop items", &[0], 1000).contains(&0));
        assert!(candidates("shop items", &[0, 200], 1000).contains(&200));
        // A name alone is enough.
        assert_eq!(candidates("xyzzy", &[7], 1000), [7]);
    }

    #[test]
    fn no_more_than_half_of_the_candidates_are_there_for_their_name() {
        let named: Vec<u32> = (100..200).collect();
        let candidates = candidates("striped", &named, 1000);
        assert_eq!(candidates, (100..108).chain([300]).collect::<Vec<u32>>());
    }

    #[test]
    fn holders_are_told_bit_by_bit_across_blocks() {
        let bundle = shop();
        let lists = Lists::of(&bundle, &Terms::of("item shop striped xyzzy shelf")).expect("undamaged");
        // The lists of "item" and "shop" have three blocks: 128, 128 and the rest.
        let holders = lists.holders(&[0, 1, 129, 299, 300]).expect("undamaged");
        assert_eq!(holders, [0b11111, 0b11110, 0b10000, 0, 0b00001]);
    }
}
