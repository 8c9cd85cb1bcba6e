//! Texts at their limits, and far beyond.

use std::fs;
use std::path::Path;

use openmind_pack_compiler::findings::Finding;
use openmind_pack_compiler::{Input, load};
use openmind_pack_format::layout::{MAX_NAME_BYTES, MAX_TEXT_BYTES};

use crate::directory::{edit, fixtures, found, lay, sound};
use crate::expected::{Found, difference};
use crate::made::value;

/// Codes that only these cases show.
pub(crate) const CODES: &[&str] = &["OMP039"];

const G: &str = "glossary.json";
const NAME: &str = "Shorten the name; nothing could ask for it.";
const TEXT: &str = "Shorten the text; a bundle holds texts of up to 1 MiB.";

fn compare(case: &str, found: &[Finding], expected: &[Found]) {
    let difference = difference(case, found, expected);
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}

#[test]
fn the_limits_are_those_of_a_bundle() {
    let limits = openmind_pack_compiler::limits::Limits::default();
    assert_eq!((limits.text_bytes, limits.name_bytes), (1_048_576, 8_192));
    assert_eq!((MAX_TEXT_BYTES, MAX_NAME_BYTES), (1_048_576, 8_192));
}

#[test]
fn a_text_may_have_a_mebibyte_and_no_byte_more() {
    // Two bytes a letter: bytes count, not characters.
    let longest = "\u{e9}".repeat(524_288);
    for (more, expected) in
        [("", &[][..]), ("x", &[value("OMP039", G, "/entries/0/description", 7, 22, TEXT)])]
    {
        let dir = sound();
        edit(dir.path(), G, "What a customer asked for.", &format!("{longest}{more}"));
        let found = found(dir.path());
        compare("a description", &found, expected);
        for finding in found {
            assert_eq!(finding.message, "the text is 1048577 bytes long; at most 1048576 are read");
        }
    }
}

#[test]
fn a_text_of_any_kind_has_the_limit() {
    let long = "y".repeat(1_048_577);
    let dir = sound();
    let set = |name: &str, from: &str, to: &str| edit(dir.path(), name, from, &to.replace('@', &long));
    set("manifest.json", "\"1.7.0\"", "\"@\"");
    set("metadata.json", "\"builtin\"", "\"@\"");
    set(G, "\"concept\"", "\"@\"");
    set(G, "\"Order: what a customer asked for.\"", "\"@\"");
    set("architecture.json", "\"Defines total\"", "\"@\"");
    set("architecture.json", "\"Services\"", "\"@\"");
    set("flows.json", "\"post\"", "\"@\"");
    set("flows.json", "\"Entry point\"", "\"@\"");
    set("source-index.json", "\"docs/terms.md\"", "\"@\"");
    set("source-index.json", "null", "\"@\"");
    let not_indexed = Found {
        severity: "warning".to_owned(),
        ..value(
            "OMP060",
            G,
            "/entries/0/evidence/0/file",
            10,
            19,
            "Check the path; the citation is kept as it is.",
        )
    };
    let expected = [
        value("OMP039", "manifest.json", "/generator/version", 5, 16, TEXT),
        value("OMP039", "metadata.json", "/template/source", 11, 15, TEXT),
        value("OMP039", G, "/entries/0/kind", 6, 15, TEXT),
        not_indexed,
        value("OMP039", G, "/entries/0/evidence/0/snippet", 12, 22, TEXT),
        value("OMP039", "architecture.json", "/components/0/responsibilities/1", 10, 9, TEXT),
        value("OMP039", "architecture.json", "/layers/0/title", 29, 16, TEXT),
        value("OMP039", "flows.json", "/flows/0/facets/0/values/method", 9, 23, TEXT),
        value("OMP039", "flows.json", "/flows/0/steps/0/description", 22, 26, TEXT),
        value("OMP039", "source-index.json", "/files/0/path", 5, 15, TEXT),
        value("OMP039", "source-index.json", "/files/0/language", 6, 19, TEXT),
    ];
    compare("texts", &found(dir.path()), &expected);
}

#[test]
fn three_hundred_megabytes_are_one_finding_as_a_name_and_as_a_text() {
    // In memory where the system has a place for that: nothing of it has to reach a disk.
    let shared = Path::new("/dev/shm");
    let dir = if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() }.unwrap();
    lay(&fixtures().join("base"), dir.path());
    let sound = fs::read_to_string(dir.path().join(G)).unwrap();
    let cases = [
        (
            "\"Order\"",
            value("OMP036", G, "/entries/0/term", 5, 15, NAME),
            "the name has 300000000 bytes; at most 8192 are allowed",
        ),
        (
            "\"What a customer asked for.\"",
            value("OMP039", G, "/entries/0/description", 7, 22, TEXT),
            "the text is 300000000 bytes long; at most 1048576 are read",
        ),
    ];
    for (text, expected, message) in cases {
        let (before, after) = sound.split_once(text).unwrap();
        let mut file = String::with_capacity(300_000_000 + sound.len());
        file.extend([before, "\""]);
        file.extend(std::iter::repeat_n("a", 300_000_000));
        file.extend(["\"", after]);
        fs::write(dir.path().join(G), file).unwrap();
        // What a build does before it asks for the findings; compressing the original beside it would only cost time.
        let found = load(&Input::read(dir.path()).unwrap()).findings;
        compare(text, &found, &[expected]);
        assert_eq!(found[0].message, message);
    }
}
