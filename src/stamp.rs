//! What the system says of a file, enough to tell whether its bytes may have changed.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Longer than any step in which common kernels move the times of files, which is 1 to 10 ms; some move them with each change.
pub(crate) const STEP: Duration = Duration::from_millis(20);

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
        let time = |time: std::io::Result<SystemTime>| time.map_or((0, 0), since_epoch);
        Self {
            device: 0,
            inode: 0,
            size: metadata.len(),
            modified: time(metadata.modified()),
            changed: time(metadata.created()),
            links: 1,
        }
    }

    /// Whether the file was changed so shortly before `now` that another change could leave this stamp as it is, or at a time
    /// that is yet to come, of which nothing can be said.
    pub(crate) fn is_fresh(&self, now: SystemTime) -> bool {
        // Without a time of change, as in this program's view of Windows, the one of modification has to do.
        let (seconds, nanos) = if cfg!(unix) { self.changed } else { self.modified };
        let (now_seconds, now_nanos) = since_epoch(now);
        let age = i128::from(now_seconds - seconds) * 1_000_000_000 + i128::from(now_nanos - nanos);
        age < STEP.as_nanos() as i128
    }

    /// Whether the file still has the bytes that it had at `self`, as far as the system tells.
    ///
    /// A write sets the time of change, and so do a rename and a deletion. The latter two are known by their smaller
    /// link count, with size and time of modification as they were: they leave the bytes of an open file alone.
    pub(crate) fn same_bytes(&self, now: &Stamp) -> bool {
        self.is_unwritten(now) && (self.changed == now.changed || now.links < self.links)
    }

    /// Whether `now` may be a look into the middle of a rename or deletion, which some file systems begin with the time of
    /// change and end with the link count. Then another look soon tells more.
    pub(crate) fn is_unsure(&self, now: &Self) -> bool {
        self.is_unwritten(now) && self.changed != now.changed && now.links == self.links
    }

    /// What later stamps are compared with, after `now` was found to be of the same bytes: a smaller link count excuses one
    /// change and not the next. Other file systems begin with the count, so it isn't used up before the time has changed.
    pub(crate) fn renewed(&self, now: &Self) -> Self {
        if self.changed == now.changed { *self } else { *now }
    }

    /// Whether file, size and time of modification are the same. A write sets the latter.
    fn is_unwritten(&self, now: &Self) -> bool {
        (self.device, self.inode) == (now.device, now.inode)
            && (self.size, self.modified) == (now.size, now.modified)
    }
}

/// Seconds and nanoseconds since 1970; the earliest time of that year for any before.
fn since_epoch(time: SystemTime) -> (i64, i64) {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_nanos()))
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
    fn a_rename_is_known_whether_its_time_or_its_link_count_is_seen_first() {
        let after = Stamp { changed: (9, 0), links: 0, ..STAMP };
        let time_first = Stamp { links: 1, ..after };
        assert!(!STAMP.same_bytes(&time_first) && STAMP.is_unsure(&time_first));
        assert!(STAMP.same_bytes(&after) && !STAMP.is_unsure(&after));
        let count_first = Stamp { changed: STAMP.changed, ..after };
        assert!(STAMP.same_bytes(&count_first));
        assert!(STAMP.renewed(&count_first).same_bytes(&after));
        let next = Stamp { changed: (10, 0), ..after };
        assert!(!STAMP.renewed(&after).same_bytes(&next), "one link lost is one change");
        let written = Stamp { modified: (9, 0), ..time_first };
        assert!(!STAMP.is_unsure(&written), "no second look at what was written to");
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

    #[test]
    fn a_stamp_is_fresh_for_a_step_and_while_its_time_is_yet_to_come() {
        let stamp = Stamp { modified: (100, 0), changed: (100, 0), ..STAMP };
        let at = |millis| UNIX_EPOCH + Duration::from_millis(millis);
        assert!(stamp.is_fresh(at(99_000)));
        assert!(stamp.is_fresh(at(100_000)));
        assert!(stamp.is_fresh(at(100_019)));
        assert!(!stamp.is_fresh(at(100_020)));
        assert!(!stamp.is_fresh(at(100_000_000)));
    }
}
