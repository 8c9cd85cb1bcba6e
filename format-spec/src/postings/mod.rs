//! Postings: which documents hold a term, and how strongly.
//!
//! A list is cut into blocks of 128 documents. A block's header names its last document and its highest impact, so
//! that a reader can pass over blocks that can't matter. Two payload forms exist, and the writer takes the shorter:
//!
//! ```text
//! plain: | palette | gap × documents | impact index × documents |
//! runs:  | number of runs | palette | gap × runs | length - 1 × runs | impact index × runs |
//! ```
//! A run is a stretch of consecutive documents of one impact: terms of a path are shared by all symbols of a file.

mod bits;
mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{Block, BlockHeader, PostingsList};
pub use encode::{EncodedPostings, PostingsEncoder};

/// Documents in a full block.
pub const BLOCK_DOCUMENTS: usize = 128;

/// The layout word of a block header: maximum impact and bit widths, a byte each, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockLayout {
    /// Highest impact in the block.
    pub(crate) max_impact: u8,
    /// Bits a gap, 0..=32.
    pub(crate) gap_width: u8,
    /// 0 for the plain form; else 1 + bits of a run's length less one, so 1..=8.
    pub(crate) run_width: u8,
    /// Bits of an impact: 0 (all are the maximum), 1..=4 (index into the palette), 8 (the impact itself).
    pub(crate) impact_width: u8,
}

impl BlockLayout {
    pub(crate) const fn encode(self) -> u32 {
        u32::from_le_bytes([self.max_impact, self.gap_width, self.run_width, self.impact_width])
    }

    pub(crate) const fn decode(word: u32) -> Self {
        let [max_impact, gap_width, run_width, impact_width] = word.to_le_bytes();
        Self { max_impact, gap_width, run_width, impact_width }
    }

    /// Impacts in the palette, whether or not all are used.
    pub(crate) const fn palette_length(self) -> usize {
        match self.impact_width {
            1..=4 => 1 << self.impact_width,
            _ => 0,
        }
    }
}
