//! Many findings of one code.

use crate::base::{Directory, at, compare};

/// A source index of one file with `count` symbols, one a line, none with a name that is a string.
fn nameless(count: usize) -> String {
    let symbol = "{\"name\": 7, \"kind\": \"k\", \"line\": 1, \"snippet\": \"s\"}";
    let symbols = vec![symbol; count].join(",\n");
    format!("[{{\"path\": \"a.py\", \"symbols\": [\n{symbols}\n]}}]")
}

#[test]
fn a_thousand_findings_of_a_code_are_listed_and_the_rest_counted() {
    let loaded = Directory::sound().put("source-index.json", nameless(2_500)).load();
    let index: Vec<_> = loaded.findings.iter().filter(|found| found.file == "source-index.json").collect();
    assert_eq!(index.len(), 1_001);
    assert_eq!(index[0].pointer.as_deref(), Some("/0/symbols/0/name"));
    assert_eq!((index[0].line, index[0].column), (Some(2), Some(10)));
    assert_eq!(index[999].pointer.as_deref(), Some("/0/symbols/999/name"));
    assert_eq!((index[999].line, index[999].column), (Some(1_001), Some(10)));
    let rest = index[1_000];
    assert_eq!((rest.code.id(), rest.severity.as_str(), rest.line), ("OMP009", "note", None));
    assert_eq!(rest.message, "1500 more OMP030 in this file, beside the 1000 listed");
    assert!(loaded.model.is_none());
}

#[test]
fn each_code_of_each_file_has_a_cap_of_its_own() {
    let directory = Directory::sound()
        .within(|limits| limits.findings_per_code = 1)
        .edit("glossary.json", "\"Order\"", "1")
        .edit("glossary.json", "\"Cart\"", "2")
        .edit("glossary.json", "\"high\"", "\"sure\"")
        .edit("flows.json", "\"src\"", "3");
    let loaded = directory.load();
    let more = ("OMP009", "glossary.json", None, None, "1 more OMP030 in this file, beside the 1 listed");
    let expected = [
        at("OMP030", "glossary.json", "/entries/0/term", 5, 15, "number 1"),
        at("OMP034", "glossary.json", "/entries/0/confidence", 9, 21, "sure"),
        more,
        at("OMP030", "flows.json", "/flows/0/steps/0/component", 14, 24, "number 3"),
    ];
    compare("capped at one", &loaded.findings, &expected);
}

#[test]
fn an_error_that_is_not_listed_still_stops_a_build() {
    let directory = Directory::sound().within(|limits| limits.findings_per_code = 0);
    assert!(directory.edit("glossary.json", "\"Order\"", "1").load().model.is_none());
}
