//! English stems: Snowball, with tables before and after it.

use std::borrow::Cow;

use super::MAX_TERM_BYTES;
use super::snowball;
use super::stem_tables::{FIXED, IRREGULAR, MERGED, lookup};

/// The stem under which the forms of an English word meet: `stores`, `stored` and `storage` are `store`.
///
/// The word is folded; any but ASCII letters and apostrophes, or one longer than a term may be, is its own stem.
/// A stem is a key, not a word, and isn't always a fixed point: stem words, not stems.
///
/// ```
/// use openmind_pack_format::analyzer::stem;
///
/// assert_eq!(stem("retries"), stem("retried"));
/// assert_eq!(stem("written"), stem("writes"));
/// assert_ne!(stem("author"), stem("authorization"));
/// ```
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() > MAX_TERM_BYTES {
        return Cow::Borrowed(word);
    }
    let mut stem = word.to_owned();
    reduce(&mut stem);
    if stem == word { Cow::Borrowed(word) } else { Cow::Owned(stem) }
}

/// Replaces a folded word by its stem.
pub(super) fn reduce(word: &mut String) {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'\'') {
        return;
    }
    if let Some(stem) = lookup(&FIXED, word) {
        set(word, stem);
        return;
    }
    if let Some(base) = lookup(&IRREGULAR, word) {
        set(word, base);
    }
    snowball::reduce(word);
    if let Some(stem) = lookup(&MERGED, word) {
        set(word, stem);
    }
}

fn set(word: &mut String, to: &str) {
    word.clear();
    word.push_str(to);
}
