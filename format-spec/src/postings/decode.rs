//! Reading postings blocks. Nothing that a block says is used before it was checked.

use std::ops::Range;

use super::bits::{Unpacker, packed_length};
use super::{BLOCK_DOCUMENTS, BlockLayout};
use crate::bundle::{Bundle, Rows};
use crate::error::{Problem, ReadError};
use crate::rows::{BlockRow, PostingsRow};
use crate::section::SectionKind;

/// What a block's header promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// The block's last document.
    pub last_document: u32,
    /// The highest impact in the block.
    pub max_impact: u8,
}

/// One decoded block.
#[derive(Debug, Clone)]
pub struct Block {
    documents: [u32; BLOCK_DOCUMENTS],
    impacts: [u8; BLOCK_DOCUMENTS],
    length: usize,
}

impl Default for Block {
    fn default() -> Self {
        Self { documents: [0; BLOCK_DOCUMENTS], impacts: [0; BLOCK_DOCUMENTS], length: 0 }
    }
}

impl Block {
    /// Documents, strictly ascending.
    #[must_use]
    pub fn documents(&self) -> &[u32] {
        self.documents.get(..self.length).unwrap_or_default()
    }

    /// The impact of each document, 1..=255.
    #[must_use]
    pub fn impacts(&self) -> &[u8] {
        self.impacts.get(..self.length).unwrap_or_default()
    }

    fn push(&mut self, document: u32, impact: u8) -> Option<()> {
        *self.documents.get_mut(self.length)? = document;
        *self.impacts.get_mut(self.length)? = impact;
        self.length += 1;
        Some(())
    }
}

/// The postings of one term.
#[derive(Clone, Copy)]
pub struct PostingsList<'a> {
    row: PostingsRow,
    document_count: u32,
    blocks: Rows<'a, BlockRow>,
}

impl Bundle {
    /// The postings of the term of this ordinal.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such term, or its rows are damaged or contradict the format.
    pub fn postings(&self, ordinal: u32) -> Result<PostingsList<'_>, ReadError> {
        let lists = self.rows::<PostingsRow>()?;
        let row = lists.get(ordinal)?;
        let document_count = self.document_count()?;
        let fault = |what, found: u32, limit: u32| {
            lists.fault(ordinal, Problem::TooLarge { what, found: found.into(), limit: limit.into() })
        };
        if row.documents == 0 {
            return Err(lists.fault(ordinal, Problem::Block("the list is empty")));
        }
        if row.documents > document_count {
            return Err(fault("number of documents", row.documents, document_count));
        }
        if row.max_impact > u8::MAX.into() {
            return Err(fault("maximum impact", row.max_impact, u8::MAX.into()));
        }
        if row.max_impact == 0 {
            return Err(lists.fault(ordinal, Problem::Block("an impact is 0")));
        }
        let blocks = self.rows::<BlockRow>()?;
        if row.documents == 1 {
            if row.first >= document_count {
                return Err(fault("document", row.first, document_count - 1));
            }
        } else {
            blocks.range(row.first, row.documents.div_ceil(BLOCK_DOCUMENTS as u32))?;
        }
        Ok(PostingsList { row, document_count, blocks })
    }
}

impl PostingsList<'_> {
    /// Number of documents that hold the term, at least 1.
    #[must_use]
    pub const fn document_frequency(&self) -> u32 {
        self.row.documents
    }

    /// The highest impact in the list.
    #[must_use]
    pub const fn max_impact(&self) -> u8 {
        self.row.max_impact as u8
    }

    /// Number of blocks, at least 1.
    #[must_use]
    pub const fn block_count(&self) -> u32 {
        self.row.documents.div_ceil(BLOCK_DOCUMENTS as u32)
    }

    /// The header of a block, without decoding it.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the row is damaged.
    pub fn header(&self, block: u32) -> Result<BlockHeader, ReadError> {
        if self.row.documents == 1 {
            return Ok(BlockHeader { last_document: self.row.first, max_impact: self.max_impact() });
        }
        let row = self.blocks.get(self.row.first.saturating_add(block))?;
        Ok(BlockHeader {
            last_document: row.last_document,
            max_impact: BlockLayout::decode(row.layout).max_impact,
        })
    }

    /// Decodes a block into `into`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the block is damaged, or isn't the ascending list within its bounds that its header promises.
    pub fn decode(&self, block: u32, into: &mut Block) -> Result<(), ReadError> {
        self.decode_with_place(block, into).map(drop)
    }

    /// Decodes a block, and gives the place of its payload in `block-bytes`: none for a list of one document.
    pub(crate) fn decode_with_place(
        &self,
        block: u32,
        into: &mut Block,
    ) -> Result<Option<Range<u64>>, ReadError> {
        into.length = 0;
        if self.row.documents == 1 {
            into.push(self.row.first, self.max_impact());
            return Ok(None);
        }
        let index = self.row.first.saturating_add(block);
        let row = self.blocks.get(index)?;
        let next = match block {
            0 => 0,
            _ => u64::from(self.blocks.get(index - 1)?.last_document) + 1,
        };
        let before = u64::from(block) * BLOCK_DOCUMENTS as u64;
        let length =
            u64::from(self.row.documents).saturating_sub(before).min(BLOCK_DOCUMENTS as u64) as usize;
        let decoded = self.decode_payload(row, next, length, into)?;
        let valid = decoded.and_then(|end| {
            let last = into.documents().last().copied();
            if last != Some(row.last_document) || row.last_document >= self.document_count {
                return Err("its last document is not the one in its header, or is no document");
            }
            let highest = into.impacts().iter().copied().max().unwrap_or(0);
            if highest != BlockLayout::decode(row.layout).max_impact || highest > self.max_impact() {
                return Err("its highest impact is not the one in its header");
            }
            if into.impacts().contains(&0) {
                return Err("an impact is 0");
            }
            Ok(Some(u64::from(row.payload)..end))
        });
        valid.map_err(|reason| self.blocks.fault(index, Problem::Block(reason)))
    }

    /// Decodes a payload and gives its end; the inner result tells what is wrong with its content.
    fn decode_payload(
        &self,
        row: BlockRow,
        mut next: u64,
        length: usize,
        into: &mut Block,
    ) -> Result<Result<u64, &'static str>, ReadError> {
        let layout = BlockLayout::decode(row.layout);
        if layout.gap_width > 32 || layout.run_width > 8 || !matches!(layout.impact_width, 0..=4 | 8) {
            return Ok(Err("a bit width is out of range"));
        }
        let bundle = self.blocks.bundle();
        let kind = SectionKind::BlockBytes;
        let mut at = u64::from(row.payload);
        let mut take = |bytes: usize| {
            let start = at;
            at += bytes as u64;
            bundle.section_bytes(kind, start..at)
        };
        let in_runs = layout.run_width > 0;
        let values = match in_runs {
            true => take(1)?.first().copied().unwrap_or(0).into(),
            false => length,
        };
        let length_width = layout.run_width.saturating_sub(1);
        let palette = take(layout.palette_length())?;
        let mut gaps = Unpacker::new(take(packed_length(values, layout.gap_width))?, layout.gap_width);
        let lengths = if in_runs { take(packed_length(values, length_width))? } else { &[] };
        let mut lengths = Unpacker::new(lengths, length_width);
        let mut impacts =
            Unpacker::new(take(packed_length(values, layout.impact_width))?, layout.impact_width);
        for _ in 0..values {
            let start = next + u64::from(gaps.next());
            let run = if in_runs { lengths.next() + 1 } else { 1 };
            let impact = match layout.impact_width {
                0 => layout.max_impact,
                8 => impacts.next() as u8,
                _ => match palette.get(impacts.next() as usize) {
                    Some(impact) => *impact,
                    None => return Ok(Err("an impact is not in the palette")),
                },
            };
            for document in start..start + u64::from(run) {
                let Ok(document) = u32::try_from(document) else {
                    return Ok(Err("a document is out of range"));
                };
                if into.push(document, impact).is_none() {
                    return Ok(Err("it holds more than 128 documents"));
                }
            }
            next = start + u64::from(run);
        }
        Ok(if into.length == length {
            Ok(at)
        } else {
            Err("it holds another number of documents than its list says")
        })
    }
}
