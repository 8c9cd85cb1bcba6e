//! `build`: what is written where, and what is said of it.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Desk, repository, sample};

/// A list of an artifact file, read without the program's help.
fn entries(file: &str, list: &str) -> Vec<Value> {
    let bytes = fs::read(sample().join(file)).expect("read");
    let value: Value = serde_json::from_slice(&bytes).expect("JSON");
    value[list].as_array().expect("a list").clone()
}

#[test]
fn the_committed_sample_is_what_a_build_gives_today() {
    let desk = Desk::new();
    let fresh = fs::read(desk.build_sample("fresh.ompack")).expect("read");
    let committed = fs::read(repository("fixtures/sample.ompack")).expect("read");
    assert!(
        fresh == committed,
        "stale: openmind-pack build fixtures/sample-repo/.openmind -o fixtures/sample.ompack"
    );
}

#[test]
fn a_build_without_arguments_takes_the_directory_here_and_names_the_file_after_the_repository() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    let run = desk.run(["build"]).expect(0);
    assert_eq!(desk.list("."), [".openmind", "fernhouse.ompack"]);
    assert!(run.stdout.starts_with("built fernhouse.ompack\n"), "{}", run.stdout);
    assert_eq!(run.stderr, "", "a clean build has nothing to complain of");
}

#[test]
fn the_report_counts_what_the_files_hold() {
    let desk = Desk::new();
    let dir = sample();
    let run = desk.run(["build", dir.to_str().expect("UTF-8"), "-o", "x.ompack", "--json"]).expect(0);
    let envelope = run.envelope();
    let keys: Vec<&str> = envelope.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["tool", "command", "schema", "bundle", "result"]);
    assert_eq!(envelope["tool"], concat!("openmind-pack/", env!("CARGO_PKG_VERSION")));
    assert_eq!(envelope["command"], "build");
    assert_eq!(envelope["schema"], "openmind-pack.report/v1");
    let result = &envelope["result"];
    assert_eq!(envelope["bundle"], json!({"path": "x.ompack", "contentHash": result["contentHash"]}));

    let files = entries("source-index.json", "files");
    let symbols: usize = files.iter().map(|file| file["symbols"].as_array().map_or(0, Vec::len)).sum();
    let input_bytes: u64 = fs::read_dir(sample())
        .expect("listed")
        .map(|entry| entry.expect("an entry").metadata().expect("known").len())
        .sum();
    assert_eq!(
        result["counts"],
        json!({
            "terms": entries("glossary.json", "entries").len(),
            "components": entries("architecture.json", "components").len(),
            "flows": entries("flows.json", "flows").len(),
            "files": files.len(),
            "symbols": symbols,
            "artifacts": 6,
            "inputBytes": input_bytes,
        })
    );
    assert_eq!(result["status"], "ok");
    assert_eq!(result["repository"], "fernhouse");
    assert_eq!(result["fileLength"], desk.read("x.ompack").len());
    assert_eq!(result["findings"], json!([]));
}

#[test]
fn a_repository_without_a_usable_name_gives_openmind_ompack() {
    for name in ["", ".", "owner/repo", "a\\\\b"] {
        let desk = Desk::new();
        desk.copy_sample(".openmind");
        for file in ["manifest.json", "metadata.json"] {
            let named = format!("\"name\": \"{name}\"");
            desk.edit(&format!(".openmind/{file}"), "\"name\": \"fernhouse\"", &named);
        }
        desk.run(["build"]).expect(0);
        assert_eq!(desk.list("."), [".openmind", "openmind.ompack"], "{name:?}");
    }
}

#[test]
fn a_missing_directory_is_the_systems_and_a_repository_gets_a_hint() {
    let desk = Desk::new();
    desk.run(["build"]).expect(3).complains(&["error: ", ".openmind"]);
    desk.copy_sample("repo/.openmind");
    desk.run(["build", "repo"]).expect(1).complains(&["repo/.openmind holds the artifacts"]);
    assert_eq!(desk.list("."), ["repo"]);
}

#[test]
fn a_failed_build_leaves_the_former_file_and_nothing_else() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.run(["build", "-o", "x.ompack"]).expect(0);
    let before = desk.read("x.ompack");
    desk.write(".openmind/flows.json", "{");
    desk.run(["build", "-o", "x.ompack"]).expect(1);
    assert_eq!(desk.read("x.ompack"), before);
    assert_eq!(desk.list("."), [".openmind", "x.ompack"]);
}

#[test]
fn an_output_that_cannot_be_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    fs::create_dir(desk.path("dir")).expect("made");
    desk.run(["build", "-o", "dir"]).expect(1).complains(&["dir", "directory"]);
    desk.run(["build", "-o", "missing/x.ompack"]).expect(3).complains(&["missing/x.ompack"]);
    assert_eq!(desk.list("."), [".openmind", "dir"]);
    assert!(desk.list("dir").is_empty());
}

#[cfg(unix)]
#[test]
fn a_device_is_refused_and_a_link_keeps_leading_to_its_target() {
    use std::os::unix::fs::symlink;

    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.run(["build", "-o", "/dev/null"]).expect(1).complains(&["/dev/null", "device"]);

    fs::create_dir(desk.path("store")).expect("made");
    desk.write("store/old.ompack", "former");
    symlink("store/old.ompack", desk.path("link")).expect("linked");
    symlink("store/new.ompack", desk.path("dangling")).expect("linked");
    for (link, target) in [("link", "store/old.ompack"), ("dangling", "store/new.ompack")] {
        desk.run(["build", "-o", link]).expect(0);
        assert!(desk.path(link).symlink_metadata().expect("there").is_symlink());
        desk.run(["verify", target]).expect(0);
    }
    assert_eq!(desk.list("store"), ["new.ompack", "old.ompack"]);
}

#[test]
fn a_bundle_within_its_own_input_is_warned_of() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.run(["build", "-o", ".openmind/x.ompack"]).expect(0).complains(&["warning: ", "next build"]);
}

#[test]
fn redacting_empties_the_root_and_leaves_the_knowledge() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    let root = "/home/someone/secret-place";
    for file in ["manifest.json", "metadata.json"] {
        desk.edit(&format!(".openmind/{file}"), "\"fixtures/sample-repo\"", &format!("\"{root}\""));
    }
    let plain = desk.run(["build", "-o", "plain.ompack", "--json", "--strict"]).expect(0).envelope();
    let codes: Vec<&Value> = plain["result"]["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| &finding["code"])
        .collect();
    assert!(codes.iter().any(|code| **code == "OMP072"), "an absolute root is a warning: {codes:?}");

    let redacted = desk.run(["build", "-o", "red.ompack", "--json", "--redact-root"]).expect(0).envelope();
    assert_eq!(redacted["result"]["knowledgeHash"], plain["result"]["knowledgeHash"]);
    assert_ne!(redacted["result"]["contentHash"], plain["result"]["contentHash"]);
    desk.run(["verify", "red.ompack", "--deep"]).expect(0);
    desk.run(["unpack", "red.ompack", "out"]).expect(0);
    for file in ["manifest.json", "metadata.json"] {
        let value: Value = serde_json::from_slice(&desk.read(&format!("out/{file}"))).expect("JSON");
        assert_eq!(value["repository"]["root"], "", "{file}");
        let before = String::from_utf8(desk.read(&format!(".openmind/{file}"))).expect("UTF-8");
        let after = String::from_utf8(desk.read(&format!("out/{file}"))).expect("UTF-8");
        assert_eq!(after, before.replace(root, ""), "{file}: that one string and nothing else");
    }
    let bundle = desk.read("red.ompack");
    assert!(!bundle.windows(root.len()).any(|bytes| bytes == root.as_bytes()));
}

#[test]
fn a_file_in_place_of_a_directory_is_refused() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let run = desk.run(["build", "x.ompack"]).expect(1);
    assert!(run.stderr.contains("x.ompack is a file; name a .openmind directory"), "{}", run.stderr);
}
