//! Parts: what the spelling of an identifier divides it into.

use super::class::{Class, class_at};
use super::word::words;

/// The parts of the words of a text, spelled as they are in it: `HTTPServer` has `HTTP` and `Server`, `sha256_sum` has
/// `sha`, `256` and `sum`. Parts of one character are among them, though
/// [`Analyzer::analyze`](super::Analyzer::analyze) makes no term of them.
pub fn parts(word: &str) -> impl Iterator<Item = &str> {
    words(word).flat_map(|word| Parts::new(word.text))
}

/// Divides one word.
///
/// A boundary lies at connectors (which belong to no part), between letters and digits, between a lowercase and an
/// uppercase letter, and before the last of several uppercase letters that a lowercase one follows. Marks and
/// joiners don't count: a character is followed by the next one that is neither.
pub(super) struct Parts<'a> {
    word: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(word: &'a str) -> Self {
        Self { word, at: 0 }
    }

    /// Where the next part starts, and the class of its first character; moves just past that character.
    fn start(&mut self) -> Option<(usize, Class)> {
        loop {
            let (class, len) = class_at(self.word, self.at)?;
            let start = self.at;
            self.at += len;
            if class.starts_word() && class != Class::Connector {
                return Some((start, class));
            }
        }
    }

    /// Whether the `s` at `at` makes a plural of the capitals before it, as in `URLs` and `getIDsFor`.
    fn is_plural(&self, at: usize) -> bool {
        self.word.as_bytes().get(at) == Some(&b's')
            && !class_at(self.word, at + 1)
                .is_some_and(|(class, _)| class == Class::Lower || class.is_transparent())
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (start, mut last) = self.start()?;
        let mut last_at = start;
        let mut capitals = usize::from(last == Class::Upper);
        while let Some((class, len)) = class_at(self.word, self.at) {
            match class {
                Class::Mark | Class::Ignorable => {
                    self.at += len;
                    continue;
                }
                // The apostrophe of `n't`: the `t` goes with it, whatever its case.
                Class::Other => {
                    self.at += len + 1;
                    continue;
                }
                Class::Connector => break,
                _ if (class == Class::Digit) != (last == Class::Digit) => break,
                Class::Upper if last == Class::Lower => break,
                Class::Lower if capitals > 1 && !self.is_plural(self.at) => {
                    self.at = last_at;
                    break;
                }
                _ => {}
            }
            capitals = if class == Class::Upper { capitals + 1 } else { 0 };
            (last, last_at) = (class, self.at);
            self.at += len;
        }
        self.word.get(start..self.at)
    }
}
