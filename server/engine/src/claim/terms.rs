//! The terms of a claim: what has to be found.

use std::collections::HashMap;

use openmind_pack_format::analyzer::{Analyzer, fold, is_stop_word, words};

/// Words that turn a claim around. The rule can't see what they do, so it doesn't count them either.
const NEGATORS: [&str; 9] = ["cannot", "neither", "never", "no", "none", "nor", "not", "nothing", "without"];

/// A word of the claim.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClaimTerm {
    /// As the claim spells it.
    pub(super) surface: String,
    /// The term that an entry holds it by: an undivided identifier, else the stem.
    pub(super) key: String,
}

/// The distinct terms of a claim, in its order.
#[derive(Debug, Default)]
pub(super) struct Terms {
    terms: Vec<ClaimTerm>,
    by_key: HashMap<String, usize>,
}

impl Terms {
    pub(super) fn of(claim: &str) -> Self {
        let mut terms = Self::default();
        let mut analyzer = Analyzer::default();
        for word in words(claim).filter(|word| !is_function_word(word.text)) {
            let mut cut = Vec::new();
            analyzer.analyze(word.text, |token| cut.push((token.term.to_owned(), token.whole)));
            match cut.as_mut_slice() {
                // Of an identifier only the whole counts: its parts say less than its name.
                [(key, true), ..] | [(key, false)] => terms.add(word.text, std::mem::take(key)),
                // A run of a script without spaces: each pair of characters stands for a word.
                pairs => {
                    pairs.iter_mut().for_each(|(pair, _)| terms.add(&pair.clone(), std::mem::take(pair)))
                }
            }
        }
        terms
    }

    fn add(&mut self, surface: &str, key: String) {
        if !self.by_key.contains_key(&key) {
            self.by_key.insert(key.clone(), self.terms.len());
            self.terms.push(ClaimTerm { surface: surface.to_owned(), key });
        }
    }

    pub(super) fn all(&self) -> &[ClaimTerm] {
        &self.terms
    }

    /// The number of a term that the claim spells so, but for case.
    pub(super) fn spelled(&self, name: &str) -> Option<usize> {
        let name = fold(name);
        self.terms.iter().position(|term| fold(&term.surface) == name)
    }

    /// The number of the term with this key.
    pub(super) fn number(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }
}

/// Whether a word is there for the grammar.
pub(super) fn is_function_word(word: &str) -> bool {
    let folded = fold(word);
    is_stop_word(&folded)
        || NEGATORS.binary_search(&folded.as_ref()).is_ok()
        || folded.ends_with("n't")
        || folded.ends_with("n\u{2019}t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surfaces(claim: &str) -> Vec<String> {
        Terms::of(claim).terms.into_iter().map(|term| term.surface).collect()
    }

    #[test]
    fn negators_are_sorted() {
        assert!(NEGATORS.is_sorted());
    }

    #[test]
    fn stop_words_and_negators_are_no_terms() {
        assert_eq!(surfaces("The valve does not open, and it never will."), ["valve", "open"]);
        assert_eq!(surfaces("It doesn't open. It isn\u{2019}t shut."), ["open", "shut"]);
        assert!(surfaces("the and of to").is_empty());
    }

    #[test]
    fn what_bounds_a_statement_is_a_term() {
        assert_eq!(surfaces("Always before any order"), ["Always", "before", "any", "order"]);
    }

    #[test]
    fn forms_of_one_word_count_once_as_first_spelled() {
        assert_eq!(surfaces("Valves open the valve that a valve opened."), ["Valves", "open"]);
    }

    #[test]
    fn an_identifier_is_one_term() {
        let terms = Terms::of("ValveBank and valve_bank hold bank valves");
        let keys: Vec<&str> = terms.all().iter().map(|term| term.key.as_str()).collect();
        assert_eq!(keys, ["valvebank", "valve_bank", "hold", "bank", "valv"]);
        assert_eq!(terms.number("bank"), Some(3));
        assert_eq!(terms.number("shut"), None);
    }

    #[test]
    fn a_run_without_spaces_gives_its_pairs() {
        assert_eq!(surfaces("東京都 Tower"), ["東京", "京都", "Tower"]);
    }
}
