//! Why a build ends without a bundle.

use std::io;

use openmind_pack_format::WriteError;
use openmind_pack_format::dictionary::DictionaryError;
use thiserror::Error;

use crate::findings::Finding;
use crate::input::ReadError;

/// A checked directory that can't be made into a bundle.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A dictionary can't hold the keys.
    #[error("a dictionary can't be built: {0}")]
    Dictionary(#[from] DictionaryError),
    /// A section would be too large.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// zstd refused.
    #[error("an original file can't be compressed: {0}")]
    Compress(io::Error),
    /// More documents than ids.
    #[error("{found} entries and symbols are more than one bundle holds ({limit})")]
    TooManyDocuments {
        /// Number found.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Terms or file names don't fit.
    #[error("the texts are too many for one bundle: {0}")]
    Texts(#[from] crate::intern::BlobFull),
    /// The facts can't be named: a defect of this crate.
    #[error("the knowledge hash can't be made: {0}")]
    Facts(String),
    /// Threads couldn't be started.
    #[error("worker threads can't be started: {0}")]
    Threads(String),
}

/// Why a directory wasn't built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The directory can't be read.
    #[error(transparent)]
    Input(#[from] ReadError),
    /// Findings stop the build.
    #[error("the directory can't be built: {} finding(s)", .0.len())]
    Refused(Vec<Finding>),
    /// The bundle can't be made.
    #[error(transparent)]
    Compile(#[from] CompileError),
}
