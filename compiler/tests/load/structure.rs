//! Types and required fields.

use crate::base::{Directory, at, check, check_all};

const M: &str = "manifest.json";
const D: &str = "metadata.json";
const G: &str = "glossary.json";
const A: &str = "architecture.json";
const F: &str = "flows.json";
const S: &str = "source-index.json";

#[test]
fn a_missing_field_is_found_at_its_object() {
    check_all(&[
        (M, "\"generatedAt\"", "\"x\"", Some(at("OMP031", M, "", 1, 1, "`generatedAt` is missing"))),
        (M, "\"version\"", "\"x\"", Some(at("OMP031", M, "/generator", 3, 16, "`version` is missing"))),
        (M, "\"root\"", "\"x\"", Some(at("OMP031", M, "/repository", 5, 17, "`root` is missing"))),
        (M, "\"flows\"", "\"graph\"", Some(at("OMP031", M, "/artifacts", 6, 16, "`flows` is missing"))),
        (D, "\"summary\"", "\"x\"", Some(at("OMP031", D, "", 1, 1, "`summary` is missing"))),
        (D, "\"source\"", "\"x\"", Some(at("OMP031", D, "/template", 5, 15, "`source` is missing"))),
        (
            D,
            "\"filesIndexed\"",
            "\"x\"",
            Some(at("OMP031", D, "/summary", 6, 14, "`filesIndexed` is missing")),
        ),
        (G, "\"schemaVersion\"", "\"x\"", Some(at("OMP031", G, "", 1, 1, "`schemaVersion` is missing"))),
        (G, "\"entries\"", "\"x\"", Some(at("OMP031", G, "", 1, 1, "`entries` is missing"))),
        (G, "\"term\"", "\"x\"", Some(at("OMP031", G, "/entries/0", 4, 5, "`term` is missing"))),
        (
            G,
            "\"snippet\"",
            "\"x\"",
            Some(at("OMP031", G, "/entries/0/evidence/0", 8, 20, "`snippet` is missing")),
        ),
        (
            A,
            "\"responsibilities\"",
            "\"x\"",
            Some(at("OMP031", A, "/components/0", 4, 5, "`responsibilities`")),
        ),
        (A, "\"title\"", "\"x\"", Some(at("OMP031", A, "/layers/0", 15, 5, "`title` is missing"))),
        (F, "\"values\"", "\"x\"", Some(at("OMP031", F, "/flows/0/facets/0", 6, 9, "`values` is missing"))),
        (
            F,
            "\"component\"",
            "\"x\"",
            Some(at("OMP031", F, "/flows/0/steps/0", 11, 9, "`component` is missing")),
        ),
        (S, "\"symbols\": []", "\"x\": []", Some(at("OMP031", S, "/files/0", 4, 5, "`symbols` is missing"))),
        (S, "\"kind\"", "\"x\"", Some(at("OMP031", S, "/files/1/symbols/0", 9, 9, "`kind` is missing"))),
    ]);
}

#[test]
fn several_missing_fields_are_several_findings() {
    let directory = Directory::sound().edit(
        S,
        "{\"name\": \"Cart\", \"kind\": \"class\", \"line\": 1, \"snippet\": \"class Cart:\"}",
        "{}",
    );
    let missing = |field| at("OMP031", S, "/files/1/symbols/0", 9, 9, field);
    check(
        "an empty symbol",
        directory,
        &[missing("`kind`"), missing("`line`"), missing("`name`"), missing("`snippet`")],
    );
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
        (
            M,
            "\"open-mind\"",
            "[]",
            Some(at("OMP030", M, "/generator/name", 3, 25, "expected a string, found an array")),
        ),
        (
            M,
            "null",
            "7",
            Some(at(
                "OMP030",
                M,
                "/repository/commit",
                5,
                57,
                "expected a string or null, found the number 7",
            )),
        ),
        (
            M,
            "\"flows.json\"",
            "{}",
            Some(at("OMP030", M, "/artifacts/flows", 10, 14, "expected a file name, found an object")),
        ),
        (
            D,
            "{\"name\": \"spring-boot\"",
            "\"x\", \"y\": {\"name\": \"\"",
            Some(at("OMP030", D, "/template", 5, 15, "expected an object or null, found the string \"x\"")),
        ),
        (
            D,
            "2, \"s",
            "\"2\", \"s",
            Some(at(
                "OMP030",
                D,
                "/summary/filesIndexed",
                6,
                31,
                "expected a whole number, found the string \"2\"",
            )),
        ),
        (
            G,
            "\"concept\"",
            "null",
            Some(at("OMP030", G, "/entries/0/kind", 6, 15, "expected a string, found `null`")),
        ),
        (
            G,
            "\"high\"",
            "true",
            Some(at("OMP030", G, "/entries/0/confidence", 9, 21, "or \"low\", found `true`")),
        ),
        (
            G,
            "{\"file\": \"src/cart.py\", \"line\": 1, \"snippet\": \"class Cart:\"}",
            "[\"src/cart.py\", 1, \"class Cart:\"]",
            Some(at("OMP030", G, "/entries/1/evidence/0", 15, 20, "expected an object, found an array")),
        ),
        (
            A,
            "[\"Defines Cart\", \"Defines total\"]",
            "\"Defines Cart\"",
            Some(at(
                "OMP030",
                A,
                "/components/0/responsibilities",
                8,
                27,
                "expected an array, found the string \"Defines Cart\"",
            )),
        ),
        (
            A,
            "\"Defines total\"",
            "7",
            Some(at(
                "OMP030",
                A,
                "/components/0/responsibilities/1",
                8,
                44,
                "expected a string, found the number 7",
            )),
        ),
        (
            A,
            "{\"service\": 1, \"model\": 0}",
            "[1]",
            Some(at("OMP030", A, "/components/0/roles", 11, 16, "expected an object, found an array")),
        ),
        (
            A,
            "\"service\": 1",
            "\"service\": null",
            Some(at(
                "OMP030",
                A,
                "/components/0/roles/service",
                11,
                28,
                "expected a whole number, found `null`",
            )),
        ),
        (
            A,
            "\"layer\": 2",
            "\"layer\": \"2\"",
            Some(at("OMP030", A, "/layers/0/layer", 18, 16, "expected a whole number or null")),
        ),
        (
            F,
            "{\"method\": \"post\", \"path\": \"\"}",
            "{\"method\": 5}",
            Some(at(
                "OMP030",
                F,
                "/flows/0/facets/0/values/method",
                6,
                49,
                "expected a string, found the number 5",
            )),
        ),
        (
            S,
            "\"symbols\": []",
            "\"symbols\": {\"a\": []}",
            Some(at("OMP030", S, "/files/0/symbols", 4, 60, "expected an array, found an object")),
        ),
        (
            S,
            "[]",
            "null",
            Some(at("OMP030", S, "/files/0/symbols", 4, 60, "expected an array, found `null`")),
        ),
        (
            S,
            "1, \"snippet\"",
            "\"1\", \"snippet\"",
            Some(at(
                "OMP030",
                S,
                "/files/1/symbols/0/line",
                9,
                51,
                "expected a line number, found the string \"1\"",
            )),
        ),
        (
            S,
            "1, \"snippet\"",
            "[1], \"snippet\"",
            Some(at("OMP030", S, "/files/1/symbols/0/line", 9, 51, "expected a line number, found an array")),
        ),
    ]);
}

#[test]
fn a_file_that_is_no_object_is_not_indexed() {
    let file = "{\"path\": \"docs/terms.md\", \"language\": null, \"symbols\": []}";
    let expected = [
        at("OMP060", G, "/entries/0/evidence/0/file", 8, 29, "has no file \"docs/terms.md\""),
        at("OMP030", S, "/files/0", 4, 5, "expected an object, found the number -5"),
    ];
    check("a number", Directory::sound().edit(S, file, "-5"), &expected);
}

#[test]
fn a_wrong_type_for_an_optional_list_is_no_missing_list() {
    let array = "expected an array, found `null`";
    let nulled =
        |file, list: &str| Directory::sound().edit(file, list, &format!("\"x\": 1, {list}null, \"y\": "));
    check("layers", nulled(A, "\"layers\": "), &[at("OMP030", A, "/layers", 14, 21, array)]);
    check("facets", nulled(F, "\"facets\": "), &[at("OMP030", F, "/flows/0/facets", 5, 25, array)]);
}

#[test]
fn a_whole_file_of_a_wrong_type_is_named() {
    let whole = |file, text: &str| Directory::sound().put(file, text);
    check(
        "a string",
        whole(G, "\n \"x\""),
        &[at("OMP030", G, "", 2, 2, "expected an object or an array, found the string \"x\"")],
    );
    check(
        "null",
        whole(S, "null"),
        &[at("OMP030", S, "", 1, 1, "expected an object or an array, found `null`")],
    );
    check(
        "an array for metadata",
        whole(D, "[[]]"),
        &[at("OMP030", D, "", 1, 1, "expected an object, found an array")],
    );
    let derived = r#"["1.1.0", [["a.py", "Python", [["f", "function", 1, "x"]]]]]"#;
    let element = |pointer, column, found| at("OMP030", S, pointer, 1, column, found);
    let expected = [
        element("/0", 2, "expected an object, found the string \"1.1.0\""),
        element("/1", 11, "expected an object, found an array"),
    ];
    // The cited files are in no index then.
    let loaded = whole(S, derived).load();
    let errors: Vec<_> =
        loaded.findings.iter().filter(|found| found.severity.as_str() == "error").cloned().collect();
    crate::base::compare("arrays for objects", &errors, &expected);
}
