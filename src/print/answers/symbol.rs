//! The places of a name.

use serde::Deserialize;
use serde_json::Value;

use super::{heading, names, read, status};
use crate::print::number::{counted, grouped};
use crate::print::page::{Page, Quote};
use crate::print::style::{FAINT, NAME, Styled};
use crate::print::text::shown;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Places<'a> {
    status: &'a str,
    symbol: &'a str,
    #[serde(borrow)]
    evidence: Vec<Quote<'a>>,
    confidence: Option<&'a str>,
    reason: Option<&'a str>,
    #[serde(borrow, default)]
    suggestions: Vec<&'a str>,
    total: Option<u64>,
    next_cursor: Option<&'a str>,
}

pub(super) fn lay_out(page: &mut Page, answer: &Value) -> Option<()> {
    let places: Places<'_> = read(answer)?;
    let name = Styled(NAME, shown(places.symbol));
    let Some(confidence) = places.confidence else {
        page.line(format_args!("{name}  {}", status(places.status)));
        if let Some(reason) = places.reason {
            page.prose(2, reason);
        }
        if !places.suggestions.is_empty() {
            page.gap();
            heading(page, "similar names:");
            names(page, NAME, &places.suggestions);
        }
        return Some(());
    };
    let here = places.evidence.len() as u64;
    let found = match places.total {
        Some(total) => format!("{} of {}", grouped(here), counted(total, "place", "places")),
        None => counted(here, "place", "places"),
    };
    page.line(format_args!("{name}  {}, {confidence} confidence, {found}", status(places.status)));
    page.gap();
    page.quotes(2, &places.evidence);
    if let Some(cursor) = places.next_cursor {
        page.gap();
        page.line(format_args!("  {} --cursor {}", Styled(FAINT, "for more, add"), shown(cursor)));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::plain;

    #[test]
    fn places_are_counted_and_the_next_page_is_offered() {
        let answer = json!({"status": "supported", "symbol": "new", "confidence": "high", "total": 145,
            "evidence": [{"file": "a.rs", "line": 1, "snippet": "fn new()"}], "nextCursor": "c1"});
        assert_eq!(
            plain("symbol", &answer),
            "new  supported, high confidence, 1 of 145 places\n\
             \n\
             \x20 a.rs:1  > fn new()\n\
             \n\
             \x20 for more, add --cursor c1\n"
        );
    }

    #[test]
    fn near_names_are_listed_apart_from_any_evidence() {
        let answer = json!({"status": "insufficient_evidence", "symbol": "plan_wattering", "evidence": [],
            "reason": "No artifact names it.", "suggestions": ["plan_watering"]});
        assert_eq!(
            plain("symbol", &answer),
            "plan_wattering  insufficient evidence\n\
             \x20 No artifact names it.\n\
             \n\
             \x20 similar names:\n\
             \x20   plan_watering\n"
        );
    }
}
