//! What the system says of a file, enough to tell whether its bytes may have changed.

use std::fs::Metadata;

/// Identity, size and times of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// The same, of the last change to bytes or to what the system keeps about the file.
    changed: (i64, i64),
    links: u64,
}

impl Stamp {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            links: metadata.nlink(),
        }
    }

    /// Without inodes, the time of creation tells one file from its successor.
    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let time = |time: std::io::Result<std::time::SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            since.map_or((0, 0), |since| (since.as_secs() as i64, i64::from(since.subsec_nanos())))
        };
        Self {
            device: 0,
            inode: 0,
            size: metadata.len(),
            modified: time(metadata.modified()),
            changed: time(metadata.created()),
            links: 1,
        }
    }

    /// Whether the file still has the bytes that it had at `self`, as far as the system tells.
    ///
    /// A write sets the time of change, and so do a rename and a deletion. The latter two are known by their smaller
    /// link count, with size and time of modification as they were: they leave the bytes of an open file alone.
    pub(crate) fn same_bytes(&self, now: &Stamp) -> bool {
        let same_file = (self.device, self.inode) == (now.device, now.inode);
        let untouched = (self.size, self.modified) == (now.size, now.modified);
        same_file && untouched && (self.changed == now.changed || now.links < self.links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { device: 1, inode: 2, size: 3, modified: (4, 5), changed: (6, 7), links: 1 };

    #[test]
    fn nothing_changed_means_the_same_bytes() {
        assert!(STAMP.same_bytes(&STAMP));
    }

    #[test]
    fn a_rename_over_the_file_or_its_deletion_leaves_the_bytes() {
        assert!(STAMP.same_bytes(&Stamp { changed: (9, 0), links: 0, ..STAMP }));
    }

    #[test]
    fn any_other_change_is_suspect() {
        for now in [
            Stamp { device: 9, ..STAMP },
            Stamp { inode: 9, ..STAMP },
            Stamp { size: 9, ..STAMP },
            Stamp { modified: (4, 6), ..STAMP },
            Stamp { changed: (6, 8), ..STAMP },
            Stamp { changed: (6, 8), links: 2, ..STAMP },
            Stamp { changed: (9, 0), modified: (9, 0), links: 0, ..STAMP },
            Stamp { changed: (9, 0), size: 9, links: 0, ..STAMP },
        ] {
            assert!(!STAMP.same_bytes(&now), "{now:?}");
        }
    }
}
