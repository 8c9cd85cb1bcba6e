//! The dictionaries of names: exact and folded, and where each name stands.

use std::borrow::Cow;

use openmind_pack_format::analyzer::fold;
use openmind_pack_format::dictionary::BuiltShard;
use openmind_pack_format::{FoldedEnd, FoldedName, NameEnd, PlaceRow};
use rayon::prelude::*;

use crate::error::CompileError;
use crate::intern::{Interner, StringId};
use crate::shards::build_dictionary;
use crate::tables::Tables;

/// Both dictionaries and their tables.
pub(crate) struct Names {
    pub(crate) exact: Vec<BuiltShard>,
    pub(crate) ends: Vec<NameEnd>,
    pub(crate) places: Vec<PlaceRow>,
    pub(crate) folded: Vec<BuiltShard>,
    pub(crate) folded_ends: Vec<FoldedEnd>,
    pub(crate) spellings: Vec<FoldedName>,
}

impl Names {
    pub(crate) fn build(tables: &Tables) -> Result<Self, CompileError> {
        let strings = &tables.strings;
        let mut counts = vec![0_u32; strings.len()];
        for name in tables.document_names() {
            counts[name.0 as usize] += 1;
        }
        let mut names: Vec<StringId> =
            (0..strings.len() as u32).map(StringId).filter(|id| counts[id.0 as usize] > 0).collect();
        names.par_sort_unstable_by_key(|id| strings.get(*id));

        let mut next = counts;
        let mut ends = Vec::with_capacity(names.len());
        let mut end = 0;
        for name in &names {
            let slot = &mut next[name.0 as usize];
            let count = std::mem::replace(slot, end);
            end += count;
            ends.push(NameEnd { end });
        }
        let mut places = vec![PlaceRow { document: 0 }; end as usize];
        for (document, name) in tables.document_names().enumerate() {
            let slot = &mut next[name.0 as usize];
            places[*slot as usize].document = document as u32;
            *slot += 1;
        }
        let (exact, folded) = rayon::join(
            || build_dictionary(names.len(), |index| strings.get(names[index]).as_bytes()),
            || Folded::build(strings, &names),
        );
        let Folded { shards: folded, ends: folded_ends, spellings } = folded?;
        Ok(Self { exact: exact?, ends, places, folded, folded_ends, spellings })
    }
}

struct Folded {
    shards: Vec<BuiltShard>,
    ends: Vec<FoldedEnd>,
    spellings: Vec<FoldedName>,
}

impl Folded {
    /// Groups names, already in the order of their ordinals, by folded form.
    fn build(strings: &Interner, names: &[StringId]) -> Result<Self, CompileError> {
        let mut folded: Vec<(Cow<'_, str>, u32)> = names
            .par_iter()
            .enumerate()
            .map(|(ordinal, name)| (fold(strings.get(*name)), ordinal as u32))
            .collect();
        folded.par_sort_unstable();
        let mut keys: Vec<&[u8]> = Vec::new();
        let mut ends: Vec<FoldedEnd> = Vec::new();
        let mut spellings = Vec::with_capacity(folded.len());
        for (key, ordinal) in &folded {
            if keys.last() != Some(&key.as_bytes()) {
                keys.push(key.as_bytes());
                ends.push(FoldedEnd { end: 0 });
            }
            spellings.push(FoldedName { name: *ordinal });
            if let Some(last) = ends.last_mut() {
                last.end = spellings.len() as u32;
            }
        }
        let shards = build_dictionary(keys.len(), |index| keys[index])?;
        Ok(Self { shards, ends, spellings })
    }
}
