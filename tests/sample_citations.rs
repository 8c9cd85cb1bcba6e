//! Every citation of the sample's artifacts holds against the sample's sources.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/sample-repo");
const FILES: [&str; 4] = ["glossary.json", "architecture.json", "flows.json", "source-index.json"];

/// Blank to Python's `str.strip`, by which snippets are trimmed.
fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\x1c'..='\x1f' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Collects (file, line, snippet) wherever an object cites one.
fn citations(value: &Value, file: Option<&str>, found: &mut Vec<(String, usize, String)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| citations(item, file, found)),
        Value::Object(fields) => {
            let text = |key| fields.get(key).and_then(Value::as_str);
            // A symbol lies in the file whose entry holds it.
            let file = text("file").or(text("path")).or(file);
            if let (Some(file), Some(line), Some(snippet)) = (file, fields.get("line"), text("snippet")) {
                found.push((file.to_owned(), line.as_u64().unwrap() as usize, snippet.to_owned()));
            }
            fields.values().for_each(|field| citations(field, file, found));
        }
        _ => {}
    }
}

#[test]
fn each_cited_line_is_the_line_in_the_source() {
    let mut found = Vec::new();
    for name in FILES {
        let text = fs::read_to_string(Path::new(SAMPLE).join(".openmind").join(name)).unwrap();
        let before = found.len();
        citations(&serde_json::from_str(&text).unwrap(), None, &mut found);
        assert!(found.len() > before, "{name} cites something");
    }
    let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, line, snippet) in found {
        let lines = sources.entry(file.clone()).or_insert_with(|| {
            let text = fs::read_to_string(Path::new(SAMPLE).join(&file)).unwrap();
            text.split('\n').map(|line| line.trim_matches(is_blank).chars().take(200).collect()).collect()
        });
        assert_eq!(lines[line - 1], snippet, "{file}:{line}");
    }
}
