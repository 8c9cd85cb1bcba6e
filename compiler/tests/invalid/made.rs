//! Cases that files of a repository can't hold: links, directories, names, and values that are deep or many.

use std::fs;
use std::path::Path;

use crate::directory::{edit, found, sound};
use crate::expected::{Found, difference};

/// Codes that only these cases show.
pub(crate) const CODES: &[&str] = &["OMP004", "OMP007", "OMP008", "OMP009", "OMP026"];

const G: &str = "glossary.json";
const REPLACE: &str = "Put a regular file in its place.";
const FLATTEN: &str = "Flatten the value, or leave the field out.";

/// About a whole file.
fn file(code: &str, severity: &str, file: &str, hint: &str) -> Found {
    Found {
        code: code.to_owned(),
        severity: severity.to_owned(),
        file: file.to_owned(),
        pointer: None,
        line: None,
        column: None,
        hint: hint.to_owned(),
    }
}

/// An error about a value.
pub(crate) fn value(code: &str, name: &str, pointer: &str, line: u32, column: u32, hint: &str) -> Found {
    Found {
        pointer: Some(pointer.to_owned()),
        line: Some(line),
        column: Some(column),
        ..file(code, "error", name, hint)
    }
}

fn check(case: &str, dir: &Path, expected: &[Found]) {
    let difference = difference(case, &found(dir), expected);
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}

/// `levels` arrays in one another.
fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn a_hundred_thousand_levels_under_an_unknown_key_are_one_finding() {
    let dir = sound();
    // Line 5 is the first entry's term, and the six blanks before it stay.
    let objects = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    edit(
        dir.path(),
        G,
        "\"term\": \"Order\",",
        &format!("\"x\": {},\n      \"term\": \"Order\",", nested(100_000)),
    );
    edit(dir.path(), "flows.json", "{", &format!("{{\n  \"x\": {objects},"));
    let expected = [
        value("OMP026", G, "/entries/0/x", 5, 12, FLATTEN),
        value("OMP026", "flows.json", "/x", 2, 8, FLATTEN),
    ];
    check("100,000 levels", dir.path(), &expected);
}

#[test]
fn what_is_within_the_limit_of_depth_is_looked_through_and_what_is_deeper_is_not() {
    let dir = sound();
    // The value is in one object; 127 arrays reach the limit, and the pair stands in the innermost object of 126 and one.
    let twice = "{\"a\": 1, \"a\": 2}";
    let within = "[".repeat(126) + twice + &"]".repeat(126);
    edit(dir.path(), G, "{", &format!("{{\n  \"x\": {within},"));
    let pointer = "/x".to_owned() + &"/0".repeat(126) + "/a";
    // Eight characters and the arrays, then the brace and the first pair with its comma and blank.
    let keep = "Keep one of the two.";
    check("128 levels", dir.path(), &[value("OMP027", G, &pointer, 2, 7 + 126 + 9 + 1, keep)]);

    let dir = sound();
    let beyond = "[".repeat(128) + twice + &"]".repeat(128);
    edit(dir.path(), G, "{", &format!("{{\n  \"x\": {beyond},"));
    check("130 levels", dir.path(), &[value("OMP026", G, "/x", 2, 8, FLATTEN)]);
}

#[test]
fn a_thousand_findings_of_one_code_are_listed_and_the_rest_counted() {
    let dir = sound();
    let list = vec!["7"; 1_002].join(",\n");
    fs::write(dir.path().join("flows.json"), format!("[\n{list}\n]\n")).unwrap();
    let mut expected: Vec<Found> = (0..1_000)
        .map(|n| {
            let pointer = format!("/{n}");
            value("OMP030", "flows.json", &pointer, n + 2, 1, "Write the value in the expected type.")
        })
        .collect();
    let rest = "Mend what is listed and build again to see the rest.";
    expected.push(file("OMP009", "note", "flows.json", rest));
    check("1,002 findings", dir.path(), &expected);
}

#[test]
fn a_directory_in_place_of_a_file_is_refused_and_another_left_out() {
    let dir = sound();
    fs::remove_file(dir.path().join(G)).unwrap();
    fs::create_dir(dir.path().join(G)).unwrap();
    fs::create_dir(dir.path().join("cache")).unwrap();
    let kept = "Nothing to do; copy what it holds into a regular file directly in the directory to keep it.";
    let expected = [file("OMP004", "error", G, REPLACE), file("OMP008", "note", "cache", kept)];
    check("directories", dir.path(), &expected);
}

#[cfg(unix)]
#[test]
fn a_link_is_never_followed_wherever_it_leads() {
    use std::os::unix::fs::symlink;

    let aside = tempfile::tempdir().unwrap();
    for name in ["manifest.json", "metadata.json", G, "architecture.json", "flows.json", "source-index.json"]
    {
        // To a sound file outside, to nothing, and to itself.
        let outside = aside.path().join(name);
        fs::copy(sound().path().join(name), &outside).unwrap();
        for target in [outside.as_path(), Path::new("nowhere"), Path::new(name)] {
            let dir = sound();
            fs::remove_file(dir.path().join(name)).unwrap();
            symlink(target, dir.path().join(name)).unwrap();
            check(name, dir.path(), &[file("OMP004", "error", name, REPLACE)]);
        }
    }
    // The manifest names a link by a name of its own, and it leads to a file of the same directory.
    let dir = sound();
    edit(dir.path(), "manifest.json", "\"glossary.json\"", "\"words.json\"");
    symlink(G, dir.path().join("words.json")).unwrap();
    check("a link within", dir.path(), &[file("OMP004", "error", "words.json", REPLACE)]);
}

#[cfg(unix)]
#[test]
fn a_name_with_a_backslash_is_refused() {
    let dir = sound();
    fs::write(dir.path().join("a\\b"), "x").unwrap();
    let hint = "Rename the file: UTF-8, without any `\\`.";
    check("a\\b", dir.path(), &[file("OMP007", "error", "a\\b", hint)]);
}
