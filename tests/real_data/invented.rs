//! A directory that holds what the contract has rules for and no real one shows: terms with several places and
//! confidences, in any order, places that a term and a symbol share, components that differ in case, bare arrays.
//!
//! Needs no data, so these rules are checked everywhere.

use std::fs;

use serde_json::{Value, json};

use crate::checks::check;
use crate::directories::Directory;
use crate::program::workshop;

#[test]
fn an_invented_directory_is_answered_as_the_contract_says() {
    let workshop = workshop();
    let path = workshop.path().join(".openmind");
    fs::create_dir(&path).expect("made");
    for (name, value) in files() {
        fs::write(path.join(name), format!("{value:#}\n")).expect("written");
    }
    check(&Directory { name: "invented".into(), path, bytes: 0 }).disagreements.assert_none();
}

fn files() -> [(&'static str, Value); 6] {
    let repository =
        json!({"name": "invented", "root": ".", "commit": "0123456789abcdef0123456789abcdef01234567"});
    let (version, at) = ("1.1.0", "some time ago");
    let files = source_files();
    let symbols: usize = files.iter().map(|file| file["symbols"].as_array().map_or(0, Vec::len)).sum();
    [
        (
            "manifest.json",
            json!({
                "schemaVersion": version,
                "generator": {"name": "a hand", "version": "3"},
                "generatedAt": at,
                "repository": repository,
                "artifacts": {
                    "metadata": "metadata.json",
                    "glossary": "terms.json",
                    "architecture": "parts.json",
                    "flows": "flows.json",
                    "sourceIndex": "symbols.json",
                },
            }),
        ),
        (
            "metadata.json",
            json!({
                "schemaVersion": version,
                "repository": repository,
                "generatedAt": at,
                "template": null,
                "summary": {"filesIndexed": files.len(), "symbolsIndexed": symbols, "artifactsGenerated": 5},
            }),
        ),
        ("terms.json", Value::Array(terms())),
        ("parts.json", Value::Array(components())),
        ("flows.json", json!([])),
        ("symbols.json", Value::Array(files)),
    ]
}

/// Paths stand in no order, and two of them sort otherwise by UTF-16 than by bytes; `café` has a decomposed twin, which is
/// another exact name.
fn source_files() -> Vec<Value> {
    let many: Vec<Value> = (1..=123).map(|line| symbol("again", line)).collect();
    vec![
        json!({"path": "z/last.rs", "language": "Rust", "symbols": [symbol("Alpha", 2), symbol("alpha", 9), symbol("ALPHA", 30)]}),
        json!({"path": "a/first.rs", "language": null, "symbols": [symbol("alpha", 4), symbol("shared", 5), symbol("café", 6)]}),
        json!({"path": "a/many.rs", "language": "Rust", "symbols": many}),
        json!({"path": "a-b.rs", "language": "Rust", "symbols": [symbol("shared", 1), symbol("cafe\u{301}", 2)]}),
        json!({"path": "a/\u{fffd}.rs", "language": "Rust", "symbols": [symbol("alpha", 1)]}),
        json!({"path": "a/\u{1f980}.rs", "language": "Rust", "symbols": [symbol("alpha", 1)]}),
    ]
}

fn terms() -> Vec<Value> {
    let again = symbol("again", 50)["snippet"].clone();
    vec![
        term(
            "shared",
            "medium",
            vec![place("z/last.rs", 7, "second"), place("a/first.rs", 5, "fn shared() {}")],
        ),
        // Equal to the place of a symbol, and to one of its own.
        term("again", "high", vec![place("a/many.rs", 50, again.clone()), place("a/many.rs", 50, again)]),
        term(
            "ALPHA",
            "low",
            vec![place("z/last.rs", 1, "ALPHA is the first letter."), place("a/first.rs", 90, "an aside")],
        ),
        term("Alpha", "high", vec![place("a/first.rs", 88, "Alpha: a letter.")]),
        term("twice", "medium", vec![place("z/last.rs", 3, "twice, the second")]),
        term("twice", "low", vec![place("a-b.rs", 3, "twice, the first")]),
        term("Twice", "high", vec![place("a-b.rs", 1, "Twice, a third")]),
        term("two words", "high", vec![place("a-b.rs", 8, "two words: a term with a blank")]),
    ]
}

/// More than a refusal names.
fn components() -> Vec<Value> {
    let mut components: Vec<Value> =
        (0..24).map(|index| component(&format!("src/part{index}"), "high")).collect();
    components.push(component("Src/Part3", "low"));
    components.push(component("SRC/PART3", "medium"));
    let mut second = component("src/part5", "low");
    second["description"] = json!("Another part of the same name.");
    components.push(second);
    components
}

fn component(name: &str, confidence: &str) -> Value {
    json!({
        "name": name,
        "kind": "module",
        "description": format!("What {name} is for."),
        "responsibilities": [format!("Keeps {name}"), "Keeps it twice"],
        "evidence": [place("z/last.rs", 9, "second"), place("a/first.rs", 4, "first")],
        "confidence": confidence,
    })
}

fn term(name: &str, confidence: &str, evidence: Vec<Value>) -> Value {
    json!({"term": name, "kind": "concept", "description": format!("{name} is a word."), "evidence": evidence, "confidence": confidence})
}

fn place(file: &str, line: u64, snippet: impl Into<Value>) -> Value {
    json!({"file": file, "line": line, "snippet": snippet.into()})
}

fn symbol(name: &str, line: u64) -> Value {
    json!({"name": name, "kind": "function", "line": line, "snippet": format!("fn {name}() {{}}")})
}
