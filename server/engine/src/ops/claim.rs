//! `validate_claim_against_sources`: whether the artifacts say what a claim says.

use openmind_pack_format::Confidence;
use serde::Serialize;
use serde_json::Value;

use super::evidence::{EvidenceRecord, confidence};
use super::{Arguments, CallError, Context, TextLimit, report, require_analyzer};
use crate::claim::check;

/// Longest claim. A claim is a sentence.
const MAX_CLAIM: TextLimit = TextLimit::Characters(2_000);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    status: &'static str,
    claim: &'a str,
    matched_terms: Vec<String>,
    evidence: Vec<EvidenceRecord<'a>>,
    reason: String,
    #[serde(serialize_with = "confidence")]
    confidence: Confidence,
}

pub(crate) fn run(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let claim = arguments.required_text("claim", MAX_CLAIM)?;
    arguments.finish()?;

    require_analyzer(context.bundle)?;
    let verdict = check(context.bundle, &claim)?;
    report(&Report {
        status: verdict.status.as_str(),
        claim: &claim,
        matched_terms: verdict.matched_terms,
        evidence: verdict.evidence.into_iter().map(Into::into).collect(),
        reason: verdict.reason,
        confidence: verdict.confidence,
    })
}
