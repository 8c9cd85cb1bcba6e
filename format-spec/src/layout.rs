//! The fixed parts: header, section table, trailer. Offsets are built from one another, and SPEC.md's tables are
//! compared with them by a test.

use crate::error::{Area, Problem, ReadError};
use crate::hash::{ContentHash, KnowledgeHash};

/// The format that this crate writes. 0: not yet frozen.
pub const FORMAT_VERSION: u32 = 0;
/// The lowest reader version that understands what this crate writes.
pub const MIN_READER_VERSION: u32 = 0;

/// First and last bytes of a bundle: a high bit, a name, CR LF and a control byte, so that a transfer in text mode shows.
pub const MAGIC: [u8; 8] = [0x89, b'O', b'M', b'P', b'\r', b'\n', 0x1a, b'\n'];

/// Body bytes under one chaining value, as a power of two.
pub const GROUP_LOG: u32 = 16;
/// Body bytes under one chaining value.
pub const GROUP_BYTES: u64 = 1 << GROUP_LOG;
/// Sections start at multiples of this.
pub const SECTION_ALIGNMENT: u64 = 64;
/// The body's length is a multiple of this.
pub const BODY_ALIGNMENT: u64 = 64;
/// Most bytes of a text: however often rows name it, it costs no more than this each time.
pub const MAX_TEXT_BYTES: u32 = 1 << 20;
/// Most bytes of a document's name.
pub const MAX_NAME_BYTES: u32 = 8 << 10;

/// Byte offsets within the header.
pub mod header {
    /// Magic bytes.
    pub const MAGIC: usize = 0;
    /// Format version, u32.
    pub const FORMAT_VERSION: usize = MAGIC + 8;
    /// Minimum reader version, u32.
    pub const MIN_READER_VERSION: usize = FORMAT_VERSION + 4;
    /// Analyzer id, u32.
    pub const ANALYZER_ID: usize = MIN_READER_VERSION + 4;
    /// log2 of the group size, u32.
    pub const GROUP_LOG: usize = ANALYZER_ID + 4;
    /// Body length in bytes, u64.
    pub const BODY_LENGTH: usize = GROUP_LOG + 4;
    /// File length in bytes, u64.
    pub const FILE_LENGTH: usize = BODY_LENGTH + 8;
    /// Offset of the section table, u64.
    pub const TABLE_OFFSET: usize = FILE_LENGTH + 8;
    /// Number of table entries, u32.
    pub const SECTION_COUNT: usize = TABLE_OFFSET + 8;
    /// Zero.
    pub const RESERVED_A: usize = SECTION_COUNT + 4;
    /// Knowledge hash, 32 bytes.
    pub const KNOWLEDGE_HASH: usize = RESERVED_A + 12;
    /// Zero.
    pub const RESERVED_B: usize = KNOWLEDGE_HASH + 32;
    /// Size of the header.
    pub const SIZE: usize = RESERVED_B + 32;
}

/// Byte offsets within one entry of the section table.
pub mod entry {
    /// Section kind, u32.
    pub const KIND: usize = 0;
    /// Version of the section's layout, u32.
    pub const VERSION: usize = KIND + 4;
    /// Bytes a row, u32; 1 in a section of plain bytes.
    pub const ROW_SIZE: usize = VERSION + 4;
    /// Number of rows, u32.
    pub const ROW_COUNT: usize = ROW_SIZE + 4;
    /// Offset in the file, u64.
    pub const OFFSET: usize = ROW_COUNT + 4;
    /// Exact length in bytes, padding excluded, u64.
    pub const LENGTH: usize = OFFSET + 8;
    /// Size of an entry.
    pub const SIZE: usize = LENGTH + 8;
}

/// Byte offsets within the trailer.
pub mod trailer {
    /// Content hash, 32 bytes.
    pub const CONTENT_HASH: usize = 0;
    /// Body length in bytes, u64.
    pub const BODY_LENGTH: usize = CONTENT_HASH + 32;
    /// Length of the group list in bytes, u64.
    pub const LIST_LENGTH: usize = BODY_LENGTH + 8;
    /// File length in bytes, u64.
    pub const FILE_LENGTH: usize = LIST_LENGTH + 8;
    /// Zero.
    pub const RESERVED: usize = FILE_LENGTH + 8;
    /// Magic bytes.
    pub const MAGIC: usize = RESERVED + 16;
    /// Size of the trailer.
    pub const SIZE: usize = MAGIC + 8;
}

/// Size of the header in bytes.
pub const HEADER_BYTES: u64 = header::SIZE as u64;
/// Size of a section table entry in bytes.
pub const SECTION_ENTRY_BYTES: u64 = entry::SIZE as u64;
/// Size of the trailer in bytes.
pub const TRAILER_BYTES: u64 = trailer::SIZE as u64;
/// More sections than this are refused: the table lies in group 0.
pub const MAX_SECTIONS: u32 = ((GROUP_BYTES - HEADER_BYTES) / SECTION_ENTRY_BYTES) as u32;

const _: () = assert!(header::SIZE == 128 && entry::SIZE == 32 && trailer::SIZE == 80);

/// Reads a little-endian u32 at `at`; `None` past the end.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// Reads a little-endian u64 at `at`; `None` past the end.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn hash_at(bytes: &[u8], at: usize) -> Option<[u8; 32]> {
    bytes.get(at..at.checked_add(32)?)?.try_into().ok()
}

fn zeros(bytes: &[u8], from: usize, to: usize) -> bool {
    bytes.get(from..to).is_some_and(|gap| gap.iter().all(|byte| *byte == 0))
}

/// `length` rounded up to a multiple of `alignment`, a power of two.
pub(crate) const fn align_up(length: u64, alignment: u64) -> u64 {
    (length + alignment - 1) & !(alignment - 1)
}

/// The header of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Format version.
    pub format_version: u32,
    /// The lowest reader version that may read it.
    pub min_reader_version: u32,
    /// Which text analysis the terms were cut with.
    pub analyzer_id: u32,
    /// Body length in bytes.
    pub body_length: u64,
    /// File length in bytes.
    pub file_length: u64,
    /// Offset of the section table in bytes.
    pub table_offset: u64,
    /// Number of table entries.
    pub section_count: u32,
    /// The name of the facts.
    pub knowledge_hash: KnowledgeHash,
}

impl Header {
    pub(crate) fn encode(&self) -> [u8; header::SIZE] {
        let mut bytes = [0; header::SIZE];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(header::MAGIC, &MAGIC);
        put(header::FORMAT_VERSION, &self.format_version.to_le_bytes());
        put(header::MIN_READER_VERSION, &self.min_reader_version.to_le_bytes());
        put(header::ANALYZER_ID, &self.analyzer_id.to_le_bytes());
        put(header::GROUP_LOG, &GROUP_LOG.to_le_bytes());
        put(header::BODY_LENGTH, &self.body_length.to_le_bytes());
        put(header::FILE_LENGTH, &self.file_length.to_le_bytes());
        put(header::TABLE_OFFSET, &self.table_offset.to_le_bytes());
        put(header::SECTION_COUNT, &self.section_count.to_le_bytes());
        put(header::KNOWLEDGE_HASH, self.knowledge_hash.as_bytes());
        bytes
    }

    /// Reads a header whose magic and versions were already looked at, and checks what the header alone can show.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, ReadError> {
        let short = || {
            ReadError::malformed(
                Area::Header,
                0,
                Problem::Short { need: HEADER_BYTES, have: bytes.len() as u64 },
            )
        };
        let word = |at| u32_at(bytes, at).ok_or_else(short);
        let long = |at| u64_at(bytes, at).ok_or_else(short);
        let group_log = word(header::GROUP_LOG)?;
        if group_log != GROUP_LOG {
            let problem = Problem::Unexpected {
                what: "group size (log2)",
                found: group_log.into(),
                expected: GROUP_LOG.into(),
            };
            return Err(ReadError::malformed(Area::Header, header::GROUP_LOG as u64, problem));
        }
        for (from, to) in [(header::RESERVED_A, header::KNOWLEDGE_HASH), (header::RESERVED_B, header::SIZE)] {
            if !zeros(bytes, from, to) {
                return Err(ReadError::malformed(Area::Header, from as u64, Problem::ReservedNotZero));
            }
        }
        Ok(Self {
            format_version: word(header::FORMAT_VERSION)?,
            min_reader_version: word(header::MIN_READER_VERSION)?,
            analyzer_id: word(header::ANALYZER_ID)?,
            body_length: long(header::BODY_LENGTH)?,
            file_length: long(header::FILE_LENGTH)?,
            table_offset: long(header::TABLE_OFFSET)?,
            section_count: word(header::SECTION_COUNT)?,
            knowledge_hash: hash_at(bytes, header::KNOWLEDGE_HASH).ok_or_else(short)?.into(),
        })
    }
}

/// One entry of the section table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SectionEntry {
    pub(crate) kind: u32,
    pub(crate) version: u32,
    pub(crate) row_size: u32,
    pub(crate) row_count: u32,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

impl SectionEntry {
    pub(crate) fn encode(&self) -> [u8; entry::SIZE] {
        let mut bytes = [0; entry::SIZE];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(entry::KIND, &self.kind.to_le_bytes());
        put(entry::VERSION, &self.version.to_le_bytes());
        put(entry::ROW_SIZE, &self.row_size.to_le_bytes());
        put(entry::ROW_COUNT, &self.row_count.to_le_bytes());
        put(entry::OFFSET, &self.offset.to_le_bytes());
        put(entry::LENGTH, &self.length.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            kind: u32_at(bytes, entry::KIND)?,
            version: u32_at(bytes, entry::VERSION)?,
            row_size: u32_at(bytes, entry::ROW_SIZE)?,
            row_count: u32_at(bytes, entry::ROW_COUNT)?,
            offset: u64_at(bytes, entry::OFFSET)?,
            length: u64_at(bytes, entry::LENGTH)?,
        })
    }

    pub(crate) const fn end(&self) -> u64 {
        self.offset + self.length
    }
}

/// The trailer of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trailer {
    pub(crate) content_hash: ContentHash,
    pub(crate) body_length: u64,
    pub(crate) list_length: u64,
    pub(crate) file_length: u64,
}

impl Trailer {
    pub(crate) fn encode(&self) -> [u8; trailer::SIZE] {
        let mut bytes = [0; trailer::SIZE];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(trailer::CONTENT_HASH, self.content_hash.as_bytes());
        put(trailer::BODY_LENGTH, &self.body_length.to_le_bytes());
        put(trailer::LIST_LENGTH, &self.list_length.to_le_bytes());
        put(trailer::FILE_LENGTH, &self.file_length.to_le_bytes());
        put(trailer::MAGIC, &MAGIC);
        bytes
    }

    /// Reads a trailer; `None` where its length, magic or reserved bytes are wrong.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != trailer::SIZE
            || bytes.get(trailer::MAGIC..)? != MAGIC
            || !zeros(bytes, trailer::RESERVED, trailer::MAGIC)
        {
            return None;
        }
        Some(Self {
            content_hash: hash_at(bytes, trailer::CONTENT_HASH)?.into(),
            body_length: u64_at(bytes, trailer::BODY_LENGTH)?,
            list_length: u64_at(bytes, trailer::LIST_LENGTH)?,
            file_length: u64_at(bytes, trailer::FILE_LENGTH)?,
        })
    }
}
