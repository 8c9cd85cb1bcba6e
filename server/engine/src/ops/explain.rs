//! `explain_architecture_component`: what a component is for, word for word.

mod nearest;

use openmind_pack_format::{Bundle, Component, Confidence, DocumentKind, ReadError};
use serde::Serialize;
use serde_json::Value;

use super::evidence::{EvidenceRecord, confidence};
use super::{Arguments, CallError, Context, TextLimit, report};
use crate::names::NameIndex;
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
    report(&Supported {
        status: "supported",
        component: &name,
        kind: component.kind()?,
        description: component.description()?,
        responsibilities: component.responsibilities()?,
        evidence: component.evidence()?.into_iter().map(Into::into).collect(),
        confidence: component.confidence().min(ceiling),
    })
}

/// The first component of this name, else of this name without regard to case; and how sure that makes the answer at
/// most.
fn find<'a>(bundle: &'a Bundle, name: &str) -> Result<Option<(Component<'a>, Confidence)>, ReadError> {
    let names = NameIndex::new(bundle)?;
    if let Some(row) = first_component(bundle, &names.exact(name)?)? {
        return Ok(Some((bundle.component(row)?, Confidence::High)));
    }
    match first_component(bundle, &names.folded(name)?)? {
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
