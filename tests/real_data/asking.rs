//! Asking through one session and comparing with the oracle.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::disagreements::Disagreements;
use crate::oracle::{Evidence, Oracle};
use crate::questions::Question;
use crate::sample::Unknown;
use crate::session::{Answer, Session};

/// A tool's limit where none is given, and the largest one.
const DEFAULT_LIMIT: usize = 20;
pub(crate) const MAX_LIMIT: usize = 50;

/// The most components that a refusal names.
const AVAILABLE: usize = 20;

/// A session, what it was asked so far, and what it got wrong.
pub(crate) struct Asking<'a> {
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) session: Session,
    pub(crate) disagreements: Disagreements,
    /// Answers of `get_symbol_evidence` that gave a page of places.
    pub(crate) pages: usize,
}

impl Asking<'_> {
    /// Asks; an answer without the right shape is a disagreement and none.
    fn ask(&mut self, question: &Question) -> Option<Answer> {
        match self.session.ask(question) {
            Ok(answer) => Some(answer),
            Err(problem) => {
                self.disagreements.add(format!("{}\n    {problem}", question.shown()));
                None
            }
        }
    }

    fn compare(&mut self, question: &Question, expected: &Value) {
        if let Some(answer) = self.ask(question) {
            self.disagreements.compare(&question.shown(), &expected.to_string(), &answer.text);
        }
    }

    /// The listing. Hashes are those of the build's report; what the format's version is, the format says.
    pub(crate) fn listing(&mut self, built: &Value) {
        let question = Question::artifacts();
        let Some(answer) = self.ask(&question) else { return };
        let mut expected = self.oracle.artifacts.listing();
        expected["bundle"]["contentHash"] = built["contentHash"].clone();
        expected["bundle"]["knowledgeHash"] = built["knowledgeHash"].clone();
        expected["bundle"]["formatVersion"] = answer.value["bundle"]["formatVersion"].clone();
        self.disagreements.compare(&question.shown(), &expected.to_string(), &answer.text);
        for key in ["contentHash", "knowledgeHash"] {
            let hash = built[key].as_str().unwrap_or_default();
            let is_hash =
                hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            self.disagreements.check(is_hash, || format!("{key} is {hash:?}"));
        }
    }

    /// Every page of a name that there is, in this or another case.
    pub(crate) fn symbol(&mut self, name: &str, limit: Option<usize>) {
        let Some(evidence) = self.oracle.evidence(name) else {
            panic!("{name:?} was picked as a name there is");
        };
        let size = limit.unwrap_or(DEFAULT_LIMIT);
        let mut cursor: Option<String> = None;
        let pages = evidence.places.len().div_ceil(size);
        for page in 0..pages {
            let question = Question::symbol(name, limit, cursor.as_deref());
            let Some(answer) = self.ask(&question) else { return };
            self.pages += 1;
            cursor = answer.value.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
            // A cursor's text is the program's affair; that one stands there isn't.
            let next = (page + 1 < pages).then(|| cursor.clone().unwrap_or_else(|| "any cursor".into()));
            let expected = symbol_page(name, &evidence, size, page, next).to_string();
            self.disagreements.compare(&question.shown(), &expected, &answer.text);
            if answer.text != expected {
                return;
            }
        }
    }

    /// A name that there isn't: no evidence, whatever is near it.
    pub(crate) fn unknown_symbol(&mut self, unknown: &Unknown<'_>) {
        let question = Question::symbol(&unknown.name, None, None);
        let Some(answer) = self.ask(&question) else { return };
        let expected = json!({
            "status": "insufficient_evidence",
            "symbol": unknown.name,
            "evidence": [],
            "reason": answer.value["reason"],
            "suggestions": answer.value["suggestions"],
        });
        let shown = question.shown();
        self.disagreements.compare(&shown, &expected.to_string(), &answer.text);
        self.reason(&shown, &answer);
        let suggestions = texts(&answer.value["suggestions"]);
        let oracle = self.oracle;
        self.disagreements.check(
            suggestions.as_ref().is_some_and(|names| are_some_of(names, |name| oracle.has_name(name))),
            || format!("{shown}\n    suggestions aren't distinct names there are: {}", answer.text),
        );
        if let Some(near) = unknown.near {
            self.disagreements.check(suggestions.is_some_and(|names| !names.is_empty()), || {
                format!("{shown}\n    no suggestion, though {near:?} is one edit away")
            });
        }
    }

    /// A component, by a name that some component has in this or another case.
    pub(crate) fn explain(&mut self, name: &str) {
        let Some(expected) = self.oracle.explanation(name) else {
            panic!("{name:?} was picked as a component there is");
        };
        self.compare(&Question::explain(name), &expected);
    }

    /// A component that there isn't.
    pub(crate) fn unknown_component(&mut self, name: &str) {
        let question = Question::explain(name);
        let Some(answer) = self.ask(&question) else { return };
        let components = self.oracle.artifacts.components();
        let names: HashSet<&str> =
            components.iter().filter_map(|component| component["name"].as_str()).collect();
        let expected = json!({
            "status": "insufficient_evidence",
            "component": name,
            "evidence": [],
            "reason": answer.value["reason"],
            "availableComponents": answer.value["availableComponents"],
            "total": components.len(),
        });
        let shown = question.shown();
        self.disagreements.compare(&shown, &expected.to_string(), &answer.text);
        self.reason(&shown, &answer);
        let available = texts(&answer.value["availableComponents"]).unwrap_or_default();
        let right = are_some_of(&available, |name| names.contains(name));
        self.disagreements.check(right && available.len() == names.len().min(AVAILABLE), || {
            format!("{shown}\n    of {} components, these are available: {available:?}", names.len())
        });
    }

    fn reason(&mut self, shown: &str, answer: &Answer) {
        let said = answer.value["reason"].as_str().is_some_and(|reason| !reason.is_empty());
        self.disagreements.check(said, || format!("{shown}\n    gives no reason: {}", answer.text));
    }
}

/// One page of a name's places. `total` and `nextCursor` are there only where one page doesn't hold all.
fn symbol_page(name: &str, evidence: &Evidence<'_>, size: usize, page: usize, next: Option<String>) -> Value {
    let total = evidence.places.len();
    let places = &evidence.places[page * size..total.min((page + 1) * size)];
    let mut expected = json!({
        "status": "supported",
        "symbol": name,
        "evidence": places.iter().map(|place| place.to_value()).collect::<Vec<_>>(),
        "confidence": evidence.confidence,
    });
    if total > size {
        expected["total"] = json!(total);
    }
    if let Some(next) = next {
        expected["nextCursor"] = json!(next);
    }
    expected
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// Whether names are distinct and all among those there are.
fn are_some_of(names: &[&str], exists: impl Fn(&str) -> bool) -> bool {
    names.iter().collect::<HashSet<_>>().len() == names.len() && names.iter().all(|name| exists(name))
}
