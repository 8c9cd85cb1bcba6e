//! Publishing a file whole or not at all.
//!
//! ```text
//! target   where the output goes: a regular file, or a name that is free
//! draft    a new file in that directory; on Linux one without a name, which a killed process takes with it
//! sweep    what killed builds left there is removed
//! write    the content, then fsync
//! rename   the draft takes the target's place: the one moment at which a reader sees a change
//! fsync    of the directory
//! ```
//! What fails before the rename leaves the former file as it was.

mod draft;
mod error;
mod sweep;
mod target;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use draft::Draft;
pub use error::{PublishError, Step, TargetError};
pub(crate) use sweep::is_unfinished;
use target::Target;
pub use target::output_target;

/// Bytes that are collected for one write to the system.
const BUFFER: usize = 1 << 20;

/// Writes a file through `write` and puts it at `path` in one step. What fails before that step leaves what was at `path`.
///
/// A file that is replaced hands its permissions on: who closed a bundle to others wants the next one closed too. Of two
/// that publish onto one path at once, the later rename stays; each is whole.
///
/// # Errors
///
/// [`PublishError::Target`] where the path can't be that of an output, [`PublishError::Content`] where `write` fails,
/// [`PublishError::System`] where the system does. [`PublishError::Unsettled`] is the one that comes after the rename.
pub fn publish<T, E>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, PublishError<E>> {
    publish_as(path, Draft::create, write)
}

fn publish_as<T, E>(
    path: &Path,
    create: fn(&Path) -> std::io::Result<Draft>,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, PublishError<E>> {
    let failed = |step| move |source| PublishError::System { step, source };
    let target = Target::of(path)?;
    // Opened first: a directory that can't be synced is better known before the old file is replaced.
    #[cfg(unix)]
    let directory = File::open(target.directory()).map_err(failed(Step::Create))?;
    let mut draft = create(target.directory()).map_err(failed(Step::Create))?;
    // Before the content is written, since a disk may be full of what others left.
    sweep::sweep(target.directory(), &draft.metadata().map_err(failed(Step::Create))?);
    if let Ok(replaced) = fs::metadata(target.path()) {
        draft.set_permissions(replaced.permissions()).map_err(failed(Step::Create))?;
    }
    let mut output = BufWriter::with_capacity(BUFFER, draft.file());
    let written = match write(&mut output) {
        Ok(written) => output.flush().map(|()| written).map_err(failed(Step::Write)),
        Err(error) => Err(PublishError::Content(error)),
    };
    // What is still in the buffer of a failed write needn't reach a file that is about to vanish.
    drop(output.into_parts());
    let written = written?;
    draft.file().sync_all().map_err(failed(Step::Write))?;
    draft.replace(&target).map_err(failed(Step::Replace))?;
    #[cfg(unix)]
    settle(&directory).map_err(PublishError::Unsettled)?;
    Ok(written)
}

/// Makes the rename outlive a power cut, where the file system can sync a directory at all.
#[cfg(unix)]
fn settle(directory: &File) -> std::io::Result<()> {
    use std::io::ErrorKind;
    directory.sync_all().or_else(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

#[cfg(test)]
mod tests;
