//! Near keys, against the textbook table.

use std::ops::ControlFlow;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::{open, shard_of};
use crate::dictionary::{MAX_NEAR_QUERY_BYTES, NearQuery, NearQueryError, StepBudget, WalkEnd};

fn near(keys: &[&str], word: &str, distance: u8) -> Vec<(String, u8)> {
    let built = shard_of(keys);
    let mut found = Vec::new();
    let query = NearQuery::new(word, distance).unwrap();
    let end = query.search(&open(&built).unwrap(), &mut StepBudget::new(1 << 30), |key, rank, distance| {
        assert_eq!(open(&built).unwrap().get(key.as_bytes()), Some(rank));
        found.push((key.to_owned(), distance));
        ControlFlow::Continue(())
    });
    assert_eq!(end, WalkEnd::Complete);
    found
}

#[test]
fn insertion_deletion_replacement_and_swap_cost_one_each() {
    let keys = ["bucket", "bucke", "buckets", "bicket", "ubcket", "rocket", "packet"];
    let found = near(&keys, "bucket", 1);
    let found: Vec<_> = found.iter().map(|(key, distance)| (&**key, *distance)).collect();
    assert_eq!(found, [("bicket", 1), ("bucke", 1), ("bucket", 0), ("buckets", 1), ("ubcket", 1)]);
}

#[test]
fn a_character_counts_once_whatever_its_bytes() {
    let found = near(&["naïve", "naive", "日本", "日木", "a日本🦀"], "日本🦀", 1);
    assert_eq!(found, [("a日本🦀".to_owned(), 1), ("日本".to_owned(), 1)]);
    assert_eq!(near(&["naive", "naïve"], "naïve", 1), [("naive".to_owned(), 1), ("naïve".to_owned(), 0)]);
}

/// All words of 12 bits: within one edit of a word there's a handful, and few paths lead towards them.
#[test]
fn what_lies_far_off_is_not_visited() {
    let words: Vec<String> = (0..1 << 12).map(|number| format!("{number:012b}")).collect();
    let built = shard_of(&words);
    let (mut steps, mut found) = (StepBudget::new(1000), 0);
    let end =
        NearQuery::new("000000000000", 1).unwrap().search(&open(&built).unwrap(), &mut steps, |_, _, _| {
            found += 1;
            ControlFlow::Continue(())
        });
    // The word itself, and one other bit in twelve places.
    assert_eq!((end, found), (WalkEnd::Complete, 13));
}

#[test]
fn keys_that_are_not_text_are_near_nothing() {
    let built = shard_of(&[&b"a"[..], b"\xff", b"\xc3"]);
    let mut found = Vec::new();
    let query = NearQuery::new("a", 2).unwrap();
    let end = query.search(&open(&built).unwrap(), &mut StepBudget::new(1 << 30), |key, rank, distance| {
        found.push((key.to_owned(), rank, distance));
        ControlFlow::Continue(())
    });
    assert_eq!((end, found), (WalkEnd::Complete, vec![("a".to_owned(), 0, 0)]));
}

#[test]
fn words_and_distances_over_their_limit_are_refused() {
    let most = MAX_NEAR_QUERY_BYTES;
    assert!(NearQuery::new(&"x".repeat(most), 2).is_ok());
    let error = NearQuery::new(&"x".repeat(most + 1), 2).err();
    assert_eq!(error, Some(NearQueryError::TooLong { found: most + 1, most }));
    assert_eq!(NearQuery::new("x", 3).err(), Some(NearQueryError::TooFar { found: 3, most: 2 }));
}

/// Optimal string alignment, row by row.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swapped = if swaps { table[i - 2][j - 2] + 1 } else { usize::MAX };
                    replaced.min(swapped).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                }
            };
        }
    }
    table[a.len()][b.len()]
}

fn word() -> impl Strategy<Value = String> {
    // Characters of one to four bytes, two of them with the same first byte.
    vec(prop::sample::select(vec!['a', 'b', 'é', 'ë', '木', '🦀']), 0..9).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn exactly_the_keys_within_the_distance_are_found(keys in btree_set(word(), 1..60), word in word(), most in 0..3_u8) {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let expected: Vec<(String, u8)> = keys
            .iter()
            .map(|key| (key.to_string(), u8::try_from(distance(key, &word)).unwrap()))
            .filter(|(_, distance)| *distance <= most)
            .collect();
        prop_assert_eq!(near(&keys, &word, most), expected);
    }
}
