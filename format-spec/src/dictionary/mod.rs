//! Dictionaries: sorted sets of byte keys, each key with its ordinal.
//!
//! A dictionary is cut into *shards*. A shard is one complete [`fst`] map whose values are the ranks 0, 1, 2, … of
//! its keys, so that the ordinal of a key is the number of keys in the shards before plus the value:
//!
//! ```text
//! table row   first key   first ordinal   key count        shard
//!     0       "Abort"           0            2011    ->    an fst map, at most 16 KiB
//!     1       "GetItem"      2011            1987    ->    an fst map, at most 16 KiB
//!     …
//! ```
//!
//! `fst` checks nothing when it opens a map: damaged or crafted bytes make it panic, lie or stream 2^60 keys. So a
//! shard from outside passes [`Shard::open`] once, which proves the whole structure without walking a single key,
//! and every reading method afterwards is total. What is proven, and the byte layout, are in `SPEC.md`, "Dictionaries".

mod build;
mod checksum;
mod fault;
mod layout;
mod near;
mod shard;
mod structure;
#[cfg(test)]
mod tests;
mod walk;
mod writer;

pub use build::{BuiltShard, DictionaryError, build_shards};
pub use fault::{FaultKind, ShardFault};
pub use near::{MAX_NEAR_DISTANCE, MAX_NEAR_QUERY_BYTES, NearQuery, NearQueryError};
pub use shard::{Shard, ShardFigures};
pub use walk::{StepBudget, WalkEnd};

/// The most bytes of a shard that holds two keys or more.
pub const MAX_SHARD_BYTES: usize = 16 * 1024;

/// The most bytes of a shard that holds a single key.
///
/// A key is a name, and a name may be too long for the ordinary limit. One group of the file is 64 KiB, and no shard
/// straddles two groups.
pub const MAX_LONE_SHARD_BYTES: usize = 64 * 1024;

/// The most keys of a shard.
///
/// Equal endings are stored once, so bytes alone don't bound keys: 397 bytes can spell 2^60 of them.
pub const MAX_SHARD_KEYS: u32 = 1 << 16;

/// The longest key, in bytes: what fits [`MAX_LONE_SHARD_BYTES`] at two bytes for a byte of the key.
pub const MAX_KEY_BYTES: usize =
    (MAX_LONE_SHARD_BYTES - layout::OVERHEAD_BYTES - writer::Writer::CHAIN_END_BYTES) / 2;
