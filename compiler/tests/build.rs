//! A directory becomes a bundle that verifies, whatever the number of threads.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use openmind_pack_compiler::{Compiled, Input, Options, Silent, compile};
use openmind_pack_format::Bundle;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/sample-repo/.openmind")
}

fn compiled(options: Options) -> Compiled {
    compile(Input::read(&sample()).unwrap(), options, &Silent).unwrap()
}

fn bytes(options: Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    compiled(options).write_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_build_verifies_deeply() {
    let bundle = Bundle::from_slice(&bytes(Options::default()), None).unwrap();
    bundle.verify_deep().unwrap();
    assert_eq!(bundle.info().unwrap().repository_name().unwrap(), "fernhouse");
}

#[test]
fn the_content_hash_is_blake3_of_the_body() {
    let bytes = bytes(Options::default());
    let bundle = Bundle::from_slice(&bytes, None).unwrap();
    let body = &bytes[..bundle.header().body_length as usize];
    assert_eq!(bundle.content_hash().as_bytes(), blake3::hash(body).as_bytes());
}

#[test]
fn threads_do_not_change_a_byte() {
    let one = bytes(Options { threads: Some(1), ..Options::default() });
    assert_eq!(one, bytes(Options { threads: Some(2), ..Options::default() }));
    assert_eq!(one, bytes(Options { threads: Some(7), ..Options::default() }));
}

#[test]
fn originals_come_back_byte_for_byte() {
    let bundle = Bundle::from_slice(&bytes(Options::default()), None).unwrap();
    let mut names = Vec::new();
    for index in 0..bundle.artifact_count().unwrap() {
        let name = bundle.artifact(index).unwrap().name().unwrap();
        let mut content: Vec<u8> = Vec::new();
        bundle.read_original(index, |part| content.extend(part)).unwrap();
        assert_eq!(content, fs::read(sample().join(name)).unwrap(), "{name}");
        names.push(name);
    }
    let expected = [
        "architecture.json",
        "flows.json",
        "glossary.json",
        "manifest.json",
        "metadata.json",
        "source-index.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn redaction_empties_the_root_and_keeps_the_knowledge() {
    let plain = compiled(Options::default());
    let redacted = compiled(Options { redact_root: true, ..Options::default() });
    assert_eq!(plain.knowledge_hash, redacted.knowledge_hash);
    let bundle =
        Bundle::from_slice(&bytes(Options { redact_root: true, ..Options::default() }), None).unwrap();
    assert_eq!(bundle.info().unwrap().repository_root().unwrap(), "");
}

#[test]
fn the_knowledge_hash_is_the_one_that_was_computed_apart() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../fixtures/vectors/format.json")).unwrap();
    let hash = vectors["knowledgeHash"]["hash"].as_str().unwrap();
    assert_eq!(compiled(Options::default()).knowledge_hash.to_string(), hash);
}

#[test]
fn what_a_killed_build_left_in_the_directory_is_not_packed() {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(sample()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::write(copy.path().join(".openmind-pack-Ab12.tmp"), b"half a bundle").unwrap();
    let compiled = compile(Input::read(copy.path()).unwrap(), Options::default(), &Silent).unwrap();
    assert_eq!(compiled.counts.artifacts, 6);
    assert!(compiled.findings.iter().any(|finding| finding.file == ".openmind-pack-Ab12.tmp"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_hands_its_permissions_on() {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.ompack");
    fs::write(&path, b"old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    openmind_pack_compiler::publish(&path, |output| output.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
