//! The three dictionaries of a bundle. A shard is validated when it is first touched.

use std::ops::{ControlFlow, Range};

use super::Bundle;
use super::rows::Rows;
use super::verify::Bits;
use crate::dictionary::{NearQuery, Shard, ShardFigures, StepBudget, WalkEnd};
use crate::error::{Area, Problem, ReadError};
use crate::layout::SectionEntry;
use crate::rows::ShardRow;
use crate::section::SectionKind;

/// A dictionary's three sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DictionarySections {
    pub(crate) shards: SectionKind,
    pub(crate) keys: SectionKind,
    pub(crate) fst: SectionKind,
    index: usize,
}

impl DictionarySections {
    pub(crate) const NAMES: Self = Self {
        shards: SectionKind::NameShards,
        keys: SectionKind::NameKeys,
        fst: SectionKind::NameFst,
        index: 0,
    };
    pub(crate) const FOLDED: Self = Self {
        shards: SectionKind::FoldedShards,
        keys: SectionKind::FoldedKeys,
        fst: SectionKind::FoldedFst,
        index: 1,
    };
    pub(crate) const TERMS: Self = Self {
        shards: SectionKind::TermShards,
        keys: SectionKind::TermKeys,
        fst: SectionKind::TermFst,
        index: 2,
    };
    pub(crate) const ALL: [Self; 3] = [Self::NAMES, Self::FOLDED, Self::TERMS];
}

/// Which shards were validated.
pub(super) struct Validated([Bits; 3]);

impl Validated {
    pub(super) fn new(sections: &[Option<SectionEntry>]) -> Self {
        Self(DictionarySections::ALL.map(|dictionary| {
            let entry = sections.get(dictionary.shards.code() as usize - 1).copied().flatten();
            Bits::new(entry.map_or(0, |entry| entry.row_count.into()))
        }))
    }
}

/// A dictionary: sorted keys, each with its ordinal.
#[derive(Clone, Copy)]
pub struct Dictionary<'a> {
    bundle: &'a Bundle,
    sections: DictionarySections,
    shards: Rows<'a, ShardRow>,
}

impl Bundle {
    /// Exact names of glossary entries, components, flows and symbols.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn names(&self) -> Result<Dictionary<'_>, ReadError> {
        self.dictionary(DictionarySections::NAMES)
    }

    /// The same names, folded by [`fold`](crate::analyzer::fold).
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn folded_names(&self) -> Result<Dictionary<'_>, ReadError> {
        self.dictionary(DictionarySections::FOLDED)
    }

    /// Search terms, as the analyzer cuts them.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn terms(&self) -> Result<Dictionary<'_>, ReadError> {
        self.dictionary(DictionarySections::TERMS)
    }

    pub(super) fn dictionary(&self, sections: DictionarySections) -> Result<Dictionary<'_>, ReadError> {
        Ok(Dictionary { bundle: self, sections, shards: self.rows_in(sections.shards)? })
    }
}

impl<'a> Dictionary<'a> {
    /// Number of keys.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the last shard's row is damaged.
    pub fn len(&self) -> Result<u32, ReadError> {
        match self.shards.len().checked_sub(1) {
            None => Ok(0),
            Some(last) => self.shards.get(last).map(|row| row.ordinal.saturating_add(row.keys)),
        }
    }

    /// Whether there are no keys.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.shards.is_empty()
    }

    /// Number of shards.
    #[must_use]
    pub const fn shard_count(&self) -> u32 {
        self.shards.len()
    }

    /// The ordinal of a key. Verifies and validates at most one shard.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed.
    pub fn get(&self, key: &[u8]) -> Result<Option<u32>, ReadError> {
        let Some(index) = self.shard_for(key)? else { return Ok(None) };
        let (row, shard) = self.shard(index)?;
        Ok(shard.get(key).map(|rank| row.ordinal.saturating_add(rank)))
    }

    /// Puts the key of an ordinal in `key` and says whether there is one.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed.
    pub fn key(&self, ordinal: u32, key: &mut Vec<u8>) -> Result<bool, ReadError> {
        key.clear();
        let after = self.shards.partition_point(|row| row.ordinal <= ordinal)?;
        let Some(index) = after.checked_sub(1) else { return Ok(false) };
        let (row, shard) = self.shard(index)?;
        Ok(shard.key(ordinal - row.ordinal, key))
    }

    /// Ordinals of the keys that begin with `prefix`, without visiting them.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed.
    pub fn prefix(&self, prefix: &[u8]) -> Result<Range<u32>, ReadError> {
        let mut found = 0..0;
        let first = self.shard_for(prefix)?.unwrap_or(0);
        for index in first..self.shards.len() {
            let (row, shard) = self.shard(index)?;
            if index > first && !self.first_key(&row)?.starts_with(prefix) {
                break;
            }
            let ranks = shard.prefix_ranks(prefix);
            if ranks.is_empty() {
                continue;
            }
            let start = row.ordinal.saturating_add(ranks.start);
            let end = row.ordinal.saturating_add(ranks.end);
            found = if found.is_empty() { start..end } else { found.start..end };
        }
        Ok(found)
    }

    /// Visits keys near a word with ordinal and distance, in key order, until the visitor breaks or `steps` are spent.
    /// Validates every shard on its way.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a shard is damaged or malformed.
    pub fn near(
        &self,
        query: &NearQuery,
        steps: &mut StepBudget,
        mut visit: impl FnMut(&str, u32, u8) -> ControlFlow<()>,
    ) -> Result<WalkEnd, ReadError> {
        for index in 0..self.shards.len() {
            let (row, shard) = self.shard(index)?;
            let end = query.search(&shard, steps, |key, rank, distance| {
                visit(key, row.ordinal.saturating_add(rank), distance)
            });
            if end != WalkEnd::Complete {
                return Ok(end);
            }
        }
        Ok(WalkEnd::Complete)
    }

    /// The last shard whose first key isn't past `key`.
    fn shard_for(&self, key: &[u8]) -> Result<Option<u32>, ReadError> {
        let (mut low, mut high) = (0, self.shards.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.first_key(&self.shards.get(middle)?)? <= key { low = middle + 1 } else { high = middle }
        }
        Ok(low.checked_sub(1))
    }

    fn first_key(&self, row: &ShardRow) -> Result<&'a [u8], ReadError> {
        let start = u64::from(row.first_key);
        self.bundle.section_bytes(self.sections.keys, start..start + u64::from(row.first_key_length))
    }

    /// A shard, validated before its first use.
    pub(super) fn shard(&self, index: u32) -> Result<(ShardRow, Shard<'a>), ReadError> {
        let row = self.shards.get(index)?;
        let start = u64::from(row.offset);
        let bytes = self.bundle.section_bytes(self.sections.fst, start..start + u64::from(row.length))?;
        let fault = |fault: crate::dictionary::ShardFault| {
            let offset = self.bundle.offset_in(self.sections.fst, start + fault.offset as u64);
            ReadError::malformed(Area::Section(self.sections.fst), offset, Problem::Shard(fault))
        };
        let validated = self.bundle.shards.0.get(self.sections.index);
        if validated.is_some_and(|bits| bits.get(index.into())) {
            return Ok((row, Shard::from_validated(bytes).map_err(fault)?));
        }
        self.check_place(index, &row)?;
        let next = match index + 1 < self.shards.len() {
            true => Some(self.first_key(&self.shards.get(index + 1)?)?),
            false => None,
        };
        let figures = ShardFigures {
            key_count: row.keys,
            longest_key: row.longest,
            first_key: self.first_key(&row)?,
            next_first_key: next,
        };
        let shard = Shard::open(bytes, &figures).map_err(fault)?;
        if let Some(bits) = validated {
            bits.set(index.into());
        }
        Ok((row, shard))
    }

    /// Ordinals run on from shard to shard.
    fn check_place(&self, index: u32, row: &ShardRow) -> Result<(), ReadError> {
        let expected = match index.checked_sub(1) {
            None => 0,
            Some(before) => {
                let before = self.shards.get(before)?;
                u64::from(before.ordinal) + u64::from(before.keys)
            }
        };
        if u64::from(row.ordinal) == expected {
            return Ok(());
        }
        let found = row.ordinal.into();
        Err(self
            .shards
            .fault(index, Problem::Unexpected { what: "first ordinal of a shard", found, expected }))
    }
}
