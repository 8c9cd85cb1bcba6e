//! Tests of the whole module, by question: what bytes come out, what is read back, what is refused.

mod building;
mod crafted;
mod layout;
mod mutated;
mod near;
mod reading;

use super::checksum::masked_crc32c;
use super::{BuiltShard, Shard, ShardFault, ShardFigures, build_shards};

/// The shards of some keys, in any order and with repetitions.
fn shards_of<K: AsRef<[u8]>>(keys: &[K]) -> Vec<BuiltShard> {
    let sorted: std::collections::BTreeSet<&[u8]> = keys.iter().map(AsRef::as_ref).collect();
    build_shards(sorted).expect("sorted and short")
}

/// The one shard of a few keys.
fn shard_of<K: AsRef<[u8]>>(keys: &[K]) -> BuiltShard {
    let mut shards = shards_of(keys);
    assert_eq!(shards.len(), 1);
    shards.remove(0)
}

/// What a table would say of a shard that is the only one.
fn figures(shard: &BuiltShard) -> ShardFigures<'_> {
    let (key_count, longest_key) = (shard.key_count, shard.longest_key);
    ShardFigures { key_count, longest_key, first_key: &shard.first_key, next_first_key: None }
}

fn open(shard: &BuiltShard) -> Result<Shard<'_>, ShardFault> {
    Shard::open(&shard.bytes, &figures(shard))
}

/// Makes the last four bytes the checksum of those before, so that what is wrong with a shard is something else.
fn seal(bytes: &mut [u8]) {
    if let Some((body, trailer)) = bytes.split_last_chunk_mut::<4>() {
        *trailer = masked_crc32c(body).to_le_bytes();
    }
}

/// A map from nodes written byte by byte.
struct Assembly {
    bytes: Vec<u8>,
}

impl Assembly {
    /// Version 3, type 0.
    fn new() -> Self {
        Self { bytes: vec![3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    }

    fn node(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Footer with the last node as root, and checksum.
    fn finish(self, keys: u64) -> Vec<u8> {
        let root = self.bytes.len() as u64 - 1;
        self.finish_at(keys, root)
    }

    fn finish_at(mut self, keys: u64, root: u64) -> Vec<u8> {
        self.bytes.extend(keys.to_le_bytes());
        self.bytes.extend(root.to_le_bytes());
        self.bytes.extend([0; 4]);
        seal(&mut self.bytes);
        self.bytes
    }
}

/// Splitmix64: seeded, so that a failure comes back.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A name as programs have them: verbs and nouns, which share beginnings and endings.
    fn name(&mut self) -> String {
        const VERBS: [&str; 8] = ["Get", "Set", "Describe", "List", "create", "update", "Delete", "new"];
        const NOUNS: [&str; 12] = [
            "Object", "Bucket", "Instance", "Policy", "Résumé", "Table", "Item", "Stream", "Key", "Alias",
            "Version", "_v2",
        ];
        let mut name = self.pick::<&str>(&VERBS).to_string();
        for _ in 0..=self.below(3) {
            name.push_str(self.pick::<&str>(&NOUNS));
        }
        if self.below(2) == 0 {
            name += &self.below(500).to_string();
        }
        name
    }
}
