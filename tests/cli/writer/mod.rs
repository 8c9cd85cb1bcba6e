//! The writer: whatever happens to a build, the output is whole, the former one or the new one.

mod disk;
mod kills;
mod race;
mod refusals;

use std::fmt::Write as _;
use std::io::Write as _;

use crate::common::Desk;
use crate::craft::small_directory;

/// Says loudly that something couldn't be tested here.
fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "*** SKIPPED: {what}");
}

/// Writes a directory of one file with so many symbols, none like another: their texts hardly compress.
fn invented_directory(desk: &Desk, name: &str, symbols: u64) {
    small_directory(desk, name, &format!("Invented for a test, with {symbols} symbols."));
    let mut text =
        String::from(r#"{"schemaVersion":"1.1.0","files":[{"path":"a.md","language":null,"symbols":["#);
    for number in 0..symbols {
        let comma = if number == 0 { "" } else { "," };
        let noise = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ symbols;
        let line = number + 1;
        let _ = write!(
            text,
            r#"{comma}{{"name":"s{noise:x}","kind":"function","line":{line},"snippet":"{noise:o}"}}"#
        );
    }
    text.push_str("]}]}");
    desk.write(&format!("{name}/source-index.json"), text);
    let counted = format!("\"symbolsIndexed\":{symbols}");
    desk.edit(&format!("{name}/metadata.json"), "\"symbolsIndexed\":0", &counted);
}
