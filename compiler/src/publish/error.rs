//! Why a file isn't published.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a path can't be that of an output.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A directory is there.
    #[error("it is a directory; name a file in it")]
    Directory,
    /// A device, a pipe or a socket is there.
    #[error("it is a device or pipe, and a bundle is published by rename; name a file")]
    Special,
    /// Symbolic links lead in a circle, or through more links than systems follow.
    #[error("it is a symbolic link in a circle; remove the link or name a file")]
    Circle,
    /// The path ends in `/`, `.` or `..`, or is empty.
    #[error("it names no file")]
    NoName,
    /// The directory that the file would be in isn't there.
    #[error("there is no directory {directory}")]
    NoDirectory {
        /// The directory.
        directory: PathBuf,
    },
    /// The system refused, such as a directory that may not be written to.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Making a new file in the directory.
    Create,
    /// Writing it, to the disk.
    Write,
    /// Renaming it to its path.
    Replace,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "a new file can't be made in its directory",
            Self::Write => "the new file can't be written",
            Self::Replace => "the new file can't be put in its place",
        })
    }
}

/// Why a file isn't published. But for [`Unsettled`](Self::Unsettled), what was at the path is there unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PublishError<E> {
    /// The path can't be that of an output.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The system refused.
    #[error("{step}: {source}")]
    System {
        /// What it refused.
        step: Step,
        /// Its reason.
        source: io::Error,
    },
    /// The content couldn't be made or written.
    #[error("{0}")]
    Content(E),
    /// The new file is in its place, but the directory can't be synced: after a power cut the old one may be there.
    #[error("the new file is in its place but may not outlive a power cut: {0}")]
    Unsettled(#[source] io::Error),
}
