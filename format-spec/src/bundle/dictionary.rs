//! The three dictionaries of a bundle. A shard is validated when it is first touched.

use std::ops::{ControlFlow, Range};

use super::rows::Rows;
use super::tiles::follows;
use super::verify::Flags;
use super::{Bundle, Verification, Verified};
use crate::analyzer::MAX_TERM_BYTES;
use crate::dictionary::{MAX_KEY_BYTES, NearQuery, Shard, ShardFigures, StepBudget, WalkEnd};
use crate::error::{Area, Problem, ReadError};
use crate::layout::{MAX_NAME_BYTES, SectionEntry};
use crate::rows::ShardRow;
use crate::section::SectionKind;

/// A dictionary's three sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DictionarySections {
    pub(crate) shards: SectionKind,
    pub(crate) keys: SectionKind,
    pub(crate) fst: SectionKind,
    /// Longest key that such a dictionary may have, in bytes.
    max_key: u32,
    index: usize,
}

impl DictionarySections {
    pub(crate) const NAMES: Self = Self {
        shards: SectionKind::NameShards,
        keys: SectionKind::NameKeys,
        fst: SectionKind::NameFst,
        max_key: MAX_NAME_BYTES,
        index: 0,
    };
    pub(crate) const FOLDED: Self = Self {
        shards: SectionKind::FoldedShards,
        keys: SectionKind::FoldedKeys,
        fst: SectionKind::FoldedFst,
        // Folding may lengthen a name; what a shard can hold is the limit.
        max_key: MAX_KEY_BYTES as u32,
        index: 1,
    };
    pub(crate) const TERMS: Self = Self {
        shards: SectionKind::TermShards,
        keys: SectionKind::TermKeys,
        fst: SectionKind::TermFst,
        max_key: MAX_TERM_BYTES as u32,
        index: 2,
    };
    pub(crate) const ALL: [Self; 3] = [Self::NAMES, Self::FOLDED, Self::TERMS];
}

/// Which shards were validated.
pub(super) struct Validated([Flags; 3]);

impl Validated {
    pub(super) fn new(sections: &[Option<SectionEntry>]) -> Self {
        Self(DictionarySections::ALL.map(|dictionary| {
            let entry = sections.get(dictionary.shards.code() as usize - 1).copied().flatten();
            Flags::new(entry.map_or(0, |entry| entry.row_count.into()))
        }))
    }
}

/// A dictionary: sorted keys, each with its ordinal.
pub struct Dictionary<'a, V: Verification = Verified> {
    bundle: &'a Bundle<V>,
    sections: DictionarySections,
    shards: Rows<'a, ShardRow, V>,
}

impl<V: Verification> Bundle<V> {
    /// Exact names of glossary entries, components, flows and symbols.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn names(&self) -> Result<Dictionary<'_, V>, ReadError> {
        self.dictionary(DictionarySections::NAMES)
    }

    /// The same names, folded by [`fold`](crate::analyzer::fold).
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn folded_names(&self) -> Result<Dictionary<'_, V>, ReadError> {
        self.dictionary(DictionarySections::FOLDED)
    }

    /// Search terms, as the analyzer cuts them.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the shard table can't be read.
    pub fn terms(&self) -> Result<Dictionary<'_, V>, ReadError> {
        self.dictionary(DictionarySections::TERMS)
    }

    pub(super) fn dictionary(&self, sections: DictionarySections) -> Result<Dictionary<'_, V>, ReadError> {
        Ok(Dictionary { bundle: self, sections, shards: self.rows_in(sections.shards)? })
    }
}

impl<V: Verification> Clone for Dictionary<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Verification> Copy for Dictionary<'_, V> {}

impl<'a, V: Verification> Dictionary<'a, V> {
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

    /// Ordinals of the keys that begin with `prefix`, without visiting them. Validates at most two shards: those
    /// between the first and the last hold nothing else.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed.
    pub fn prefix(&self, prefix: &[u8]) -> Result<Range<u32>, ReadError> {
        let after = self.partition(|key| key <= prefix || key.starts_with(prefix))?;
        let Some(last) = after.checked_sub(1) else { return Ok(0..0) };
        let first = self.shard_for(prefix)?.unwrap_or(0);
        let (row, shard) = self.shard(first)?;
        let ranks = shard.prefix_ranks(prefix);
        let own = row.ordinal.saturating_add(ranks.start)..row.ordinal.saturating_add(ranks.end);
        if first >= last {
            return Ok(if ranks.is_empty() { 0..0 } else { own });
        }
        let start = if ranks.is_empty() { self.shards.get(first + 1)?.ordinal } else { own.start };
        let (row, shard) = self.shard(last)?;
        let end = row.ordinal.saturating_add(shard.prefix_ranks(prefix).end);
        // Where shards between don't count on, it may end before it begins: no ordinals, as good as any answer then.
        Ok(start..end)
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
        Ok(self.partition(|first| first <= key)?.checked_sub(1))
    }

    /// Number of shards for whose first key `before` holds, where it holds for a first part of them.
    fn partition(&self, before: impl Fn(&[u8]) -> bool) -> Result<u32, ReadError> {
        let (mut low, mut high) = (0, self.shards.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.first_key(&self.shards.get(middle)?)?) { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    fn first_key(&self, row: &ShardRow) -> Result<&'a [u8], ReadError> {
        let start = u64::from(row.first_key);
        self.bundle.section_bytes(self.sections.keys, start..start + u64::from(row.first_key_length))
    }

    /// First keys lie back to back, up to the end of their section. Gives the end of this one.
    pub(super) fn check_first_key(&self, index: u32, row: &ShardRow, next: u32) -> Result<u32, ReadError> {
        let end =
            follows(&self.shards, index, "place of a first key", row.first_key, row.first_key_length, next)?;
        let length = self.bundle.require(self.sections.keys)?.length;
        if index + 1 == self.shards.len() && u64::from(end) != length {
            let (found, expected) = (end.into(), length);
            let problem = Problem::Unexpected { what: "end of the last first key", found, expected };
            return Err(self.shards.fault(index, problem));
        }
        Ok(end)
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
        if !V::BEFORE_USE || validated.is_some_and(|flags| flags.get(index.into())) {
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
        if let Some(flags) = validated {
            flags.set(index.into());
        }
        Ok((row, shard))
    }

    /// Ordinals run on from shard to shard, and no shard begins before the one before it ends.
    fn check_place(&self, index: u32, row: &ShardRow) -> Result<(), ReadError> {
        let unexpected = |what, found: u32, expected| {
            Err(self.shards.fault(index, Problem::Unexpected { what, found: found.into(), expected }))
        };
        let (ordinal, floor) = match index.checked_sub(1) {
            None => (0, 0),
            Some(before) => {
                let before = self.shards.get(before)?;
                (
                    u64::from(before.ordinal) + u64::from(before.keys),
                    u64::from(before.offset) + u64::from(before.length),
                )
            }
        };
        if u64::from(row.ordinal) != ordinal {
            return unexpected("first ordinal of a shard", row.ordinal, ordinal);
        }
        if u64::from(row.offset) < floor {
            return unexpected("offset of a shard", row.offset, floor);
        }
        if row.longest > self.sections.max_key {
            let (found, limit) = (row.longest.into(), self.sections.max_key.into());
            return Err(self
                .shards
                .fault(index, Problem::TooLarge { what: "length of a key", found, limit }));
        }
        Ok(())
    }
}
