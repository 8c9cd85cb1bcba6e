//! A copy of a sound bundle under a script's hands.

use std::sync::LazyLock;

use rkyv::util::AlignedVec;

use super::pristine::{Pristine, Section, u32_at};
use super::seal::{self, BODY_LENGTH, FILE_LENGTH, GROUP};

/// The dictionaries: sections of shards and of the bytes that these cut.
const DICTIONARIES: [(u32, u32); 3] = [(19, 21), (22, 24), (25, 27)];

/// Which of up to 64 groups were written to.
#[derive(Default)]
pub struct Dirty(u64);

impl Dirty {
    pub fn get(&self, group: usize) -> bool {
        self.0 >> group & 1 == 1
    }
}

pub struct Image<'a> {
    pub pristine: &'a Pristine,
    /// The file.
    pub bytes: AlignedVec<64>,
    /// Length of its body.
    pub body: usize,
    pub dirty: Dirty,
}

impl<'a> Image<'a> {
    pub fn of(pristine: &'a Pristine) -> Self {
        let mut bytes = AlignedVec::with_capacity(pristine.bytes.len());
        bytes.extend_from_slice(&pristine.bytes);
        Self { pristine, bytes, body: pristine.body, dirty: Dirty::default() }
    }

    /// Overwrites bytes; what would lie past the end of the file is left out.
    pub fn put(&mut self, at: usize, bytes: &[u8]) {
        let Some(room) = self.bytes.len().checked_sub(at) else { return };
        let bytes = &bytes[..bytes.len().min(room)];
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        for group in at / GROUP..=(at + bytes.len()) / GROUP {
            self.dirty.0 |= 1 << group;
        }
    }

    pub fn put_u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    /// A copy of bytes, cut where the file ends.
    pub fn take(&self, at: usize, length: usize) -> Vec<u8> {
        let start = at.min(self.bytes.len());
        self.bytes[start..(start + length).min(self.bytes.len())].to_vec()
    }

    /// Cuts or lengthens the body, and tells the header. List and trailer are lost: sealing makes them anew.
    pub fn resize(&mut self, body: usize) {
        let groups = [self.body, body].map(|length| length / GROUP);
        self.bytes.resize(self.body, 0);
        self.bytes.resize(body, 0);
        self.body = body;
        groups.into_iter().for_each(|group| self.dirty.0 |= 1 << group);
        self.put(BODY_LENGTH, &(body as u64).to_le_bytes());
        self.put(FILE_LENGTH, &(seal::file_length(body) as u64).to_le_bytes());
    }

    /// Gives every shard that the tables tell of its checksum, where bytes of it were written to.
    pub fn fix_checksums(&mut self) {
        for (shards, fst) in DICTIONARIES.map(|(shards, fst)| (self.section(shards), self.section(fst))) {
            let changed =
                (fst.offset / GROUP..=(fst.offset + fst.length) / GROUP).any(|group| self.dirty.get(group));
            for row in 0..if changed { shards.rows } else { 0 } {
                let at = shards.offset + row * shards.row_size;
                if at + 8 > self.body {
                    break;
                }
                let (offset, length) = (u32_at(&self.bytes, at), u32_at(&self.bytes, at + 4));
                let start = fst.offset.saturating_add(offset);
                let end = start.saturating_add(length);
                if length < 36 || end > self.body.min(fst.offset + fst.length) {
                    continue;
                }
                let was = self.pristine.bytes.get(start..end);
                if was != Some(&self.bytes[start..end]) {
                    let sum = masked_crc32c(&self.bytes[start..end - 4]);
                    self.put_u32(end - 4, sum);
                }
            }
        }
    }

    /// A section as it was before the script.
    pub fn section(&self, kind: u32) -> Section {
        self.pristine.section(kind)
    }
}

static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        (0..8).fold(byte as u32, |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0x82F6_3B78 } else { sum >> 1 })
    })
});

/// The checksum of a shard, see SPEC.md ("Layout of a shard").
fn masked_crc32c(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| sum >> 8 ^ TABLE[usize::from(sum as u8 ^ byte)];
    let sum = !bytes.iter().fold(u32::MAX, step);
    sum.rotate_right(15).wrapping_add(0xA282_EAD8)
}

#[test]
fn the_checksum_is_the_one_of_the_specification() {
    assert_eq!(masked_crc32c(b"123456789"), 0xC78A_B0E5);
}
