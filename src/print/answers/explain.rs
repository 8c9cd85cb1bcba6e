//! What a component is for.

use serde::Deserialize;
use serde_json::Value;

use super::{heading, names, read, status};
use crate::print::number::{counted, grouped};
use crate::print::page::{Page, Quote};
use crate::print::style::{FAINT, NAME, Styled};
use crate::print::text::shown;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Component<'a> {
    status: &'a str,
    component: &'a str,
    kind: Option<&'a str>,
    description: Option<&'a str>,
    #[serde(borrow, default)]
    responsibilities: Vec<&'a str>,
    #[serde(borrow)]
    evidence: Vec<Quote<'a>>,
    confidence: Option<&'a str>,
    reason: Option<&'a str>,
    #[serde(borrow, default)]
    available_components: Vec<&'a str>,
    total: Option<u64>,
}

pub(super) fn lay_out(page: &mut Page, answer: &Value) -> Option<()> {
    let component: Component<'_> = read(answer)?;
    let name = Styled(NAME, shown(component.component));
    let Some(confidence) = component.confidence else {
        page.line(format_args!("{name}  {}", status(component.status)));
        if let Some(reason) = component.reason {
            page.prose(2, reason);
        }
        if !component.available_components.is_empty() {
            page.gap();
            let listed = component.available_components.len() as u64;
            let total = component.total.unwrap_or(listed);
            let label = if total > listed {
                format!("described components ({} of {}):", grouped(listed), grouped(total))
            } else {
                "described components:".into()
            };
            heading(page, &label);
            names(page, NAME, &component.available_components);
        }
        return Some(());
    };
    let kind = shown(component.kind.unwrap_or_default());
    page.line(format_args!("{name}  {kind}  {}, {confidence} confidence", status(component.status)));
    if let Some(description) = component.description.filter(|text| !text.is_empty()) {
        page.gap();
        page.prose(2, description);
    }
    if !component.responsibilities.is_empty() {
        page.gap();
        for responsibility in &component.responsibilities {
            page.hanging(2, "- ", FAINT, responsibility);
        }
    }
    page.gap();
    let cited = counted(component.evidence.len() as u64, "cited line", "cited lines");
    heading(page, &format!("{cited}:"));
    page.quotes(2, &component.evidence);
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::plain;

    #[test]
    fn a_component_is_described_word_for_word() {
        let answer = json!({"status": "supported", "component": "valved", "kind": "service",
            "description": "Opens and closes valves.", "responsibilities": ["Hold the bank.", "Trip on silence."],
            "evidence": [{"file": "main.go", "line": 1, "snippet": "package main"}], "confidence": "medium"});
        assert_eq!(
            plain("explain", &answer),
            "valved  service  supported, medium confidence\n\
             \n\
             \x20 Opens and closes valves.\n\
             \n\
             \x20 - Hold the bank.\n\
             \x20 - Trip on silence.\n\
             \n\
             \x20 1 cited line:\n\
             \x20 main.go:1  > package main\n"
        );
    }

    #[test]
    fn an_unknown_component_gets_those_that_are_described() {
        let answer = json!({"status": "insufficient_evidence", "component": "valvd", "evidence": [],
            "reason": "No component has this name.", "availableComponents": ["valved", "panel"], "total": 31});
        assert_eq!(
            plain("explain", &answer),
            "valvd  insufficient evidence\n\
             \x20 No component has this name.\n\
             \n\
             \x20 described components (2 of 31):\n\
             \x20   valved\n\
             \x20   panel\n"
        );
    }
}
