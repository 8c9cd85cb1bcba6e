//! Lazy verification: a group of the body is hashed when it is first touched, a block of the group list likewise.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};

use blake3::hazmat::ChainingValue;

use super::{Bundle, Verification};
use crate::error::{Area, OpenError, ReadError};
use crate::groups::{BLOCK_GROUPS, ListShape, VALUE_BYTES, group_value, merge, merge_root};
use crate::hash::ContentHash;
use crate::layout::{BODY_ALIGNMENT, GROUP_BYTES, HEADER_BYTES, SECTION_ENTRY_BYTES, TRAILER_BYTES, Trailer};
use crate::section::SectionKind;

/// Flags that are set once and never cleared. Two threads may both do the work behind a flag, harmlessly. A byte each:
/// they are looked at for every row that is read, and there are few, one for 64 KiB of body.
pub(super) struct Flags(Box<[AtomicBool]>);

impl Flags {
    pub(super) fn new(count: u64) -> Self {
        Self((0..count).map(|_| AtomicBool::new(false)).collect())
    }

    #[inline]
    pub(super) fn get(&self, index: u64) -> bool {
        self.0.get(index as usize).is_some_and(|flag| flag.load(Ordering::Acquire))
    }

    pub(super) fn set(&self, index: u64) {
        if let Some(flag) = self.0.get(index as usize) {
            flag.store(true, Ordering::Release);
        }
    }
}

/// What was checked so far.
pub(super) struct Groups {
    body_length: u64,
    shape: ListShape,
    verified_groups: Flags,
    verified_blocks: Flags,
}

fn damaged(area: Area, offset: u64) -> ReadError {
    ReadError::Damaged { area, offset }
}

/// Bytes that don't match, by their offset in the file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mismatch {
    /// A group of the body.
    Group(u64),
    /// Values of the list.
    Value(u64),
}

impl Mismatch {
    /// The error, where a group belongs to `area`.
    fn in_area(self, area: Area) -> ReadError {
        match self {
            Self::Group(offset) => damaged(area, offset),
            Self::Value(offset) => damaged(Area::GroupList, offset),
        }
    }
}

fn value_at(bytes: &[u8], offset: u64) -> Option<ChainingValue> {
    let start = usize::try_from(offset).ok()?;
    bytes.get(start..start.checked_add(VALUE_BYTES as usize)?)?.try_into().ok()
}

fn values_at(bytes: &[u8], offset: u64, count: u64) -> Option<Vec<ChainingValue>> {
    (0..count).map(|index| value_at(bytes, offset + index * VALUE_BYTES)).collect()
}

impl Groups {
    /// Checks the trailer's lengths, merges the top of the group list to the content hash, and verifies group 0.
    pub(super) fn open(bytes: &[u8], trailer: &Trailer) -> Result<Self, OpenError> {
        let length = bytes.len() as u64;
        let body_length = trailer.body_length;
        let wrong = |reason| Err(OpenError::Length { reason, length });
        if body_length < HEADER_BYTES || !body_length.is_multiple_of(BODY_ALIGNMENT) || body_length > length {
            return wrong("its trailer states an impossible body length");
        }
        let shape = ListShape::of_body(body_length);
        if trailer.list_length != shape.length() {
            return wrong("its group list does not fit its body");
        }
        if body_length.checked_add(shape.length() + TRAILER_BYTES) != Some(length) {
            return wrong("body, group list and trailer do not add up to the file");
        }
        let groups = Self {
            body_length,
            shape,
            verified_groups: Flags::new(shape.groups),
            verified_blocks: Flags::new(shape.block_values),
        };
        let found = groups.root(bytes);
        if found != Some(trailer.content_hash) {
            let area = if shape.group_values == 0 { Area::Body } else { Area::GroupList };
            let offset = if shape.group_values == 0 { 0 } else { body_length };
            return Err(damaged(area, offset).into());
        }
        if shape.group_values == 0 {
            groups.verified_groups.set(0);
        } else {
            // Which part of the group was hit can't be told before the table in it is believed.
            groups.check_group(bytes, 0).map_err(|mismatch| mismatch.in_area(Area::Body))?;
        }
        Ok(groups)
    }

    /// The content hash, from the fewest bytes that determine it.
    fn root(&self, bytes: &[u8]) -> Option<ContentHash> {
        if self.shape.group_values == 0 {
            let body = bytes.get(..self.body_length as usize)?;
            return Some(ContentHash::from(*blake3::hash(body).as_bytes()));
        }
        let (first, count) = if self.shape.block_values == 0 {
            (self.body_length, self.shape.group_values)
        } else {
            (self.body_length + self.shape.group_values * VALUE_BYTES, self.shape.block_values)
        };
        merge_root(&values_at(bytes, first, count)?)
    }

    #[inline]
    pub(super) fn is_verified(&self, index: u64) -> bool {
        self.verified_groups.get(index)
    }

    /// Hashes a group and compares; on a mismatch gives the offset of the group, or of the list's block.
    pub(super) fn check_group(&self, bytes: &[u8], index: u64) -> Result<(), Mismatch> {
        self.check_block(bytes, index / BLOCK_GROUPS)?;
        let value = self.value_of(bytes, index);
        if value.is_none() || value_at(bytes, self.body_length + index * VALUE_BYTES) != value {
            return Err(Mismatch::Group(index * GROUP_BYTES));
        }
        self.verified_groups.set(index);
        Ok(())
    }

    /// Hashes every group anew and compares with all that is listed.
    fn verify(&self, bytes: &[u8], content_hash: ContentHash) -> Result<(), Mismatch> {
        if self.shape.group_values == 0 {
            // A body of one group is hashed whole.
            let matches = self.root(bytes) == Some(content_hash);
            return if matches { Ok(()) } else { Err(Mismatch::Group(0)) };
        }
        let mut values = Vec::new();
        for group in 0..self.shape.groups {
            let value = self.value_of(bytes, group).ok_or(Mismatch::Group(group * GROUP_BYTES))?;
            let at = self.body_length + group * VALUE_BYTES;
            if value_at(bytes, at) != Some(value) {
                // A wrong value in the list shows in the merge above it, a wrong group doesn't.
                let listed = self.check_listed(bytes, content_hash, group / BLOCK_GROUPS);
                return Err(listed.err().unwrap_or(Mismatch::Group(group * GROUP_BYTES)));
            }
            values.push(value);
        }
        let mut tops = values;
        if self.shape.block_values > 0 {
            tops = tops.chunks(BLOCK_GROUPS as usize).filter_map(merge).collect();
            for (block, value) in (0..).zip(&tops) {
                let at = self.block_value(block);
                if value_at(bytes, at) != Some(*value) {
                    return Err(Mismatch::Value(at));
                }
            }
        }
        let matches = merge_root(&tops) == Some(content_hash);
        if matches { Ok(()) } else { Err(Mismatch::Value(self.body_length)) }
    }

    /// Whether the list's own values for a block of groups match what lies above them.
    fn check_listed(&self, bytes: &[u8], content_hash: ContentHash, block: u64) -> Result<(), Mismatch> {
        if self.shape.block_values > 0 {
            return self.check_listed_block(bytes, block);
        }
        let matches = self.root(bytes) == Some(content_hash);
        if matches { Ok(()) } else { Err(Mismatch::Value(self.body_length)) }
    }

    fn check_listed_block(&self, bytes: &[u8], block: u64) -> Result<(), Mismatch> {
        let first = self.body_length + block * BLOCK_GROUPS * VALUE_BYTES;
        let count = BLOCK_GROUPS.min(self.shape.group_values - block * BLOCK_GROUPS);
        let merged = values_at(bytes, first, count).and_then(|values| merge(&values));
        let matches = merged.is_some() && merged == value_at(bytes, self.block_value(block));
        if matches { Ok(()) } else { Err(Mismatch::Value(first)) }
    }

    /// Where the list has the value of a block.
    const fn block_value(&self, block: u64) -> u64 {
        self.body_length + (self.shape.group_values + block) * VALUE_BYTES
    }

    fn value_of(&self, bytes: &[u8], group: u64) -> Option<ChainingValue> {
        let start = group * GROUP_BYTES;
        let end = (start + GROUP_BYTES).min(self.body_length);
        bytes.get(start as usize..end as usize).map(|bytes| group_value(group, bytes))
    }

    /// Merges a block of the list and compares. The block values themselves were checked at open.
    fn check_block(&self, bytes: &[u8], block: u64) -> Result<(), Mismatch> {
        if self.shape.block_values == 0 || self.verified_blocks.get(block) {
            return Ok(());
        }
        self.check_listed_block(bytes, block)?;
        self.verified_blocks.set(block);
        Ok(())
    }
}

impl<V: Verification> Bundle<V> {
    /// Bytes of the body, after making sure that each group they touch matches the content hash.
    #[inline]
    pub(super) fn verified(&self, area: Area, range: Range<u64>) -> Result<&[u8], ReadError> {
        let bytes = self
            .backing
            .get(range.start as usize..range.end as usize)
            .filter(|_| range.end <= self.header.body_length)
            .ok_or(damaged(area, range.start))?;
        if V::BEFORE_USE && range.start < range.end {
            let (first, last) = (range.start / GROUP_BYTES, (range.end - 1) / GROUP_BYTES);
            // Almost all ranges lie in one group, and almost all of those were seen before.
            if first != last || !self.groups.is_verified(first) {
                self.verify_groups(area, first..=last)?;
            }
        }
        Ok(bytes)
    }

    #[cold]
    fn verify_groups(&self, area: Area, groups: RangeInclusive<u64>) -> Result<(), ReadError> {
        for group in groups {
            if !self.groups.is_verified(group) {
                self.groups.check_group(&self.backing, group).map_err(|mismatch| mismatch.in_area(area))?;
            }
        }
        Ok(())
    }
}

impl Bundle {
    /// Hashes every byte of the body and compares with every value of the list, whether or not they were checked before.
    /// Costs what hashing the body costs, and 32 bytes of memory for 64 KiB of it.
    ///
    /// # Errors
    ///
    /// [`ReadError::Damaged`] for the first group, or value of the list, that doesn't match.
    pub fn verify(&self) -> Result<(), ReadError> {
        self.groups.verify(&self.backing, self.content_hash).map_err(|mismatch| {
            let (Mismatch::Group(offset) | Mismatch::Value(offset)) = mismatch;
            mismatch.in_area(self.area_at(offset))
        })
    }

    /// The part of the file that a body offset lies in.
    fn area_at(&self, offset: u64) -> Area {
        if offset < HEADER_BYTES {
            return Area::Header;
        }
        if offset < HEADER_BYTES + u64::from(self.header.section_count) * SECTION_ENTRY_BYTES {
            return Area::SectionTable;
        }
        let holds = |kind: &&SectionKind| {
            self.entry(**kind).is_some_and(|entry| (entry.offset..entry.end()).contains(&offset))
        };
        SectionKind::ALL.iter().find(holds).map_or(Area::Body, |kind| Area::Section(*kind))
    }
}
