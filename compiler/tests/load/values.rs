//! Numbers, closed sets, names, limits and versions.

use crate::base::{Directory, at, check, check_all};

const M: &str = "manifest.json";
const D: &str = "metadata.json";
const G: &str = "glossary.json";
const A: &str = "architecture.json";
const F: &str = "flows.json";
const S: &str = "source-index.json";

#[test]
fn numbers_are_whole_and_in_plain_digits() {
    let line = |value: &str| Directory::sound().edit(S, "\"line\": 9", &format!("\"line\": {value}"));
    let found = |code, says| [at(code, S, "/files/1/symbols/2/line", 11, 55, says)];
    check("negative", line("-1"), &found("OMP032", "expected a line number in plain digits, found -1"));
    check("minus zero", line("-0"), &found("OMP032", "found -0"));
    check("a fraction", line("1.0"), &found("OMP032", "found 1.0"));
    check("an exponent", line("1e0"), &found("OMP032", "found 1e0"));
    check("beyond all floats", line("1e999"), &found("OMP032", "found 1e999"));
    check("2^53 + 1", line("9007199254740993"), &found("OMP033", "9007199254740993; at most 2147483647"));
    check("2^31", line("2147483648"), &found("OMP033", "2147483648; at most 2147483647"));
    check("2^64 + 1", line("18446744073709551617"), &found("OMP033", "at most 2147483647"));
    check("the largest", line("2147483647"), &[]);
    check("zero", line("0"), &found("OMP056", "expected a line number from 1, found 0"));
}

#[test]
fn counts_start_at_zero_and_are_not_negative() {
    check_all(&[
        (
            A,
            "\"model\": 0",
            "\"model\": -1",
            Some(at("OMP032", A, "/components/0/roles/model", 11, 40, "found -1")),
        ),
        (
            A,
            "\"fileCount\": 1",
            "\"fileCount\": 1.5",
            Some(at("OMP032", A, "/layers/0/fileCount", 19, 20, "found 1.5")),
        ),
        (F, "\"order\": 1", "\"order\": 0", None),
    ]);
}

#[test]
fn confidence_is_a_closed_set() {
    check_all(&[
        (G, "\"high\"", "\"High\"", Some(at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"High\""))),
        (G, "\"high\"", "\"\"", Some(at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"\""))),
        (
            A,
            "\"medium\"",
            "\"certain\"",
            Some(at("OMP034", A, "/components/0/confidence", 10, 21, "found \"certain\"")),
        ),
        (F, "\"medium\"", "\"none\"", Some(at("OMP034", F, "/flows/0/confidence", 18, 21, "found \"none\""))),
        (G, "\"high\"", r#""\u0068igh""#, None),
    ]);
}

#[test]
fn names_are_not_empty() {
    check_all(&[
        (G, "\"Order\"", "\"\"", Some(at("OMP035", G, "/entries/0/term", 5, 15, "found the empty string"))),
        (A, "\"src\"", "\"\"", Some(at("OMP035", A, "/components/0/name", 5, 15, "found the empty string"))),
        (
            A,
            "\"model\": 0",
            "\"\": 0",
            Some(at("OMP035", A, "/components/0/roles/", 11, 35, "found the empty string")),
        ),
        (
            A,
            "\"role\": \"service\"",
            "\"role\": \"\"",
            Some(at("OMP035", A, "/layers/0/role", 16, 15, "empty")),
        ),
        (F, "\"route\"", "\"\"", Some(at("OMP035", F, "/flows/0/facets/0/facet", 6, 19, "empty"))),
        (
            F,
            "\"name\": \"Entry flow: src/cart.py\"",
            "\"name\": \"\"",
            Some(at("OMP035", F, "/flows/0/name", 8, 15, "empty")),
        ),
        (
            F,
            "\"component\": \"src\"",
            "\"component\": \"\"",
            Some(at("OMP035", F, "/flows/0/steps/0/component", 14, 24, "empty")),
        ),
        (
            S,
            "\"name\": \"Cart\"",
            "\"name\": \"\"",
            Some(at("OMP035", S, "/files/1/symbols/0/name", 9, 18, "empty")),
        ),
    ]);
}

#[test]
fn a_name_has_at_most_8_kib() {
    let named = |bytes: usize| Directory::sound().edit(S, "\"Cart\"", &format!("\"{}\"", "n".repeat(bytes)));
    check("8,192 bytes", named(8_192), &[]);
    let says = "8193 bytes; at most 8192";
    check("8,193 bytes", named(8_193), &[at("OMP036", S, "/files/1/symbols/0/name", 9, 18, says)]);
}

#[test]
fn a_list_has_at_most_as_many_entries_as_its_limit() {
    let directory = || Directory::sound().within(|limits| limits.entries = 2);
    let says = "the list has 3 entries; at most 2";
    check("three symbols", directory(), &[at("OMP037", S, "/files/1/symbols", 8, 18, says)]);
    let two = Directory::sound().within(|limits| limits.entries = 3);
    check("three symbols of three", two, &[]);
}

#[test]
fn all_strings_together_have_a_limit() {
    let directory = Directory::sound().within(|limits| limits.string_bytes = 10);
    let loaded = directory.load();
    assert!(loaded.model.is_none());
    let first = loaded.findings.first().unwrap();
    // The version takes 5 bytes and the generator's name 9 more.
    assert_eq!((first.code.id(), first.pointer.as_deref()), ("OMP038", Some("/generator/name")));
    assert!(first.message.contains("more than 10 bytes"), "{}", first.message);
}

#[test]
fn a_schema_version_is_1_x() {
    let all = |version: &str| {
        [M, D, G, A, F, S].into_iter().fold(Directory::sound(), |directory, file| {
            directory.edit(file, "\"schemaVersion\": \"1.1.0\"", &format!("\"schemaVersion\": {version}"))
        })
    };
    for version in ["\"1.0\"", "\"1.0.0\"", "\"1.2\"", "\"1.10.3.4\""] {
        check(version, all(version), &[]);
    }
    let each = |code, says| [M, D, G, A, F, S].map(|file| at(code, file, "/schemaVersion", 2, 20, says));
    for (version, says) in [
        ("\"2.0.0\"", "the schema version is \"2.0.0\"; versions 1.x are read"),
        ("\"2.0.0-draft.2\"", "\"2.0.0-draft.2\"; versions 1.x"),
        ("\"0.9\"", "\"0.9\"; versions 1.x"),
        ("\"10.1\"", "\"10.1\"; versions 1.x"),
    ] {
        check(version, all(version), &each("OMP040", says));
    }
    for version in ["\"1\"", "\"\"", "\"1.\"", "\"1.x\"", "\"1.1.\"", "\"v1.1\"", "\"1.1.0-rc\""] {
        check(version, all(version), &each("OMP041", "expected a schema version 1.x, found"));
    }
    check("a number", all("1.1"), &each("OMP030", "expected a string, found the number 1.1"));
}

#[test]
fn a_text_longer_than_a_bundle_can_hold_is_an_error() {
    let description = |bytes: usize| {
        let text = format!("\"{}\"", "x".repeat(bytes));
        Directory::sound().edit("glossary.json", "\"What a customer asked for.\"", &text)
    };
    check("as long as can be", description(1 << 20), &[]);
    let says = "the text is 1048577 bytes long; at most 1048576 are read";
    let expected = at("OMP039", "glossary.json", "/entries/0/description", 7, 22, says);
    check("a byte more", description((1 << 20) + 1), &[expected]);
}
