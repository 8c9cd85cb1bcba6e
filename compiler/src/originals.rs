//! Original files as compressed frames.

use openmind_pack_format::{FRAME_INPUT_BYTES, FrameRow, compress_frame};
use rayon::prelude::*;

use crate::error::CompileError;
use crate::input::InputFile;
use crate::progress::{Progress, Stage};

/// The frames of all files.
#[derive(Default)]
pub(crate) struct Originals {
    /// For each file, its first frame and their number.
    pub(crate) files: Vec<(u32, u32)>,
    pub(crate) frames: Vec<FrameRow>,
    pub(crate) bytes: Vec<u8>,
}

impl Originals {
    pub(crate) fn compress(files: &[InputFile], progress: &dyn Progress) -> Result<Self, CompileError> {
        progress.start(Stage::Compress, files.iter().map(|file| file.bytes.len() as u64).sum());
        let mut originals = Self::default();
        for file in files {
            let frames: Vec<Vec<u8>> = file
                .bytes
                .par_chunks(FRAME_INPUT_BYTES)
                .map(|input| {
                    let frame = compress_frame(input).map_err(CompileError::Compress);
                    progress.advance(Stage::Compress, input.len() as u64);
                    frame
                })
                .collect::<Result<_, _>>()?;
            originals.files.push((originals.frames.len() as u32, frames.len() as u32));
            for (frame, input) in frames.iter().zip(file.bytes.chunks(FRAME_INPUT_BYTES)) {
                originals.frames.push(FrameRow {
                    offset: originals.bytes.len() as u32,
                    compressed: frame.len() as u32,
                    length: input.len() as u32,
                });
                originals.bytes.extend(frame);
            }
        }
        Ok(originals)
    }
}
