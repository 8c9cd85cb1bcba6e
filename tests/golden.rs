//! Committed bundles open and verify for ever, and a build of their directories still gives the same bytes. When the
//! format changes before its first release, SPEC.md's version history says so and these are built anew.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use openmind_pack_compiler::{Input, Options, Silent, compile};
use openmind_pack_format::Bundle;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn build(input: Input) -> Vec<u8> {
    let mut bytes = Vec::new();
    compile(input, Options::default(), &Silent).unwrap().write_to(&mut bytes).unwrap();
    bytes
}

fn assert_golden(bundle: &str, built: &[u8]) {
    let golden = fs::read(fixture(bundle)).unwrap();
    Bundle::from_slice(&golden, None).unwrap().verify_deep().unwrap();
    assert!(golden == built, "{bundle} is no longer what a build gives");
}

/// A directory with so many names that its dictionaries take several shards, its postings several blocks, and its body
/// several groups. Made here, so that nobody has to keep a megabyte of JSON.
fn wide() -> Input {
    const VERBS: [&str; 16] = [
        "open", "close", "read", "write", "merge", "split", "sort", "find", "lock", "unlock", "load",
        "store", "push", "pull", "pack", "unpack",
    ];
    const NOUNS: [&str; 16] = [
        "Ledger", "Drawer", "Shelf", "Window", "Garden", "Lantern", "River", "Bridge", "Harbor", "Kettle",
        "Anchor", "Basket", "Candle", "Dial", "Engine", "Funnel",
    ];
    let mut files = String::new();
    for file in 0..12 {
        let mut symbols = String::new();
        for (line, verb) in VERBS.iter().enumerate() {
            for (column, noun) in NOUNS.iter().enumerate() {
                let at = line * 16 + column + 1;
                let comma = if at == 1 { "" } else { "," };
                let name = if at % 5 == 0 {
                    format!("{verb}{noun}")
                } else {
                    format!("{verb}{noun}{:05}", (file * 7919 + at * 40_503) % 100_003)
                };
                let symbol = format!(
                    r#"{comma}{{"name":"{name}","kind":"function","line":{at},"snippet":"fn {name}({verb}: {noun})"}}"#
                );
                symbols.push_str(&symbol);
            }
        }
        let comma = if file == 0 { "" } else { "," };
        files.push_str(&format!(
            r#"{comma}{{"path":"src/part{file:02}.rs","language":"Rust","symbols":[{symbols}]}}"#
        ));
    }
    let empty = fixture("golden/empty/.openmind");
    let read = |name: &str| fs::read_to_string(empty.join(name)).unwrap();
    let named = |text: String| text.replace(r#""name": """#, r#""name": "wide""#);
    let counted = read("metadata.json").replace(r#""filesIndexed": 0"#, r#""filesIndexed": 12"#);
    let counted = counted.replace(r#""symbolsIndexed": 0"#, r#""symbolsIndexed": 3072"#);
    let index = format!(r#"{{"schemaVersion":"1.0.0","files":[{files}]}}"#);
    let all = [
        ("manifest.json", named(read("manifest.json"))),
        ("metadata.json", named(counted)),
        ("glossary.json", read("glossary.json")),
        ("architecture.json", read("architecture.json")),
        ("flows.json", read("flows.json")),
        ("source-index.json", index),
    ];
    Input::from_files("wide", all.map(|(name, text)| (name.to_owned(), text.into_bytes())).to_vec())
}

#[test]
fn the_empty_directory_gives_its_golden_bundle() {
    assert_golden("golden/empty.ompack", &build(Input::read(&fixture("golden/empty/.openmind")).unwrap()));
}

#[test]
fn the_sample_gives_its_golden_bundle() {
    assert_golden("sample.ompack", &build(Input::read(&fixture("sample-repo/.openmind")).unwrap()));
}

#[test]
fn the_wide_directory_gives_its_golden_bundle() {
    let built = build(wide());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(fixture("golden/wide.ompack"), &built).unwrap();
    }
    assert_golden("golden/wide.ompack", &built);
    let bundle = Bundle::from_slice(&built, None).unwrap();
    assert!(bundle.names().unwrap().shard_count() > 1, "several shards");
    assert!(bundle.header().body_length > 2 << 16, "several groups");
}
