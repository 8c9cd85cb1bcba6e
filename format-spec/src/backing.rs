//! Where an open bundle's bytes live: a read-only map, or memory.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use memmap2::Mmap;
use rkyv::util::AlignedVec;

/// Heap bytes at the alignment of a section start, so that rows can be read in place.
pub(crate) type Aligned = AlignedVec<64>;

pub(crate) enum Backing {
    Heap(Aligned),
    Mapped(Mmap),
}

impl Deref for Backing {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Heap(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

impl Backing {
    /// Maps `file`, or reads it where `mmap` is false or the file is empty (which can't be mapped).
    pub(crate) fn open(file: &File, length: u64, mmap: bool) -> io::Result<Self> {
        if !mmap || length == 0 {
            return read_aligned(file, length).map(Self::Heap);
        }
        // SAFETY: `map` asks that nobody shortens or rewrites the file while the map lives. Bundles are published by
        // rename and never written in place by this program, and a rename leaves the mapped inode as it was. Against
        // other programs there is no proof: what rests on these bytes is therefore kept free of assumptions. Each
        // group is hashed before use, rows are plain integers for which every bit pattern is valid, UTF-8 is checked
        // whenever a text is read, and callers compare the file's size and times around each answer. Who can't accept
        // the rest reads into memory (`--no-mmap`).
        #[allow(unsafe_code)]
        unsafe { map(file) }.map(Self::Mapped)
    }
}

/// Maps a file read-only.
///
/// # Safety
///
/// While the map lives, no process may truncate the file (touching a page past its end raises SIGBUS) or change its
/// bytes (a `&[u8]` must not change under its reader).
///
/// # Errors
///
/// Whatever `mmap` reports.
#[allow(unsafe_code)]
unsafe fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the caller's promise is the one that `Mmap::map` asks for.
    unsafe { Mmap::map(file) }
}

/// Reads `length` bytes at the alignment that a bundle in memory needs.
///
/// # Errors
///
/// Whatever the reader reports; `UnexpectedEof` where it ends early.
pub fn read_aligned(reader: impl Read, length: u64) -> io::Result<AlignedVec<64>> {
    let mut bytes = Aligned::new();
    // Grown as bytes arrive, so that a wrong length can't ask for memory that no data backs.
    let read = bytes.extend_from_reader(&mut reader.take(length))?;
    if read as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
