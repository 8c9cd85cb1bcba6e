//! Types, required fields, closed sets, numbers and versions.

use crate::base::{Directory, Expected, at, check};

const M: &str = "manifest.json";
const D: &str = "metadata.json";
const G: &str = "glossary.json";
const A: &str = "architecture.json";
const F: &str = "flows.json";
const S: &str = "source-index.json";

/// File, what is replaced, by what, and what is found.
type Case = (&'static str, &'static str, &'static str, &'static [Expected]);

fn check_all(cases: &[Case]) {
    for (file, from, to, expected) in cases {
        check(&format!("{file}: {from} -> {to}"), Directory::sound().edit(file, from, to), expected);
    }
}

#[test]
fn a_missing_field_is_found_at_its_object() {
    check_all(&[
        (M, "\"generatedAt\"", "\"x\"", &[at("OMP031", M, "", 1, 1, "`generatedAt` is missing")]),
        (M, "\"version\"", "\"x\"", &[at("OMP031", M, "/generator", 3, 16, "`version` is missing")]),
        (M, "\"root\"", "\"x\"", &[at("OMP031", M, "/repository", 5, 17, "`root` is missing")]),
        (M, "\"flows\"", "\"graph\"", &[at("OMP031", M, "/artifacts", 6, 16, "`flows` is missing")]),
        (D, "\"summary\"", "\"x\"", &[at("OMP031", D, "", 1, 1, "`summary` is missing")]),
        (D, "\"source\"", "\"x\"", &[at("OMP031", D, "/template", 5, 15, "`source` is missing")]),
        (D, "\"filesIndexed\"", "\"x\"", &[at("OMP031", D, "/summary", 6, 14, "`filesIndexed` is missing")]),
        (G, "\"schemaVersion\"", "\"x\"", &[at("OMP031", G, "", 1, 1, "`schemaVersion` is missing")]),
        (G, "\"entries\"", "\"x\"", &[at("OMP031", G, "", 1, 1, "`entries` is missing")]),
        (G, "\"term\"", "\"x\"", &[at("OMP031", G, "/entries/0", 4, 5, "`term` is missing")]),
        (G, "\"snippet\"", "\"x\"", &[at("OMP031", G, "/entries/0/evidence/0", 8, 20, "`snippet` is missing")]),
        (A, "\"responsibilities\"", "\"x\"", &[at("OMP031", A, "/components/0", 4, 5, "`responsibilities`")]),
        (A, "\"title\"", "\"x\"", &[at("OMP031", A, "/layers/0", 15, 5, "`title` is missing")]),
        (F, "\"values\"", "\"x\"", &[at("OMP031", F, "/flows/0/facets/0", 6, 9, "`values` is missing")]),
        (F, "\"component\"", "\"x\"", &[at("OMP031", F, "/flows/0/steps/0", 11, 9, "`component` is missing")]),
        (S, "\"symbols\": []", "\"x\": []", &[at("OMP031", S, "/files/0", 4, 5, "`symbols` is missing")]),
        (S, "\"kind\"", "\"x\"", &[at("OMP031", S, "/files/1/symbols/0", 9, 9, "`kind` is missing")]),
    ]);
}

#[test]
fn several_missing_fields_are_several_findings() {
    let directory = Directory::sound().edit(S, "{\"name\": \"Cart\", \"kind\": \"class\", \"line\": 1, \"snippet\": \"class Cart:\"}", "{}");
    let missing = |field| at("OMP031", S, "/files/1/symbols/0", 9, 9, field);
    check("an empty symbol", directory, &[missing("`kind`"), missing("`line`"), missing("`name`"), missing("`snippet`")]);
}

#[test]
fn optional_fields_may_be_missing_or_null_where_the_schema_says_so() {
    for (file, from, to) in [
        (M, ", \"commit\": null", ""),
        (D, "\"template\"", "\"x\""),
        (D, "{\"name\": \"spring-boot\", \"source\": \"builtin\", \"schemaVersion\": \"1.2.0\"}", "null"),
        (A, ",\n      \"roles\": {\"service\": 1, \"model\": 0}", ""),
        (A, "\"layers\"", "\"x\""),
        (A, "\"layer\": 2,", ""),
        (A, "\"layer\": 2", "\"layer\": null"),
        (F, "\"facets\"", "\"x\""),
        (S, "\"language\": null, ", ""),
    ] {
        check(&format!("{file}: {from} -> {to}"), Directory::sound().edit(file, from, to), &[]);
    }
}

#[test]
fn a_wrong_type_says_what_was_expected_and_found() {
    check_all(&[
        (M, "\"open-mind\"", "[]", &[at("OMP030", M, "/generator/name", 3, 25, "expected a string, found an array")]),
        (M, "null", "7", &[at("OMP030", M, "/repository/commit", 5, 57, "expected a string or null, found the number 7")]),
        (M, "\"flows.json\"", "{}", &[at("OMP030", M, "/artifacts/flows", 10, 14, "expected a file name, found an object")]),
        (D, "{\"name\": \"spring-boot\"", "\"x\", \"y\": {\"name\": \"\"", &[at("OMP030", D, "/template", 5, 15, "expected an object or null, found the string \"x\"")]),
        (D, "2, \"s", "\"2\", \"s", &[at("OMP030", D, "/summary/filesIndexed", 6, 31, "expected a whole number, found the string \"2\"")]),
        (G, "\"concept\"", "null", &[at("OMP030", G, "/entries/0/kind", 6, 15, "expected a string, found `null`")]),
        (G, "\"high\"", "true", &[at("OMP030", G, "/entries/0/confidence", 9, 21, "or \"low\", found `true`")]),
        (G, "{\"file\": \"src/cart.py\", \"line\": 1, \"snippet\": \"class Cart:\"}", "[\"src/cart.py\", 1, \"class Cart:\"]", &[at("OMP030", G, "/entries/1/evidence/0", 15, 20, "expected an object, found an array")]),
        (A, "[\"Defines Cart\", \"Defines total\"]", "\"Defines Cart\"", &[at("OMP030", A, "/components/0/responsibilities", 8, 27, "expected an array, found the string \"Defines Cart\"")]),
        (A, "\"Defines total\"", "7", &[at("OMP030", A, "/components/0/responsibilities/1", 8, 44, "expected a string, found the number 7")]),
        (A, "{\"service\": 1, \"model\": 0}", "[1]", &[at("OMP030", A, "/components/0/roles", 11, 16, "expected an object, found an array")]),
        (A, "\"service\": 1", "\"service\": null", &[at("OMP030", A, "/components/0/roles/service", 11, 28, "expected a whole number, found `null`")]),
        (A, "\"layer\": 2", "\"layer\": \"2\"", &[at("OMP030", A, "/layers/0/layer", 18, 16, "expected a whole number or null")]),
        (F, "{\"method\": \"post\", \"path\": \"\"}", "{\"method\": 5}", &[at("OMP030", F, "/flows/0/facets/0/values/method", 6, 50, "expected a string, found the number 5")]),
        (S, "\"symbols\": []", "\"symbols\": {\"a\": []}", &[at("OMP030", S, "/files/0/symbols", 4, 60, "expected an array, found an object")]),
        (S, "[]", "null", &[at("OMP030", S, "/files/0/symbols", 4, 60, "expected an array, found `null`")]),
        (S, "{\"path\": \"docs/terms.md\", \"language\": null, \"symbols\": []}", "-5", &[at("OMP030", S, "/files/0", 4, 5, "expected an object, found the number -5"), ]),
        (S, "1, \"snippet\"", "\"1\", \"snippet\"", &[at("OMP030", S, "/files/1/symbols/0/line", 9, 51, "expected a line number, found the string \"1\"")]),
        (S, "1, \"snippet\"", "[1], \"snippet\"", &[at("OMP030", S, "/files/1/symbols/0/line", 9, 51, "expected a line number, found an array")]),
    ]);
}

#[test]
fn a_wrong_type_for_an_optional_list_is_no_missing_list() {
    let array = "expected an array, found `null`";
    let nulled = |file, list: &str| Directory::sound().edit(file, list, &format!("\"x\": 1, {list}null, \"y\": "));
    check("layers", nulled(A, "\"layers\": "), &[at("OMP030", A, "/layers", 14, 21, array)]);
    check("facets", nulled(F, "\"facets\": "), &[at("OMP030", F, "/flows/0/facets", 5, 25, array)]);
}

#[test]
fn a_whole_file_of_a_wrong_type_is_named() {
    let whole = |file, text: &str| Directory::sound().put(file, text);
    check("a string", whole(G, "\n \"x\""), &[at("OMP030", G, "", 2, 2, "expected an object or an array, found the string \"x\"")]);
    check("null", whole(S, "null"), &[at("OMP030", S, "", 1, 1, "expected an object or an array, found `null`")]);
    check("an array for metadata", whole(D, "[[]]"), &[at("OMP030", D, "", 1, 1, "expected an object, found an array")]);
    let derived = r#"["1.1.0", [["a.py", "Python", [["f", "function", 1, "x"]]]]]"#;
    let element = |pointer, column, found| at("OMP030", S, pointer, 1, column, found);
    let expected = [
        element("/0", 2, "expected an object, found the string \"1.1.0\""),
        element("/1", 11, "expected an object, found an array"),
    ];
    // The cited files are in no index then.
    let loaded = whole(S, derived).load();
    let errors: Vec<_> = loaded.findings.iter().filter(|found| found.severity.as_str() == "error").cloned().collect();
    crate::base::compare("arrays for objects", &errors, &expected);
}

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
        (A, "\"model\": 0", "\"model\": -1", &[at("OMP032", A, "/components/0/roles/model", 11, 40, "found -1")]),
        (A, "\"fileCount\": 1", "\"fileCount\": 1.5", &[at("OMP032", A, "/layers/0/fileCount", 19, 20, "found 1.5")]),
        (F, "\"order\": 1", "\"order\": 0", &[]),
    ]);
}

#[test]
fn confidence_is_a_closed_set() {
    check_all(&[
        (G, "\"high\"", "\"High\"", &[at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"High\"")]),
        (G, "\"high\"", "\"\"", &[at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"\"")]),
        (A, "\"medium\"", "\"certain\"", &[at("OMP034", A, "/components/0/confidence", 10, 21, "found \"certain\"")]),
        (F, "\"medium\"", "\"none\"", &[at("OMP034", F, "/flows/0/confidence", 18, 21, "found \"none\"")]),
        (G, "\"high\"", r#""\u0068igh""#, &[]),
    ]);
}

#[test]
fn names_are_not_empty() {
    check_all(&[
        (G, "\"Order\"", "\"\"", &[at("OMP035", G, "/entries/0/term", 5, 15, "found the empty string")]),
        (A, "\"src\"", "\"\"", &[at("OMP035", A, "/components/0/name", 5, 15, "found the empty string")]),
        (A, "\"model\": 0", "\"\": 0", &[at("OMP035", A, "/components/0/roles/", 11, 35, "found the empty string")]),
        (A, "\"role\": \"service\"", "\"role\": \"\"", &[at("OMP035", A, "/layers/0/role", 16, 15, "empty")]),
        (F, "\"route\"", "\"\"", &[at("OMP035", F, "/flows/0/facets/0/facet", 6, 19, "empty")]),
        (F, "\"name\": \"Entry flow: src/cart.py\"", "\"name\": \"\"", &[at("OMP035", F, "/flows/0/name", 8, 15, "empty")]),
        (F, "\"component\": \"src\"", "\"component\": \"\"", &[at("OMP035", F, "/flows/0/steps/0/component", 14, 24, "empty")]),
        (S, "\"name\": \"Cart\"", "\"name\": \"\"", &[at("OMP035", S, "/files/1/symbols/0/name", 9, 18, "empty")]),
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
