//! A page of human text on its way to a stream: styled, aligned, and never failing while it is made.

use std::fmt::{self, Write};

use anstyle::Style;

use super::style::{PLACE, PLAIN, Styled};
use super::text::{columns, shown, wrapped};

/// A cell wider than this doesn't widen its column: one long path must not push every quote to the right.
const WIDEST_COLUMN: usize = 56;

/// Text being made. Whatever comes from artifacts goes in through [`shown`] or a method that applies it.
pub(crate) struct Page {
    text: String,
    columns: Option<usize>,
}

/// A cell of a table.
pub(crate) struct Cell {
    text: String,
    style: Style,
    right: bool,
}

impl Cell {
    /// Text at the left of its column, escaped.
    pub(crate) fn left(style: Style, text: &str) -> Self {
        Self { text: shown(text).into_owned(), style, right: false }
    }

    /// A number or the like at the right of its column.
    pub(crate) fn right(style: Style, text: impl Into<String>) -> Self {
        Self { text: text.into(), style, right: true }
    }
}

/// A cited line.
#[derive(Clone, Debug, serde::Deserialize)]
pub(crate) struct Quote<'a> {
    /// Path, relative to the repository.
    pub(crate) file: &'a str,
    /// Line, from 1.
    pub(crate) line: u32,
    /// The line's text.
    pub(crate) snippet: &'a str,
}

impl Quote<'_> {
    /// `file:line`, as the artifact has it.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl Page {
    /// An empty page whose prose is broken at `columns`, or not at all.
    pub(crate) fn new(columns: Option<usize>) -> Self {
        Self { text: String::new(), columns }
    }

    /// What is on it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// One line.
    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// An empty line.
    pub(crate) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Prose, broken to the page's width.
    pub(crate) fn prose(&mut self, indent: usize, text: &str) {
        self.hanging(indent, "", PLAIN, text);
    }

    /// Prose behind a mark, its further lines below its first word.
    pub(crate) fn hanging(&mut self, indent: usize, mark: &str, style: Style, text: &str) {
        let hang = indent + columns(mark);
        let most = self.columns.map(|columns| columns.saturating_sub(hang).max(20));
        for (index, line) in wrapped(text, most).iter().enumerate() {
            if index == 0 {
                self.line(format_args!("{:indent$}{}{line}", "", Styled(style, mark)));
            } else {
                self.line(format_args!("{:hang$}{line}", ""));
            }
        }
    }

    /// Rows whose columns are aligned; the last isn't padded.
    pub(crate) fn table(&mut self, indent: usize, rows: &[Vec<Cell>]) {
        for row in aligned(rows) {
            self.line(format_args!("{:indent$}{row}", ""));
        }
    }

    /// Cited lines, one a row: the place, then the quoted line.
    pub(crate) fn quotes(&mut self, indent: usize, quotes: &[Quote<'_>]) {
        let row = |quote: &Quote<'_>| {
            let quoted = format!("> {}", quote.snippet);
            vec![Cell::left(PLACE, &quote.place()), Cell::left(PLAIN, &quoted)]
        };
        for line in aligned(&quotes.iter().map(row).collect::<Vec<_>>()) {
            self.line(format_args!("{:indent$}{line}", ""));
        }
    }
}

/// Each row as a line whose columns stand below those of the other rows; the last column isn't padded.
pub(crate) fn aligned(rows: &[Vec<Cell>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(&cell.text));
        cells.filter(|wide| *wide <= WIDEST_COLUMN).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<Cell>| {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let last = index + 1 == row.len();
            let padding = width.saturating_sub(columns(&cell.text));
            let (before, after) = match (cell.right, last) {
                (true, _) => (padding, 0),
                (false, true) => (0, 0),
                (false, false) => (0, padding),
            };
            let gap = if last { 0 } else { 2 };
            let styled = Styled(cell.style, &cell.text);
            // Writing to a string can't fail.
            let _ = write!(line, "{:before$}{styled}{:after$}{:gap$}", "", "", "");
        }
        line
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page as a stream without colour gets it.
    fn plain(page: &Page) -> String {
        anstream::adapter::strip_str(page.text()).to_string()
    }

    #[test]
    fn columns_are_aligned_by_what_the_eye_sees() {
        let mut page = Page::new(None);
        page.table(
            2,
            &[
                vec![Cell::left(PLAIN, "日本"), Cell::right(PLAIN, "1"), Cell::left(PLAIN, "a")],
                vec![Cell::left(PLAIN, "abcde"), Cell::right(PLAIN, "23"), Cell::left(PLAIN, "b")],
            ],
        );
        assert_eq!(plain(&page), "  日本    1  a\n  abcde  23  b\n");
    }

    #[test]
    fn quotes_begin_with_their_place_and_are_aligned() {
        let quotes = [
            Quote { file: "a.rs", line: 3, snippet: "fn a()" },
            Quote { file: "src/b.rs", line: 120, snippet: "x\u{1b}[0m" },
        ];
        let mut page = Page::new(None);
        page.quotes(1, &quotes);
        assert_eq!(plain(&page), " a.rs:3        > fn a()\n src/b.rs:120  > x\\u{1b}[0m\n");
    }

    #[test]
    fn one_long_path_does_not_push_the_others_away() {
        let long = "d/".repeat(40);
        let quotes =
            [Quote { file: &long, line: 1, snippet: "x" }, Quote { file: "b", line: 2, snippet: "y" }];
        let mut page = Page::new(None);
        page.quotes(0, &quotes);
        assert_eq!(plain(&page), format!("{long}:1  > x\nb:2  > y\n"));
    }

    #[test]
    fn prose_hangs_below_its_first_word() {
        let mut page = Page::new(Some(26));
        page.hanging(2, "- ", PLAIN, "one two three four five six");
        assert_eq!(plain(&page), "  - one two three four\n    five six\n");
    }
}
