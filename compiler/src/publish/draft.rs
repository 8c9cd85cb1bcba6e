//! A file that isn't published yet.

use std::fs::{self, File, Metadata, Permissions, TryLockError};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

use super::sweep::temporary_name;
use super::target::Target;

/// Names that are tried before giving up. Each is one of 2^64, so a second try is for a sweeper, not for chance.
const TRIES: u32 = 16;

/// A new file in the directory of its target. Dropped without being put in place, it is gone.
///
/// It is locked while it lives: a temporary file that can be locked belongs to no living build.
pub(super) struct Draft {
    file: File,
    /// Where it lies meanwhile; a file without a name lies nowhere.
    name: Option<TemporaryName>,
}

/// A name that is removed when it is dropped.
struct TemporaryName(PathBuf);

impl Drop for TemporaryName {
    fn drop(&mut self) {
        // Nothing better can be done where this fails; a later build sweeps.
        let _ = fs::remove_file(&self.0);
    }
}

impl Draft {
    /// A file without a name where the system has such files, else one with a temporary name.
    pub(super) fn create(directory: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory) {
            return Ok(Self { file, name: None });
        }
        Self::named(directory)
    }

    /// A file with a temporary name.
    pub(super) fn named(directory: &Path) -> io::Result<Self> {
        let (file, name) = under_new_name(directory, |path| {
            let file = File::options().read(true).write(true).create_new(true).open(path)?;
            let taken = || Err(io::Error::from(ErrorKind::AlreadyExists));
            match file.try_lock() {
                // A sweeper looks at it at this very moment, and will remove it.
                Err(TryLockError::WouldBlock) => return taken(),
                // No locks here: then no sweeper gets one either, and leaves the file alone.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // A sweeper may have been there between the creation and the lock.
            if fs::symlink_metadata(path).is_err() { taken() } else { Ok(file) }
        })?;
        Ok(Self { file, name: Some(name) })
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    pub(super) fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    pub(super) fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.file.set_permissions(permissions)
    }

    /// Puts the file, which is on the disk, at its target.
    pub(super) fn replace(self, target: &Target) -> io::Result<()> {
        let Self { file, name } = self.into_named(target.directory())?;
        // A lock is mandatory where it isn't Unix's, and readers of the new file must not meet it.
        #[cfg(not(unix))]
        let _ = file.unlock();
        if let Some(name) = &name {
            fs::rename(&name.0, target.path())?;
        }
        // Unlocked only now that the temporary name is gone. Removing that again is in vain and harmless: no other file
        // ever has it.
        drop(file);
        Ok(())
    }

    fn into_named(self, directory: &Path) -> io::Result<Self> {
        let Self { mut file, name: None } = self else { return Ok(self) };
        match link(&file, directory) {
            Ok(name) => Ok(Self { file, name: Some(name) }),
            // Some confined systems let files be made without a name and don't let them have one.
            Err(_) => copied(&mut file, directory),
        }
    }
}

/// Tries names until one is free.
fn under_new_name<T>(
    directory: &Path,
    create: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(T, TemporaryName)> {
    let mut tries = TRIES;
    loop {
        let path = directory.join(temporary_name());
        match create(&path) {
            Ok(made) => return Ok((made, TemporaryName(path))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries > 1 => tries -= 1,
            Err(error) => return Err(error),
        }
    }
}

/// Gives a temporary name to a file without one.
fn link(file: &File, directory: &Path) -> io::Result<TemporaryName> {
    #[cfg(target_os = "linux")]
    return under_new_name(directory, |path| unnamed::link(file, path)).map(|((), name)| name);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, directory);
        Err(ErrorKind::Unsupported.into())
    }
}

/// A file of the same content and permissions with a temporary name, on the disk.
pub(super) fn copied(file: &mut File, directory: &Path) -> io::Result<Draft> {
    let mut draft = Draft::named(directory)?;
    draft.set_permissions(file.metadata()?.permissions())?;
    file.rewind()?;
    io::copy(file, &mut draft.file)?;
    draft.file.sync_all()?;
    Ok(draft)
}

/// Files without a name, and how they get one.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// A file without a name, or nothing where the file system has none or where it couldn't be named afterwards.
    pub(super) fn create(directory: &Path) -> Option<File> {
        // What a plain file gets; the umask takes its share.
        let mode = Mode::from_raw_mode(0o666);
        let file = open(directory, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode).ok()?;
        let file = File::from(file);
        // The only way to a name without privileges leads through this link; a container may lack it.
        fs::symlink_metadata(link_to(&file)).ok()?;
        // Nobody else knows the file yet. Where there are no locks, sweepers get none either.
        let _ = file.try_lock();
        Some(file)
    }

    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        Ok(linkat(CWD, link_to(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }

    /// The link that Linux keeps for an open file.
    fn link_to(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }
}
