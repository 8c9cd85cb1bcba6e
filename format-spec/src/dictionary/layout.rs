//! Where the parts of an `fst` node lie (fst 0.4, map format 3).
//!
//! A node is written after its children, and its address is its *last* byte: it's read backwards. In file order:
//!
//! ```text
//! 11cccccc  one transition, to the node just before it    [input] state
//! 10cccccc  one transition                                outputs deltas sizes [input] state
//! 0fnnnnnn  final if f, any number of transitions         [final output] outputs deltas inputs [index] sizes [count] state
//! ```
//!
//! Outputs, deltas and inputs lie in descending order of transitions, so that backwards they ascend. An input is left
//! out where the state byte's low bits name a common one, the count where they hold it, the index up to 32
//! transitions. `sizes` holds the bytes of a delta (high half) and of an output (low half). A delta counts back from
//! the node's first byte to the child's last; 0 is the final node without transitions, which has no bytes.

use super::fault::{FaultKind, ShardFault};

/// Map format version and type, eight bytes each.
pub(super) const HEADER_BYTES: usize = 16;
/// Key count and root address, eight bytes each, and a checksum of four.
pub(super) const FOOTER_BYTES: usize = 20;
/// What a shard has besides nodes.
pub(super) const OVERHEAD_BYTES: usize = HEADER_BYTES + FOOTER_BYTES;
/// The format that `fst` 0.4 writes.
pub(super) const VERSION: u64 = 3;
/// A node with more transitions has an index from input to transition.
pub(super) const INDEX_THRESHOLD: usize = 32;
/// Bytes of that index.
pub(super) const INDEX_BYTES: usize = 256;
/// A node with more transitions has a byte of its own for their count.
pub(super) const STATE_COUNT_MAX: u8 = 0b11_1111;

/// The state byte's bit for a node where no key ends and one transition leaves.
pub(super) const ONE_TRANSITION: u8 = 0b1000_0000;
/// Of a node with one transition: it leads to the node just before. Of any other: a key ends here.
pub(super) const FINAL_OR_NEXT: u8 = 0b0100_0000;
/// Inputs that the state byte of a node with one transition can name, by place from 1.
pub(super) const COMMON_INPUTS: &[u8; STATE_COUNT_MAX as usize] =
    b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// Where a node lies and how it's packed. Everything in it lies in the shard; what it says is not checked yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    /// The node's bytes.
    bytes: &'a [u8],
    /// Offset of the first of them, from which deltas count.
    pub(super) start: usize,
    /// Whether a key ends here.
    pub(super) is_final: bool,
    /// One transition, to the node just before: neither deltas nor outputs.
    is_next: bool,
    /// Number of transitions.
    count: u16,
    delta_size: u8,
    output_size: u8,
    /// Bytes behind the deltas: inputs, index, sizes, count, state.
    tail: u16,
    /// Bytes of those that hold inputs; a node with one transition has nothing to check there.
    inputs: u16,
}

impl<'a> Node<'a> {
    /// Finds the node that ends with the last of `nodes`, which are a shard's bytes from the first node on.
    // A call that hands the node over in memory costs a third of the validation's time.
    #[inline(always)]
    pub(super) fn ending(nodes: &'a [u8]) -> Result<Self, ShardFault> {
        let fault = |back: usize, kind| ShardFault {
            offset: (HEADER_BYTES + nodes.len()).saturating_sub(back),
            kind,
        };
        let back = |back: usize| {
            let at = nodes.len().checked_sub(back);
            at.and_then(|at| nodes.get(at)).copied().ok_or(fault(1, FaultKind::CutShort))
        };
        let sizes = |at: usize| {
            let sizes = back(at)?;
            let (delta, output) = (sizes >> 4, sizes & 0b1111);
            if !(1..=8).contains(&delta) {
                return Err(fault(at, FaultKind::DeltaSize { found: delta }));
            }
            if output > 8 {
                return Err(fault(at, FaultKind::OutputSize { found: output }));
            }
            Ok((delta, output))
        };

        let state = back(1)?;
        let low = state & STATE_COUNT_MAX;
        let one = state & ONE_TRANSITION != 0;
        let is_next = one && state & FINAL_OR_NEXT != 0;
        let is_final = !one && state & FINAL_OR_NEXT != 0;
        // Input or count, whichever the state byte could not hold.
        let extra = u16::from(low == 0);
        let (count, inputs, tail, (delta_size, output_size));
        if is_next {
            (count, inputs, tail) = (1, 0, 1 + extra);
            (delta_size, output_size) = (0, 0);
        } else if one {
            (count, inputs, tail) = (1, 0, 2 + extra);
            (delta_size, output_size) = sizes(usize::from(tail))?;
        } else {
            count = match (low, extra) {
                (_, 0) => u16::from(low),
                _ => match back(2)? {
                    1 => 256,
                    count if count > STATE_COUNT_MAX => u16::from(count),
                    found => return Err(fault(2, FaultKind::CountByte { found })),
                },
            };
            (delta_size, output_size) = sizes(usize::from(2 + extra))?;
            let index = if usize::from(count) > INDEX_THRESHOLD { INDEX_BYTES as u16 } else { 0 };
            (inputs, tail) = (count, 2 + extra + index + count);
        }
        let packed = usize::from(count) * usize::from(delta_size + output_size);
        let length = usize::from(tail) + packed + if is_final { usize::from(output_size) } else { 0 };
        let start = nodes.len().checked_sub(length).ok_or(fault(1, FaultKind::CutShort))?;
        let bytes = nodes.get(start..).unwrap_or_default();
        let start = HEADER_BYTES + start;
        Ok(Self { bytes, start, is_final, is_next, count, delta_size, output_size, tail, inputs })
    }

    /// Offset of the last byte: the node's address.
    pub(super) fn end(&self) -> usize {
        self.start + self.bytes.len() - 1
    }

    /// The `length` bytes that end `back` bytes before the node does.
    #[inline]
    fn part(&self, back: usize, length: usize) -> &'a [u8] {
        let end = self.bytes.len().saturating_sub(back);
        self.bytes.get(end.saturating_sub(length)..end).unwrap_or_default()
    }

    /// A transition: bytes from [`Node::start`] back to the child's last byte, 0 for the empty child; and the output.
    #[inline]
    fn transition(&self, place: usize) -> (u64, u64) {
        if self.is_next {
            return (1, 0);
        }
        let (tail, count) = (usize::from(self.tail), usize::from(self.count));
        let (delta, output) = (usize::from(self.delta_size), usize::from(self.output_size));
        (
            uint(self.part(tail + place * delta, delta)),
            uint(self.part(tail + count * delta + place * output, output)),
        )
    }

    /// The transitions in order.
    #[inline]
    pub(super) fn transitions(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..usize::from(self.count)).map(|place| self.transition(place))
    }

    /// What is added to a key's value when the key ends here.
    pub(super) fn final_output(&self) -> u64 {
        if self.is_final {
            uint(self.bytes.get(..usize::from(self.output_size)).unwrap_or_default())
        } else {
            0
        }
    }

    /// The inputs of the transitions, in order; none of a node with one transition.
    pub(super) fn inputs(&self) -> impl Iterator<Item = u8> {
        let inputs = usize::from(self.inputs);
        self.part(usize::from(self.tail) - inputs, inputs).iter().rev().copied()
    }

    /// The table from input to transition, if the node has one, with the offset of its first byte.
    pub(super) fn index(&self) -> Option<(usize, &'a [u8])> {
        let back = usize::from(self.tail - self.inputs).checked_sub(INDEX_BYTES)?;
        let offset = self.start + self.bytes.len() - back - INDEX_BYTES;
        Some((offset, self.part(back, INDEX_BYTES)))
    }
}

/// A little-endian number of up to eight bytes.
#[inline]
fn uint(bytes: &[u8]) -> u64 {
    match *bytes {
        [] => 0,
        [low] => u64::from(low),
        [low, high] => u64::from(u16::from_le_bytes([low, high])),
        _ => bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    }
}
