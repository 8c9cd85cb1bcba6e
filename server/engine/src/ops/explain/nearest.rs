//! Component names near an unknown one.

use std::cmp::Reverse;

use openmind_pack_format::analyzer::{Analyzer, fold};
use openmind_pack_format::{Bundle, ComponentRow, ReadError};

/// Components compared, the first in the order of names. The generator records at most 50.
const MAX_COMPARED: u32 = 4096;
/// Characters compared of each name.
const MAX_CHARACTERS: usize = 64;

/// Up to `limit` distinct component names, nearest first: those with the most terms in common with `name`, among
/// equals those the fewest edits from it, and then in the order of their bytes.
///
/// Edits are characters to insert, delete or replace, without regard to case, in the whole name or in its last segment.
pub(super) fn nearest<'a>(bundle: &'a Bundle, name: &str, limit: usize) -> Result<Vec<&'a str>, ReadError> {
    let rows = bundle.rows::<ComponentRow>()?;
    let asked = Measured::of(name);
    let mut ranked = Vec::new();
    let mut previous = None;
    for row in 0..rows.len().min(MAX_COMPARED) {
        // Equal texts have equal ids, and rows are in the order of names.
        let id = rows.get(row)?.name;
        if previous.replace(id) == Some(id) {
            continue;
        }
        let name = bundle.string(id)?;
        let near = Measured::of(name);
        let last = characters(name.rsplit('/').next().unwrap_or(name));
        let edits = distance(&asked.characters, &near.characters).min(distance(&asked.characters, &last));
        ranked.push((Reverse(asked.shared(&near)), edits, name));
    }
    ranked.sort_unstable();
    Ok(ranked.into_iter().take(limit).map(|(_, _, name)| name).collect())
}

/// A name, ready to be compared.
struct Measured {
    /// Distinct parts, ascending.
    terms: Vec<String>,
    /// The beginning of the folded name.
    characters: Vec<char>,
}

impl Measured {
    fn of(name: &str) -> Self {
        let mut terms = Vec::new();
        Analyzer::default().analyze(name, |token| {
            if !token.whole {
                terms.push(token.term.to_owned());
            }
        });
        terms.sort_unstable();
        terms.dedup();
        Self { terms, characters: characters(name) }
    }

    fn shared(&self, other: &Self) -> usize {
        self.terms.iter().filter(|term| other.terms.binary_search(term).is_ok()).count()
    }
}

/// The beginning of a name, folded.
fn characters(name: &str) -> Vec<char> {
    fold(name).chars().take(MAX_CHARACTERS).collect()
}

/// Levenshtein distance, after Wagner and Fischer, a row at a time.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, from) in a.iter().enumerate() {
        let mut left = index + 1;
        let mut diagonal = index;
        for (cell, to) in row.iter_mut().skip(1).zip(b) {
            let replaced = diagonal + usize::from(from != to);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = index + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(a: &str, b: &str) -> usize {
        distance(&Measured::of(a).characters, &Measured::of(b).characters)
    }

    #[test]
    fn distances_by_hand() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("Routes", "ROUTES"), 0);
        assert_eq!(edits("ab", "ba"), 2);
    }

    #[test]
    fn names_are_compared_by_their_beginning() {
        let long = "a".repeat(10_000);
        assert_eq!(edits(&long, ""), MAX_CHARACTERS);
    }

    #[test]
    fn shared_terms_are_counted_once_and_by_stem() {
        let shared = |a: &str, b: &str| Measured::of(a).shared(&Measured::of(b));
        assert_eq!(shared("payment payments", "src/payments/PaymentGateway"), 1);
        assert_eq!(shared("payment gateway", "src/payments/PaymentGateway"), 2);
        assert_eq!(shared("x", "y"), 0);
    }
}
