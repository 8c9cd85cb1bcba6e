//! `explain_architecture_component`: what a component is for, word for word.

mod nearest;

use openmind_pack_format::{Bundle, Component, Confidence, DocumentKind, ReadError};
use serde::Serialize;
use serde_json::Value;

use super::allowance::Allowance;
use super::evidence::{EvidenceRecord, confidence};
use super::{Arguments, CallError, Context, TextLimit, report};
use nearest::nearest;

/// Longest name, in bytes; also the limit of names in the input.
const MAX_NAME: TextLimit = TextLimit::Bytes(8 * 1024);
/// Names offered for an unknown one.
const MAX_AVAILABLE: usize = 20;

#[derive(Serialize)]
struct Supported<'a> {
    status: &'static str,
    component: &'a str,
    kind: &'a str,
    description: &'a str,
    responsibilities: Vec<&'a str>,
    evidence: Vec<EvidenceRecord<'a>>,
    #[serde(serialize_with = "confidence")]
    confidence: Confidence,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Insufficient<'a> {
    status: &'static str,
    component: &'a str,
    evidence: [EvidenceRecord<'a>; 0],
    reason: &'static str,
    available_components: Vec<&'a str>,
    total: u32,
}

pub(crate) fn run(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let name = arguments.required_text("component", MAX_NAME)?;
    arguments.finish()?;

    let bundle = context.bundle;
    let Some((component, ceiling)) = find(bundle, &name)? else { return refuse(bundle, &name) };
    let mut allowance = Allowance::default();
    report(&Supported {
        status: "supported",
        component: &name,
        kind: component.kind()?,
        description: component.description()?,
        responsibilities: allowance.texts(component.responsibilities()?)?,
        evidence: allowance.records(component.evidence()?)?,
        confidence: component.confidence().min(ceiling),
    })
}

/// The first component of this name, else of this name without regard to case; and how sure that makes the answer at
/// most.
fn find<'a>(bundle: &'a Bundle, name: &str) -> Result<Option<(Component<'a>, Confidence)>, ReadError> {
    if let Some(row) = first_component(bundle, &bundle.documents_named(name)?)? {
        return Ok(Some((bundle.component(row)?, Confidence::High)));
    }
    match first_component(bundle, &bundle.documents_named_in_any_case(name)?)? {
        Some(row) => Ok(Some((bundle.component(row)?, Confidence::Medium))),
        None => Ok(None),
    }
}

/// Row of the first component among ascending documents.
fn first_component(bundle: &Bundle, documents: &[u32]) -> Result<Option<u32>, ReadError> {
    let terms = bundle.term_count()?;
    // Components come right after the glossary.
    let Some(document) = documents.get(documents.partition_point(|document| *document < terms)) else {
        return Ok(None);
    };
    let (kind, row) = bundle.locate(*document)?;
    Ok((kind == DocumentKind::Component).then_some(row))
}

fn refuse(bundle: &Bundle, name: &str) -> Result<Value, CallError> {
    let available_components = nearest(bundle, name, MAX_AVAILABLE)?;
    let reason = if available_components.is_empty() {
        "The loaded artifacts describe no component at all."
    } else {
        "No loaded artifact describes a component of this name; availableComponents names the nearest that are described."
    };
    report(&Insufficient {
        status: "insufficient_evidence",
        component: name,
        evidence: [],
        reason,
        available_components,
        total: bundle.component_count()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{Cited, TestBundle};

    const A: Cited<'_> = ("src/a.py", 1, "def a():");
    const B: Cited<'_> = ("src/b.py", 2, "def b():");

    /// Two components of one name, two that differ in case, and a glossary entry that is named as a component is.
    fn bundle() -> Bundle {
        TestBundle::default()
            .term("src/bells", "Not a component.", Confidence::High, &[A])
            .component("src/bells", "Rings  them.\n", Confidence::High, &["Defines a", "Defines b"], &[A, B])
            .component("src/bells", "Second of its name.", Confidence::Low, &[], &[B])
            .component("src/Tower", "Upper.", Confidence::High, &[], &[A])
            .component("src/tower", "Lower.", Confidence::High, &[], &[B])
            .component("docs", "Texts.", Confidence::Low, &[], &[A])
            .file("src/a.py", &[("steeple", "def steeple():", 3)])
            .open()
    }

    fn explain(bundle: &Bundle, component: &str) -> Value {
        let context = Context { bundle, max_results: 5, notice: None, replacement_error: None };
        let arguments = json!({"component": component});
        run(&context, &mut Arguments::new(arguments).expect("an object")).expect("an answer")
    }

    #[test]
    fn texts_come_word_for_word_from_the_first_of_a_name() {
        let expected = json!({
            "status": "supported",
            "component": "src/bells",
            "kind": "module",
            "description": "Rings  them.\n",
            "responsibilities": ["Defines a", "Defines b"],
            "evidence": [
                {"file": "src/a.py", "line": 1, "snippet": "def a():"},
                {"file": "src/b.py", "line": 2, "snippet": "def b():"},
            ],
            "confidence": "high",
        });
        assert_eq!(explain(&bundle(), "src/bells").to_string(), expected.to_string());
    }

    #[test]
    fn exact_case_wins_and_another_case_is_believed_less() {
        let bundle = bundle();
        let told = |name: &str| {
            let answer = explain(&bundle, name);
            (
                answer["description"].as_str().map(str::to_owned),
                answer["confidence"].as_str().map(str::to_owned),
            )
        };
        let expected =
            |description: &str, confidence: &str| (Some(description.to_owned()), Some(confidence.to_owned()));
        assert_eq!(told("src/tower"), expected("Lower.", "high"));
        assert_eq!(told("src/Tower"), expected("Upper.", "high"));
        // The first of both in the order of names, in which capitals come first.
        assert_eq!(told("SRC/TOWER"), expected("Upper.", "medium"));
        assert_eq!(told("DOCS"), expected("Texts.", "low"));
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_ones_once_each_and_their_number() {
        let expected = json!({
            "status": "insufficient_evidence",
            "component": "src/bell",
            "evidence": [],
            "reason": "No loaded artifact describes a component of this name; availableComponents names the nearest \
                that are described.",
            // Two terms in common, then one (four edits, ties by bytes), then none.
            "availableComponents": ["src/bells", "src/Tower", "src/tower", "docs"],
            "total": 5,
        });
        assert_eq!(explain(&bundle(), "src/bell").to_string(), expected.to_string());
    }

    #[test]
    fn a_misspelled_last_segment_finds_its_path() {
        let bundle = TestBundle::default()
            .component("app", "Code.", Confidence::Medium, &[], &[A])
            .component("src/main/java/org/example/utils", "Code.", Confidence::Medium, &[], &[A])
            .component("tests", "Code.", Confidence::Medium, &[], &[A])
            .open();
        // One edit from the last segment; four from "app" and "tests".
        let answer = explain(&bundle, "utls");
        assert_eq!(answer["availableComponents"], json!(["src/main/java/org/example/utils", "app", "tests"]));
    }

    #[test]
    fn symbols_and_terms_are_no_components() {
        for name in ["steeple", "STEEPLE"] {
            assert_eq!(explain(&bundle(), name)["status"], "insufficient_evidence");
        }
        let only_term = TestBundle::default().term("Bell", "Rings.", Confidence::High, &[A]).open();
        let answer = explain(&only_term, "Bell");
        assert_eq!(answer["reason"], "The loaded artifacts describe no component at all.");
        assert_eq!((&answer["availableComponents"], &answer["total"]), (&json!([]), &json!(0)));
    }

    #[test]
    fn at_most_twenty_names_are_offered() {
        let names: Vec<String> = (0..30).map(|number| format!("part{number:02}")).collect();
        let mut bundle = TestBundle::default();
        for name in &names {
            bundle = bundle.component(name, "A part.", Confidence::Medium, &[], &[A]);
        }
        let answer = explain(&bundle.open(), "part07x");
        let offered: Vec<&str> = answer["availableComponents"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        // "part" is common to all, and only one name has 07 as well.
        assert_eq!((offered.len(), offered.first().copied()), (20, Some("part07")));
        assert_eq!(answer["total"], 30);
    }
}
