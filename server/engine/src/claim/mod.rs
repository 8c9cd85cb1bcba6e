//! Claims: whether one sentence is what the artifacts say.
//!
//! ```text
//! claim -> terms ----> postings, rarest first -> candidates -> the best three entries: the pool
//!       -> subject  -> documents of its names ------^
//! verdict: is the subject described, and how many of the terms does the pool hold?
//! ```
//! The rule counts words: it sees neither negation nor order nor who does what, so `supported` means no more than that
//! the cited entries speak of the same things. [`check`] is the only way in, so that a rule that sees more can take its
//! place.

mod candidates;
mod pool;
mod subject;
mod terms;
#[cfg(test)]
mod tests;

use openmind_pack_format::analyzer::is_blank;
use openmind_pack_format::{Bundle, Confidence, Evidence, ReadError};

use candidates::Lists;
use pool::Pool;
use subject::Subject;
use terms::Terms;

/// A claim is supported where the pool holds at least this many in [`THRESHOLD_OF`] of its terms.
const THRESHOLD: usize = 7;
/// See [`THRESHOLD`].
const THRESHOLD_OF: usize = 10;

/// What the artifacts are to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// They say so.
    Supported,
    /// They describe the subject, and not so.
    Unsupported,
    /// They don't describe the subject.
    InsufficientEvidence,
}

impl Status {
    /// The text in answers.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Unsupported => "unsupported",
            Self::InsufficientEvidence => "insufficient_evidence",
        }
    }
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict<'a> {
    pub(crate) status: Status,
    /// The claim's own words that the artifacts hold, in its order.
    pub(crate) matched_terms: Vec<String>,
    /// Lines that the verdict rests on, those of the best entry first.
    pub(crate) evidence: Vec<Evidence<'a>>,
    /// A sentence or two for people.
    pub(crate) reason: String,
    pub(crate) confidence: Confidence,
}

/// Checks a claim of any length against a bundle whose analyzer is this program's.
///
/// The work grows with the claim's words and is bounded for each of them, whatever the size of the bundle.
///
/// # Errors
///
/// [`ReadError`] where bytes on the way are damaged or malformed.
pub(crate) fn check<'a>(bundle: &'a Bundle, claim: &str) -> Result<Verdict<'a>, ReadError> {
    let claim = single_spaced(claim);
    let terms = Terms::of(&claim);
    if terms.all().is_empty() {
        return Ok(insufficient(Vec::new(), "The claim has no terms to check.".to_owned()));
    }
    let subject = Subject::of(bundle, &claim)?;
    let lists = Lists::of(bundle, &terms)?;
    let pool = Pool::of(bundle, &terms, &lists, &subject)?;
    let (matched, missing) = pool.split(&terms);
    let (held, total) = (matched.len(), matched.len() + missing.len());

    if let Some(unknown) = &subject.unknown {
        return Ok(insufficient(matched, format!("No loaded artifact describes {unknown}.")));
    }
    if held * THRESHOLD_OF >= total * THRESHOLD {
        let confidence = if missing.is_empty() { Confidence::High } else { Confidence::Medium };
        return Ok(Verdict {
            status: Status::Supported,
            matched_terms: matched,
            evidence: pool.evidence(bundle)?,
            reason: format!(
                "{held} of {total} claim terms appear in artifacts describing {}. See the cited file:line evidence.",
                pool.names(bundle)?.join(", ")
            ),
            confidence: confidence.min(pool.confidence(bundle)?),
        });
    }
    if !subject.names.is_empty() {
        return Ok(Verdict {
            status: Status::Unsupported,
            matched_terms: matched,
            evidence: Vec::new(),
            reason: format!(
                "The artifacts describe {} but never mention: {}. The loaded sources do not support this claim.",
                subject.names.join(", "),
                missing.join(", ")
            ),
            confidence: Confidence::Medium,
        });
    }
    let reason = format!(
        "No loaded artifact describes the subject of this claim: {held} of {total} claim terms were found, and no name of \
         a described thing among them."
    );
    Ok(insufficient(matched, reason))
}

fn insufficient(matched_terms: Vec<String>, reason: String) -> Verdict<'static> {
    Verdict {
        status: Status::InsufficientEvidence,
        matched_terms,
        evidence: Vec::new(),
        reason,
        confidence: Confidence::Low,
    }
}

/// The text with one space for each run of blanks: names of several words are found however the claim was wrapped.
fn single_spaced(text: &str) -> String {
    text.split(is_blank).filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}
