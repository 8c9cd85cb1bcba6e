//! All directories, each built once and asked everything.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::artifacts::{Artifacts, text};
use crate::asking::{Asking, MAX_LIMIT};
use crate::directories::{self, Directory};
use crate::disagreements::Disagreements;
use crate::oracle::Oracle;
use crate::program::{program, workshop};
use crate::random::Random;
use crate::session::Session;
use crate::table::{self, Row};
use crate::{mixed, roundtrip, sample};

/// Distinct names asked for in a directory.
const NAMES: usize = 2_000;
/// Names with so many places are also asked for with smaller limits, which cut the pages elsewhere.
const CUT_ELSEWHERE: RangeInclusive<usize> = 7..=200;
const CASE_CHANGED: usize = 200;
const UNKNOWN: usize = 50;
/// Components asked for in another case.
const COMPONENTS_CASE_CHANGED: usize = 10;
const MIXED: usize = 200;
/// Of the mixed ones, those that the command line is asked too.
const COMMAND_LINE: usize = 20;

/// Larger ones are checked one at a time: the oracle takes about 1.4 KB of memory for a symbol.
const ALONE_BYTES: u64 = 12_000_000;

/// What is left of a directory once it is checked.
pub(crate) struct Checked {
    row: Row,
    facts: u64,
    knowledge_hash: String,
    pub(crate) disagreements: Disagreements,
}

#[test]
fn every_directory_is_answered_as_the_contract_says() {
    let directories = directories::whole();
    if directories.is_empty() {
        return;
    }
    table::say_head();
    let (alone, together): (Vec<_>, Vec<_>) =
        directories.into_iter().partition(|directory| directory.bytes > ALONE_BYTES);
    let mut checked = two_at_a_time(together);
    checked.extend(alone.iter().map(check).inspect(|checked| checked.row.say()));

    let mut disagreements = Disagreements::default();
    knowledge_hashes_name_the_facts(&checked, &mut disagreements);
    for checked in checked {
        disagreements.extend(checked.disagreements);
    }
    disagreements.assert_none();
}

fn two_at_a_time(directories: Vec<Directory>) -> Vec<Checked> {
    let queue = Mutex::new(directories.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let checked = std::iter::from_fn(next).map(|directory| check(&directory));
        checked.inspect(|checked| checked.row.say()).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().expect("a directory is checked")).collect()
    })
}

/// Builds a directory and asks everything about it.
pub(crate) fn check(directory: &Directory) -> Checked {
    let started = Instant::now();
    let workshop = workshop();
    let bundle = workshop.path().join("checked.ompack");
    let built = roundtrip::build_bundle(&directory.path, &bundle);
    let mut disagreements = Disagreements::named(&directory.name);
    roundtrip::verify(&bundle, &built["contentHash"]);
    roundtrip::unpack(&bundle, &directory.path, &mut disagreements);

    let artifacts = Artifacts::read(&directory.path);
    let oracle = Oracle::new(&artifacts);
    let session = Session::open(program(workshop.path()), &[], &bundle, &workshop.path().join("serve.log"));
    let mut asking = Asking { oracle: &oracle, session, disagreements, pages: 0 };
    let mut random = Random::for_name(&directory.name);
    asking.listing(&built);

    let names = sample::names(&oracle, &mut random, NAMES);
    for name in &names {
        asking.symbol(name, Some(MAX_LIMIT));
        if CUT_ELSEWHERE.contains(&oracle.occurrences(name)) {
            asking.symbol(name, Some(7));
            asking.symbol(name, None);
        }
    }
    let case_changed = sample::case_changed(&oracle, &mut random, CASE_CHANGED);
    for name in &case_changed {
        asking.symbol(name, Some(MAX_LIMIT));
    }
    let unknown = sample::unknown(&oracle, &mut random, UNKNOWN);
    for unknown in &unknown {
        asking.unknown_symbol(unknown);
    }
    explain(&mut asking, &mut random);

    let questions = mixed::questions(&oracle, &mut random, MIXED);
    mixed::compare_processes(&questions, &bundle, &mut asking.disagreements);
    // Eleven is coprime to the ten kinds, so that each kind comes up.
    let some = questions.iter().step_by(11).take(COMMAND_LINE);
    mixed::compare_command_line(&mut asking, some, &bundle, &built["contentHash"]);

    let Asking { session, disagreements, pages, .. } = asking;
    session.close();
    let row = Row {
        name: directory.name.clone(),
        bytes: directory.bytes,
        symbols: artifacts.symbol_count(),
        names: names.len(),
        pages,
        case_changed: case_changed.len(),
        unknown: unknown.len(),
        components: artifacts.components().len(),
        disagreements: disagreements.count(),
        took: started.elapsed(),
    };
    let knowledge_hash = text(&built, "knowledgeHash").to_owned();
    Checked { row, facts: artifacts.facts(), knowledge_hash, disagreements }
}

/// Every component by its name, some in another case, and two that there aren't.
fn explain(asking: &mut Asking<'_>, random: &mut Random) {
    let names: Vec<&str> =
        asking.oracle.artifacts.components().iter().map(|component| text(component, "name")).collect();
    for name in &names {
        asking.explain(name);
    }
    for name in random.some_of(&names, COMPONENTS_CASE_CHANGED) {
        asking.explain(&sample::change_case(name, random));
    }
    asking.unknown_component("no/such/component");
    if let Some(name) = names.first() {
        asking.unknown_component(&format!("{name}/no-such-part"));
    }
}

/// Equal for the same facts at another commit, time or schema version, and for no others.
fn knowledge_hashes_name_the_facts(checked: &[Checked], disagreements: &mut Disagreements) {
    let mut by_facts: HashMap<u64, &Checked> = HashMap::new();
    let mut by_hash: HashMap<&str, &Checked> = HashMap::new();
    for one in checked {
        let same_facts = by_facts.entry(one.facts).or_insert(one);
        disagreements.check(same_facts.knowledge_hash == one.knowledge_hash, || {
            format!(
                "{} and {} hold the same facts, under two knowledge hashes",
                same_facts.row.name, one.row.name
            )
        });
        let same_hash = by_hash.entry(&one.knowledge_hash).or_insert(one);
        disagreements.check(same_hash.facts == one.facts, || {
            format!("{} and {} have one knowledge hash for different facts", same_hash.row.name, one.row.name)
        });
    }
}
