//! Publishing a file whole or not at all: temporary file in the same directory, fsync, rename, fsync of the directory.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

/// How the name of an unfinished output begins. A build that is killed leaves one behind, which later builds leave out.
pub(crate) const TEMPORARY_PREFIX: &str = ".openmind-pack-";
/// How it ends.
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";

/// The file that an output path stands for: the target where it is a symbolic link.
///
/// # Errors
///
/// Where the path is a directory or a device, or a link can't be followed.
pub fn output_target(path: &Path) -> io::Result<PathBuf> {
    let target = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.file_type().is_symlink() => follow(path)?,
        Ok(_) => path.to_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path.to_owned()),
        Err(error) => return Err(error),
    };
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => Err(refused("it is a directory; name a file in it")),
        Ok(metadata) if !metadata.is_file() => {
            Err(refused("it is a device or pipe, and a bundle is published by rename"))
        }
        Ok(_) => Ok(target),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(error) => Err(error),
    }
}

/// Where a link leads, also when nothing is there yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    /// As Linux does.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(error) => return Err(error),
        }
    }
    Err(refused("it is a symbolic link in a circle"))
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// Writes a file through `write` and puts it at `path` in one step. What fails before that step leaves what was at `path`.
/// Should the system then refuse to sync the directory, the new file is there, but may not outlive a power cut.
///
/// A file that is replaced hands its permissions on: who closed a bundle to others wants the next one closed too.
///
/// # Errors
///
/// What `write` reports, or the system's reason.
pub fn publish<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    let target = output_target(path)?;
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a plain file gets; the umask takes its share.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // Opened first: a directory that can't be synced is better known before the old file is replaced.
    #[cfg(unix)]
    let parent = File::open(directory)?;
    let mut temporary = builder.tempfile_in(directory)?;
    if let Ok(replaced) = fs::metadata(&target) {
        temporary.as_file().set_permissions(replaced.permissions())?;
    }
    let mut output = BufWriter::with_capacity(1 << 20, temporary.as_file_mut());
    let result = write(&mut output)?;
    output.flush()?;
    drop(output);
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    #[cfg(unix)]
    parent.sync_all()?;
    Ok(result)
}
