//! A directory laid out from the sound one, and what a build says about it.

use std::fs;
use std::path::{Path, PathBuf};

use openmind_pack_compiler::{BuildError, Finding, Input, Options, Severity, Silent, compile};
use tempfile::TempDir;

/// The fixtures of this test.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/openmind-invalid")
}

/// The sound directory, in a place of its own.
pub(crate) fn sound() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    lay(&fixtures().join("base"), dir.path());
    dir
}

/// Lays the files of a folder over what is there.
pub(crate) fn lay(from: &Path, over: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), over.join(entry.file_name())).unwrap();
    }
}

/// Replaces the first `from` of a file, which must be there.
pub(crate) fn edit(dir: &Path, name: &str, from: &str, to: &str) {
    let path = dir.join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{name} has no {from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// All that a build finds, whether it is refused or not.
pub(crate) fn found(dir: &Path) -> Vec<Finding> {
    let input = Input::read(dir).unwrap();
    let options = Options { threads: Some(1), ..Options::default() };
    let (findings, refused) = match compile(input, options, &Silent) {
        Ok(compiled) => (compiled.findings, false),
        Err(BuildError::Refused(findings)) => (findings, true),
        Err(error) => panic!("{}: {error}", dir.display()),
    };
    let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);
    assert_eq!(refused, has_error, "an error stops a build, and nothing else does: {findings:#?}");
    findings
}
