//! Ranking, on small bundles in which every term has the same impact.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use openmind_pack_format::{Bundle, Confidence, ReadError};
use proptest::prelude::*;

use super::search;
use crate::testing::TestBundle;

/// Names of the hits, best first, with their paths for symbols.
fn hits(bundle: &Bundle, query: &str, limit: usize) -> Vec<String> {
    let found = search(bundle, query, limit).unwrap();
    assert!(found.len() <= limit);
    let first_symbol = bundle.first_symbol().unwrap();
    found
        .into_iter()
        .map(|hit| {
            let name = bundle.document(hit.document).unwrap().name().unwrap();
            match hit.document.checked_sub(first_symbol) {
                Some(symbol) => format!("{name} {}", bundle.symbol_evidence(symbol).unwrap().file),
                None => name.to_owned(),
            }
        })
        .collect()
}

fn library() -> Bundle {
    TestBundle::default()
        .term(
            "Loan",
            "A copy that a reader has taken home.",
            Confidence::High,
            &[("docs/a.md", 1, "Loan: a copy")],
        )
        .component(
            "src/loans",
            "Everything about loans.",
            Confidence::Medium,
            &["Defines Loan"],
            &[("src/loans/b.py", 1, "class Loan:")],
        )
        .flow(
            "Return a loan",
            "From desk to shelf.",
            Confidence::Low,
            &[("src/loans/b.py", 3, "def give_back():")],
        )
        .file("src/loans/b.py", &[("Loan", "class Loan:", 1), ("give_back", "def give_back(loan):", 3)])
        .file(
            "src/loans/c.py",
            &[
                ("LOAN", "LOAN = 1", 2),
                ("loanExtensionLimit", "def loanExtensionLimit():", 5),
                ("extend", "def extend(loan, limit):", 9),
            ],
        )
        .file("src/shelf.py", &[("shelve", "def shelve(book):", 1), ("?", "def ?():", 7)])
        .open()
}

#[test]
fn an_exact_name_comes_before_one_of_other_case_and_both_before_the_rest() {
    let found = hits(&library(), "Loan", 10);
    assert_eq!(found[..3], ["Loan", "Loan src/loans/b.py", "LOAN src/loans/c.py"]);
    assert!(found.contains(&"src/loans".into()) && found.contains(&"Return a loan".into()), "{found:?}");
    let found = hits(&library(), "LOAN", 10);
    assert_eq!(found[..3], ["LOAN src/loans/c.py", "Loan", "Loan src/loans/b.py"]);
}

#[test]
fn a_name_that_holds_the_words_in_order_comes_before_other_documents_with_all_words() {
    let found = hits(&library(), "extension limit", 3);
    assert_eq!(found[0], "loanExtensionLimit src/loans/c.py");
    // Both hold "loan" and "limit"; only one holds them side by side, and neither begins with them.
    let found = hits(&library(), "limit extend", 2);
    assert_eq!(found[0], "extend src/loans/c.py");
}

#[test]
fn more_distinct_words_beat_a_rarer_word() {
    let bundle = TestBundle::default()
        .file(
            "a.py",
            &[("rare", "", 1), ("common_thing", "", 2), ("common_other", "", 3), ("common_place", "", 4)],
        )
        .open();
    let found = hits(&bundle, "common thing rare", 4);
    assert_eq!(found[..2], ["common_thing a.py", "rare a.py"]);
}

#[test]
fn inflected_and_divided_words_find_each_other() {
    assert!(hits(&library(), "shelving books", 5).contains(&"shelve src/shelf.py".into()));
    assert_eq!(hits(&library(), "loan_extension_limit", 1), ["loanExtensionLimit src/loans/c.py"]);
}

#[test]
fn a_name_is_found_by_its_letters_in_lower_case() {
    assert_eq!(hits(&library(), "loanextensionlimit", 1), ["loanExtensionLimit src/loans/c.py"]);
    assert_eq!(hits(&library(), "the loanextensionlimit constant", 1), ["loanExtensionLimit src/loans/c.py"]);
}

#[test]
fn a_beginning_counts_only_where_the_word_itself_is_nowhere() {
    assert_eq!(hits(&library(), "exten", 1), ["extend src/loans/c.py"]);
    assert!(hits(&library(), "ex", 5).is_empty(), "two characters say too little");
    // By path, by a step's description, by name.
    let mut found = hits(&library(), "shel", 5);
    found.sort();
    assert_eq!(found, ["? src/shelf.py", "Return a loan", "shelve src/shelf.py"]);
}

#[test]
fn stop_words_are_left_out_unless_there_is_nothing_else() {
    assert_eq!(hits(&library(), "what is the shelve of", 5), hits(&library(), "shelve", 5));
    assert!(hits(&library(), "that has", 5).contains(&"Loan".into()));
}

#[test]
fn a_name_of_punctuation_is_found_by_itself() {
    assert_eq!(hits(&library(), "?", 5), ["? src/shelf.py"]);
    assert!(hits(&library(), "!", 5).is_empty());
    assert!(hits(&library(), "   ", 5).is_empty());
}

#[test]
fn repeated_words_count_once() {
    let sorted = |query: &str| {
        let mut found = search(&library(), query, 10).unwrap();
        found.sort_by_key(|hit| hit.document);
        found
    };
    assert_eq!(sorted(&"loan ".repeat(800)), sorted("loan"));
}

#[test]
fn thousands_of_rows_that_share_one_long_name_are_not_all_taken_apart() {
    // Each holds both words, so each has to be looked at for whether they stand side by side; which they never do.
    let name = format!("red {} blue", format!("{} ", "x".repeat(99)).repeat(80));
    let symbols: Vec<(&str, &str, u32)> = (1..=2_500).map(|line| (name.as_str(), "", line)).collect();
    let bundle = TestBundle::default().file("a.py", &symbols).open();
    match search(&bundle, "red blue", 5) {
        Err(ReadError::TooMuchWork { limit }) => assert!(limit < 2_500 * name.len() as u64, "{limit}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(search(&bundle, "red", 5).unwrap().len(), 5, "these are told apart without their names");
}

/// A bundle of symbols, one a line, over a few words.
fn words() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec!["red", "green", "blue", "door", "lamp", "Red", "DOOR"]);
    let name = prop::collection::vec(word, 1..4).prop_map(|words| words.join("_"));
    prop::collection::vec(name, 1..60)
}

proptest! {
    #[test]
    fn a_lower_limit_gives_the_beginning_of_the_same_list(names in words(), query in "(red|green|blue|door|lamp)( (red|blue|Door))?") {
        let symbols: Vec<(&str, &str, u32)> =
            names.iter().zip(1..).map(|(name, line)| (name.as_str(), "", line)).collect();
        let bundle = TestBundle::default().file("a.py", &symbols).open();
        let all = search(&bundle, &query, 60).unwrap();
        for limit in [1, 2, 5, 17] {
            prop_assert_eq!(&search(&bundle, &query, limit).unwrap(), &all[..limit.min(all.len())]);
        }
    }

    #[test]
    fn the_order_is_the_one_of_the_order_key(names in words(), query in "(red|green|blue|door|lamp)( (red|blue|lamp))?") {
        let symbols: Vec<(&str, &str, u32)> =
            names.iter().zip(1..).map(|(name, line)| (name.as_str(), "", line)).collect();
        let bundle = TestBundle::default().file("a.py", &symbols).open();
        let mut wanted: Vec<&str> = query.split(' ').collect();
        let sequence = wanted.clone();
        wanted.sort_unstable();
        wanted.dedup();
        // The key without the score, which all documents with the same terms share.
        let mut keys: Vec<_> = Vec::new();
        for (name, line) in names.iter().zip(1_usize..) {
            let lower = name.to_ascii_lowercase();
            let parts: Vec<&str> = lower.split('_').collect();
            let held: Vec<&str> = wanted.iter().copied().filter(|word| parts.contains(word)).collect();
            if held.is_empty() && lower != query {
                continue;
            }
            let within = held.len() == wanted.len()
                && (lower.starts_with(&query) || parts.windows(sequence.len()).any(|window| window == sequence));
            let tier = if *name == query { 3 } else if lower == query { 2 } else { u32::from(within) };
            keys.push((std::cmp::Reverse((tier, held.len())), held, name.clone(), line));
        }
        let found = search(&bundle, &query, 60).unwrap();
        prop_assert_eq!(found.len(), keys.len());
        for pair in found.windows(2) {
            let key = |document: u32| keys.iter().find(|key| key.3 == document as usize + 1).unwrap();
            let (a, b) = (key(pair[0].document), key(pair[1].document));
            prop_assert!(a.0 <= b.0, "{:?} before {:?}", a, b);
            if a.0 == b.0 {
                prop_assert!(pair[0].score >= pair[1].score);
                if a.1 == b.1 {
                    prop_assert_eq!(pair[0].score, pair[1].score);
                }
                if pair[0].score == pair[1].score {
                    prop_assert!((&a.2, a.3) < (&b.2, b.3), "{:?} before {:?}", a, b);
                }
            }
        }
    }
}
