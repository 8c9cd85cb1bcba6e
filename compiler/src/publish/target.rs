//! Where an output goes.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf, is_separator};

use super::error::TargetError;

/// A place for a file: one that is there and regular, or a free name in a directory that is there.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    directory: PathBuf,
}

/// The file that an output path stands for: where it is a symbolic link, the target.
///
/// # Errors
///
/// Where no file can be published there, as far as can be told beforehand.
pub fn output_target(path: &Path) -> Result<PathBuf, TargetError> {
    Target::of(path).map(|target| target.path)
}

impl Target {
    /// Resolves an output path.
    pub(super) fn of(path: &Path) -> Result<Self, TargetError> {
        let path = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(TargetError::Directory),
            Ok(found) if !found.is_file() => return Err(TargetError::Special),
            Ok(_) if is_link(path) => fs::canonicalize(path)?,
            Ok(_) => path.to_owned(),
            Err(_) if is_link(path) => vacant(follow(path)?)?,
            Err(error) if error.kind() == ErrorKind::NotFound => vacant(path.to_owned())?,
            Err(error) => return Err(error.into()),
        };
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        match fs::metadata(&directory) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::Error::from(ErrorKind::NotADirectory).into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(TargetError::NoDirectory { directory });
            }
            Err(error) => return Err(error.into()),
        }
        check_access(&directory)?;
        Ok(Self { path, directory })
    }

    /// The file to replace or to make. Not a link.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that it is in.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Where a link leads that ends at nothing.
fn follow(path: &Path) -> Result<PathBuf, TargetError> {
    /// As Linux does.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(TargetError::Circle)
}

/// Passes on a path that a file can be made at.
fn vacant(path: PathBuf) -> Result<PathBuf, TargetError> {
    let ends_in_separator = path.to_str().is_some_and(|text| text.ends_with(is_separator));
    if ends_in_separator || path.file_name().is_none() { Err(TargetError::NoName) } else { Ok(path) }
}

/// Asks whether files may be made in a directory, and whether it may be opened to be synced.
#[cfg(unix)]
fn check_access(directory: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    access(directory, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from)
}

/// The system is asked when the file is made.
#[cfg(not(unix))]
fn check_access(_: &Path) -> io::Result<()> {
    Ok(())
}
