//! Writing postings blocks.

use super::bits::{pack, packed_length, width_of};
use super::{BLOCK_DOCUMENTS, BlockLayout};
use crate::rows::{BlockRow, PostingsRow};

/// Sections of postings.
#[derive(Debug, Default)]
pub struct EncodedPostings {
    /// One row a term.
    pub lists: Vec<PostingsRow>,
    /// Block headers.
    pub blocks: Vec<BlockRow>,
    /// Block payloads.
    pub bytes: Vec<u8>,
}

impl EncodedPostings {
    /// Appends lists that were encoded apart.
    pub fn append(&mut self, other: Self) {
        let (first_block, first_byte) = (self.blocks.len() as u32, self.bytes.len() as u32);
        let moved = |list: PostingsRow| {
            let first = if list.documents > 1 { list.first + first_block } else { list.first };
            PostingsRow { first, ..list }
        };
        self.lists.extend(other.lists.into_iter().map(moved));
        self.blocks.extend(
            other.blocks.into_iter().map(|block| BlockRow { payload: block.payload + first_byte, ..block }),
        );
        self.bytes.extend(other.bytes);
    }
}

struct Run {
    gap: u32,
    length: u32,
    impact: u8,
}

/// Encodes lists one after the other.
#[derive(Debug, Default)]
pub struct PostingsEncoder {
    encoded: EncodedPostings,
}

/// How the impacts of a block are written.
struct Impacts {
    width: u8,
    palette: Vec<u8>,
}

impl Impacts {
    fn of(impacts: &[u8]) -> Self {
        let mut palette = impacts.to_vec();
        palette.sort_unstable();
        palette.dedup();
        let width = match palette.len() {
            1 => 0,
            2 => 1,
            3..=4 => 2,
            5..=8 => 3,
            9..=16 => 4,
            _ => 8,
        };
        if width == 0 || width == 8 {
            palette.clear();
        } else {
            palette.resize(1 << width, 0);
        }
        Self { width, palette }
    }

    fn index(&self, impact: u8) -> u32 {
        if self.width == 8 {
            return impact.into();
        }
        self.palette.iter().position(|entry| *entry == impact).unwrap_or(0) as u32
    }
}

impl PostingsEncoder {
    /// Appends the list of the next term: documents strictly ascending, each with its impact. The slices are equally
    /// long and not empty.
    pub fn push(&mut self, documents: &[u32], impacts: &[u8]) {
        debug_assert!(documents.len() == impacts.len() && documents.is_sorted_by(|a, b| a < b));
        let max_impact = impacts.iter().copied().max().unwrap_or(0).into();
        let first = match documents {
            [only] => *only,
            _ => self.encoded.blocks.len() as u32,
        };
        self.encoded.lists.push(PostingsRow { documents: documents.len() as u32, first, max_impact });
        if documents.len() < 2 {
            return;
        }
        let mut next = 0;
        for (documents, impacts) in documents.chunks(BLOCK_DOCUMENTS).zip(impacts.chunks(BLOCK_DOCUMENTS)) {
            self.push_block(next, documents, impacts);
            next = documents.last().map_or(next, |last| last + 1);
        }
    }

    /// `next` is the lowest document that could come first.
    fn push_block(&mut self, next: u32, documents: &[u32], impacts: &[u8]) {
        let payload = self.encoded.bytes.len() as u32;
        let (mut expected, mut widest_gap) = (next, 0);
        let mut gaps = [0; BLOCK_DOCUMENTS];
        let mut runs: Vec<Run> = Vec::with_capacity(BLOCK_DOCUMENTS);
        for ((document, impact), slot) in documents.iter().zip(impacts).zip(&mut gaps) {
            let gap = document - expected;
            *slot = gap;
            widest_gap = widest_gap.max(gap);
            expected = document + 1;
            match runs.last_mut() {
                Some(run) if gap == 0 && run.impact == *impact => run.length += 1,
                _ => runs.push(Run { gap, length: 1, impact: *impact }),
            }
        }
        let gap_width = width_of(widest_gap);
        let length_width = width_of(runs.iter().map(|run| run.length - 1).max().unwrap_or(0));
        let written = Impacts::of(impacts);
        let values = documents.len();
        let plain = packed_length(values, gap_width) + packed_length(values, written.width);
        let in_runs = 1
            + packed_length(runs.len(), gap_width)
            + packed_length(runs.len(), length_width)
            + packed_length(runs.len(), written.width);
        let mut layout = BlockLayout {
            max_impact: impacts.iter().copied().max().unwrap_or(0),
            gap_width,
            run_width: 0,
            impact_width: written.width,
        };
        let out = &mut self.encoded.bytes;
        if in_runs < plain {
            layout.run_width = length_width + 1;
            out.push(runs.len() as u8);
            out.extend(&written.palette);
            pack(runs.iter().map(|run| run.gap), gap_width, out);
            pack(runs.iter().map(|run| run.length - 1), length_width, out);
            pack(runs.iter().map(|run| written.index(run.impact)), written.width, out);
        } else {
            out.extend(&written.palette);
            pack(gaps.iter().take(values).copied(), gap_width, out);
            pack(impacts.iter().map(|impact| written.index(*impact)), written.width, out);
        }
        let last_document = documents.last().copied().unwrap_or(0);
        self.encoded.blocks.push(BlockRow { last_document, payload, layout: layout.encode() });
    }

    /// What was encoded.
    #[must_use]
    pub fn finish(self) -> EncodedPostings {
        self.encoded
    }
}
