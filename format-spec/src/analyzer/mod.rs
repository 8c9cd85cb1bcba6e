//! Text analysis: from a text to the terms under which it is found.
//!
//! It is part of the format. A bundle's terms were cut by this function when it was built, and a question is cut
//! by the same function when it is asked; both meet only because nothing here depends on the platform, the locale
//! or the compiler's Unicode tables. A change to any output, however small, is a new [`ANALYZER_ID`].
//!
//! The text is put into NFC and scanned for [words](words()). A word is divided into [parts](parts()), each part is
//! [folded](fold()) and [stemmed](stem()), and a word that isn't a single part is kept whole as well, folded only:
//!
//! | text | whole | parts |
//! |---|---|---|
//! | `retries` | | `retri` |
//! | `HTTPServer` | `httpserver` | `http` `server` |
//! | `__init__` | `__init__` | `init` |
//! | `sha256` | `sha256` | `sha` `256` |
//! | `東京都` | | `東京` `京都` |

mod blank;
mod class;
mod fold;
mod part;
mod snowball;
mod stem;
mod stem_cache;
mod stem_tables;
mod stop;
#[cfg(test)]
mod tests;
mod word;

pub use blank::{is_blank, trim_blanks};
pub use fold::fold;
pub use part::parts;
pub use stem::stem;
pub use stop::is_stop_word;
pub use word::{Word, words};

use class::{Class, class_of};
use part::Parts;
use stem_cache::StemCache;
use word::{Seen, Span, Spans};

/// Names the behaviour of this module in a bundle's header. A reader without the same analyzer can look names up
/// but can't search.
pub const ANALYZER_ID: u32 = 1;

/// The longest term, in bytes. What would be longer is cut before the character that passes the limit.
pub const MAX_TERM_BYTES: usize = 255;

/// A term at its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The term: in NFC, folded, 1 to [`MAX_TERM_BYTES`] bytes.
    pub term: &'a str,
    /// How many part tokens (those that aren't `whole`) come before this one. A whole word so has the position of
    /// its first part.
    pub position: u32,
    /// Whether this is an undivided identifier, unstemmed, which comes just before its parts.
    pub whole: bool,
}

/// Cuts texts into terms. It holds nothing but buffers and stems that it needn't work out again: one value serves any
/// number of texts, the faster the more, and every value gives the same terms.
#[derive(Debug, Default)]
pub struct Analyzer {
    /// A word or part without ignorable characters, before folding.
    clean: String,
    /// The term being made.
    term: String,
    stems: StemCache,
}

impl Analyzer {
    /// Emits the tokens of a text in order, in linear time. ASCII text is cut without allocating.
    pub fn analyze(&mut self, text: &str, mut emit: impl FnMut(Token<'_>)) {
        let text = fold::compose(text);
        let mut position = 0;
        for word in Spans::new(&text) {
            position = if word.seen == Seen::only(Class::Cjk) {
                self.bigrams(word, position, &mut emit)
            } else {
                self.identifier(word, position, &mut emit)
            };
        }
    }

    /// Emits a word of a script with spaces: whole unless it is a single part, then its parts. Returns the next
    /// position.
    fn identifier(&mut self, word: Span<'_>, mut position: u32, emit: &mut impl FnMut(Token<'_>)) -> u32 {
        if word.seen.is_uniform() {
            self.spell(word.text);
            return self.part(position, emit);
        }
        let mut parts = Parts::new(word.text);
        let Some(first) = parts.next() else { return position };
        let single = first.len() == word.text.len();
        if !single {
            self.spell(word.text);
            cut(&mut self.term);
            emit(Token { term: &self.term, position, whole: true });
        }
        for part in std::iter::once(first).chain(parts) {
            self.spell(part);
            if single || self.term.chars().nth(1).is_some() {
                position = self.part(position, emit);
            }
        }
        position
    }

    /// Emits the part that is spelled in the term. Returns the next position.
    fn part(&mut self, position: u32, emit: &mut impl FnMut(Token<'_>)) -> u32 {
        cut(&mut self.term);
        self.stems.reduce(&mut self.term);
        emit(Token { term: &self.term, position, whole: false });
        position.saturating_add(1)
    }

    /// Emits each two neighbouring characters of a run without spaces, or its only one. Returns the next position.
    fn bigrams(&mut self, word: Span<'_>, mut position: u32, emit: &mut impl FnMut(Token<'_>)) -> u32 {
        self.spell(word.text);
        let starts = self.term.char_indices().map(|(start, _)| start);
        let ends = self.term.char_indices().map(|(start, c)| start + c.len_utf8());
        let only = self.term.chars().nth(1).is_none();
        for (start, end) in starts.zip(ends.skip(usize::from(!only))) {
            emit(Token { term: self.term.get(start..end).unwrap_or_default(), position, whole: false });
            position = position.saturating_add(1);
        }
        position
    }

    /// Sets the term to the folded spelling of a piece of NFC text.
    fn spell(&mut self, surface: &str) {
        self.term.clear();
        if surface.is_ascii() {
            self.term.push_str(surface);
            self.term.make_ascii_lowercase();
        } else {
            self.clean.clear();
            let kept = surface.chars().filter(|&c| class_of(c) != Class::Ignorable);
            self.clean.extend(kept.map(|c| if c == '\u{2019}' { '\'' } else { c }));
            self.term.push_str(&fold(&self.clean));
        }
    }
}

/// Cuts a term to [`MAX_TERM_BYTES`], before the character that passes the limit.
fn cut(term: &mut String) {
    if term.len() > MAX_TERM_BYTES {
        let end = (0..=MAX_TERM_BYTES).rev().find(|&at| term.is_char_boundary(at));
        term.truncate(end.unwrap_or_default());
    }
}
