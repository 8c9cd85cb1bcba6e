//! What the program got wrong, kept until the directory is through: one run should show all of it.

/// How many are printed for a directory; the rest is counted.
const SHOWN: usize = 20;

/// Bytes shown on either side of the first difference.
const WINDOW: usize = 160;

#[derive(Default)]
pub(crate) struct Disagreements {
    /// Whom they are about, where that isn't said with each.
    about: String,
    shown: Vec<String>,
    count: usize,
}

impl Disagreements {
    /// None yet, about a directory.
    pub(crate) fn named(directory: &str) -> Self {
        Self { about: format!("{directory}: "), ..Self::default() }
    }

    pub(crate) fn add(&mut self, text: String) {
        self.count += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("{}{text}", self.about));
        }
    }

    /// Compares two texts byte for byte.
    pub(crate) fn compare(&mut self, asked: &str, expected: &str, got: &str) {
        if expected != got {
            let at = expected.bytes().zip(got.bytes()).take_while(|(a, b)| a == b).count();
            self.add(format!(
                "{asked}\n    differs at byte {at}\n    expected {}\n    got      {}",
                around(expected, at),
                around(got, at)
            ));
        }
    }

    /// Adds what `text` says unless the condition holds.
    pub(crate) fn check(&mut self, holds: bool, text: impl FnOnce() -> String) {
        if !holds {
            self.add(text());
        }
    }

    /// Appends another's.
    pub(crate) fn extend(&mut self, other: Self) {
        self.count += other.count;
        self.shown.extend(other.shown);
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Fails with everything that was found.
    #[track_caller]
    pub(crate) fn assert_none(&self) {
        let listed = self.shown.join("\n  ");
        assert!(self.count == 0, "{} disagreements, {} shown:\n  {listed}", self.count, self.shown.len());
    }
}

/// The part of a text around a byte, at character boundaries.
fn around(text: &str, at: usize) -> String {
    let start = text.floor_char_boundary(at.saturating_sub(WINDOW));
    let end = text.ceil_char_boundary((at + WINDOW).min(text.len()));
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{before}{}{after}", &text[start..end])
}
