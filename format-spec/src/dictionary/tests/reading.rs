//! What is read back: against a sorted set.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::{Random, open, shard_of};
use crate::dictionary::{Shard, StepBudget, WalkEnd};

const PLENTY: u64 = 1 << 40;

fn collect(
    walk: impl FnOnce(&mut StepBudget, &mut dyn FnMut(&[u8], u32) -> ControlFlow<()>) -> WalkEnd,
) -> Vec<(Vec<u8>, u32)> {
    let mut found = Vec::new();
    let end = walk(&mut StepBudget::new(PLENTY), &mut |key, rank| {
        found.push((key.to_vec(), rank));
        ControlFlow::Continue(())
    });
    assert_eq!(end, WalkEnd::Complete);
    found
}

fn from(shard: &Shard<'_>, key: &[u8]) -> Vec<(Vec<u8>, u32)> {
    collect(|steps, visit| shard.visit_from(key, steps, visit))
}

fn with_prefix(shard: &Shard<'_>, prefix: &[u8]) -> Vec<(Vec<u8>, u32)> {
    collect(|steps, visit| shard.visit_prefix(prefix, steps, visit))
}

/// Short keys over few bytes share most of their paths; 0 and 255 are the ends of the alphabet.
fn key() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![vec(prop::sample::select(vec![0, b'a', b'b', 255]), 0..7), vec(any::<u8>(), 0..3)]
}

proptest! {
    #[test]
    fn a_shard_reads_as_the_sorted_set_it_was_built_from(keys in btree_set(key(), 1..80), probes in vec(key(), 20)) {
        let keys: Vec<Vec<u8>> = keys.into_iter().collect();
        let built = shard_of(&keys);
        let shard = open(&built).unwrap();
        let all: Vec<(Vec<u8>, u32)> = keys.iter().cloned().zip(0..).collect();
        prop_assert_eq!(shard.key_count() as usize, keys.len());
        let mut key = Vec::new();
        for (expected, rank) in &all {
            prop_assert_eq!(shard.get(expected), Some(*rank));
            prop_assert!(shard.key(*rank, &mut key));
            prop_assert_eq!(&key, expected);
        }
        prop_assert!(!shard.key(shard.key_count(), &mut key) && key.is_empty());
        for probe in &probes {
            let rank = keys.binary_search(probe).ok().map(|rank| rank as u32);
            prop_assert_eq!(shard.get(probe), rank);
            let expected: Vec<_> = all.iter().filter(|(key, _)| key >= probe).cloned().collect();
            prop_assert_eq!(from(&shard, probe), expected);
            let expected: Vec<_> = all.iter().filter(|(key, _)| key.starts_with(probe)).cloned().collect();
            let ranks = shard.prefix_ranks(probe);
            prop_assert_eq!(ranks.clone().collect::<Vec<_>>(), expected.iter().map(|(_, rank)| *rank).collect::<Vec<_>>());
            prop_assert_eq!(with_prefix(&shard, probe), expected);
        }
    }
}

#[test]
fn names_of_a_full_shard_are_all_found() {
    let mut random = Random(5);
    let names: BTreeSet<String> = (0..1200).map(|_| random.name()).collect();
    let names: Vec<String> = names.into_iter().collect();
    let built = shard_of(&names);
    let shard = open(&built).unwrap();
    let expected: Vec<_> = names.iter().map(|name| name.as_bytes().to_vec()).zip(0..).collect();
    assert_eq!(from(&shard, b""), expected);
    for (name, rank) in expected {
        assert_eq!(shard.get(&name), Some(rank));
    }
    assert_eq!(shard.prefix_ranks("Résumé".as_bytes()), 0..0);
}

#[test]
fn a_spent_budget_leaves_a_beginning_and_says_so() {
    let built = shard_of(&["a", "ab", "b", "cd"]);
    let shard = open(&built).unwrap();
    let visit = |steps: u64| {
        let mut budget = StepBudget::new(steps);
        let mut found = Vec::new();
        let end = shard.visit_from(b"", &mut budget, |key, _| {
            found.push(String::from_utf8_lossy(key).into_owned());
            ControlFlow::Continue(())
        });
        (end, found.join(" "), budget.left())
    };
    // Transitions in order: a, ab, b, c, cd.
    assert_eq!(visit(0), (WalkEnd::OutOfSteps, String::new(), 0));
    assert_eq!(visit(1), (WalkEnd::OutOfSteps, "a".into(), 0));
    assert_eq!(visit(4), (WalkEnd::OutOfSteps, "a ab b".into(), 0));
    assert_eq!(visit(5), (WalkEnd::Complete, "a ab b cd".into(), 0));
    assert_eq!(visit(9), (WalkEnd::Complete, "a ab b cd".into(), 4));
}

#[test]
fn a_visitor_can_break_off_at_any_key() {
    let built = shard_of(&["", "a", "b"]);
    let shard = open(&built).unwrap();
    for stop in 0..3 {
        let mut seen = 0;
        let end = shard.visit_from(b"", &mut StepBudget::new(PLENTY), |_, rank| {
            seen += 1;
            if rank == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((end, seen), (WalkEnd::Stopped, stop + 1));
    }
}

#[test]
fn a_prefix_without_keys_visits_none() {
    let built = shard_of(&["abc", "abd", "b"]);
    let shard = open(&built).unwrap();
    for prefix in ["abe", "abcd", "c", "ac"] {
        assert_eq!(with_prefix(&shard, prefix.as_bytes()), [], "{prefix}");
        assert!(shard.prefix_ranks(prefix.as_bytes()).is_empty(), "{prefix}");
    }
    assert_eq!(shard.prefix_ranks(b"ab"), 0..2);
    assert_eq!(shard.prefix_ranks(b""), 0..3);
}

#[test]
fn the_empty_key_alone_is_a_key_like_others() {
    let built = shard_of(&[""]);
    let shard = open(&built).unwrap();
    assert_eq!((shard.get(b""), shard.get(b"a")), (Some(0), None));
    assert_eq!(from(&shard, b""), [(vec![], 0)]);
    assert_eq!(from(&shard, b"a"), []);
    assert_eq!(shard.prefix_ranks(b""), 0..1);
}
