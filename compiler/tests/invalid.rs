//! Bad directories, each with all its findings: `fixtures/openmind-invalid`. They were written by hand, places counted in the
//! files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use openmind_pack_compiler::findings::Finding;
use openmind_pack_compiler::input::Input;
use openmind_pack_compiler::limits::Limits;
use openmind_pack_compiler::load_within;
use serde_json::Value;

const EXPECTED: &str = "expected.json";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/openmind-invalid")
}

fn files_of(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// A finding without its message, and with nulls where it has no place.
fn shown(finding: &Finding) -> Value {
    let mut shown = serde_json::to_value(finding).unwrap();
    let fields = shown.as_object_mut().unwrap();
    fields.remove("message");
    for place in ["pointer", "line", "column"] {
        fields.entry(place).or_insert(Value::Null);
    }
    shown
}

#[test]
fn every_bad_directory_has_exactly_the_findings_that_were_written_for_it() {
    let base = files_of(&fixtures().join("base"));
    let mut cases: Vec<PathBuf> =
        fs::read_dir(fixtures().join("cases")).unwrap().map(|case| case.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 45, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let mut laid_over = files_of(&case);
        let expected = laid_over.remove(EXPECTED).unwrap_or_else(|| panic!("{name} has no {EXPECTED}"));
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let mut files = base.clone();
        for removed in expected["remove"].as_array().into_iter().flatten() {
            assert!(files.remove(removed.as_str().unwrap()).is_some(), "{name} removes {removed}");
        }
        files.extend(laid_over);
        let loaded = load_within(&Input::from_files("test", files.into_iter().collect()), &Limits::default());
        let found: Vec<Value> = loaded.findings.iter().map(shown).collect();
        let expected = expected["findings"].as_array().unwrap();
        if found != *expected {
            let list = |findings: &[Value]| {
                findings.iter().map(|finding| format!("\n    {finding}")).collect::<String>()
            };
            wrong.push(format!("{name}\n  expected{}\n  found{}", list(expected), list(&found)));
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}
