//! The five answers for people.
//!
//! An answer is read back from its JSON object, which is all that a client of the server gets too.

mod artifacts;
mod claim;
mod explain;
mod search;
mod symbol;

use anstyle::Style;
use serde_json::Value;

use super::page::Page;
use super::style::{FAINT, GOOD, Styled, WARN};
use super::text::shown;

/// Lays out the answer to a command of the catalogue. What isn't known here is shown as it is.
pub(crate) fn answer(page: &mut Page, command: &str, answer: &Value) {
    if let Some(notice) = answer.get("notice").and_then(Value::as_str) {
        page.hanging(0, "notice: ", WARN, notice);
        page.gap();
    }
    let laid_out = match command {
        "artifacts" => artifacts::lay_out(page, answer),
        "search" => search::lay_out(page, answer),
        "symbol" => symbol::lay_out(page, answer),
        "explain" => explain::lay_out(page, answer),
        "claim" => claim::lay_out(page, answer),
        _ => None,
    };
    if laid_out.is_none() {
        page.line(format_args!("{}", shown(&answer.to_string())));
    }
}

/// Reads an answer's fields; `None` where it has another shape, and then nothing was printed yet.
fn read<'a, T: serde::Deserialize<'a>>(answer: &'a Value) -> Option<T> {
    T::deserialize(answer).ok()
}

/// The status in words.
fn status(status: &str) -> Styled<String> {
    let style = if matches!(status, "ok" | "supported") { GOOD } else { WARN };
    Styled(style, status.replace('_', " "))
}

/// A label and what it labels.
fn labelled(page: &mut Page, label: &str, text: &str) {
    page.hanging(2, &format!("{label} "), FAINT, text);
}

/// A label of the lines below it.
fn heading(page: &mut Page, label: &str) {
    page.line(format_args!("  {}", Styled(FAINT, label)));
}

/// Names, one a line.
fn names(page: &mut Page, style: Style, names: &[&str]) {
    for name in names {
        page.line(format_args!("    {}", Styled(style, shown(name))));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The page that a command's answer makes, without its styles.
    pub(super) fn plain(command: &str, value: &Value) -> String {
        let mut page = Page::new(None);
        answer(&mut page, command, value);
        anstream::adapter::strip_str(page.text()).to_string()
    }

    #[test]
    fn the_notice_stands_first() {
        let text = plain(
            "search",
            &json!({"status": "no_results", "query": "x", "results": [], "notice": "Not yours."}),
        );
        assert!(text.starts_with("notice: Not yours.\n\n"), "{text}");
    }

    #[test]
    fn an_answer_of_another_shape_is_shown_as_it_is_and_once() {
        assert_eq!(plain("symbol", &json!({"status": 7})), "{\"status\":7}\n");
        assert_eq!(plain("unheard-of", &json!({"status": "ok"})), "{\"status\":\"ok\"}\n");
    }
}
