//! What is wrong with a directory: all of it in one run, placed, with a code and a hint.

use serde_json::Value;

use crate::common::{Desk, Run};

/// The findings of a refused build as (code, file, line).
fn findings(run: &Run) -> Vec<(String, String, Option<u64>)> {
    let envelope = run.envelope();
    assert_eq!(envelope["bundle"], Value::Null);
    assert_eq!(envelope["result"]["status"], "refused");
    let list = envelope["result"]["findings"].as_array().expect("a list").clone();
    list.iter()
        .map(|finding| {
            for key in ["code", "severity", "file", "message", "hint"] {
                assert!(finding[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {finding}");
            }
            let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
            (text("code"), text("file"), finding["line"].as_u64())
        })
        .collect()
}

/// The line of a file that holds a text.
fn line_of(desk: &Desk, file: &str, text: &str) -> u64 {
    let content = String::from_utf8(desk.read(file)).expect("UTF-8");
    1 + content.lines().position(|line| line.contains(text)).expect("the text is there") as u64
}

#[test]
fn every_finding_of_a_run_is_reported_with_its_place() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/glossary.json", "\"confidence\": \"high\"", "\"confidence\": \"sure\"");
    desk.write(".openmind/flows.json", "");
    desk.edit(".openmind/architecture.json", "\"valved/main.go\"", "\"../main.go\"");
    let run = desk.run(["build", "--json"]).expect(1);
    let found = findings(&run);
    let first = line_of(&desk, ".openmind/glossary.json", "sure");
    assert!(found.contains(&("OMP034".into(), "glossary.json".into(), Some(first))), "{found:?}");
    assert!(found.iter().any(|(code, file, _)| code == "OMP002" && file == "flows.json"), "{found:?}");
    assert!(found.iter().any(|(code, file, _)| code == "OMP053" && file == "architecture.json"), "{found:?}");

    let run = desk.run(["build"]).expect(1);
    assert_eq!(run.stdout, "", "what is refused has no report");
    run.complains(&[
        ".openmind/glossary.json",
        &format!("{first}:"),
        "OMP034",
        "hint: ",
        "error: .openmind can't be built: ",
    ]);
    assert_eq!(desk.list("."), [".openmind"]);
}

#[test]
fn warnings_stop_only_a_strict_build() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/architecture.json", "\"valved/main.go\"", "\"valved/other.go\"");
    desk.run(["build"]).expect(0).complains(&["warning", "OMP060"]);
    desk.run(["build", "--strict", "-o", "strict.ompack"])
        .expect(1)
        .complains(&["OMP060", "without --strict"]);
    assert_eq!(desk.list("."), [".openmind", "fernhouse.ompack"]);
}

#[test]
fn torn_directories_are_refused_saying_what_is_torn() {
    type Tear = fn(&Desk);
    let tears: [(&str, Tear); 4] = [
        ("OMP001", |desk| std::fs::remove_file(desk.path(".openmind/glossary.json")).expect("removed")),
        ("OMP002", |desk| drop(desk.write(".openmind/source-index.json", ""))),
        ("OMP010", |desk| {
            desk.edit(".openmind/metadata.json", "\"filesIndexed\": 25", "\"filesIndexed\": 24")
        }),
        ("OMP011", |desk| desk.edit(".openmind/metadata.json", "\"fernhouse\"", "\"other\"")),
    ];
    for (code, tear) in tears {
        let desk = Desk::new();
        desk.copy_sample(".openmind");
        tear(&desk);
        let found = findings(&desk.run(["build", "--json"]).expect(1));
        assert!(found.iter().any(|(found, ..)| found == code), "{code}: {found:?}");
    }
}

#[test]
fn another_schema_major_is_refused_naming_both() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/manifest.json", "\"schemaVersion\": \"1.1.0\"", "\"schemaVersion\": \"2.0.0\"");
    desk.run(["build"]).expect(1).complains(&["OMP040", "2.0.0", "1."]);
}

#[test]
fn what_artifacts_hold_does_not_steer_the_terminal() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/glossary.json", "\"confidence\": \"high\"", "\"confidence\": \"\\u001b[2J\\u202e\"");
    let run = desk.run(["build"]).expect(1);
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{}", run.stderr);
}
