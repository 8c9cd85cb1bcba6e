//! Cuts sorted keys into shards.

use std::cmp::Ordering;

use super::writer::Writer;
use super::{MAX_KEY_BYTES, MAX_LONE_SHARD_BYTES, MAX_SHARD_BYTES, MAX_SHARD_KEYS};

/// A shard, and what the dictionary's table keeps of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltShard {
    /// The map: at most [`MAX_SHARD_BYTES`], or [`MAX_LONE_SHARD_BYTES`] with one key.
    pub bytes: Vec<u8>,
    /// The smallest key.
    pub first_key: Vec<u8>,
    /// Ordinal of the smallest key: the number of keys in the shards before.
    pub first_ordinal: u32,
    /// Number of keys, at most [`MAX_SHARD_KEYS`].
    pub key_count: u32,
    /// Bytes of the longest key.
    pub longest_key: u32,
}

/// Keys that make no dictionary. `index` is the key's place in the input, from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// A key sorts before its predecessor.
    #[error("key {index} sorts before the key before it; keys must ascend in byte order")]
    OutOfOrder {
        /// Place of the key.
        index: u32,
    },
    /// A key occurs twice.
    #[error("key {index} repeats the key before it; keys must be distinct")]
    Duplicate {
        /// Place of the key.
        index: u32,
    },
    /// A key is longer than [`MAX_KEY_BYTES`].
    #[error("key {index} has {found} bytes, at most {most} fit a dictionary")]
    KeyTooLong {
        /// Place of the key.
        index: u32,
        /// Its length.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Ordinals are 32-bit numbers, and the last one means "none".
    #[error("more than {most} keys in one dictionary")]
    TooManyKeys {
        /// The limit.
        most: u32,
    },
    /// A finished shard is over its limit: a defect of this crate.
    #[error("a shard of {keys} keys came out at {found} bytes, more than {most}")]
    ShardTooLong {
        /// Keys of the shard.
        keys: u32,
        /// Its length.
        found: usize,
        /// The limit.
        most: usize,
    },
}

/// Builds the shards of a dictionary from keys in strictly ascending byte order.
///
/// Every shard takes keys as long as it's certain to stay within its limits, which leaves a typical one about a hundred
/// bytes short of [`MAX_SHARD_BYTES`]. The bytes depend on the keys alone. Linear in the bytes of the keys; memory is
/// that of the shards.
///
/// # Errors
///
/// Where keys don't ascend, or are too long or too many.
pub fn build_shards<'k>(
    sorted_keys: impl IntoIterator<Item = &'k [u8]>,
) -> Result<Vec<BuiltShard>, DictionaryError> {
    let mut shards = Vec::new();
    let mut writer = Writer::default();
    let mut range = KeyRange::default();
    let mut previous: Option<&[u8]> = None;
    for (index, key) in (0..=u32::MAX).zip(sorted_keys) {
        if index == u32::MAX {
            return Err(DictionaryError::TooManyKeys { most: u32::MAX });
        }
        if key.len() > MAX_KEY_BYTES {
            return Err(DictionaryError::KeyTooLong { index, found: key.len(), most: MAX_KEY_BYTES });
        }
        let mut shared = 0;
        if let Some(previous) = previous {
            match previous.cmp(key) {
                Ordering::Less => shared = shared_prefix(previous, key),
                Ordering::Equal => return Err(DictionaryError::Duplicate { index }),
                Ordering::Greater => return Err(DictionaryError::OutOfOrder { index }),
            }
            let most = writer.most_bytes_with(shared, key.len() - shared);
            if most > MAX_SHARD_BYTES || writer.keys() == MAX_SHARD_KEYS {
                shards.push(finish(&mut writer, &range)?);
                (shared, range) = (0, KeyRange { first_key: key, first_ordinal: index, longest_key: 0 });
            }
        } else {
            range.first_key = key;
        }
        writer.add(shared, key.get(shared..).unwrap_or_default());
        range.longest_key = range.longest_key.max(key.len());
        previous = Some(key);
    }
    if previous.is_some() {
        shards.push(finish(&mut writer, &range)?);
    }
    Ok(shards)
}

/// What the writer doesn't know of the shard in the making.
#[derive(Debug, Default)]
struct KeyRange<'k> {
    first_key: &'k [u8],
    first_ordinal: u32,
    longest_key: usize,
}

fn finish(writer: &mut Writer, range: &KeyRange<'_>) -> Result<BuiltShard, DictionaryError> {
    let keys = writer.keys();
    let bytes = writer.finish();
    let most = if keys == 1 { MAX_LONE_SHARD_BYTES } else { MAX_SHARD_BYTES };
    if bytes.len() > most {
        return Err(DictionaryError::ShardTooLong { keys, found: bytes.len(), most });
    }
    Ok(BuiltShard {
        bytes,
        first_key: range.first_key.to_vec(),
        first_ordinal: range.first_ordinal,
        key_count: keys,
        // At most `MAX_KEY_BYTES`.
        longest_key: u32::try_from(range.longest_key).unwrap_or(u32::MAX),
    })
}

fn shared_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
