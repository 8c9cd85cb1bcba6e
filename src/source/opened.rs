//! An open bundle and the file behind it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use openmind_pack_format::{Bundle, OpenError, OpenOptions};
use openmind_pack_mcp::Served;

use super::Watch;

/// A bundle, ready to be served.
pub(super) struct Opened {
    pub(super) served: Arc<Served>,
    pub(super) watch: Watch,
}

impl Opened {
    /// Opens what lies at `path`. Its bytes are checked when they are first used.
    pub(super) fn at(path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let file = File::open(path).map_err(|source| OpenError::Io { path: path.to_owned(), source })?;
        Self::of(file, path, options)
    }

    /// Opens a file that is open already; `path` is its name in logs.
    pub(super) fn of(file: File, path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let io = |source| OpenError::Io { path: path.to_owned(), source };
        let watch = Watch::new(file).map_err(io)?;
        let bundle = Bundle::from_file(watch.file(), path, options)?;
        let repository_name = bundle.info().and_then(|info| info.repository_name())?.to_owned();
        let label = path.display().to_string();
        let served = Arc::new(Served { bundle, label, repository_name, notice: None });
        // Read or mapped while someone wrote: what was read may be a mixture.
        Self { served, watch }.whole("it changed while it was opened")
    }

    /// Checks all bytes, which were there from the first check to the last.
    pub(super) fn checked(self) -> Result<Self, OpenError> {
        self.served.bundle.verify()?;
        self.whole("it changed while it was checked")
    }

    /// Whether no byte of the bundle was lost and the file has the bytes that it was opened with.
    pub(super) fn is_whole(&self) -> bool {
        !self.served.bundle.faulted() && self.watch.has_its_bytes()
    }

    /// Passes on what is whole.
    pub(super) fn whole(self, otherwise: &str) -> Result<Self, OpenError> {
        if self.is_whole() {
            return Ok(self);
        }
        Err(OpenError::Io { path: self.served.label.clone().into(), source: io::Error::other(otherwise) })
    }
}

/// A check of all bytes of a file, on a thread of its own: a large file takes its time, and whatever may happen to who reads
/// bytes that nobody has vouched for happens there.
pub(super) struct Check(JoinHandle<Result<Opened, OpenError>>);

impl Check {
    /// Begins to check what lies at `path`, or the open `file` where one is given.
    pub(super) fn begin(path: PathBuf, file: Option<File>, options: OpenOptions) -> Result<Self, OpenError> {
        let name = path.clone();
        let work = move || {
            match file {
                Some(file) => Opened::of(file, &path, options),
                None => Opened::at(&path, options),
            }
            .and_then(Opened::checked)
        };
        let started = thread::Builder::new().name("check".into()).spawn(work);
        started.map(Self).map_err(|source| OpenError::Io { path: name, source })
    }

    /// Whether there is nothing to wait for.
    pub(super) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the outcome.
    pub(super) fn outcome(self) -> Result<Opened, OpenError> {
        self.0.join().unwrap_or_else(|_| {
            let source = io::Error::other("an internal error stopped the check; please report it");
            Err(OpenError::Io { path: PathBuf::new(), source })
        })
    }
}
