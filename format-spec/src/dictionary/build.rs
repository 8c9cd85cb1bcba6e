//! Cuts sorted keys into shards.

use fst::raw::Builder;

use super::layout::FOOTER_BYTES;
use super::room::OpenNodes;
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
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// A key sorts before its predecessor.
    #[error("key {index} sorts before the key before it; keys must ascend in byte order")]
    OutOfOrder {
        /// Place of the key.
        index: u32,
    },
    /// A key occurs twice.
    #[error("key {index} repeats the key before it")]
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
    /// `fst` refused a key: a defect of this crate.
    #[error("the fst writer refused key {index}")]
    Writer {
        /// Place of the key.
        index: u32,
        /// What `fst` says.
        source: fst::Error,
    },
}

/// Builds the shards of a dictionary from keys in strictly ascending byte order.
///
/// Every shard takes keys as long as it's certain to stay within its limit, which leaves a typical one a few hundred
/// bytes short of it. The bytes depend on the keys alone. Memory: the shards, and 1.5 MB for `fst`.
///
/// # Errors
///
/// Where keys don't ascend, or are too long or too many.
pub fn build_shards<'k>(
    sorted_keys: impl IntoIterator<Item = &'k [u8]>,
) -> Result<Vec<BuiltShard>, DictionaryError> {
    let mut shards = Vec::new();
    let mut open: Option<OpenShard<'k>> = None;
    for (index, key) in (0..=u32::MAX).zip(sorted_keys) {
        if key.len() > MAX_KEY_BYTES {
            return Err(DictionaryError::KeyTooLong { index, found: key.len(), most: MAX_KEY_BYTES });
        }
        if index == u32::MAX {
            return Err(DictionaryError::TooManyKeys { most: u32::MAX });
        }
        let shared = match &open {
            None => 0,
            Some(shard) => match shard.last_key.cmp(key) {
                std::cmp::Ordering::Less => shared_prefix(shard.last_key, key),
                std::cmp::Ordering::Equal => return Err(DictionaryError::Duplicate { index }),
                std::cmp::Ordering::Greater => return Err(DictionaryError::OutOfOrder { index }),
            },
        };
        if let Some(full) = open.take_if(|shard| !shard.has_room(shared, key)) {
            shards.push(full.finish()?);
        }
        match &mut open {
            Some(shard) => shard.insert(index, shared, key)?,
            None => open.insert(OpenShard::new(index, key)?).insert(index, 0, key)?,
        }
    }
    if let Some(last) = open {
        shards.push(last.finish()?);
    }
    Ok(shards)
}

struct OpenShard<'k> {
    builder: Builder<Vec<u8>>,
    nodes: OpenNodes,
    first_key: &'k [u8],
    last_key: &'k [u8],
    first_ordinal: u32,
    key_count: u32,
    longest_key: usize,
}

impl<'k> OpenShard<'k> {
    fn new(first_ordinal: u32, first_key: &'k [u8]) -> Result<Self, DictionaryError> {
        let builder = Builder::new(Vec::with_capacity(MAX_SHARD_BYTES))
            .map_err(|source| DictionaryError::Writer { index: first_ordinal, source })?;
        let nodes = OpenNodes::new();
        Ok(Self {
            builder,
            nodes,
            first_key,
            last_key: first_key,
            first_ordinal,
            key_count: 0,
            longest_key: 0,
        })
    }

    /// Whether the shard stays within its limits with one more key, whatever it shares with the others.
    fn has_room(&self, shared: usize, key: &[u8]) -> bool {
        let open = self.nodes.most_bytes_with(shared, key.len() - shared) + FOOTER_BYTES;
        self.key_count < MAX_SHARD_KEYS
            && self.builder.bytes_written() + open as u64 <= MAX_SHARD_BYTES as u64
    }

    fn insert(&mut self, index: u32, shared: usize, key: &'k [u8]) -> Result<(), DictionaryError> {
        self.builder
            .insert(key, u64::from(self.key_count))
            .map_err(|source| DictionaryError::Writer { index, source })?;
        self.nodes.add(shared, key.len() - shared);
        self.key_count += 1;
        self.longest_key = self.longest_key.max(key.len());
        self.last_key = key;
        Ok(())
    }

    fn finish(self) -> Result<BuiltShard, DictionaryError> {
        let index = self.first_ordinal + self.key_count - 1;
        let bytes = self.builder.into_inner().map_err(|source| DictionaryError::Writer { index, source })?;
        let most = if self.key_count == 1 { MAX_LONE_SHARD_BYTES } else { MAX_SHARD_BYTES };
        if bytes.len() > most {
            return Err(DictionaryError::ShardTooLong { keys: self.key_count, found: bytes.len(), most });
        }
        Ok(BuiltShard {
            bytes,
            first_key: self.first_key.to_vec(),
            first_ordinal: self.first_ordinal,
            key_count: self.key_count,
            longest_key: u32::try_from(self.longest_key).unwrap_or(u32::MAX),
        })
    }
}

fn shared_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
