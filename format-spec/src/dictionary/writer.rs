//! Writes one shard: a minimal `fst` map from sorted keys to their ranks.
//!
//! `fst` has a writer of its own, but finds equal nodes in a cache whose hits depend on the pointer width, and a shard's
//! bytes must not. This one knows every node of its shard, and that values are ranks.

use std::collections::HashMap;

use super::layout::{
    COMMON_INPUTS, FINAL_OR_NEXT, FOOTER_BYTES, HEADER_BYTES, INDEX_BYTES, INDEX_THRESHOLD, ONE_TRANSITION,
    STATE_COUNT_MAX, VERSION,
};

/// Each input's place in [`COMMON_INPUTS`], from 1; 0 for the others.
const COMMON_PLACES: [u8; 256] = {
    let mut places = [0; 256];
    let mut place = 0;
    while place < COMMON_INPUTS.len() {
        places[COMMON_INPUTS[place] as usize] = place as u8 + 1;
        place += 1;
    }
    places
};

/// Address of the final node without transitions, which takes no bytes.
const EMPTY: u32 = 0;

/// A transition of a node, with its place in the file once its child has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Transition {
    input: u8,
    /// Keys of the node that sort before this transition's.
    output: u32,
    /// Address of the child; [`EMPTY`] as long as the child is open.
    child: u32,
}

/// A node on the path of the last key, which later keys may still change.
#[derive(Debug, Default)]
struct OpenNode {
    /// Rank of the first key that passes through.
    first: u32,
    is_final: bool,
    transitions: Vec<Transition>,
}

impl OpenNode {
    /// The most bytes that the node can take with so many transitions: addresses and outputs are of two bytes at most,
    /// as no shard has more than 2^16 bytes or keys.
    fn most_bytes(&self, transitions: usize) -> usize {
        match (transitions, self.is_final) {
            (0, _) => 0,
            // Output 0, and the child is the node just before, save once in a chain: `Writer::CHAIN_END_BYTES`.
            (1, false) => 2,
            (transitions, _) => {
                let index = if transitions > INDEX_THRESHOLD { INDEX_BYTES } else { 0 };
                3 + transitions * (1 + 2 + 2) + index + if self.is_final { 2 } else { 0 }
            }
        }
    }
}

/// A shard in the making.
#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    keys: u32,
    /// Nodes from the root to the end of the last key; those behind `depth` are spare, kept for their memory.
    open: Vec<OpenNode>,
    depth: usize,
    /// The most bytes that the open nodes can take.
    most_open: usize,
    /// Address of the node written last.
    last: u32,
    written: Written,
}

impl Writer {
    /// A chain of nodes with one transition ends in one that must name its child's place, which takes two bytes
    /// and one for their number.
    pub(super) const CHAIN_END_BYTES: usize = 3;

    /// The number of keys so far.
    pub(super) fn keys(&self) -> u32 {
        self.keys
    }

    /// The most bytes that the shard can have with one more key, which shares `shared` bytes with the last one and goes
    /// on for `added` more.
    pub(super) fn most_bytes_with(&self, shared: usize, added: usize) -> usize {
        let fork = self.open.get(shared).filter(|_| shared <= self.depth && self.keys > 0);
        let growth = fork.map_or(2, |fork| {
            fork.most_bytes(fork.transitions.len() + 1) - fork.most_bytes(fork.transitions.len())
        });
        // Two chains can be open: that of the nodes which the key closes, and its own.
        let chains = growth + 2 * added.saturating_sub(1) + 2 * Self::CHAIN_END_BYTES;
        self.bytes.len().max(HEADER_BYTES) + self.most_open + chains + FOOTER_BYTES
    }

    /// Adds a key that sorts after the last one, shares `shared` bytes with it and goes on with `suffix`. Only the first
    /// key may have no suffix.
    pub(super) fn add(&mut self, shared: usize, suffix: &[u8]) {
        if self.keys == 0 {
            self.begin();
        }
        self.close(shared);
        for &input in suffix {
            let Some(fork) = self.open.get_mut(self.depth) else { break };
            let output = self.keys - fork.first;
            let before = fork.most_bytes(fork.transitions.len());
            fork.transitions.push(Transition { input, output, child: EMPTY });
            self.most_open += fork.most_bytes(fork.transitions.len()) - before;
            self.depth += 1;
            self.open_node();
        }
        if let Some(end) = self.open.get_mut(self.depth) {
            end.is_final = true;
        }
        self.keys += 1;
    }

    /// Completes the shard, and starts over.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.close(0);
        let root = self.open.first_mut().map(std::mem::take).unwrap_or_default();
        let root = self.place(&root);
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.extend_from_slice(&u64::from(self.keys).to_le_bytes());
        bytes.extend_from_slice(&u64::from(root).to_le_bytes());
        bytes.extend_from_slice(&super::checksum::masked_crc32c(&bytes).to_le_bytes());
        self.keys = 0;
        bytes
    }

    fn begin(&mut self) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&VERSION.to_le_bytes());
        self.bytes.extend_from_slice(&0_u64.to_le_bytes());
        (self.depth, self.most_open, self.last) = (0, 0, EMPTY);
        self.written.clear();
        self.open_node();
    }

    /// Makes the node at `depth` a new one.
    fn open_node(&mut self) {
        if self.depth == self.open.len() {
            self.open.push(OpenNode::default());
        }
        if let Some(node) = self.open.get_mut(self.depth) {
            (node.first, node.is_final) = (self.keys, false);
            node.transitions.clear();
        }
    }

    /// Writes the open nodes deeper than `depth`, from the deepest up.
    fn close(&mut self, depth: usize) {
        while self.depth > depth {
            let Some(node) = self.open.get_mut(self.depth).map(std::mem::take) else { break };
            self.most_open -= node.most_bytes(node.transitions.len());
            let address = self.place(&node);
            if let Some(spare) = self.open.get_mut(self.depth) {
                *spare = node;
            }
            self.depth -= 1;
            if let Some(to) = self.open.get_mut(self.depth).and_then(|parent| parent.transitions.last_mut()) {
                to.child = address;
            }
        }
    }

    /// The address of a node: that of an equal one, or its own, once it's written.
    fn place(&mut self, node: &OpenNode) -> u32 {
        if node.is_final && node.transitions.is_empty() {
            return EMPTY;
        }
        let hash = Written::hash(node);
        if let Some(address) = self.written.find(hash, node) {
            return address;
        }
        self.encode(node);
        // A shard is far below 4 GiB.
        self.last = u32::try_from(self.bytes.len() - 1).unwrap_or(u32::MAX);
        self.written.insert(hash, node, self.last);
        self.last
    }

    fn encode(&mut self, node: &OpenNode) {
        let start = self.bytes.len() as u64;
        let delta = |to: &Transition| if to.child == EMPTY { 0 } else { start - u64::from(to.child) };
        let delta_size = node.transitions.iter().map(|to| packed_size(delta(to))).max().unwrap_or(1);
        // The last output is the largest; a final node's own is 0.
        let output_size = match node.transitions.last().map_or(0, |to| to.output) {
            0 => 0,
            output => packed_size(u64::from(output)),
        };
        let sizes = delta_size << 4 | output_size;
        let pack = |bytes: &mut Vec<u8>, number: u64, size: u8| {
            bytes.extend(number.to_le_bytes().into_iter().take(usize::from(size)));
        };

        let bytes = &mut self.bytes;
        if let (false, &[to]) = (node.is_final, &node.transitions[..]) {
            let place = COMMON_PLACES[usize::from(to.input)];
            let is_next = to.child == self.last && to.child != EMPTY && to.output == 0;
            if !is_next {
                pack(bytes, u64::from(to.output), output_size);
                pack(bytes, delta(&to), delta_size);
                bytes.push(sizes);
            }
            if place == 0 {
                bytes.push(to.input);
            }
            bytes.push(ONE_TRANSITION | if is_next { FINAL_OR_NEXT } else { 0 } | place);
            return;
        }

        if node.is_final {
            pack(bytes, 0, output_size);
        }
        node.transitions.iter().rev().for_each(|to| pack(bytes, u64::from(to.output), output_size));
        node.transitions.iter().rev().for_each(|to| pack(bytes, delta(to), delta_size));
        bytes.extend(node.transitions.iter().rev().map(|to| to.input));
        if node.transitions.len() > INDEX_THRESHOLD {
            let mut index = [u8::MAX; INDEX_BYTES];
            for (to, place) in node.transitions.iter().zip(0..=u8::MAX) {
                index[usize::from(to.input)] = place;
            }
            bytes.extend_from_slice(&index);
        }
        bytes.push(sizes);
        let is_final = if node.is_final { FINAL_OR_NEXT } else { 0 };
        match u8::try_from(node.transitions.len()) {
            Ok(count @ 1..=STATE_COUNT_MAX) => bytes.push(is_final | count),
            // 256, which no byte holds: 1 is free for it, as it always fits the state byte.
            Err(_) => bytes.extend_from_slice(&[1, is_final]),
            Ok(count) => bytes.extend_from_slice(&[count, is_final]),
        }
    }
}

/// Bytes of a number; 0 takes one.
fn packed_size(number: u64) -> u8 {
    // At most 8.
    (8 - (number | 1).leading_zeros() / 8) as u8
}

/// The nodes of the shard so far, by what they are.
#[derive(Debug, Default)]
struct Written {
    /// From a node's hash to its place in `nodes`. Two nodes of one hash are written twice, which costs a few bytes.
    by_hash: HashMap<u64, usize>,
    nodes: Vec<WrittenNode>,
    transitions: Vec<Transition>,
}

#[derive(Debug)]
struct WrittenNode {
    is_final: bool,
    transitions: std::ops::Range<usize>,
    address: u32,
}

impl Written {
    /// FNV-1a over the node's numbers: the same on every machine, as it decides bytes.
    fn hash(node: &OpenNode) -> u64 {
        let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0000_0100_0000_01b3);
        let start = mix(0xcbf2_9ce4_8422_2325, u64::from(node.is_final));
        node.transitions.iter().fold(start, |hash, to| {
            mix(mix(hash, u64::from(to.output) << 8 | u64::from(to.input)), u64::from(to.child))
        })
    }

    fn find(&self, hash: u64, node: &OpenNode) -> Option<u32> {
        let found = self.nodes.get(*self.by_hash.get(&hash)?)?;
        let equal = found.is_final == node.is_final
            && self.transitions.get(found.transitions.clone())? == node.transitions.as_slice();
        equal.then_some(found.address)
    }

    fn insert(&mut self, hash: u64, node: &OpenNode, address: u32) {
        let from = self.transitions.len();
        self.transitions.extend_from_slice(&node.transitions);
        let transitions = from..self.transitions.len();
        self.by_hash.insert(hash, self.nodes.len());
        self.nodes.push(WrittenNode { is_final: node.is_final, transitions, address });
    }

    fn clear(&mut self) {
        self.by_hash.clear();
        self.nodes.clear();
        self.transitions.clear();
    }
}
