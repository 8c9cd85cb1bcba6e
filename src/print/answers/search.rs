//! Search results, best first.

use serde::Deserialize;
use serde_json::Value;

use super::read;
use crate::print::number::counted;
use crate::print::page::{Cell, Page, Quote, aligned};
use crate::print::style::{FAINT, NAME, PLACE, Styled, WARN};
use crate::print::text::shown;

#[derive(Deserialize)]
struct Results<'a> {
    query: &'a str,
    #[serde(borrow)]
    results: Vec<Hit<'a>>,
}

#[derive(Deserialize)]
struct Hit<'a> {
    r#type: &'a str,
    name: &'a str,
    kind: &'a str,
    description: Option<&'a str>,
    #[serde(borrow)]
    evidence: Vec<Quote<'a>>,
    confidence: &'a str,
}

/// Characters that decide whether a quote repeats a description.
const REPEATED: usize = 40;

impl Hit<'_> {
    /// The place, the name, and what it is.
    fn head(&self) -> Vec<Cell> {
        let place = self.evidence.first().map_or_else(|| "-".into(), Quote::place);
        vec![Cell::left(PLACE, &place), Cell::left(NAME, self.name), Cell::left(FAINT, &self.what())]
    }

    fn what(&self) -> String {
        let artifact = if self.kind == self.r#type { "" } else { self.r#type };
        format!("{artifact} {}, {} confidence", self.kind, self.confidence).trim_start_matches(' ').into()
    }

    /// The description where the quoted lines don't already say it: a glossary's quote is its definition.
    fn new_description(&self) -> Option<&str> {
        let description = self.description.filter(|description| !description.is_empty())?;
        let start = match description.char_indices().nth(REPEATED) {
            Some((end, _)) => description.get(..end)?,
            None => description,
        };
        let repeated = self.evidence.iter().any(|quote| quote.snippet.contains(start));
        (!repeated).then_some(description)
    }
}

pub(super) fn lay_out(page: &mut Page, answer: &Value) -> Option<()> {
    let Results { query, results } = read(answer)?;
    let query = shown(query);
    if results.is_empty() {
        page.line(format_args!("{} for \"{query}\"", Styled(WARN, "no results")));
        page.line(format_args!(
            "{}",
            Styled(FAINT, "Matching is by words, not by meaning: try other words.")
        ));
        return Some(());
    }
    let found = counted(results.len() as u64, "result", "results");
    page.line(format_args!("{} for \"{query}\", best first", Styled(NAME, found)));
    let heads: Vec<Vec<Cell>> = results.iter().map(Hit::head).collect();
    for (hit, head) in results.iter().zip(aligned(&heads)) {
        page.gap();
        page.line(format_args!("{head}"));
        if let Some((first, further)) = hit.evidence.split_first() {
            page.line(format_args!("  > {}", shown(first.snippet)));
            page.quotes(2, further);
        }
        if let Some(description) = hit.new_description() {
            page.prose(2, description);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::plain;

    #[test]
    fn a_hit_begins_with_its_place_and_quotes_its_line() {
        let answer = json!({"status": "ok", "query": "leak", "results": [
            {"type": "source", "name": "LeakGuard", "kind": "struct", "confidence": "high", "score": 9,
             "evidence": [{"file": "leak.go", "line": 10, "snippet": "type LeakGuard struct {"}]},
            {"type": "flow", "name": "close on leak", "kind": "flow", "confidence": "low", "score": 4,
             "description": "Closes the valve.",
             "evidence": [{"file": "main.go", "line": 3, "snippet": "a()"}, {"file": "b.go", "line": 44, "snippet": "b()"}]},
        ]});
        assert_eq!(
            plain("search", &answer),
            "2 results for \"leak\", best first\n\
             \n\
             leak.go:10  LeakGuard      source struct, high confidence\n\
             \x20 > type LeakGuard struct {\n\
             \n\
             main.go:3   close on leak  flow, low confidence\n\
             \x20 > a()\n\
             \x20 b.go:44  > b()\n\
             \x20 Closes the valve.\n"
        );
    }

    #[test]
    fn a_description_that_the_quote_repeats_is_left_out() {
        let definition = "The fall of water content between two waterings, in points per hour.";
        let answer = json!({"status": "ok", "query": "dry", "results": [
            {"type": "glossary", "name": "Dry-down", "kind": "concept", "description": definition, "confidence": "high",
             "score": 1, "evidence": [{"file": "G.md", "line": 7, "snippet": format!("- **Dry-down**: {}", &definition[..50])}]},
        ]});
        let text = plain("search", &answer);
        assert_eq!(text.matches("The fall of water").count(), 1, "{text}");
    }

    #[test]
    fn nothing_found_says_what_else_to_try() {
        let answer = json!({"status": "no_results", "query": "a\u{202e}b", "results": []});
        let text = plain("search", &answer);
        assert!(text.starts_with("no results for \"a\\u{202e}b\"\n"), "{text}");
        assert!(text.contains("try other words"), "{text}");
    }
}
