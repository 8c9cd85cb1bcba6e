//! An open bundle: finds its way by the section table and hands out bytes only after checking them.
//!
//! ```text
//! open: length -> magic, versions -> trailer -> merge block values = content hash (= expected?)
//!       -> group 0 -> header = trailer = file -> section table
//! read: section range -> list block (first touch) -> groups (first touch) -> bytes
//! ```
//! Views are rebuilt on each call; nothing is cached but the bits that say what was checked.

mod deep;
mod dictionary;
mod names;
mod rows;
mod tiles;
mod verify;

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use rkyv::util::AlignedVec;

pub use deep::Inventory;
pub use dictionary::Dictionary;
pub(crate) use dictionary::DictionarySections;
pub use rows::Rows;

use crate::backing::{Backing, read_aligned};
use crate::error::{Area, OpenError, Problem, ReadError};
use crate::hash::ContentHash;
use crate::layout::{
    self, FORMAT_VERSION, HEADER_BYTES, Header, MAGIC, MAX_SECTIONS, SECTION_ALIGNMENT, SECTION_ENTRY_BYTES,
    SectionEntry, TRAILER_BYTES, Trailer,
};
use crate::section::{MAX_SECTION_BYTES, SectionKind};
use verify::{Flags, Groups};

/// How to open a bundle.
#[derive(Debug, Clone, Copy)]
pub struct OpenOptions {
    /// Map the file instead of reading it into memory. Reading costs time and memory in proportion to the file, and
    /// rules out that another process changes bytes after they were checked.
    pub mmap: bool,
    /// Refuse any bundle but the one of this content hash.
    pub expect: Option<ContentHash>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { mmap: true, expect: None }
    }
}

/// Whether a bundle's bytes are verified before they are used. It is a type parameter so that a benchmark can tell what
/// verification costs; whatever serves answers uses the default, [`Verified`].
pub trait Verification: Send + Sync + 'static {
    /// Groups are hashed and shards validated when they are first touched. Without that, reading stays memory-safe, and
    /// no more: it may panic, answer nonsense or go on for ever.
    const BEFORE_USE: bool;
}

/// Every byte is verified before it is used.
#[derive(Debug, Clone, Copy)]
pub enum Verified {}

impl Verification for Verified {
    const BEFORE_USE: bool = true;
}

/// An open bundle. Shared freely between threads.
pub struct Bundle<V: Verification = Verified> {
    backing: Backing,
    content_hash: ContentHash,
    header: Header,
    sections: [Option<SectionEntry>; SectionKind::ALL.len()],
    groups: Groups,
    shards: dictionary::Validated,
    /// Tables whose footer was compared with the section table, by kind.
    tables: Flags,
    verification: PhantomData<V>,
}

impl<V: Verification> std::fmt::Debug for Bundle<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bundle")
            .field("content_hash", &self.content_hash)
            .field("header", &self.header)
            .finish()
    }
}

impl Bundle {
    /// Opens a file. Takes microseconds at any size when mapped: hashes one group, and one value per 16 MiB of body.
    ///
    /// # Errors
    ///
    /// [`OpenError`] where the file can't be read, isn't a bundle, is cut short, needs a newer reader, has another
    /// hash than expected, or is damaged where it was looked at.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let io = |source| OpenError::Io { path: path.to_owned(), source };
        Self::from_file(&File::open(path).map_err(io)?, path, options)
    }

    /// Opens a file that is already open; `path` is for messages.
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`].
    pub fn from_file(file: &File, path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let io = |source| OpenError::Io { path: path.to_owned(), source };
        let metadata = file.metadata().map_err(io)?;
        if !metadata.is_file() {
            return Err(OpenError::NotABundle { reason: "it is not a regular file" });
        }
        let backing = Backing::open(file, metadata.len(), options.mmap).map_err(io)?;
        Self::from_backing(backing, options.expect)
    }

    /// Opens a bundle that lies in memory, at the alignment of a section start.
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`], without the input and output errors.
    pub fn from_aligned(bytes: AlignedVec<64>, expect: Option<ContentHash>) -> Result<Self, OpenError> {
        Self::from_backing(Backing::Heap(bytes), expect)
    }

    /// Opens a copy of a bundle that lies in memory.
    ///
    /// # Errors
    ///
    /// As [`Bundle::from_aligned`].
    pub fn from_slice(bytes: &[u8], expect: Option<ContentHash>) -> Result<Self, OpenError> {
        let aligned = read_aligned(bytes, bytes.len() as u64)
            .map_err(|source| OpenError::Io { path: "memory".into(), source })?;
        Self::from_aligned(aligned, expect)
    }

    fn from_backing(backing: Backing, expect: Option<ContentHash>) -> Result<Self, OpenError> {
        let length = backing.len() as u64;
        check_opening(&backing)?;
        let trailer_start = length
            .checked_sub(TRAILER_BYTES)
            .filter(|start| *start >= HEADER_BYTES)
            .ok_or(OpenError::Length { reason: "it has no room for a header and a trailer", length })?;
        let trailer = backing
            .get(trailer_start as usize..)
            .and_then(Trailer::decode)
            .ok_or(OpenError::Length { reason: "it does not end with a trailer", length })?;
        if trailer.file_length != length {
            return Err(OpenError::Length { reason: "its trailer states another length", length });
        }
        let groups = Groups::open(&backing, &trailer)?;
        if let Some(expected) = expect
            && expected != trailer.content_hash
        {
            return Err(OpenError::UnexpectedHash { expected, found: trailer.content_hash });
        }
        // Group 0 was verified, so from here on a wrong number is a writer's fault and not damage.
        let header = Header::decode(&backing)?;
        for (at, what, found, expected) in [
            (layout::header::BODY_LENGTH, "body length", header.body_length, trailer.body_length),
            (layout::header::FILE_LENGTH, "file length", header.file_length, trailer.file_length),
            (layout::header::TABLE_OFFSET, "offset of the section table", header.table_offset, HEADER_BYTES),
        ] {
            if found != expected {
                let problem = Problem::Unexpected { what, found, expected };
                return Err(ReadError::malformed(Area::Header, at as u64, problem).into());
            }
        }
        let sections = read_table(&backing, &header)?;
        let bundle = Self {
            content_hash: trailer.content_hash,
            shards: dictionary::Validated::new(&sections),
            backing,
            header,
            sections,
            groups,
            tables: Flags::new(SectionKind::ALL.len() as u64),
            verification: PhantomData,
        };
        Ok(bundle)
    }

    /// Gives back the memory of a bundle that lies there; nothing of one that is mapped.
    #[must_use]
    pub fn into_aligned(self) -> Option<AlignedVec<64>> {
        match self.backing {
            Backing::Heap(bytes) => Some(bytes),
            Backing::Mapped(_) => None,
        }
    }

    /// The same bundle, to be read with or without verification.
    #[must_use]
    pub fn with_verification<V: Verification>(self) -> Bundle<V> {
        let Self { backing, content_hash, header, sections, groups, shards, tables, verification: _ } = self;
        Bundle { backing, content_hash, header, sections, groups, shards, tables, verification: PhantomData }
    }
}

impl<V: Verification> Bundle<V> {
    /// The name of this file's body.
    #[must_use]
    pub const fn content_hash(&self) -> ContentHash {
        self.content_hash
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Length of the whole file in bytes.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.backing.len() as u64
    }

    /// Whether bytes of the file were lost since the bundle was opened: it was cut short, or the disk can't deliver them. Zeros
    /// stand in their place, so whoever answers from a mapped bundle asks this after the answer is made, and drops it then.
    #[must_use]
    pub fn faulted(&self) -> bool {
        self.backing.faulted()
    }

    /// Whether this program cuts text as the bundle's terms were cut. Where not, look-ups hold and search and claims
    /// don't.
    #[must_use]
    pub const fn analyzer_matches(&self) -> bool {
        self.header.analyzer_id == crate::analyzer::ANALYZER_ID
    }

    fn entry(&self, kind: SectionKind) -> Option<&SectionEntry> {
        self.sections.get(kind.code() as usize - 1)?.as_ref()
    }

    fn require(&self, kind: SectionKind) -> Result<&SectionEntry, ReadError> {
        self.entry(kind).ok_or(ReadError::malformed(Area::Section(kind), HEADER_BYTES, Problem::Missing))
    }

    /// Verified bytes of a section of plain bytes.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the section or its bytes are damaged.
    pub(crate) fn section_bytes(&self, kind: SectionKind, range: Range<u64>) -> Result<&[u8], ReadError> {
        let entry = self.require(kind)?;
        if entry.version != 1 {
            let problem = Problem::SectionVersion { found: entry.version, known: 1 };
            return Err(ReadError::malformed(Area::Section(kind), entry.offset, problem));
        }
        if entry.row_size != 1 {
            let problem = Problem::Unexpected { what: "row size", found: entry.row_size.into(), expected: 1 };
            return Err(ReadError::malformed(Area::Section(kind), entry.offset, problem));
        }
        if range.start > range.end || range.end > entry.length {
            let problem =
                Problem::TooLarge { what: "end of a byte range", found: range.end, limit: entry.length };
            return Err(ReadError::malformed(Area::Section(kind), entry.offset, problem));
        }
        self.verified(Area::Section(kind), entry.offset + range.start..entry.offset + range.end)
    }

    /// Offset in the file of a byte of a section.
    pub(crate) fn offset_in(&self, kind: SectionKind, at: u64) -> u64 {
        self.entry(kind).map_or(0, |entry| entry.offset.saturating_add(at))
    }
}

/// Looks at the first bytes for the sake of a good message; nothing is believed yet.
fn check_opening(bytes: &[u8]) -> Result<(), OpenError> {
    let found = bytes.get(..MAGIC.len()).unwrap_or(bytes);
    if found != MAGIC {
        let reason = match bytes {
            [] => "it is empty",
            [b'{', ..] | [b'[', b'{' | b']' | b'\n' | b'\r' | b' ', ..] => {
                "it looks like JSON; a .openmind directory has to be built first"
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] => "it is compressed with zstd; decompress it first",
            [0x1f, 0x8b, ..] => "it is compressed with gzip; decompress it first",
            [b'P', b'K', ..] => "it is a zip archive; unpack it first",
            [0x09, b'O', b'M', b'P', ..] => "its high bits were stripped: transfer it in binary mode",
            [0x89, b'O', b'M', b'P', ..]
            | [0xc2, 0x89, b'O', b'M', b'P', ..]
            | [0xef, 0xbf, 0xbd, b'O', b'M', b'P', ..] => {
                "its line ends or characters were converted: transfer it in binary mode"
            }
            _ => "it does not begin with the magic bytes",
        };
        return Err(OpenError::NotABundle { reason });
    }
    let word = |at| layout::u32_at(bytes, at).unwrap_or(0);
    let needed = word(layout::header::MIN_READER_VERSION);
    if needed > FORMAT_VERSION {
        let found = word(layout::header::FORMAT_VERSION);
        return Err(OpenError::NewerFormat { found, needed, known: FORMAT_VERSION });
    }
    Ok(())
}

/// Reads and checks the table. Every later range sum relies on `end <= body_length <= file length` proven here.
fn read_table(
    bytes: &[u8],
    header: &Header,
) -> Result<[Option<SectionEntry>; SectionKind::ALL.len()], ReadError> {
    let fault = |at, problem| Err(ReadError::malformed(Area::SectionTable, at, problem));
    if header.section_count > MAX_SECTIONS {
        let problem = Problem::TooLarge {
            what: "number of sections",
            found: header.section_count.into(),
            limit: MAX_SECTIONS.into(),
        };
        return fault(HEADER_BYTES, problem);
    }
    let mut sections = [None; SectionKind::ALL.len()];
    let mut floor = HEADER_BYTES + u64::from(header.section_count) * SECTION_ENTRY_BYTES;
    let mut last_kind = 0;
    for index in 0..u64::from(header.section_count) {
        let at = HEADER_BYTES + index * SECTION_ENTRY_BYTES;
        let Some(entry) = bytes.get(at as usize..).and_then(SectionEntry::decode) else {
            let have = (bytes.len() as u64).saturating_sub(at);
            return fault(at, Problem::Short { need: SECTION_ENTRY_BYTES, have });
        };
        if entry.kind <= last_kind {
            return fault(at, Problem::NotAscending { what: "section kinds" });
        }
        last_kind = entry.kind;
        if entry.length > MAX_SECTION_BYTES {
            let problem =
                Problem::TooLarge { what: "section length", found: entry.length, limit: MAX_SECTION_BYTES };
            return fault(at + layout::entry::LENGTH as u64, problem);
        }
        if entry.offset < floor || entry.offset % SECTION_ALIGNMENT != 0 || entry.offset > header.body_length
        {
            let problem = Problem::Unexpected {
                what: "section offset",
                found: entry.offset,
                expected: layout::align_up(floor, SECTION_ALIGNMENT),
            };
            return fault(at + layout::entry::OFFSET as u64, problem);
        }
        if entry.end() > header.body_length {
            let problem =
                Problem::TooLarge { what: "end of a section", found: entry.end(), limit: header.body_length };
            return fault(at + layout::entry::LENGTH as u64, problem);
        }
        if entry.row_size == 0 {
            let problem = Problem::Unexpected { what: "row size", found: 0, expected: 1 };
            return fault(at + layout::entry::ROW_SIZE as u64, problem);
        }
        let rows = u64::from(entry.row_size) * u64::from(entry.row_count);
        let expected = if entry.row_size == 1 { rows } else { rows + rows::FOOTER_BYTES };
        if entry.length != expected {
            let problem = Problem::Unexpected { what: "section length", found: entry.length, expected };
            return fault(at + layout::entry::LENGTH as u64, problem);
        }
        floor = entry.end();
        if let Some(slot) =
            SectionKind::from_code(entry.kind).and_then(|kind| sections.get_mut(kind.code() as usize - 1))
        {
            *slot = Some(entry);
        }
    }
    Ok(sections)
}
