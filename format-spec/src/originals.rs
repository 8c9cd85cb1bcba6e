//! The original artifact files, kept whole: independent zstd frames of 1 MiB of input.

use crate::bundle::Bundle;
use crate::error::{Problem, ReadError};
use crate::rows::{ArtifactRow, FrameRow};
use crate::section::SectionKind;

/// Bytes of a file in a full frame.
pub const FRAME_INPUT_BYTES: usize = 1 << 20;
/// zstd level of the frames. Decides bytes, so it is fixed.
pub const ZSTD_LEVEL: i32 = 3;

/// Compresses up to [`FRAME_INPUT_BYTES`] into one frame. Single-threaded: zstd's own threads would give other bytes.
///
/// # Errors
///
/// zstd's reason; none is known for input of this size.
pub fn compress_frame(input: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::bulk::compress(input, ZSTD_LEVEL)
}

impl Bundle {
    /// Hands the bytes of an original file to `sink`, a frame at a time, at most 1 MiB each.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a frame is damaged or doesn't decode to its recorded length.
    pub fn read_original(&self, artifact: u32, mut sink: impl FnMut(&[u8])) -> Result<(), ReadError> {
        let artifacts = self.rows::<ArtifactRow>()?;
        let row = artifacts.get(artifact)?;
        let frames = self.rows::<FrameRow>()?;
        let mut decoder = zstd::bulk::Decompressor::new()
            .map_err(|error| artifacts.fault(artifact, Problem::Frame(error.to_string())))?;
        let mut length = 0_u64;
        let range = frames.range(row.frames_first, row.frames_count)?;
        for index in range.clone() {
            let frame = frames.get(index)?;
            let fault = |problem| frames.fault(index, problem);
            Self::check_frame_length(&frames, index, frame.length, index + 1 == range.end)?;
            // A file can't be longer than it says, however often its frames are named.
            length += u64::from(frame.length);
            if length > u64::from(row.length) {
                let (found, limit) = (length, row.length.into());
                return Err(fault(Problem::TooLarge {
                    what: "length of an original file so far",
                    found,
                    limit,
                }));
            }
            let start = u64::from(frame.offset);
            let bytes =
                self.section_bytes(SectionKind::FrameBytes, start..start + u64::from(frame.compressed))?;
            let decoded = decoder
                .decompress(bytes, frame.length as usize)
                .map_err(|error| fault(Problem::Frame(error.to_string())))?;
            if decoded.len() != frame.length as usize {
                let (found, expected) = (decoded.len() as u64, frame.length.into());
                return Err(fault(Problem::Unexpected {
                    what: "decoded length of a frame",
                    found,
                    expected,
                }));
            }
            sink(&decoded);
        }
        if length != u64::from(row.length) {
            let problem = Problem::Unexpected {
                what: "length of an original file",
                found: length,
                expected: row.length.into(),
            };
            return Err(artifacts.fault(artifact, problem));
        }
        Ok(())
    }
}
