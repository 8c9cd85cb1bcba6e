//! Temporary names, and removing what killed builds left under them.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;

/// How the name of an unfinished output begins.
const PREFIX: &str = ".openmind-pack-";
/// How it ends.
const SUFFIX: &str = ".tmp";
/// Hexadecimal digits between the two.
const DIGITS: usize = 16;

/// Whether a name is that of an output which a build didn't finish, of this release or another.
pub(crate) fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A name that nothing has.
pub(super) fn temporary_name() -> String {
    // Keys of hash maps are the standard library's random numbers: seeded by the system, another at each call.
    let number = RandomState::new().build_hasher().finish();
    format!("{PREFIX}{number:0DIGITS$x}{SUFFIX}")
}

/// Whether [`temporary_name`] may have made a name.
fn is_temporary(name: &OsStr) -> bool {
    let middle = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| {
        middle.len() == DIGITS
            && middle.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    })
}

/// Removes temporary files that killed builds left in `directory`: regular, of the owner that `ours` has, and locked by
/// nobody. What can't be looked at or removed is left: it is in nobody's way.
pub(super) fn sweep(directory: &Path, ours: &Metadata) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name()) {
            let _ = remove_abandoned(&entry.path(), ours);
        }
    }
}

fn remove_abandoned(path: &Path, ours: &Metadata) -> io::Result<()> {
    let candidate = |found: &Metadata| found.is_file() && same_owner(found, ours);
    if !candidate(&fs::symlink_metadata(path)?) {
        return Ok(());
    }
    let file = open(path)?;
    if file.try_lock().is_err() {
        // A living build's, or no locks here.
        return Ok(());
    }
    // Its build may have published it before the lock was had, and somebody else have put another thing here.
    let (opened, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    if candidate(&opened) && same_file(&opened, &named) {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// Opens a regular file, and nothing that was put in its place meanwhile. For writing where that may be: network file
/// systems want it for a lock.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    options.read(true);
    options.clone().write(true).open(path).or_else(|_| options.open(path))
}

#[cfg(unix)]
fn same_owner(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.uid() == b.uid()
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// The lock has to do there.
#[cfg(not(unix))]
fn same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Names are random and used once, so a name leads to its first file or to none.
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_whole_form_are_taken_for_temporary() {
        for _ in 0..100 {
            let name = temporary_name();
            assert!(is_temporary(OsStr::new(&name)) && is_unfinished(&name), "{name}");
        }
        assert_ne!(temporary_name(), temporary_name());
        for name in [
            ".openmind-pack-.tmp",
            ".openmind-pack-notes.tmp",
            ".openmind-pack-0123456789abcde.tmp",
            ".openmind-pack-0123456789abcdef0.tmp",
            ".openmind-pack-0123456789ABCDEF.tmp",
            ".openmind-pack-0123456789abcdef.tmp~",
            "openmind-pack-0123456789abcdef.tmp",
            "x.openmind-pack-0123456789abcdef.tmp",
        ] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }
}
