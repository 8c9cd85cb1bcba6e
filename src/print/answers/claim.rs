//! Whether a claim holds.

use serde::Deserialize;
use serde_json::Value;

use super::{labelled, read, status};
use crate::print::page::{Page, Quote};
use crate::print::text::shown;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Verdict<'a> {
    status: &'a str,
    claim: &'a str,
    #[serde(borrow)]
    matched_terms: Vec<&'a str>,
    #[serde(borrow)]
    evidence: Vec<Quote<'a>>,
    reason: &'a str,
    confidence: &'a str,
}

pub(super) fn lay_out(page: &mut Page, answer: &Value) -> Option<()> {
    let verdict: Verdict<'_> = read(answer)?;
    page.line(format_args!("{}, {} confidence", status(verdict.status), shown(verdict.confidence)));
    page.gap();
    labelled(page, "claim:  ", verdict.claim);
    labelled(page, "reason: ", verdict.reason);
    if !verdict.matched_terms.is_empty() {
        labelled(page, "matched:", &verdict.matched_terms.join(", "));
    }
    if !verdict.evidence.is_empty() {
        page.gap();
        page.quotes(2, &verdict.evidence);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::plain;

    #[test]
    fn a_verdict_comes_first_and_its_reason_before_the_quotes() {
        let answer = json!({"status": "supported", "claim": "It closes.", "matchedTerms": ["closes"],
            "evidence": [{"file": "G.md", "line": 20, "snippet": "- it closes"}],
            "reason": "1 of 1 terms.", "confidence": "high"});
        assert_eq!(
            plain("claim", &answer),
            "supported, high confidence\n\
             \n\
             \x20 claim:   It closes.\n\
             \x20 reason:  1 of 1 terms.\n\
             \x20 matched: closes\n\
             \n\
             \x20 G.md:20  > - it closes\n"
        );
    }

    #[test]
    fn what_is_not_covered_has_no_empty_lists() {
        let answer = json!({"status": "insufficient_evidence", "claim": "X does.", "matchedTerms": [], "evidence": [],
            "reason": "Nothing describes X.", "confidence": "low"});
        assert_eq!(
            plain("claim", &answer),
            "insufficient evidence, low confidence\n\n  claim:   X does.\n  reason:  Nothing describes X.\n"
        );
    }
}
