//! `search_codebase_context`: the best matches for a query.

use openmind_pack_format::{Bundle, Confidence, Document};
use serde::Serialize;
use serde_json::Value;

use super::allowance::Allowance;
use super::evidence::{EvidenceRecord, confidence};
use super::{Arguments, CallError, Context, TextLimit, report, require_analyzer};
use crate::search::{Hit, search};

/// Longest query, in characters.
const MAX_QUERY: TextLimit = TextLimit::Characters(4096);
/// Most results.
const MAX_LIMIT: u32 = 50;
/// Steps of a flow whose evidence a hit shows.
const FLOW_STEPS: usize = 3;

#[derive(Serialize)]
struct Report<'a> {
    status: &'static str,
    query: &'a str,
    results: Vec<Match<'a>>,
}

#[derive(Serialize)]
struct Match<'a> {
    r#type: &'static str,
    name: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    evidence: Vec<EvidenceRecord<'a>>,
    #[serde(serialize_with = "confidence")]
    confidence: Confidence,
    score: u64,
}

pub(crate) fn run(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let query = arguments.required_text("query", MAX_QUERY)?;
    let limit = arguments.optional_integer("limit", 1..=MAX_LIMIT)?.unwrap_or(context.max_results);
    arguments.finish()?;
    require_analyzer(context.bundle)?;
    let hits = search(context.bundle, &query, limit as usize)?;
    let mut allowance = Allowance::default();
    let results: Vec<Match<'_>> =
        hits.iter().map(|hit| Match::of(context.bundle, hit, &mut allowance)).collect::<Result<_, _>>()?;
    let status = if results.is_empty() { "no_results" } else { "ok" };
    report(&Report { status, query: &query, results })
}

impl<'a> Match<'a> {
    fn of(bundle: &'a Bundle, hit: &Hit, allowance: &mut Allowance) -> Result<Self, CallError> {
        let score = hit.score;
        Ok(match bundle.document(hit.document)? {
            Document::Glossary(term) => Self {
                r#type: "glossary",
                name: term.term()?,
                kind: allowance.text(term.kind()?)?,
                description: Some(allowance.text(term.description()?)?),
                evidence: allowance.records(term.evidence()?)?,
                confidence: term.confidence(),
                score,
            },
            Document::Component(component) => Self {
                r#type: "architecture",
                name: component.name()?,
                kind: allowance.text(component.kind()?)?,
                description: Some(allowance.text(component.description()?)?),
                evidence: allowance.records(component.evidence()?)?,
                confidence: component.confidence(),
                score,
            },
            Document::Flow(flow) => {
                let mut evidence = Vec::new();
                for step in flow.steps()?.take(FLOW_STEPS) {
                    evidence.extend(allowance.records(step?.evidence()?)?);
                }
                Self {
                    r#type: "flow",
                    name: flow.name()?,
                    kind: "flow",
                    description: Some(allowance.text(flow.description()?)?),
                    evidence,
                    confidence: flow.confidence(),
                    score,
                }
            }
            Document::Symbol(symbol, row) => Self {
                r#type: "source",
                name: symbol.name()?,
                kind: allowance.text(symbol.kind()?)?,
                description: None,
                evidence: allowance.records(std::iter::once(bundle.symbol_evidence(row)))?,
                confidence: Confidence::High,
                score,
            },
        })
    }
}
