//! Chaining values of the body's groups: what lets a reader check 64 KiB of a huge file without hashing the rest.
//!
//! ```text
//! group list = chaining value of group 0, 1, … | merged value of block 0, 1, …
//! ```
//! A block covers 256 groups (16 MiB of body). A body of one group has no list, and one of a single block has no block
//! values: its groups merge to the root themselves.

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

use crate::hash::ContentHash;
use crate::layout::GROUP_BYTES;

/// Bytes of a chaining value.
pub(crate) const VALUE_BYTES: u64 = 32;
/// Groups under one block value.
pub(crate) const BLOCK_GROUPS: u64 = 256;

/// How many values the list of a body holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListShape {
    /// Groups of the body.
    pub(crate) groups: u64,
    /// Values in the list for groups: 0 where the body is one group.
    pub(crate) group_values: u64,
    /// Values in the list for blocks: 0 where there is at most one block.
    pub(crate) block_values: u64,
}

impl ListShape {
    pub(crate) const fn of_body(body_length: u64) -> Self {
        let groups = body_length.div_ceil(GROUP_BYTES);
        let group_values = if groups > 1 { groups } else { 0 };
        let block_values = if groups > BLOCK_GROUPS { groups.div_ceil(BLOCK_GROUPS) } else { 0 };
        Self { groups, group_values, block_values }
    }

    /// Length of the list in bytes.
    pub(crate) const fn length(&self) -> u64 {
        (self.group_values + self.block_values) * VALUE_BYTES
    }
}

/// Chaining value of one group that isn't the whole body.
pub(crate) fn group_value(index: u64, group: &[u8]) -> ChainingValue {
    let mut hasher = blake3::Hasher::new();
    hasher.set_input_offset(index * GROUP_BYTES);
    hasher.update(group);
    hasher.finalize_non_root()
}

/// Splits values as BLAKE3 does: the left side is the largest power of two that leaves something for the right.
fn split(values: &[ChainingValue]) -> (&[ChainingValue], &[ChainingValue]) {
    values.split_at(1 << (values.len() - 1).ilog2())
}

/// Chaining value above sibling subtrees of equal size (the last may be smaller); `None` for no values. The recursion
/// is as deep as the logarithm of their number.
pub(crate) fn merge(values: &[ChainingValue]) -> Option<ChainingValue> {
    match values {
        [] => None,
        [only] => Some(*only),
        _ => {
            let (left, right) = split(values);
            Some(merge_subtrees_non_root(&merge(left)?, &merge(right)?, Mode::Hash))
        }
    }
}

/// The hash above at least two sibling subtrees; `None` for fewer.
pub(crate) fn merge_root(values: &[ChainingValue]) -> Option<ContentHash> {
    if values.len() < 2 {
        return None;
    }
    let (left, right) = split(values);
    let root = merge_subtrees_root(&merge(left)?, &merge(right)?, Mode::Hash);
    Some(ContentHash::from(*root.as_bytes()))
}

/// Collects chaining values while a body streams by, and ends in its list and hash.
pub(crate) struct ListBuilder {
    hasher: blake3::Hasher,
    filled: u64,
    values: Vec<ChainingValue>,
}

impl ListBuilder {
    pub(crate) fn new() -> Self {
        Self { hasher: blake3::Hasher::new(), filled: 0, values: Vec::new() }
    }

    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.filled == GROUP_BYTES {
                self.values.push(self.hasher.finalize_non_root());
                // A reset hasher keeps its offset.
                self.hasher = blake3::Hasher::new();
                self.hasher.set_input_offset(self.values.len() as u64 * GROUP_BYTES);
                self.filled = 0;
            }
            let room = (GROUP_BYTES - self.filled) as usize;
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.hasher.update(now);
            self.filled += now.len() as u64;
            bytes = later;
        }
    }

    /// The list's bytes and the body's hash.
    pub(crate) fn finish(mut self) -> (Vec<u8>, ContentHash) {
        if self.values.is_empty() {
            return (Vec::new(), ContentHash::from(*self.hasher.finalize().as_bytes()));
        }
        self.values.push(self.hasher.finalize_non_root());
        let groups = self.values;
        let blocks: Vec<ChainingValue> = groups.chunks(BLOCK_GROUPS as usize).filter_map(merge).collect();
        let (listed, root) = if blocks.len() > 1 {
            (blocks.as_slice(), merge_root(&blocks))
        } else {
            ([].as_slice(), merge_root(&groups))
        };
        let list = groups.iter().chain(listed).flatten().copied().collect();
        // At least two groups were pushed, so there is a root; an all-zero hash would match no body.
        (list, root.unwrap_or_else(|| ContentHash::from([0; 32])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(length: usize) -> Vec<u8> {
        (0..length).map(|index| (index % 251) as u8).collect()
    }

    #[test]
    fn the_hash_is_plain_blake3_of_the_body_at_every_boundary() {
        let group = GROUP_BYTES as usize;
        let block = group * BLOCK_GROUPS as usize;
        for length in
            [1, 1024, group - 1, group, group + 1, 2 * group, 3 * group + 5, block, block + 1, 2 * block + 7]
        {
            let body = body(length);
            let mut builder = ListBuilder::new();
            for part in body.chunks(100_003) {
                builder.update(part);
            }
            let (list, hash) = builder.finish();
            assert_eq!(hash.as_bytes(), blake3::hash(&body).as_bytes(), "{length} bytes");
            assert_eq!(list.len() as u64, ListShape::of_body(length as u64).length(), "{length} bytes");
        }
    }

    #[test]
    fn a_listed_value_is_the_one_of_its_group_alone() {
        let body = body(3 * GROUP_BYTES as usize + 17);
        let mut builder = ListBuilder::new();
        builder.update(&body);
        let (list, _) = builder.finish();
        for (index, group) in body.chunks(GROUP_BYTES as usize).enumerate() {
            assert_eq!(list[index * 32..(index + 1) * 32], group_value(index as u64, group));
        }
    }

    #[test]
    fn list_shapes_follow_the_number_of_groups() {
        let shape = |groups: u64| ListShape::of_body(groups * GROUP_BYTES);
        assert_eq!(shape(1), ListShape { groups: 1, group_values: 0, block_values: 0 });
        assert_eq!(shape(2), ListShape { groups: 2, group_values: 2, block_values: 0 });
        assert_eq!(shape(256), ListShape { groups: 256, group_values: 256, block_values: 0 });
        assert_eq!(shape(257), ListShape { groups: 257, group_values: 257, block_values: 2 });
    }
}
