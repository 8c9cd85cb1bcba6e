//! Lays a bundle out and writes it, front to back, in one pass.

use std::io::{self, Write};

use rkyv::util::AlignedVec;
use thiserror::Error;

use crate::bundle::DictionarySections;
use crate::dictionary::BuiltShard;
use crate::groups::{ListBuilder, ListShape};
use crate::hash::{ContentHash, KnowledgeHash};
use crate::layout::{
    BODY_ALIGNMENT, FORMAT_VERSION, GROUP_BYTES, HEADER_BYTES, Header, MIN_READER_VERSION, SECTION_ALIGNMENT,
    SECTION_ENTRY_BYTES, SectionEntry, TRAILER_BYTES, Trailer, align_up,
};
use crate::rows::{Row, ShardRow};
use crate::section::{MAX_SECTION_BYTES, SectionKind};

/// Why a bundle can't be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A section would reach 2 GiB.
    #[error(
        "section {kind} would take {length} bytes, the limit is {MAX_SECTION_BYTES}: the input is too large for one bundle"
    )]
    SectionTooLarge {
        /// The section.
        kind: SectionKind,
        /// Its length in bytes.
        length: u64,
    },
    /// rkyv refused rows: a defect of this crate.
    #[error("the rows of section {kind} could not be serialized: {reason}")]
    Rows {
        /// The section.
        kind: SectionKind,
        /// rkyv's reason.
        reason: String,
    },
    /// A section was added twice.
    #[error("section {kind} was added twice; a bundle has each section once")]
    SectionTwice {
        /// The section.
        kind: SectionKind,
    },
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

enum Content {
    Rows {
        bytes: AlignedVec,
        row_size: u32,
        row_count: u32,
    },
    Bytes(Vec<u8>),
    /// Shards, to be padded so that none straddles a group.
    Shards(Vec<BuiltShard>),
    /// The table of the shards that another section holds; made once their places are known.
    ShardTable {
        of: SectionKind,
        count: u32,
    },
}

struct Section {
    kind: SectionKind,
    content: Content,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// The file's name by content.
    pub content_hash: ContentHash,
    /// The facts' name.
    pub knowledge_hash: KnowledgeHash,
    /// Length of the file in bytes.
    pub file_length: u64,
}

/// Collects sections and writes the bundle.
#[derive(Default)]
pub struct BundleWriter {
    sections: Vec<Section>,
}

impl BundleWriter {
    /// A writer without sections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table.
    ///
    /// # Errors
    ///
    /// [`WriteError::SectionTooLarge`] where it would reach 2 GiB.
    pub fn rows<R: Row>(&mut self, rows: Vec<R>) -> Result<(), WriteError> {
        let row_count = rows.len() as u32;
        check_length(R::KIND, rows.len() as u64 * u64::from(R::SIZE) + 8)?;
        let bytes = R::section_bytes(rows)
            .map_err(|error| WriteError::Rows { kind: R::KIND, reason: error.to_string() })?;
        let content = Content::Rows { bytes, row_size: R::SIZE, row_count };
        self.sections.push(Section { kind: R::KIND, content });
        Ok(())
    }

    /// Adds a section of plain bytes.
    ///
    /// # Errors
    ///
    /// [`WriteError::SectionTooLarge`] where it would reach 2 GiB.
    pub fn bytes(&mut self, kind: SectionKind, bytes: Vec<u8>) -> Result<(), WriteError> {
        check_length(kind, bytes.len() as u64)?;
        self.sections.push(Section { kind, content: Content::Bytes(bytes) });
        Ok(())
    }

    /// Adds the dictionary of exact names.
    ///
    /// # Errors
    ///
    /// [`WriteError::SectionTooLarge`] where a section of it would reach 2 GiB.
    pub fn names(&mut self, shards: Vec<BuiltShard>) -> Result<(), WriteError> {
        self.dictionary(DictionarySections::NAMES, shards)
    }

    /// Adds the dictionary of folded names.
    ///
    /// # Errors
    ///
    /// As [`BundleWriter::names`].
    pub fn folded_names(&mut self, shards: Vec<BuiltShard>) -> Result<(), WriteError> {
        self.dictionary(DictionarySections::FOLDED, shards)
    }

    /// Adds the dictionary of terms.
    ///
    /// # Errors
    ///
    /// As [`BundleWriter::names`].
    pub fn terms(&mut self, shards: Vec<BuiltShard>) -> Result<(), WriteError> {
        self.dictionary(DictionarySections::TERMS, shards)
    }

    fn dictionary(
        &mut self,
        sections: DictionarySections,
        shards: Vec<BuiltShard>,
    ) -> Result<(), WriteError> {
        let keys: Vec<u8> = shards.iter().flat_map(|shard| shard.first_key.iter().copied()).collect();
        let count = shards.len() as u32;
        self.bytes(sections.keys, keys)?;
        self.sections.push(Section {
            kind: sections.shards,
            content: Content::ShardTable { of: sections.fst, count },
        });
        self.sections.push(Section { kind: sections.fst, content: Content::Shards(shards) });
        Ok(())
    }

    /// Writes the bundle. Memory: the sections that were added and one copy of the shard tables.
    ///
    /// # Errors
    ///
    /// [`WriteError`] where a section is there twice, would reach 2 GiB, or the output fails.
    pub fn write_to(
        mut self,
        knowledge_hash: KnowledgeHash,
        output: &mut impl Write,
    ) -> Result<Written, WriteError> {
        self.sections.sort_by_key(|section| section.kind);
        if let Some(same) = self.sections.chunk_by(|a, b| a.kind == b.kind).find(|same| same.len() > 1)
            && let Some(Section { kind, .. }) = same.first()
        {
            return Err(WriteError::SectionTwice { kind: *kind });
        }
        let entries = self.place()?;
        let body_end = entries.last().map_or(HEADER_BYTES, SectionEntry::end);
        let body_length = align_up(body_end, BODY_ALIGNMENT);
        let list_length = ListShape::of_body(body_length).length();
        let file_length = body_length + list_length + TRAILER_BYTES;
        let header = Header {
            format_version: FORMAT_VERSION,
            min_reader_version: MIN_READER_VERSION,
            analyzer_id: crate::analyzer::ANALYZER_ID,
            body_length,
            file_length,
            table_offset: HEADER_BYTES,
            section_count: entries.len() as u32,
            knowledge_hash,
        };
        let mut body = Body { output, list: ListBuilder::new(), at: 0 };
        body.write(&header.encode())?;
        for entry in &entries {
            body.write(&entry.encode())?;
        }
        for (section, entry) in self.sections.iter().zip(&entries) {
            body.pad_to(entry.offset)?;
            match &section.content {
                Content::Rows { bytes, .. } => body.write(bytes)?,
                Content::Bytes(bytes) => body.write(bytes)?,
                Content::Shards(shards) => {
                    for (place, shard) in placed(shards, entry.offset) {
                        body.pad_to(entry.offset + place)?;
                        body.write(&shard.bytes)?;
                    }
                }
                Content::ShardTable { of, .. } => body.write(&self.shard_table(*of, &entries)?)?,
            }
        }
        body.pad_to(body_length)?;
        let (list, content_hash) = body.list.finish();
        let trailer = Trailer { content_hash, body_length, list_length, file_length };
        output.write_all(&list)?;
        output.write_all(&trailer.encode())?;
        Ok(Written { content_hash, knowledge_hash, file_length })
    }

    /// Gives each section its place, in the order of kinds.
    fn place(&self) -> Result<Vec<SectionEntry>, WriteError> {
        let mut end = HEADER_BYTES + self.sections.len() as u64 * SECTION_ENTRY_BYTES;
        self.sections
            .iter()
            .map(|section| {
                let offset = align_up(end, SECTION_ALIGNMENT);
                let (row_size, row_count, length) = match &section.content {
                    Content::Rows { bytes, row_size, row_count } => {
                        (*row_size, *row_count, bytes.len() as u64)
                    }
                    Content::Bytes(bytes) => (1, bytes.len() as u32, bytes.len() as u64),
                    Content::ShardTable { count, .. } => {
                        (ShardRow::SIZE, *count, u64::from(*count) * u64::from(ShardRow::SIZE) + 8)
                    }
                    Content::Shards(shards) => {
                        let end = placed(shards, offset)
                            .map(|(place, shard)| place + shard.bytes.len() as u64)
                            .last();
                        let length = end.unwrap_or(0);
                        check_length(section.kind, length)?;
                        (1, length as u32, length)
                    }
                };
                end = offset + length;
                let (kind, version) = (section.kind.code(), 1);
                Ok(SectionEntry { kind, version, row_size, row_count, offset, length })
            })
            .collect()
    }

    fn shard_table(&self, of: SectionKind, entries: &[SectionEntry]) -> Result<AlignedVec, WriteError> {
        let mut rows = Vec::new();
        let found = self.sections.iter().zip(entries).find(|(section, _)| section.kind == of);
        if let Some((Section { content: Content::Shards(shards), .. }, entry)) = found {
            let mut first_key = 0;
            for (place, shard) in placed(shards, entry.offset) {
                rows.push(ShardRow {
                    offset: place as u32,
                    length: shard.bytes.len() as u32,
                    keys: shard.key_count,
                    ordinal: shard.first_ordinal,
                    longest: shard.longest_key,
                    first_key,
                    first_key_length: shard.first_key.len() as u32,
                });
                first_key += shard.first_key.len() as u32;
            }
        }
        ShardRow::section_bytes(rows)
            .map_err(|error| WriteError::Rows { kind: of, reason: error.to_string() })
    }
}

fn check_length(kind: SectionKind, length: u64) -> Result<(), WriteError> {
    if length > MAX_SECTION_BYTES { Err(WriteError::SectionTooLarge { kind, length }) } else { Ok(()) }
}

/// Shards with their offsets in a section that starts at `offset`: back to back, but none across a group's end.
fn placed(shards: &[BuiltShard], offset: u64) -> impl Iterator<Item = (u64, &BuiltShard)> {
    let mut at = offset;
    shards.iter().map(move |shard| {
        let length = shard.bytes.len() as u64;
        if at % GROUP_BYTES + length > GROUP_BYTES {
            at = align_up(at, GROUP_BYTES);
        }
        let place = at - offset;
        at += length;
        (place, shard)
    })
}

/// The body on its way out.
struct Body<'o, W> {
    output: &'o mut W,
    list: ListBuilder,
    at: u64,
}

impl<W: Write> Body<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.list.update(bytes);
        self.at += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    fn pad_to(&mut self, offset: u64) -> io::Result<()> {
        const ZEROS: [u8; 4096] = [0; 4096];
        while self.at < offset {
            let length = (offset - self.at).min(ZEROS.len() as u64) as usize;
            self.write(ZEROS.get(..length).unwrap_or_default())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::RoleRow;

    #[test]
    fn a_section_is_written_once() {
        let mut writer = BundleWriter::new();
        writer.rows::<RoleRow>(Vec::new()).unwrap();
        writer.bytes(SectionKind::FrameBytes, Vec::new()).unwrap();
        writer.rows::<RoleRow>(Vec::new()).unwrap();
        match writer.write_to(KnowledgeHash::from([0; 32]), &mut io::sink()) {
            Err(WriteError::SectionTwice { kind: SectionKind::Roles }) => {}
            other => panic!("{other:?}"),
        }
    }
}
