//! Where an open bundle's bytes live: a read-only map, or memory.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Deref;

use memmap2::Mmap;
use rkyv::util::AlignedVec;

use crate::guard::GuardedMap;
use crate::layout::GROUP_BYTES;

/// Heap bytes at the alignment of a section start, so that rows can be read in place.
pub(crate) type Aligned = AlignedVec<64>;

pub(crate) enum Backing {
    Heap(Aligned),
    Mapped(GuardedMap),
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

/// Files of up to as many bytes are read rather than mapped: as many as one group has. A body of one group is hashed whole when
/// it is opened, so that every byte of it is read either way. Opening one and a first look-up in it took 25 us read and 27 us
/// mapped at 24 KB, 43 and 45 us at 48 KB; beyond, where a map leaves most bytes alone, 300 and 240 us at 280 KB, and 1,140 and
/// 470 us at 4 MB.
const READ_BYTES: u64 = GROUP_BYTES;

impl Backing {
    /// Maps `file`; reads it where `mmap` is false, where that costs nothing, and where a map can't be guarded.
    pub(crate) fn open(file: &File, length: u64, mmap: bool) -> io::Result<Self> {
        if mmap && length > READ_BYTES {
            // SAFETY: `map` asks that nobody shortens or rewrites the file while the map lives. Bundles are published by
            // rename and never written in place by this program, and a rename leaves the mapped inode as it was. Against
            // other programs there is no proof: what rests on these bytes is therefore kept free of assumptions. Where the
            // file is cut short, the guard puts zeros and says so. Each group is hashed before use, rows are plain integers
            // for which every bit pattern is valid, UTF-8 is checked whenever a text is read, and callers ask for the
            // guard's mark and compare the file's size and times around each answer. Who can't accept the rest reads into
            // memory (`--no-mmap`).
            #[allow(unsafe_code)]
            let map = unsafe { map(file) }?;
            if let Some(guarded) = GuardedMap::new(map) {
                return Ok(Self::Mapped(guarded));
            }
        }
        let mut file = file;
        file.rewind()?;
        read_aligned(file, length).map(Self::Heap)
    }

    /// Whether bytes were lost since this was opened, because a mapped file was cut short or can't be read any more. Zeros
    /// stand in their place.
    pub(crate) fn faulted(&self) -> bool {
        match self {
            Self::Heap(_) => false,
            Self::Mapped(map) => map.faulted(),
        }
    }
}

/// Maps a file read-only.
///
/// # Safety
///
/// While the map lives, no process may truncate the file (touching a page past its end raises SIGBUS, unless the map is
/// guarded) or change its bytes (a `&[u8]` must not change under its reader).
///
/// # Errors
///
/// Whatever `mmap` reports.
#[allow(unsafe_code)]
unsafe fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the caller's promise is the one that `Mmap::map` asks for.
    unsafe { Mmap::map(file) }
}

/// How much memory is asked for at once, before a byte has arrived.
const RESERVED_BYTES: u64 = 1 << 20;

/// Reads `length` bytes at the alignment that a bundle in memory needs.
///
/// # Errors
///
/// Whatever the reader reports; `UnexpectedEof` where it ends early.
pub fn read_aligned(reader: impl Read, length: u64) -> io::Result<AlignedVec<64>> {
    // Beyond what is reserved it grows as bytes arrive, so that a wrong length can't ask for memory that no data backs. The
    // one byte more is where the reader finds the end without growing.
    let mut bytes = Aligned::with_capacity(length.min(RESERVED_BYTES) as usize + 1);
    let read = bytes.extend_from_reader(&mut reader.take(length))?;
    if read as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
