//! One shard, open for reading.

use std::ops::{ControlFlow, Range};

use fst::Automaton;
use fst::automaton::AlwaysMatch;
use fst::raw::{Error as RawError, Fst};

use super::fault::{FaultKind, ShardFault};
use super::structure;
use super::walk::{StepBudget, Walk, WalkEnd};

/// What the dictionary's table says of a shard, all of which [`Shard::open`] proves.
#[derive(Debug, Clone, Copy)]
pub struct ShardFigures<'a> {
    /// Number of keys, 1 to [`MAX_SHARD_KEYS`](super::MAX_SHARD_KEYS).
    pub key_count: u32,
    /// Bytes of the longest key.
    pub longest_key: u32,
    /// The smallest key.
    pub first_key: &'a [u8],
    /// The first key of the next shard, if there is one: it sorts after every key of this shard.
    pub next_first_key: Option<&'a [u8]>,
}

/// A dictionary shard: keys in byte order, each with its rank.
///
/// Cheap to make and to clone (a slice and five integers), so that views are built for a call and never stored.
#[derive(Clone)]
pub struct Shard<'a> {
    map: Fst<&'a [u8]>,
}

impl<'a> Shard<'a> {
    /// Opens bytes from outside, after proving that they are a shard and that the table's figures are true.
    ///
    /// Linear in the shard, in time and memory, whatever the bytes are: names of 16 KiB take 0.4 MB meanwhile, the most
    /// hostile 64 KiB take 6 MB. Afterwards no method panics or loops, the map spells [`ShardFigures::key_count`] keys,
    /// and the value of each is its rank.
    ///
    /// # Errors
    ///
    /// A [`ShardFault`] that names the broken rule and the byte.
    pub fn open(bytes: &'a [u8], figures: &ShardFigures<'_>) -> Result<Self, ShardFault> {
        structure::check(bytes, figures.key_count, figures.longest_key)?;
        let shard = Self::from_validated(bytes)?;
        shard.check_sum()?;
        shard.check_ends(figures)?;
        Ok(shard)
    }

    /// Opens bytes for which [`Shard::open`] has succeeded before.
    ///
    /// Constant time. On any other bytes this is memory-safe, and that's all: reading may panic, answer nonsense, or go
    /// on for ever.
    ///
    /// # Errors
    ///
    /// Where the bytes can't be a map at first sight.
    pub fn from_validated(bytes: &'a [u8]) -> Result<Self, ShardFault> {
        let map = Fst::new(bytes).map_err(|_| ShardFault { offset: 0, kind: FaultKind::NotAMap })?;
        Ok(Self { map })
    }

    /// The number of keys.
    pub fn key_count(&self) -> u32 {
        rank(self.map.len() as u64)
    }

    /// The rank of a key: the number of keys that sort before it. Linear in the key.
    pub fn get(&self, key: &[u8]) -> Option<u32> {
        self.map.get(key).map(|value| rank(value.value()))
    }

    /// Puts the key of a rank in `key`, and says whether there is one. Linear in the key, times the fan-out.
    pub fn key(&self, rank: u32, key: &mut Vec<u8>) -> bool {
        key.clear();
        rank < self.key_count() && self.map.get_key_into(u64::from(rank), key)
    }

    /// The ranks of the keys that begin with `prefix`, without visiting them. Linear in the prefix.
    pub fn prefix_ranks(&self, prefix: &[u8]) -> Range<u32> {
        let mut ranks = 0..self.map.len() as u64;
        let mut node = self.map.root();
        for &byte in prefix {
            let Some(at) = node.find_input(byte) else { return 0..0 };
            if at + 1 < node.len() {
                ranks.end = ranks.start + node.transition(at + 1).out.value();
            }
            let taken = node.transition(at);
            ranks.start += taken.out.value();
            node = self.map.node(taken.addr);
        }
        rank(ranks.start)..rank(ranks.end)
    }

    /// Visits the keys at or after `from` with their ranks, in order, until the visitor breaks or the budget is spent.
    pub fn visit_from(
        &self,
        from: &[u8],
        steps: &mut StepBudget,
        mut visit: impl FnMut(&[u8], u32) -> ControlFlow<()>,
    ) -> WalkEnd {
        Walk::from(&self.map, AlwaysMatch, from).run(steps, |key, value, _| visit(key, rank(value)))
    }

    /// Visits the keys that begin with `prefix` with their ranks, in order, until the visitor breaks or the budget is
    /// spent.
    pub fn visit_prefix(
        &self,
        prefix: &[u8],
        steps: &mut StepBudget,
        mut visit: impl FnMut(&[u8], u32) -> ControlFlow<()>,
    ) -> WalkEnd {
        Walk::below(&self.map, AlwaysMatch, prefix).run(steps, |key, value, _| visit(key, rank(value)))
    }

    /// Visits the keys that an automaton accepts, in order, with their ranks and the automaton's state at the key's
    /// end, until the visitor breaks or the budget is spent. Subtrees without a match are left out as a whole.
    pub fn search<A: Automaton>(
        &self,
        automaton: A,
        steps: &mut StepBudget,
        mut visit: impl FnMut(&[u8], u32, &A::State) -> ControlFlow<()>,
    ) -> WalkEnd {
        Walk::below(&self.map, automaton, &[]).run(steps, |key, value, state| visit(key, rank(value), state))
    }

    fn check_sum(&self) -> Result<(), ShardFault> {
        let offset = self.map.size().saturating_sub(4);
        match self.map.verify() {
            Ok(()) => Ok(()),
            // `fst` calls the trailer expected.
            Err(fst::Error::Fst(RawError::ChecksumMismatch { expected: found, got: expected })) => {
                Err(ShardFault { offset, kind: FaultKind::Checksum { found, expected } })
            }
            Err(_) => Err(ShardFault { offset, kind: FaultKind::NotAMap }),
        }
    }

    fn check_ends(&self, figures: &ShardFigures<'_>) -> Result<(), ShardFault> {
        let at_root = |kind| ShardFault { offset: self.map.root().addr(), kind };
        let mut key = Vec::with_capacity(figures.longest_key as usize);
        if !self.key(0, &mut key) || key != figures.first_key {
            return Err(at_root(FaultKind::FirstKey));
        }
        if let Some(next) = figures.next_first_key
            && !(self.key(figures.key_count.saturating_sub(1), &mut key) && *key < *next)
        {
            return Err(at_root(FaultKind::LastKey));
        }
        Ok(())
    }
}

/// A validated shard's values are below [`MAX_SHARD_KEYS`](super::MAX_SHARD_KEYS).
fn rank(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
