//! A bundle on disk that is followed when its file changes.
//!
//! ```text
//! before a call:  open file as it was?  no ──> wait for the file at the path, or check the open one anew; else an error
//!                 another file at the path?  yes ──> check it: a small one now, a large one beside the calls
//!                                                    good: taken    bad: refused, told, looked at again after a pause
//! after it:       no byte lost, file as it was?  no ──> the answer is dropped
//! ```

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use openmind_pack_format::{OpenError, OpenOptions};
use openmind_pack_mcp::{BundleSource, Served, SourceError};

use super::opened::{Check, Opened};
use super::refusal::{Refusal, reason};
use crate::stamp::Stamp;

/// The length of the largest file, in bytes, that the call which finds it waits for. Hashing so much takes about ten
/// milliseconds; a larger file is checked while the open one goes on answering.
const AWAITED_BYTES: u64 = 16 << 20;

/// A bundle on disk. A file that is renamed over it is taken once all its bytes were checked; until then, and where it
/// isn't good, the open one goes on answering.
pub(crate) struct Followed {
    path: PathBuf,
    options: OpenOptions,
    awaited_bytes: u64,
    state: Mutex<State>,
}

struct State {
    current: Opened,
    /// Former bundles that calls still hold.
    retired: Vec<Opened>,
    /// The check of a large file at the path, by the stamp that it was found with.
    check: Option<(Stamp, Check)>,
    /// The file at the path, where it is another than the current one and isn't good.
    refused: Option<Refusal>,
    /// The current one's own file, where it was written to and isn't good any more.
    spoiled: Option<Refusal>,
    /// An operation panicked on the current bundle.
    distrusted: bool,
}

impl Followed {
    /// Opens the bundle at `path`, which takes microseconds: its bytes are checked when they are first used. A file that was
    /// changed in the last hundredths of a second takes that long, see [`Watch`](super::Watch).
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`](openmind_pack_format::Bundle::open).
    pub(crate) fn open(path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        Self::open_awaiting(path, options, AWAITED_BYTES)
    }

    /// Opens it so that calls wait for the check of files of up to so many bytes.
    pub(super) fn open_awaiting(
        path: &Path,
        options: OpenOptions,
        awaited_bytes: u64,
    ) -> Result<Self, OpenError> {
        let state = State {
            current: Opened::at(path, options)?,
            retired: Vec::new(),
            check: None,
            refused: None,
            spoiled: None,
            distrusted: false,
        };
        Ok(Self { path: path.to_owned(), options, awaited_bytes, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a bundle can be answered from. Who asked for a copy in memory has one that is nobody else's. A small file is
    /// read as well, but where maps are allowed its changes are told like those of a mapped one: what a client sees doesn't
    /// hang on a size.
    fn is_sound(&self, opened: &Opened) -> bool {
        !self.options.mmap || opened.is_whole()
    }

    /// Takes what lies at the path now, where that is another good bundle. `wait` for it however long it takes, where there
    /// is nothing else to answer from.
    fn follow(&self, state: &mut State, wait: bool) {
        if let Some((stamp, check)) = state.check.take() {
            if !wait && !check.is_finished() {
                state.check = Some((stamp, check));
                return;
            }
            state.conclude(stamp, check.outcome());
        }
        let metadata = match fs::metadata(&self.path) {
            Ok(metadata) => metadata,
            Err(error) => {
                if error.kind() == ErrorKind::NotFound {
                    state.refused = None;
                }
                return;
            }
        };
        let now = Stamp::of(&metadata);
        if state.current.watch.stamp().same_bytes(&now) {
            state.refused = None;
            return;
        }
        if state.refused.as_ref().is_some_and(|refused| refused.holds(&now, Instant::now())) {
            return;
        }
        if !metadata.is_file() {
            state.refuse(now, "it is not a regular file".into());
            return;
        }
        match Check::begin(self.path.clone(), None, self.options) {
            Ok(check) if wait || metadata.len() <= self.awaited_bytes => {
                state.conclude(now, check.outcome());
            }
            Ok(check) => state.check = Some((now, check)),
            Err(error) => state.conclude(now, Err(error)),
        }
    }

    /// Checks all bytes of the file that is open, whatever lies at the path now, and takes it anew.
    fn reopen(&self, state: &mut State) -> Result<(), SourceError> {
        let changed = |reason: &str| {
            SourceError::new(format!(
                "the bundle was changed in place and can't be used: {reason}; publish a good one by renaming it over \
                 the file, as `openmind-pack build` does"
            ))
        };
        let now = state.current.watch.now().map_err(|error| changed(&error.to_string()))?;
        // At the path there may be this file or another.
        let known = [&state.refused, &state.spoiled].into_iter().flatten();
        if let Some(known) = known.into_iter().find(|known| known.holds(&now, Instant::now())) {
            return Err(changed(known.reason()));
        }
        let file = state.current.watch.file().try_clone();
        let outcome = file
            .map_err(|source| OpenError::Io { path: self.path.clone(), source })
            .and_then(|file| Check::begin(self.path.clone(), Some(file), self.options))
            .and_then(Check::outcome);
        match outcome {
            Ok(opened) => {
                state.take(opened);
                Ok(())
            }
            Err(error) => {
                let spoiled = Refusal::new(now, reason(&error), state.spoiled.as_ref());
                let error = changed(spoiled.reason());
                state.spoiled = Some(spoiled);
                Err(error)
            }
        }
    }
}

impl State {
    /// Takes what was checked, unless it changed since.
    fn conclude(&mut self, stamp: Stamp, outcome: Result<Opened, OpenError>) {
        match outcome.and_then(|opened| opened.whole("it changed after it was checked")) {
            Ok(opened) => self.take(opened),
            Err(error) => self.refuse(stamp, reason(&error)),
        }
    }

    fn refuse(&mut self, stamp: Stamp, reason: String) {
        self.refused = Some(Refusal::new(stamp, reason, self.refused.as_ref()));
    }

    fn take(&mut self, opened: Opened) {
        let former = std::mem::replace(&mut self.current, opened);
        self.retired.push(former);
        self.retired.retain(|former| Arc::strong_count(&former.served) > 1);
        self.refused = None;
        self.spoiled = None;
        self.distrusted = false;
    }
}

impl BundleSource for Followed {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        let mut state = self.state();
        let state = &mut *state;
        let sound = self.is_sound(&state.current) && !state.distrusted;
        let before = Arc::as_ptr(&state.current.served);
        self.follow(state, !sound);
        if !sound && Arc::as_ptr(&state.current.served) == before {
            self.reopen(state)?;
        }
        Ok(Arc::clone(&state.current.served))
    }

    fn unchanged(&self, served: &Served) -> bool {
        let state = self.state();
        let mut all = std::iter::once(&state.current).chain(&state.retired);
        all.find(|opened| std::ptr::eq(Arc::as_ptr(&opened.served), served))
            .is_some_and(|opened| self.is_sound(opened))
    }

    fn distrust(&self, served: &Served) {
        let mut state = self.state();
        if std::ptr::eq(Arc::as_ptr(&state.current.served), served) {
            state.distrusted = true;
        }
    }

    fn replacement_error(&self) -> Option<String> {
        let state = self.state();
        let reason = state.refused.as_ref()?.reason();
        Some(format!(
            "the file that was put in this bundle's place was refused, so answers still come from this one: {reason}"
        ))
    }
}
