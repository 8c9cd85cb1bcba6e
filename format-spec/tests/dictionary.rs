//! Dictionaries of several shards, against a sorted list of their keys.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;

use openmind_pack_format::dictionary::{NearQuery, StepBudget, WalkEnd, build_shards};
use openmind_pack_format::{Bundle, BundleWriter, Dictionary, KnowledgeHash};

/// Twenty thousand words, which take a dozen shards, in order.
fn words() -> Vec<String> {
    let mut words: Vec<String> =
        (0..20_000_u32).map(|number| format!("{:x}", u64::from(number) * 0x9e37_79b9_7f4a)).collect();
    words.sort();
    words.dedup();
    words
}

/// A bundle of nothing but a dictionary of terms.
fn file(words: &[String]) -> Vec<u8> {
    let mut writer = BundleWriter::new();
    writer.terms(build_shards(words.iter().map(String::as_bytes)).unwrap()).unwrap();
    let mut bytes = Vec::new();
    writer.write_to(KnowledgeHash::from([0; 32]), &mut bytes).unwrap();
    bytes
}

fn with_dictionary(test: impl FnOnce(&[String], &Dictionary<'_>)) {
    let words = words();
    let bundle = Bundle::from_slice(&file(&words), None).unwrap();
    let terms = bundle.terms().unwrap();
    assert!(terms.shard_count() > 4, "{} shards", terms.shard_count());
    test(&words, &terms);
}

#[test]
fn every_key_has_its_ordinal_and_every_ordinal_its_key() {
    with_dictionary(|words, terms| {
        assert_eq!(terms.len().unwrap() as usize, words.len());
        assert!(!terms.is_empty());
        let mut key = Vec::new();
        for (ordinal, word) in (0..).zip(words) {
            assert_eq!(terms.get(word.as_bytes()).unwrap(), Some(ordinal));
            assert!(terms.key(ordinal, &mut key).unwrap());
            assert_eq!(key, word.as_bytes());
        }
        for absent in ["", "/", "g", "zzz", "0x"] {
            assert_eq!(terms.get(absent.as_bytes()).unwrap(), None);
        }
        assert!(!terms.key(words.len() as u32, &mut key).unwrap());
        assert!(!terms.key(u32::MAX, &mut key).unwrap());
    });
    let none = Bundle::from_slice(&file(&[]), None).unwrap();
    let terms = none.terms().unwrap();
    assert!(terms.is_empty());
    assert_eq!((terms.len().unwrap(), terms.prefix(b"").unwrap(), terms.get(b"").unwrap()), (0, 0..0, None));
}

#[test]
fn a_prefix_has_the_ordinals_of_the_keys_that_begin_with_it() {
    with_dictionary(|words, terms| {
        let mut prefixes: Vec<&[u8]> = vec![b"", b"zz", b"/", b"00000", b"fffff"];
        for word in words.iter().step_by(13) {
            prefixes.extend((1..=word.len().min(7)).map(|length| &word.as_bytes()[..length]));
        }
        for prefix in prefixes {
            let first = words.iter().position(|word| word.as_bytes().starts_with(prefix));
            let count = words.iter().filter(|word| word.as_bytes().starts_with(prefix)).count();
            let expected = first.map_or(0..0, |first| first as u32..(first + count) as u32);
            assert_eq!(terms.prefix(prefix).unwrap(), expected, "{:?}", String::from_utf8_lossy(prefix));
        }
    });
}

#[test]
fn near_keys_are_found_in_every_shard_until_the_steps_are_spent() {
    with_dictionary(|words, terms| {
        // One edit away from a word of the last shard, and from one of the first.
        for word in [&words[words.len() - 5], &words[5]] {
            let misspelt = format!("{word}z");
            let query = NearQuery::new(&misspelt, 1).unwrap();
            let mut found = Vec::new();
            let end = terms
                .near(&query, &mut StepBudget::new(u64::MAX), |key, ordinal, distance| {
                    assert_eq!(key, words[ordinal as usize]);
                    found.push((key.to_owned(), distance));
                    ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(end, WalkEnd::Complete);
            assert!(found.contains(&(word.clone(), 1)), "{found:?}");
            let visits = |steps: u64, flow: ControlFlow<()>| {
                let mut visits = 0;
                let count = |_: &str, _, _| {
                    visits += 1;
                    flow
                };
                let end = terms.near(&query, &mut StepBudget::new(steps), count).unwrap();
                (end, visits)
            };
            assert_eq!(visits(1, ControlFlow::Continue(())), (WalkEnd::OutOfSteps, 0));
            assert_eq!(visits(u64::MAX, ControlFlow::Break(())), (WalkEnd::Stopped, 1));
        }
    });
}
