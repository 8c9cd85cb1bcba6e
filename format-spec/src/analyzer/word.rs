//! Words: the maximal runs of a text that the analyzer takes apart.

use super::class::{Class, class_at};

/// A word as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word, without a possessive `'s` or another clitic.
    pub text: &'a str,
    /// Where it starts in the text, in bytes.
    pub start: usize,
}

impl Word<'_> {
    /// Where it ends in the text, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The words of a text in order, as [`Analyzer::analyze`](super::Analyzer::analyze) sees them, spelled as they are
/// in the text (which needn't be in NFC: the limits are the same in all canonical forms).
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    Spans::new(text).map(|span| Word { text: span.text, start: span.start })
}

/// A word with what the scan has learnt about it.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) seen: Seen,
}

/// The set of classes met in a word, one bit each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen(u16);

impl Seen {
    const NONE: Self = Self(0);
    const ALPHANUMERIC: Self = Self(
        1 << Class::Upper as u16
            | 1 << Class::Lower as u16
            | 1 << Class::Letter as u16
            | 1 << Class::Digit as u16,
    );

    /// The set of one class.
    pub(super) fn only(class: Class) -> Self {
        Self(1 << class as u16)
    }

    fn add(&mut self, class: Class) {
        self.0 |= Self::only(class).0;
    }

    /// Whether the word is of one class that never divides.
    pub(super) fn is_uniform(self) -> bool {
        self.0.is_power_of_two() && self.meets(Self::ALPHANUMERIC)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Scans a text for words.
pub(super) struct Spans<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Spans<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn class(&self) -> Option<(Class, usize)> {
        class_at(self.text, self.at)
    }

    /// Takes the rest of a run of one of the four scripts.
    fn finish_cjk(&mut self) {
        while let Some((Class::Cjk | Class::Mark | Class::Ignorable, len)) = self.class() {
            self.at += len;
        }
    }

    /// Takes the rest of any other word; returns its classes and its end, which lies before a clitic.
    fn finish_word(&mut self) -> (Seen, usize) {
        let mut seen = Seen::NONE;
        let mut last = Class::Other;
        while let Some((class, len)) = self.class() {
            match class {
                Class::Cjk => break,
                Class::Other if matches!(last, Class::Other | Class::Connector) => break,
                Class::Other => match clitic(self.text, self.at) {
                    Some(Clitic::Joined(len)) => {
                        seen.add(Class::Other);
                        self.at += len;
                    }
                    Some(Clitic::Dropped(len)) => {
                        let end = self.at;
                        self.at += len;
                        return (seen, end);
                    }
                    None => break,
                },
                class => {
                    seen.add(class);
                    last = class;
                    self.at += len;
                }
            }
        }
        (seen, self.at)
    }
}

impl<'a> Iterator for Spans<'a> {
    type Item = Span<'a>;

    fn next(&mut self) -> Option<Span<'a>> {
        loop {
            let (class, len) = self.class()?;
            if !class.starts_word() {
                self.at += len;
                continue;
            }
            let start = self.at;
            let (seen, end) = if class == Class::Cjk {
                self.finish_cjk();
                (Seen::only(Class::Cjk), self.at)
            } else {
                self.finish_word()
            };
            // A run of connectors alone (a ruled line, jQuery's `$`) is no word.
            if class == Class::Cjk || seen.meets(Seen::ALPHANUMERIC) {
                return Some(Span { text: self.text.get(start..end)?, start, seen });
            }
        }
    }
}

/// What an apostrophe and the letters after it are to the word before them. Lengths are in bytes.
enum Clitic {
    /// `n't`, which negates and stays a part of its word.
    Joined(usize),
    /// `'s 'd 'm 'll 're 've`: belongs to no word.
    Dropped(usize),
}

/// The clitic that starts at `at` in `text`, if any. Other apostrophes are quotes (`b'key'`) or divide words (`l'eau`).
fn clitic(text: &str, at: usize) -> Option<Clitic> {
    let (before, rest) = text.split_at_checked(at)?;
    let apostrophe = if rest.starts_with('\'') {
        1
    } else if rest.starts_with('\u{2019}') {
        '\u{2019}'.len_utf8()
    } else {
        return None;
    };
    let mut letters = rest.bytes().skip(apostrophe).map(|byte| byte.to_ascii_lowercase());
    let first = letters.next()?;
    let (joined, len) = match (first, letters.next()) {
        (b'l', Some(b'l')) | (b'r' | b'v', Some(b'e')) => (false, apostrophe + 2),
        (b's' | b'd' | b'm', _) => (false, apostrophe + 1),
        (b't', _) if before.ends_with(['n', 'N']) => (true, apostrophe + 1),
        _ => return None,
    };
    match class_at(text, at + len) {
        None | Some((Class::Other, _)) if joined => Some(Clitic::Joined(len)),
        None | Some((Class::Other, _)) => Some(Clitic::Dropped(len)),
        _ => None,
    }
}
