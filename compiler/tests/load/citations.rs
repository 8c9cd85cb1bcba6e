//! Paths, lines and evidence, and the warnings about what is cited or named twice.

use crate::base::{Directory, Expected, at, check};

const G: &str = "glossary.json";
const A: &str = "architecture.json";
const F: &str = "flows.json";
const S: &str = "source-index.json";

/// The file of the first term's evidence.
const CITED: &str = "/entries/0/evidence/0/file";

#[test]
fn a_cited_path_stays_in_the_repository() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        (r"", &[("OMP050", "relative to the repository's root, found \"\"")]),
        (r"/etc/passwd", &[("OMP051", "without a leading `/`, found \"/etc/passwd\"")]),
        (r"src\\cart.py", &[("OMP052", r#"separated by `/`, found "src\cart.py""#)]),
        (r"..", &[("OMP053", "`.` and `..` segments, found \"..\"")]),
        (r".", &[("OMP053", "found \".\"")]),
        (r"../shop/src/cart.py", &[("OMP053", "")]),
        (r"./src/cart.py", &[("OMP053", "")]),
        (r"src/./cart.py", &[("OMP053", "")]),
        (r"src/cart.py/..", &[("OMP053", "")]),
        (r"src/\u0000cart.py", &[("OMP054", "without NUL, found \"src/\\u0000cart.py\"")]),
        (r"/../a\\b", &[("OMP051", ""), ("OMP052", ""), ("OMP053", "")]),
        (
            r"C:/src/cart.py",
            &[("OMP055", "found \"C:/src/cart.py\""), ("OMP060", "has no file \"C:/src/cart.py\"")],
        ),
        (r"c:", &[("OMP055", ""), ("OMP060", "")]),
        (r"C:\\src", &[("OMP052", ""), ("OMP055", "")]),
        // Names like any other, but for the index.
        (r"..a.py", &[("OMP060", "has no file \"..a.py\"")]),
        (r"a..b/...", &[("OMP060", "")]),
        (r"src/C:/x", &[("OMP060", "")]),
        (r"Docs/terms.md", &[("OMP060", "")]),
    ];
    for (path, found) in cases {
        let directory = Directory::sound().edit(G, "docs/terms.md", path);
        let expected: Vec<Expected> =
            found.iter().map(|(code, says)| at(code, G, CITED, 8, 29, says)).collect();
        check(path, directory, &expected);
    }
}

#[test]
fn every_cited_path_is_checked() {
    let absolute = "expected a path without a leading `/`";
    for (file, from, to, expected) in [
        (
            A,
            "[{\"file\": \"src",
            "[{\"file\": \"/src",
            at("OMP051", A, "/components/0/evidence/0/file", 9, 29, absolute),
        ),
        (A, "\"files\": [\"", "\"files\": [\"/", at("OMP051", A, "/layers/0/files/0", 20, 17, absolute)),
        (F, "\"file\": \"", "\"file\": \"/", at("OMP051", F, "/flows/0/facets/0/file", 6, 78, absolute)),
        (
            F,
            "[{\"file\": \"",
            "[{\"file\": \"/",
            at("OMP051", F, "/flows/0/steps/0/evidence/0/file", 15, 33, absolute),
        ),
        (S, "\"path\": \"docs", "\"path\": \"/docs", at("OMP051", S, "/files/0/path", 4, 14, absolute)),
    ] {
        let mut directory = Directory::sound().edit(file, from, to);
        if file == S {
            // Nothing may cite the path that is gone from the index.
            directory = directory.edit(G, "docs/terms.md", "src/cart.py");
        }
        check(from, directory, &[expected]);
    }
}

#[test]
fn a_cited_path_that_is_not_indexed_is_a_warning() {
    let directory = Directory::sound()
        .edit(G, "docs/terms.md", "docs/gone.md")
        .edit(A, "\"files\": [\"src/cart.py\"]", "\"files\": [\"src/cart.py\", \"src/gone.py\"]")
        .edit(A, "\"fileCount\": 1", "\"fileCount\": 60");
    let expected = [
        at("OMP060", G, CITED, 8, 29, "the source index has no file \"docs/gone.md\""),
        at("OMP060", A, "/layers/0/files/1", 20, 32, "has no file \"src/gone.py\""),
    ];
    check("two paths", directory, &expected);
}

#[test]
fn nothing_is_missing_from_an_index_that_cannot_be_read() {
    let directory = Directory::sound().put(S, "{");
    check("half an index", directory, &[crate::base::text_at("OMP023", S, 1, 2, "EOF")]);
}

#[test]
fn an_entry_cites_something() {
    let none = "expected at least one evidence record, found none";
    for (file, record, expected) in [
        (
            G,
            "{\"file\": \"docs/terms.md\", \"line\": 3, \"snippet\": \"Order: what a customer asked for.\"}",
            at("OMP057", G, "/entries/0/evidence", 8, 19, none),
        ),
        (
            A,
            "{\"file\": \"src/cart.py\", \"line\": 1, \"snippet\": \"class Cart:\"}",
            at("OMP057", A, "/components/0/evidence", 9, 19, none),
        ),
        (
            F,
            "{\"file\": \"src/cart.py\", \"line\": 2, \"snippet\": \"def total(self):\"}",
            at("OMP057", F, "/flows/0/steps/0/evidence", 15, 23, none),
        ),
    ] {
        check(file, Directory::sound().edit(file, record, ""), &[expected]);
    }
    let steps = Directory::sound().edit(F, "\"steps\": [", "\"steps\": [], \"x\": [");
    check(
        "no steps",
        steps,
        &[at("OMP058", F, "/flows/0/steps", 10, 16, "expected at least one step, found none")],
    );
}

#[test]
fn a_cited_line_starts_at_1() {
    let zero = "expected a line number from 1, found 0";
    let evidence = Directory::sound().edit(G, "\"line\": 3", "\"line\": 0");
    check("evidence", evidence, &[at("OMP056", G, "/entries/0/evidence/0/line", 8, 54, zero)]);
    let facet = Directory::sound().edit(F, "\"line\": 5", "\"line\": 0");
    check("a facet", facet, &[at("OMP056", F, "/flows/0/facets/0/line", 6, 101, zero)]);
}

#[test]
fn terms_components_and_paths_named_twice_are_warnings() {
    let term = Directory::sound().edit(G, "\"Cart\"", r#""\u004frder""#);
    check("a term", term, &[at("OMP070", G, "/entries/1/term", 12, 15, "\"Order\" is also /entries/0")]);
    let case = Directory::sound().edit(G, "\"Cart\"", "\"order\"");
    check("another case", case, &[]);
    let component = Directory::sound().edit(A, "    }\n  ],", "    }, {\"name\": \"src\", \"kind\": \"\", \"description\": \"\", \"responsibilities\": [], \"evidence\": [{\"file\": \"src/cart.py\", \"line\": 1, \"snippet\": \"x\"}], \"confidence\": \"low\"}\n  ],");
    check(
        "a component",
        component,
        &[at("OMP071", A, "/components/1/name", 12, 17, "\"src\" is also /components/0")],
    );
    let path =
        Directory::sound().edit(S, "docs/terms.md", "src/cart.py").edit(G, "docs/terms.md", "src/cart.py");
    check("a path", path, &[at("OMP059", S, "/files/1/path", 6, 15, "\"src/cart.py\" is also /files/0")]);
    // The same symbol name twice in a file is normal: the sound directory has one.
    check("a symbol", Directory::sound(), &[]);
}

#[test]
fn a_layer_may_list_fewer_files_than_it_has_but_not_more() {
    let fewer = Directory::sound().edit(A, "\"fileCount\": 1", "\"fileCount\": 70");
    check("fewer", fewer, &[]);
    let more = Directory::sound().edit(A, "\"fileCount\": 1", "\"fileCount\": 0");
    check(
        "more",
        more,
        &[at("OMP073", A, "/layers/0/files", 20, 16, "`fileCount` is 0, and `files` lists 1")],
    );
    let reversed =
        Directory::sound().edit(A, "\"fileCount\": 1,", "").edit(A, "\"title\"", "\"x\": 0, \"title\"");
    let reversed = reversed.edit(A, "[\"src/cart.py\"],", "[\"src/cart.py\"], \"fileCount\": 0,");
    check(
        "more, counted last",
        reversed,
        &[at("OMP073", A, "/layers/0/fileCount", 20, 46, "`fileCount` is 0")],
    );
}
