//! Spoiled directories into the loader: findings that name a place in the file, or a bundle that gives the files back.
//!
//! The first byte of an input says what the rest is: the text of one of the six files, or edits of the small directory.

mod edit;

use openmind_pack_compiler::{Finding, Input, Options, Severity, Silent, compile, load};
use openmind_pack_format::{Artifact, Bundle};

use crate::base::{self, SMALL};
use crate::script::Script;

/// Loads what the input describes.
pub fn run(data: &[u8]) {
    let mut script = Script::new(data);
    let files = match usize::from(script.u8()) % 8 {
        file if file < SMALL.len() => {
            let text = script.rest();
            let replaced = |(index, (name, sound)): (usize, &(&str, &str))| {
                let bytes = if index == file { text } else { sound.as_bytes() };
                (name.to_string(), bytes.to_vec())
            };
            SMALL.iter().enumerate().map(replaced).collect()
        }
        _ => edit::edited(&mut script),
    };
    let input = base::input(files);
    let loaded = load(&input);
    check_findings(&input, &loaded.findings);
    let refused = loaded.findings.iter().any(|finding| finding.severity == Severity::Error);
    assert_eq!(loaded.model.is_none(), refused, "a directory is refused for an error and nothing else");
    // A build takes ten times as long as a load, so only some of what loads is built.
    if !refused && data.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)) % 4 == 0 {
        check_bundle(input, &loaded.findings);
    }
}

fn check_findings(input: &Input, findings: &[Finding]) {
    for finding in findings {
        assert_eq!(finding.severity, finding.code.severity());
        assert!(!finding.file.is_empty() && !finding.message.is_empty() && !finding.hint.is_empty());
        assert_eq!(finding.line.is_some(), finding.column.is_some(), "a place has a line and a column");
        let Some(file) = input.files.iter().find(|file| file.name == finding.file) else {
            assert_eq!(
                (finding.line, &finding.pointer),
                (None, &None),
                "a file that isn't there has no places"
            );
            continue;
        };
        if let (Some(line), Some(column)) = (finding.line, finding.column) {
            check_place(&file.bytes, line as usize, column as usize, finding);
        }
        if let Some(pointer) = &finding.pointer
            && let Ok(value) = serde_json::from_slice::<serde_json::Value>(&file.bytes)
        {
            assert!(value.pointer(pointer).is_some(), "{finding:?} points nowhere");
        }
    }
}

/// The place lies in the file, where the end of a line counts as its last column.
fn check_place(bytes: &[u8], line: usize, column: usize, finding: &Finding) {
    let text = line.checked_sub(1).and_then(|before| bytes.split(|byte| *byte == b'\n').nth(before));
    let Some(text) = text else { panic!("{finding:?} is past the last line") };
    // What isn't UTF-8 is at most one code point a byte.
    let most = std::str::from_utf8(text).map_or(text.len(), |text| text.chars().count());
    assert!((1..=most + 1).contains(&column), "{finding:?} is past the end of its line");
}

/// What loads is built, opens, is sound, and holds the files byte for byte.
fn check_bundle(input: Input, findings: &[Finding]) {
    let kept: Vec<_> = input.files.iter().map(|file| (file.name.clone(), file.bytes.clone())).collect();
    let options = Options { threads: Some(1), ..Options::default() };
    let compiled = compile(input, options, &Silent).unwrap_or_else(|error| panic!("it loads, but: {error}"));
    assert_eq!(compiled.findings, findings, "a build finds what a load finds");
    let (mut bytes, hash) = (Vec::new(), compiled.knowledge_hash);
    let written = compiled.write_to(&mut bytes).unwrap();
    let bundle = Bundle::from_slice(&bytes, Some(written.content_hash)).unwrap();
    assert_eq!(bundle.header().knowledge_hash, hash);
    bundle.verify_deep().unwrap();
    assert_eq!(bundle.artifact_count().unwrap() as usize, kept.len());
    for (index, (name, bytes)) in (0..).zip(kept) {
        let artifact: Artifact<'_> = bundle.artifact(index).unwrap();
        assert_eq!(artifact.name().unwrap(), name);
        let mut read = Vec::new();
        bundle.read_original(index, |piece| read.extend_from_slice(piece)).unwrap();
        assert!(read == bytes, "{name} comes back as it was");
    }
}
