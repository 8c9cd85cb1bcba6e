//! Proof that a shard is an `fst` map that spells exactly its table row's keys, without walking a key.
//!
//! Nodes lie back to back and every one comes after its children, so two passes over the nodes are enough: one down
//! from the root, which finds where each node ends, and one up, which adds up keys and depth of every node from
//! those of its children. Time and memory are linear in the shard's bytes whatever they are; nothing recurses.

use super::fault::{FaultKind, ShardFault};
use super::layout::{FOOTER_BYTES, HEADER_BYTES, INDEX_BYTES, Node, OVERHEAD_BYTES, VERSION};
use super::{MAX_LONE_SHARD_BYTES, MAX_SHARD_BYTES, MAX_SHARD_KEYS};

/// Checks header, footer and every node of a shard that should hold `key_count` keys, the longest of them of
/// `longest_key` bytes.
pub(super) fn check(shard: &[u8], key_count: u32, longest_key: u32) -> Result<(), ShardFault> {
    let nodes = nodes(shard, key_count)?;
    let root = Sums::of(nodes, key_count)?;
    let at_root = |kind| ShardFault { offset: HEADER_BYTES + nodes.len().saturating_sub(1), kind };
    if root.keys != key_count {
        return Err(at_root(FaultKind::Keys { found: root.keys, expected: key_count }));
    }
    if root.depth != longest_key {
        return Err(at_root(FaultKind::LongestKey { found: root.depth, expected: longest_key }));
    }
    Ok(())
}

/// Checks header and footer, and gives what lies between: the nodes.
fn nodes(shard: &[u8], key_count: u32) -> Result<&[u8], ShardFault> {
    let fault = |offset, kind| Err(ShardFault { offset, kind });
    if !(1..=MAX_SHARD_KEYS).contains(&key_count) {
        return fault(0, FaultKind::PromisedKeys { found: key_count, most: MAX_SHARD_KEYS });
    }
    let most = if key_count == 1 { MAX_LONE_SHARD_BYTES } else { MAX_SHARD_BYTES };
    let length = FaultKind::Length { found: shard.len(), least: OVERHEAD_BYTES, most };
    let Some((header, rest)) = shard.split_first_chunk::<HEADER_BYTES>() else { return fault(0, length) };
    let Some((nodes, footer)) = rest.split_last_chunk::<FOOTER_BYTES>() else { return fault(0, length) };
    if shard.len() > most {
        return fault(0, length);
    }

    let [version, map_type] = words(header);
    if version != VERSION {
        return fault(0, FaultKind::Version { found: version, expected: VERSION });
    }
    if map_type != 0 {
        return fault(8, FaultKind::Type { found: map_type });
    }
    let [keys, root] = words(footer);
    let footer_at = HEADER_BYTES + nodes.len();
    if keys != u64::from(key_count) {
        return fault(footer_at, FaultKind::FooterKeys { found: keys, expected: key_count });
    }
    // Without any node the root is the empty final node, which has address 0: the map of the empty key.
    let expected = if nodes.is_empty() { 0 } else { footer_at as u64 - 1 };
    if root != expected {
        return fault(footer_at + 8, FaultKind::Root { found: root, expected });
    }
    Ok(nodes)
}

/// The first two little-endian words. Absent ones read as 0, but callers hand in 16 bytes or more.
fn words(bytes: &[u8]) -> [u64; 2] {
    let mut words = [0; 2];
    for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*chunk);
    }
    words
}

/// What is known of a node once everything below it is checked.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Keys that pass through the node, cut before it; 0 where no node ends.
    keys: u32,
    /// Length of the longest of them.
    depth: u32,
    /// Whether a transition leads here.
    reached: bool,
}

/// The sums of all nodes checked so far, each at its node's last byte.
struct Sums {
    at: Vec<Sum>,
    /// How many of them are reached.
    reached: usize,
    key_count: u32,
}

impl Sums {
    /// The sum of the root, which is the last node.
    fn of(nodes: &[u8], key_count: u32) -> Result<Sum, ShardFault> {
        let mut root = Sum { keys: 1, depth: 0, reached: true };
        let mut sums = Self { at: vec![Sum::default(); nodes.len()], reached: 0, key_count };
        let mut found = Vec::with_capacity(nodes.len() / 4);
        let mut rest = nodes;
        while !rest.is_empty() {
            let node = Node::ending(rest)?;
            found.push(node);
            rest = rest.get(..node.start - HEADER_BYTES).unwrap_or_default();
        }
        for node in found.iter().rev() {
            root = sums.add(node)?;
            if let Some(sum) = sums.at.get_mut(node.end() - HEADER_BYTES) {
                *sum = root;
            }
        }
        // All nodes but the root, which is the first found.
        if sums.reached + 1 < found.len() {
            let reached =
                |node: &&Node<'_>| sums.at.get(node.end() - HEADER_BYTES).is_some_and(|sum| sum.reached);
            let offset = found.iter().skip(1).find(|node| !reached(node)).map_or(0, Node::end);
            return Err(ShardFault { offset, kind: FaultKind::Unreachable });
        }
        Ok(root)
    }

    /// Checks one node, all of whose children are checked.
    fn add(&mut self, node: &Node<'_>) -> Result<Sum, ShardFault> {
        let fault = |kind| ShardFault { offset: node.end(), kind };
        inputs(node)?;
        if node.final_output() != 0 {
            return Err(fault(FaultKind::FinalOutput { found: node.final_output() }));
        }
        let mut sum = Sum { keys: u32::from(node.is_final), depth: 0, reached: false };
        for (transition, (delta, output)) in node.transitions().enumerate() {
            // Inputs ascend, so the keys counted so far are those that sort before this transition's. Outputs along a
            // path then add up to the number of keys before, which is the rank.
            if output != u64::from(sum.keys) {
                return Err(fault(FaultKind::Output { transition, found: output, expected: sum.keys }));
            }
            let Some(child) = self.child(node.start, delta) else {
                return Err(fault(FaultKind::Child { transition, delta, start: node.start }));
            };
            // No overflow: both are at most `MAX_SHARD_KEYS`, and a level of depth takes a byte of the shard.
            sum.keys += child.keys;
            sum.depth = sum.depth.max(child.depth + 1);
            if sum.keys > self.key_count {
                return Err(fault(FaultKind::TooManyKeys { found: sum.keys, expected: self.key_count }));
            }
        }
        Ok(sum)
    }

    /// The sum of the node that ends `delta` bytes before `start`, if one does.
    fn child(&mut self, start: usize, delta: u64) -> Option<Sum> {
        if delta == 0 {
            return Some(Sum { keys: 1, depth: 0, reached: true });
        }
        let at = (start - HEADER_BYTES).checked_sub(usize::try_from(delta).ok()?)?;
        let sum = self.at.get_mut(at).filter(|sum| sum.keys > 0)?;
        self.reached += usize::from(!sum.reached);
        sum.reached = true;
        Some(*sum)
    }
}

/// Checks that inputs ascend, and that the index, which `fst` believes blindly, says the same.
fn inputs(node: &Node<'_>) -> Result<(), ShardFault> {
    let mut previous = None;
    for found in node.inputs() {
        if let Some(previous) = previous.filter(|&previous| previous >= found) {
            return Err(ShardFault { offset: node.end(), kind: FaultKind::InputOrder { previous, found } });
        }
        previous = Some(found);
    }
    let Some((offset, index)) = node.index() else { return Ok(()) };
    let mut expected = [u8::MAX; INDEX_BYTES];
    for (transition, input) in (0..=u8::MAX).zip(node.inputs()) {
        expected[usize::from(input)] = transition;
    }
    for ((input, &found), expected) in (0..=u8::MAX).zip(index).zip(expected) {
        if found != expected {
            let kind = FaultKind::Index { input, found, expected };
            return Err(ShardFault { offset: offset + usize::from(input), kind });
        }
    }
    Ok(())
}
