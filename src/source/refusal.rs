//! A file that was looked at and not taken, and when it is worth another look.

use std::time::{Duration, Instant};

use openmind_pack_format::OpenError;

use crate::stamp::Stamp;

/// How long a refused file is left alone at first.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// How long at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// A refused state of a file.
///
/// It isn't refused for ever, even if the file's times stay: the system may have been short of something, and a large write
/// sets the times when it begins and goes on afterwards. So there is another look at a call after a pause, and each pause is
/// twice as long as the one before, that a large bad file isn't hashed over and over.
#[derive(Debug)]
pub(super) struct Refusal {
    stamp: Stamp,
    reason: String,
    pause: Duration,
    since: Instant,
}

impl Refusal {
    /// Refuses a file for `reason`; `former` is what was refused before it at the same place.
    pub(super) fn new(stamp: Stamp, reason: String, former: Option<&Self>) -> Self {
        let again = former.filter(|former| former.stamp == stamp);
        let pause = again.map_or(FIRST_PAUSE, |former| (former.pause * 2).min(LONGEST_PAUSE));
        Self { stamp, reason, pause, since: Instant::now() }
    }

    /// Whether a file with this stamp is to be left alone at `now`.
    pub(super) fn holds(&self, stamp: &Stamp, now: Instant) -> bool {
        self.stamp == *stamp && now.duration_since(self.since) < self.pause
    }

    /// Why, in words that name no path.
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}

/// Why a file can't be opened, in words that answers may hold: they are the same on every machine.
pub(super) fn reason(error: &OpenError) -> String {
    match error {
        OpenError::Io { source, .. } => format!("it cannot be read: {source}"),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_refused_file_is_left_alone_twice_as_long_each_time_and_a_changed_one_not_at_all() {
        let dir = tempfile::TempDir::new().expect("a directory");
        let stamp = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, name).expect("written");
            Stamp::of(&fs::metadata(path).expect("there"))
        };
        let (one, other) = (stamp("one"), stamp("other"));
        let mut refusal = Refusal::new(one, "why".into(), None);
        for millis in [100, 200, 400, 800] {
            let after = |millis| refusal.since + Duration::from_millis(millis);
            assert!(refusal.holds(&one, after(millis - 1)));
            assert!(!refusal.holds(&one, after(millis)));
            assert!(!refusal.holds(&other, after(0)));
            refusal = Refusal::new(one, "why".into(), Some(&refusal));
        }
        for _ in 0..20 {
            refusal = Refusal::new(one, "why".into(), Some(&refusal));
        }
        assert!(!refusal.holds(&one, refusal.since + Duration::from_secs(60)));
        let fresh = Refusal::new(other, "why".into(), Some(&refusal));
        assert!(!fresh.holds(&other, fresh.since + Duration::from_millis(100)));
    }
}
