//! Bundles for the server: one that stays, and one that follows its file.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use openmind_pack_format::{Bundle, OpenError, OpenOptions};
use openmind_pack_mcp::{BundleSource, Served, SourceError};

use crate::stamp::Stamp;

/// A bundle in memory: the built-in sample, or a directory compiled at the start.
pub(crate) struct Constant(Arc<Served>);

impl Constant {
    /// Serves `served` for ever.
    pub(crate) fn new(served: Served) -> Self {
        Self(Arc::new(served))
    }
}

impl BundleSource for Constant {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        Ok(Arc::clone(&self.0))
    }

    /// Nobody else can write to this process's memory.
    fn unchanged(&self, _: &Served) -> bool {
        true
    }
}

/// A bundle on disk. A file that is renamed over it is taken once all its bytes were checked; until then, and where it
/// isn't good, the open one goes on answering.
pub(crate) struct Followed {
    path: PathBuf,
    options: OpenOptions,
    state: Mutex<State>,
}

struct State {
    current: Opened,
    /// Former bundles that calls still hold.
    retired: Vec<Opened>,
    /// A state of the file that was looked at and not taken, so that it isn't hashed again at every call.
    rejected: Option<(Stamp, String)>,
    /// An operation panicked on the current bundle.
    distrusted: bool,
}

/// An open bundle and the file behind it.
struct Opened {
    served: Arc<Served>,
    file: File,
    stamp: Stamp,
}

impl Opened {
    /// Whether the file behind the bundle has the bytes that it was opened with. What leaves them alone becomes the new
    /// baseline: a smaller link count excuses one change and not the next.
    fn has_its_bytes(&mut self) -> bool {
        let Ok(metadata) = self.file.metadata() else { return false };
        let now = Stamp::of(&metadata);
        let same = self.stamp.same_bytes(&now);
        if same {
            self.stamp = now;
        }
        same
    }
}

impl Followed {
    /// Opens the bundle at `path`, which takes microseconds: its bytes are checked when they are first used.
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`].
    pub(crate) fn open(path: &Path, options: OpenOptions) -> Result<Self, OpenError> {
        let current = open(path, options)?;
        let state = State { current, retired: Vec::new(), rejected: None, distrusted: false };
        Ok(Self { path: path.to_owned(), options, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a bundle that was read into memory are nobody else's.
    fn is_sound(&self, opened: &mut Opened) -> bool {
        !self.options.mmap || opened.has_its_bytes()
    }

    /// Takes what lies at the path now, where that is another good bundle.
    fn follow(&self, state: &mut State) {
        let Ok(metadata) = fs::metadata(&self.path) else { return };
        let now = Stamp::of(&metadata);
        if state.current.stamp.same_bytes(&now)
            || state.rejected.as_ref().is_some_and(|(known, _)| *known == now)
        {
            return;
        }
        if !metadata.is_file() {
            state.rejected = Some((now, "it is not a regular file".into()));
            return;
        }
        match open(&self.path, self.options).and_then(checked) {
            Ok(opened) => state.take(opened),
            Err(error) => state.rejected = Some((now, error.to_string())),
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
        let file = &state.current.file;
        let now = file
            .metadata()
            .map(|metadata| Stamp::of(&metadata))
            .map_err(|error| changed(&error.to_string()))?;
        if let Some((known, reason)) = &state.rejected
            && *known == now
        {
            return Err(changed(reason));
        }
        let again = file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
        let opened = again
            .map_err(|source| OpenError::Io { path: self.path.clone(), source })
            .and_then(|file| open_file(file, &self.path, self.options))
            .and_then(checked);
        match opened {
            Ok(opened) => {
                state.take(opened);
                Ok(())
            }
            Err(error) => {
                let reason = error.to_string();
                let error = changed(&reason);
                state.rejected = Some((now, reason));
                Err(error)
            }
        }
    }
}

impl State {
    fn take(&mut self, opened: Opened) {
        let former = std::mem::replace(&mut self.current, opened);
        self.retired.push(former);
        self.retired.retain(|former| Arc::strong_count(&former.served) > 1);
        self.rejected = None;
        self.distrusted = false;
    }
}

impl BundleSource for Followed {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        let mut state = self.state();
        let state = &mut *state;
        let mut sound = self.is_sound(&mut state.current);
        let before = Arc::as_ptr(&state.current.served);
        self.follow(state);
        sound |= Arc::as_ptr(&state.current.served) != before;
        if !sound || state.distrusted {
            self.reopen(state)?;
        }
        Ok(Arc::clone(&state.current.served))
    }

    fn unchanged(&self, served: &Served) -> bool {
        let mut state = self.state();
        let State { current, retired, .. } = &mut *state;
        let mut all = std::iter::once(current).chain(retired);
        all.find(|opened| std::ptr::eq(Arc::as_ptr(&opened.served), served))
            .is_some_and(|opened| self.is_sound(opened))
    }

    fn distrust(&self, served: &Served) {
        let mut state = self.state();
        if std::ptr::eq(Arc::as_ptr(&state.current.served), served) {
            state.distrusted = true;
        }
    }
}

fn open(path: &Path, options: OpenOptions) -> Result<Opened, OpenError> {
    let file = File::open(path).map_err(|source| OpenError::Io { path: path.to_owned(), source })?;
    open_file(file, path, options)
}

fn open_file(file: File, path: &Path, options: OpenOptions) -> Result<Opened, OpenError> {
    let io = |source| OpenError::Io { path: path.to_owned(), source };
    let stamp = Stamp::of(&file.metadata().map_err(io)?);
    let bundle = Bundle::from_file(&file, path, options)?;
    let repository_name = bundle.info().and_then(|info| info.repository_name())?.to_owned();
    let label = path.display().to_string();
    let served = Arc::new(Served { bundle, label, repository_name, notice: None });
    let mut opened = Opened { served, file, stamp };
    // Read or mapped while someone wrote: what was read may be a mixture.
    if opened.has_its_bytes() {
        Ok(opened)
    } else {
        Err(io(io::Error::other("it changed while it was opened")))
    }
}

/// Passes on a bundle all of whose bytes match its hash and were there from the first check to the last.
fn checked(mut opened: Opened) -> Result<Opened, OpenError> {
    opened.served.bundle.verify()?;
    if opened.has_its_bytes() {
        return Ok(opened);
    }
    let source = io::Error::other("it changed while it was checked");
    Err(OpenError::Io { path: opened.served.label.clone().into(), source })
}

#[cfg(test)]
mod tests;
