//! An open file, and whether its bytes are still those that it was opened with.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::stamp::{STEP, Stamp};

/// An open file with its stamp.
pub(crate) struct Watch {
    file: File,
    stamp: Cell<Stamp>,
}

impl Watch {
    /// Watches a file from now on, and reads nothing of it.
    ///
    /// File times move in steps, and a write in the step of the last one leaves them as they are. So a file that was
    /// changed just now is let grow older than a step first: whatever is written after this returns shows in the stamp.
    ///
    /// # Errors
    ///
    /// The system tells nothing of the file, or it was changed meanwhile.
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let stamp = Stamp::of(&file.metadata()?);
        let fresh = stamp.is_fresh(SystemTime::now());
        let watch = Self { file, stamp: Cell::new(stamp) };
        if fresh {
            thread::sleep(STEP);
            if !watch.has_its_bytes() {
                return Err(io::Error::other("it changed while it was opened"));
            }
        }
        Ok(watch)
    }

    /// The file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// What the system says of the file now.
    pub(super) fn now(&self) -> io::Result<Stamp> {
        self.file.metadata().map(|metadata| Stamp::of(&metadata))
    }

    /// The stamp that later ones are compared with.
    pub(super) fn stamp(&self) -> Stamp {
        self.stamp.get()
    }

    /// Whether the file has the bytes that it had when this was made, as far as the system tells. Takes some milliseconds
    /// where a rename or deletion seems to be on its way, and else as long as asking the system.
    pub(crate) fn has_its_bytes(&self) -> bool {
        for millis in [0, 1, 2, 4, 8] {
            thread::sleep(Duration::from_millis(millis));
            let Ok(now) = self.now() else { return false };
            let stamp = self.stamp();
            if stamp.same_bytes(&now) {
                self.stamp.set(stamp.renewed(&now));
                return true;
            }
            if !stamp.is_unsure(&now) {
                return false;
            }
        }
        false
    }
}
