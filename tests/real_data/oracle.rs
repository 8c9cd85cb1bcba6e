//! The right answers, computed the slow and obvious way from the contract.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};

use crate::artifacts::{Artifacts, list, text};

/// One citation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place<'a> {
    file: &'a str,
    line: u64,
    snippet: &'a str,
}

impl<'a> Place<'a> {
    fn of_evidence(record: &'a Value) -> Self {
        Self { file: text(record, "file"), line: line(record), snippet: text(record, "snippet") }
    }

    pub(crate) fn to_value(self) -> Value {
        json!({"file": self.file, "line": self.line, "snippet": self.snippet})
    }
}

/// Everything that has one exact name.
#[derive(Default)]
struct Named<'a> {
    terms: Vec<&'a Value>,
    symbols: Vec<Place<'a>>,
}

/// Where a name is, over all pages.
pub(crate) struct Evidence<'a> {
    pub(crate) places: Vec<Place<'a>>,
    pub(crate) confidence: &'static str,
}

pub(crate) struct Oracle<'a> {
    pub(crate) artifacts: &'a Artifacts,
    /// By exact name, in byte order.
    names: BTreeMap<&'a str, Named<'a>>,
    /// Exact names by their lower-case form. Only A to Z are folded, so only they may be changed in a question.
    spellings: BTreeMap<String, Vec<&'a str>>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(artifacts: &'a Artifacts) -> Self {
        let mut names: BTreeMap<&str, Named<'_>> = BTreeMap::new();
        for term in artifacts.terms() {
            names.entry(text(term, "term")).or_default().terms.push(term);
        }
        for file in artifacts.files() {
            let path = text(file, "path");
            for symbol in list(file, "symbols") {
                let place = Place { file: path, line: line(symbol), snippet: text(symbol, "snippet") };
                names.entry(text(symbol, "name")).or_default().symbols.push(place);
            }
        }
        let mut spellings: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for name in names.keys() {
            spellings.entry(name.to_ascii_lowercase()).or_default().push(name);
        }
        Self { artifacts, names, spellings }
    }

    /// Every name of a symbol or term, in byte order.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        self.names.keys().copied().collect()
    }

    /// How often a name occurs.
    pub(crate) fn occurrences(&self, name: &str) -> usize {
        self.names.get(name).map_or(0, |named| named.terms.len() + named.symbols.len())
    }

    /// Names that differ from another one in case only.
    pub(crate) fn names_with_other_spellings(&self) -> Vec<&'a str> {
        self.spellings.values().filter(|names| names.len() > 1).flatten().copied().collect()
    }

    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Whether a name occurs in any case.
    pub(crate) fn has_spelling(&self, name: &str) -> bool {
        self.spellings.contains_key(&name.to_ascii_lowercase())
    }

    /// The places of a name; none where no term or symbol has it in any case.
    pub(crate) fn evidence(&self, asked: &str) -> Option<Evidence<'a>> {
        let exact = self.names.get(asked);
        let named: Vec<&Named<'_>> = match exact {
            Some(named) => vec![named],
            None => {
                let spellings = self.spellings.get(&asked.to_ascii_lowercase())?;
                spellings.iter().map(|name| &self.names[name]).collect()
            }
        };
        let terms: Vec<&Value> = named.iter().flat_map(|named| named.terms.iter().copied()).collect();

        let mut of_terms: Vec<Place<'_>> =
            terms.iter().flat_map(|term| list(term, "evidence")).map(Place::of_evidence).collect();
        let mut of_symbols: Vec<Place<'_>> =
            named.iter().flat_map(|named| named.symbols.iter().copied()).collect();
        of_terms.sort_by(by_path_and_line);
        of_symbols.sort_by(by_path_and_line);

        let mut seen = HashSet::new();
        let places = of_terms.into_iter().chain(of_symbols).filter(|place| seen.insert(*place)).collect();

        let ranks = terms.iter().map(|term| rank(text(term, "confidence")));
        let of_terms = ranks.min().unwrap_or(CONFIDENCES.len() - 1);
        let rank = if exact.is_some() { of_terms } else { of_terms.min(rank("medium")) };
        Some(Evidence { places, confidence: CONFIDENCES[rank] })
    }

    /// The explanation of a component; none where none has this name in any case.
    pub(crate) fn explanation(&self, asked: &str) -> Option<Value> {
        let components = self.artifacts.components();
        let name = |component: &&Value| text(component, "name").to_owned();
        let exact = components.iter().find(|component| name(component) == asked);
        let component = exact
            .or_else(|| components.iter().find(|component| name(component).eq_ignore_ascii_case(asked)))?;

        let own = rank(text(component, "confidence"));
        let rank = if exact.is_some() { own } else { own.min(rank("medium")) };
        let places: Vec<Value> =
            list(component, "evidence").iter().map(|record| Place::of_evidence(record).to_value()).collect();
        Some(json!({
            "status": "supported",
            "component": asked,
            "kind": component["kind"],
            "description": component["description"],
            "responsibilities": component["responsibilities"],
            "evidence": places,
            "confidence": CONFIDENCES[rank],
        }))
    }
}

/// From the lowest to the highest.
const CONFIDENCES: [&str; 3] = ["low", "medium", "high"];

fn rank(confidence: &str) -> usize {
    let found = CONFIDENCES.iter().position(|known| *known == confidence);
    found.unwrap_or_else(|| panic!("confidence {confidence:?}"))
}

/// The sort that uses it is stable: places of one path and line stay as the input has them.
fn by_path_and_line(a: &Place<'_>, b: &Place<'_>) -> std::cmp::Ordering {
    (a.file.as_bytes(), a.line).cmp(&(b.file.as_bytes(), b.line))
}

fn line(record: &Value) -> u64 {
    record["line"].as_u64().unwrap_or_else(|| panic!("no line number in {record}"))
}
