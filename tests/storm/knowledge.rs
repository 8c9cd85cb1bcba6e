//! Invented bundles of any size, and questions about them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::Desk;

/// Entries of a bundle that is read rather than mapped, and of one of about 1 MB.
pub(crate) const FEW: usize = 40;
pub(crate) const MANY: usize = 4000;

/// Builds a bundle with as many terms and symbols, whose every answer holds `marker`.
pub(crate) fn build(desk: &Desk, name: &str, marker: &str, entries: usize) -> PathBuf {
    let directory = desk.path(&format!("{name}.openmind"));
    fs::create_dir(&directory).unwrap();
    let file = |entry: usize| format!("src/part{}.rs", entry / 20);
    let snippet = |entry: usize| format!("fn hold_item_{entry}() {{ {marker}() }}");
    let evidence =
        |entry: usize| json!([{"file": file(entry), "line": entry % 20 + 1, "snippet": snippet(entry)}]);
    let version = "1.0.0";
    let repository = json!({"name": marker, "root": "", "commit": null});
    let terms = (0..entries).map(|entry| {
        json!({
            "term": format!("Item{entry}"), "kind": "class", "evidence": evidence(entry), "confidence": "high",
            "description": format!("Item{entry} is the {marker} way to hold what has the number {entry}."),
        })
    });
    let component = json!({
        "name": "src", "kind": "module", "description": format!("Holds items the {marker} way."),
        "responsibilities": ["Holds"], "evidence": evidence(0), "confidence": "medium",
    });
    let files = (0..entries).step_by(20).map(|first| {
        let symbol = |entry| {
            json!({"name": format!("hold_item_{entry}"), "kind": "function", "line": entry % 20 + 1, "snippet": snippet(entry)})
        };
        json!({"path": file(first), "language": "Rust", "symbols": (first..first + 20).map(symbol).collect::<Value>()})
    });
    let files: Vec<Value> = files.collect();
    for (name, content) in [
        (
            "manifest.json",
            json!({
                "schemaVersion": version, "generator": {"name": "storm", "version": "1"},
                "generatedAt": "2026-01-01T00:00:00Z", "repository": repository,
                "artifacts": {
                    "metadata": "metadata.json", "glossary": "glossary.json", "architecture": "architecture.json",
                    "flows": "flows.json", "sourceIndex": "source-index.json",
                },
            }),
        ),
        (
            "metadata.json",
            json!({
                "schemaVersion": version, "repository": repository, "generatedAt": "2026-01-01T00:00:00Z",
                "template": {"name": "storm", "source": "user", "schemaVersion": version},
                "summary": {"filesIndexed": files.len(), "symbolsIndexed": entries, "artifactsGenerated": 5},
            }),
        ),
        ("glossary.json", json!({"schemaVersion": version, "entries": terms.collect::<Value>()})),
        ("architecture.json", json!({"schemaVersion": version, "components": [component]})),
        ("flows.json", json!({"schemaVersion": version, "flows": []})),
        ("source-index.json", json!({"schemaVersion": version, "files": files})),
    ] {
        fs::write(directory.join(name), content.to_string()).unwrap();
    }
    let bundle = desk.path(&format!("{name}.ompack"));
    desk.run([&"build".into(), &directory, &"-o".into(), &bundle]).expect(0);
    bundle
}

/// A tool and its arguments.
pub(crate) type Question = (&'static str, Value);

/// Questions about entries from everywhere in a bundle, none of which asks for the bundle itself.
pub(crate) fn questions(entries: usize) -> Vec<Question> {
    let mut questions: Vec<Question> = vec![
        ("explain_architecture_component", json!({"component": "src"})),
        ("search_codebase_context", json!({"query": "hold item", "limit": 20})),
    ];
    for entry in (0..entries).step_by(entries / 10) {
        questions.push(("get_symbol_evidence", json!({"symbol": format!("hold_item_{entry}")})));
        questions.push(("search_codebase_context", json!({"query": format!("Item{entry}")})));
        let claim = format!("Item{entry} is a way to hold what has the number {entry}.");
        questions.push(("validate_claim_against_sources", json!({"claim": claim})));
    }
    questions
}

/// The question for the bundle itself.
pub(crate) fn listing() -> Question {
    ("list_available_artifacts", json!({}))
}
