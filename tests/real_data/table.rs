//! What was checked, a row for each directory, printed as each is done: the largest take minutes.

use std::time::Duration;

use crate::directories::say;

/// A directory and what was asked about it.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) symbols: usize,
    /// Names asked for in their own spelling, with all pages.
    pub(crate) names: usize,
    pub(crate) pages: usize,
    pub(crate) case_changed: usize,
    pub(crate) unknown: usize,
    pub(crate) components: usize,
    pub(crate) disagreements: usize,
    pub(crate) took: Duration,
}

const HEADS: [&str; 10] =
    ["directory", "MB", "symbols", "names", "pages", "cases", "unknown", "components", "disagree", "seconds"];

pub(crate) fn say_head() {
    say(&format!("| {} |", cells(HEADS.map(str::to_owned))));
    say(&format!("|{}|", widths().map(|width| "-".repeat(width + 2)).join("|")));
}

impl Row {
    pub(crate) fn say(&self) {
        let cell = |number: usize| number.to_string();
        say(&format!(
            "| {} |",
            cells([
                self.name.clone(),
                tenths(self.bytes / 100_000),
                cell(self.symbols),
                cell(self.names),
                cell(self.pages),
                cell(self.case_changed),
                cell(self.unknown),
                cell(self.components),
                cell(self.disagreements),
                tenths(u64::try_from(self.took.as_millis()).expect("a duration") / 100),
            ])
        ));
    }
}

/// Rows are printed before the last is known, so widths are set beforehand; the longest real directory's name fits.
fn widths() -> [usize; 10] {
    let mut widths = HEADS.map(str::len);
    widths[0] = 22;
    widths[1] = 5;
    widths
}

fn cells(texts: [String; 10]) -> String {
    let widths = widths();
    let pad = |(at, text): (usize, &String)| {
        if at == 0 { format!("{text:<0$}", widths[0]) } else { format!("{text:>0$}", widths[at]) }
    };
    texts.iter().enumerate().map(pad).collect::<Vec<_>>().join(" | ")
}

fn tenths(tenths: u64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
