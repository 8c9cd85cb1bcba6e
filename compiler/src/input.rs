//! A `.openmind` directory in memory: each file's bytes, read once, and what was left out.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::limits::Limits;
use crate::load::artifact_names;
use crate::publish::is_unfinished;

/// Name of the file that names the others.
pub const MANIFEST: &str = "manifest.json";

/// What an artifact file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArtifactKind {
    /// `manifest.json`: names the others.
    Manifest,
    /// The run: repository, template, counts.
    Metadata,
    /// Terms.
    Glossary,
    /// Components and layers.
    Architecture,
    /// Flows.
    Flows,
    /// Files and symbols.
    SourceIndex,
}

impl ArtifactKind {
    /// The five that a manifest names, in the order of its keys.
    pub const NAMED: [ArtifactKind; 5] = [
        ArtifactKind::Metadata,
        ArtifactKind::Glossary,
        ArtifactKind::Architecture,
        ArtifactKind::Flows,
        ArtifactKind::SourceIndex,
    ];

    /// The key under the manifest's `artifacts`; `manifest` for the manifest itself.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            ArtifactKind::Manifest => "manifest",
            ArtifactKind::Metadata => "metadata",
            ArtifactKind::Glossary => "glossary",
            ArtifactKind::Architecture => "architecture",
            ArtifactKind::Flows => "flows",
            ArtifactKind::SourceIndex => "sourceIndex",
        }
    }

    /// The file's usual name, which counts where the manifest doesn't give one.
    #[must_use]
    pub fn usual_file(self) -> &'static str {
        match self {
            ArtifactKind::Manifest => MANIFEST,
            ArtifactKind::Metadata => "metadata.json",
            ArtifactKind::Glossary => "glossary.json",
            ArtifactKind::Architecture => "architecture.json",
            ArtifactKind::Flows => "flows.json",
            ArtifactKind::SourceIndex => "source-index.json",
        }
    }
}

/// One regular file of the directory.
#[derive(Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its name in the directory.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it is for; `None` for a file that is only kept.
    pub role: Option<ArtifactKind>,
}

/// Something in the directory that wasn't read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name; U+FFFD stands for what isn't UTF-8.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

/// Why something in the directory wasn't read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is a directory.
    Directory,
    /// It is a symbolic link, wherever it leads.
    Link,
    /// It is a device, a pipe or a socket.
    Special,
    /// It has more bytes than the limit.
    TooLarge {
        /// Bytes that the file has.
        bytes: u64,
    },
    /// It is what a killed build left behind.
    Unfinished,
    /// Its name isn't UTF-8 or has a backslash.
    Name,
}

/// The files of one directory, in byte order of their names whatever the order of the directory.
#[derive(Debug, PartialEq, Eq)]
pub struct Input {
    /// The directory, as it was given.
    pub dir: PathBuf,
    /// The regular files directly in it.
    pub files: Vec<InputFile>,
    /// What else is in it.
    pub left_out: Vec<LeftOut>,
}

/// The system didn't let the directory be read. What the files say is no matter of this error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The directory can't be listed.
    #[error("cannot list the directory {}: {source}; give the path of a .openmind directory", dir.display())]
    List {
        /// The directory.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file in it can't be read.
    #[error("cannot read {}: {source}; make the file readable, or move it out of the directory", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Input {
    /// Reads every regular file directly in `dir`.
    ///
    /// # Errors
    /// The directory can't be listed, or a file in it can't be read.
    pub fn read(dir: &Path) -> Result<Input, ReadError> {
        Input::read_within(dir, &Limits::default())
    }

    /// [`Input::read`] with a caller's limit on the size of a file.
    ///
    /// # Errors
    /// As [`Input::read`].
    pub fn read_within(dir: &Path, limits: &Limits) -> Result<Input, ReadError> {
        let list = |source| ReadError::List { dir: dir.to_owned(), source };
        let mut files = Vec::new();
        let mut left_out = Vec::new();
        for entry in fs::read_dir(dir).map_err(list)? {
            let entry = entry.map_err(list)?;
            let path = entry.path();
            let read = |source| ReadError::Read { path: path.clone(), source };
            let (name, storable) = storable_name(&entry.file_name());
            // Of the entry itself: a link is seen as a link.
            let kind = entry.file_type().map_err(read)?;
            let outcome = match (irregular(kind), storable) {
                (Some(reason), _) => Err(reason),
                (None, false) => Err(Reason::Name),
                (None, true) if is_unfinished(&name) => Err(Reason::Unfinished),
                (None, true) => read_whole(&path, limits.file_bytes).map_err(read)?,
            };
            match outcome {
                Ok(bytes) => files.push((name, bytes)),
                Err(reason) => left_out.push(LeftOut { name, reason }),
            }
        }
        left_out.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        Ok(Input { left_out, ..Input::from_files(dir, files) })
    }

    /// The same from files that are in memory already; `dir` is only a name.
    #[must_use]
    pub fn from_files(dir: impl Into<PathBuf>, mut files: Vec<(String, Vec<u8>)>) -> Input {
        files.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        let manifest = files.iter().find(|(name, _)| name == MANIFEST).map(|(_, bytes)| bytes.as_slice());
        let names = artifact_names(manifest);
        let role = |name: &str| {
            let named = names.iter().find(|(_, file)| file == name);
            named.map(|(kind, _)| *kind)
        };
        let files =
            files.into_iter().map(|(name, bytes)| InputFile { role: role(&name), name, bytes }).collect();
        Input { dir: dir.into(), files, left_out: Vec::new() }
    }

    /// The file with this role.
    #[must_use]
    pub fn artifact(&self, kind: ArtifactKind) -> Option<&InputFile> {
        self.files.iter().find(|file| file.role == Some(kind))
    }
}

fn irregular(kind: FileType) -> Option<Reason> {
    if kind.is_symlink() {
        Some(Reason::Link)
    } else if kind.is_dir() {
        Some(Reason::Directory)
    } else if kind.is_file() {
        None
    } else {
        Some(Reason::Special)
    }
}

/// The name, and whether a bundle can hold it for every system: a backslash separates on some.
fn storable_name(name: &std::ffi::OsStr) -> (String, bool) {
    match name.to_str() {
        Some(name) => (name.to_owned(), !name.contains('\\')),
        None => (name.to_string_lossy().into_owned(), false),
    }
}

/// All bytes of a file, or the reason to leave it out. A file that grows meanwhile isn't followed past the limit.
fn read_whole(path: &Path, limit: u64) -> io::Result<Result<Vec<u8>, Reason>> {
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    if bytes > limit {
        return Ok(Err(Reason::TooLarge { bytes }));
    }
    let mut whole = Vec::new();
    // One more than the size: the read that sees the end then needs no room of its own.
    whole.reserve_exact(usize::try_from(bytes).unwrap_or(0).saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut whole)?;
    let bytes = whole.len() as u64;
    Ok(if bytes > limit { Err(Reason::TooLarge { bytes }) } else { Ok(whole) })
}
