//! Remembers stems: the words of a source tree repeat so much that a small table answers nearly all of them.

use super::stem;

/// A power of two. Each slot takes 32 bytes.
const SLOTS: usize = 1 << 12;

/// A word of up to 15 bytes, then zeros, its length in the last byte.
type Short = [u8; 16];

/// A table of words and their stems in which each word has one possible slot, and the last word there wins. What it
/// holds changes how fast an answer comes, never the answer.
#[derive(Debug, Default)]
pub(super) struct StemCache {
    /// Empty until the first word.
    slots: Vec<(Short, Short)>,
}

impl StemCache {
    /// Replaces a folded word by its stem, as [`stem::reduce`] does.
    pub(super) fn reduce(&mut self, word: &mut String) {
        if self.slots.is_empty() {
            // Zeros straight from the allocator: a question has an analyzer of its own.
            self.slots = vec![Default::default(); SLOTS];
        }
        let key = shorten(word);
        let slot = key.and_then(|key| self.slots.get_mut(slot_of(key)));
        let (Some(key), Some(slot)) = (key, slot) else {
            stem::reduce(word);
            return;
        };
        if slot.0 == key {
            word.clear();
            word.push_str(lengthen(&slot.1));
        } else {
            stem::reduce(word);
            if let Some(stem) = shorten(word) {
                *slot = (key, stem);
            }
        }
    }
}

/// Packs a word, if it is short enough.
fn shorten(word: &str) -> Option<Short> {
    let mut short = Short::default();
    let (length, letters) = short.split_last_mut()?;
    letters.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
    *length = u8::try_from(word.len()).ok()?;
    Some(short)
}

/// Unpacks a word.
fn lengthen(short: &Short) -> &str {
    let word = short.split_last().and_then(|(&length, letters)| letters.get(..usize::from(length)));
    word.and_then(|word| str::from_utf8(word).ok()).unwrap_or_default()
}

/// The slot of a word: the upper bits of its halves multiplied by odd constants.
fn slot_of(key: Short) -> usize {
    let key = u128::from_le_bytes(key);
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - SLOTS.trailing_zeros())) as usize
}
