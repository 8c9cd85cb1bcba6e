//! A bundle file that a command reads once, and what it says if the file changed meanwhile.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use openmind_pack_format::{Bundle, ContentHash, OpenOptions};

use super::Watch;
use crate::failure::Failure;

/// An open bundle whose file is watched.
pub(crate) struct Watched {
    bundle: Bundle,
    watch: Watch,
    path: PathBuf,
}

impl Watched {
    /// Watches a file from now on, for [`Watched::open`].
    ///
    /// # Errors
    ///
    /// As [`Watch::new`].
    pub(crate) fn watch(file: File, path: &Path) -> Result<Watch, Failure> {
        Watch::new(file)
            .map_err(|error| Failure::system(format_args!("cannot read {}", path.display()), &error))
    }

    /// Opens the bundle in a watched file.
    ///
    /// # Errors
    ///
    /// As [`Bundle::from_file`].
    pub(crate) fn open(watch: Watch, path: &Path, expect: Option<ContentHash>) -> Result<Self, Failure> {
        let options = OpenOptions { expect, ..OpenOptions::default() };
        let bundle =
            Bundle::from_file(watch.file(), path, options).map_err(|error| Failure::open(path, error))?;
        Ok(Self { bundle, watch, path: path.to_owned() })
    }

    /// Whether everything that was read came from one state of the file. Asked before any of it is told.
    ///
    /// # Errors
    ///
    /// The file changed, or bytes of it were lost.
    pub(crate) fn unchanged(&self) -> Result<(), Failure> {
        if !self.bundle.faulted() && self.watch.has_its_bytes() {
            return Ok(());
        }
        let message = format!("{} changed while it was read", self.path.display());
        Err(Failure::refused("changed", message).hint("try again once nobody writes to it"))
    }
}

impl Deref for Watched {
    type Target = Bundle;

    fn deref(&self) -> &Bundle {
        &self.bundle
    }
}
