//! Which names are asked for: the awkward ones always, the rest by seeded chance.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::oracle::Oracle;
use crate::random::Random;

const FREQUENT: usize = 20;
const LONGEST: usize = 10;
const NOT_ASCII: usize = 100;

/// Up to `count` distinct names, in byte order; all where there are no more.
pub(crate) fn names<'a>(oracle: &Oracle<'a>, random: &mut Random, count: usize) -> Vec<&'a str> {
    let all = oracle.names();
    if all.len() <= count {
        return all;
    }
    let mut picked = BTreeSet::new();

    let mut frequent = all.clone();
    frequent.sort_by_key(|name| (Reverse(oracle.occurrences(name)), *name));
    picked.extend(frequent.into_iter().take(FREQUENT));

    let mut longest = all.clone();
    longest.sort_by_key(|name| (Reverse(name.len()), *name));
    picked.extend(longest.into_iter().take(LONGEST));

    let not_ascii: Vec<&str> = all.iter().copied().filter(|name| !name.is_ascii()).collect();
    picked.extend(random.some_of(&not_ascii, NOT_ASCII));

    let terms: Vec<&str> = oracle.artifacts.terms().iter().filter_map(|term| term["term"].as_str()).collect();
    picked.extend(random.some_of(&terms, count / 4));

    // Distinct names, so that the rare ones (most of them) come up as well.
    for name in random.some_of(&all, count) {
        if picked.len() == count {
            break;
        }
        picked.insert(name);
    }
    picked.into_iter().collect()
}

/// Up to `count` questions that differ in case from a name there is. Half of them are from names that differ from another
/// one in case only: some of these are names themselves, and the exact match has to win.
///
/// Names beyond ASCII are left out: what is a case of them takes Unicode's tables, and the oracle has none.
pub(crate) fn case_changed(oracle: &Oracle<'_>, random: &mut Random, count: usize) -> Vec<String> {
    let twins = random.some_of(&with_ascii_letters(oracle.names_with_other_spellings()), count / 2);
    let others = random.some_of(&with_ascii_letters(oracle.names()), count - twins.len());
    twins.into_iter().chain(others).map(|name| change_case(name, random)).collect()
}

fn with_ascii_letters(mut names: Vec<&str>) -> Vec<&str> {
    names.retain(|name| name.is_ascii() && name.bytes().any(|byte| byte.is_ascii_alphabetic()));
    names
}

/// Changes the case of letters A to Z; of one that has any, at least one.
pub(crate) fn change_case(name: &str, random: &mut Random) -> String {
    let changed = match random.below(4) {
        0 => name.to_ascii_uppercase(),
        1 => name.to_ascii_lowercase(),
        2 => name.chars().map(|char| if random.below(2) == 0 { swap_case(char) } else { char }).collect(),
        _ => String::new(),
    };
    if changed.is_empty() || changed == name { name.chars().map(swap_case).collect() } else { changed }
}

fn swap_case(char: char) -> char {
    if char.is_ascii_uppercase() { char.to_ascii_lowercase() } else { char.to_ascii_uppercase() }
}

/// A name that nobody gave: one edit away from one there is, and that one.
pub(crate) struct Unknown<'a> {
    pub(crate) name: String,
    pub(crate) near: Option<&'a str>,
}

/// Up to `count` unknown names: half with a slip of the finger in a name that there is, half with nothing near.
pub(crate) fn unknown<'a>(oracle: &Oracle<'a>, random: &mut Random, count: usize) -> Vec<Unknown<'a>> {
    let typeable = |name: &&str| name.is_ascii() && (6..=60).contains(&name.len());
    let names: Vec<&str> = oracle.names().into_iter().filter(typeable).collect();
    let slips = random.some_of(&names, count / 2);
    let slips = slips.into_iter().map(|name| Unknown { name: slip(name, random), near: Some(name) });
    let mut unknown: Vec<Unknown<'_>> = slips.collect();
    while unknown.len() < count {
        unknown.push(Unknown { name: nonsense(random), near: None });
    }
    unknown.retain(|unknown| !oracle.has_spelling(&unknown.name));
    unknown
}

/// One character left out, put in, or replaced.
fn slip(name: &str, random: &mut Random) -> String {
    let at = random.below(name.len());
    let rest = if random.below(2) == 0 { &name[at..] } else { &name[at + 1..] };
    let typed = ["", "x", "q", "7"][random.below(4)];
    let slipped = format!("{}{typed}{rest}", &name[..at]);
    if slipped == name { format!("{name}z") } else { slipped }
}

fn nonsense(random: &mut Random) -> String {
    const LETTERS: &[u8] = b"qxzjkvwQXZJ";
    let length = 12 + random.below(20);
    (0..length).map(|_| char::from(*random.one_of(LETTERS))).collect()
}
