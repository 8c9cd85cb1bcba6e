//! Which knowledge is asked, and what happens where it can't be had.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{Desk, Run};

const ARTIFACTS: &str = "OPEN_MIND_ARTIFACTS_DIR";

/// A bundle of the sample under another repository name.
fn bundle_called(desk: &Desk, repository: &str, file: &str) {
    let dir = format!("of-{repository}");
    directory_called(desk, repository, &dir);
    desk.run(["build", &dir, "-o", file]).expect(0);
    fs::remove_dir_all(desk.path(&dir)).expect("removed");
}

fn directory_called(desk: &Desk, repository: &str, dir: &str) {
    desk.copy_sample(dir);
    for file in ["manifest.json", "metadata.json"] {
        desk.edit(&format!("{dir}/{file}"), "\"fernhouse\"", &format!("\"{repository}\""));
    }
}

/// Repository and path of what answered, and the notice where there is one.
fn asked(run: &Run) -> (String, String, Option<String>) {
    let envelope = run.envelope();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let result = &envelope["result"];
    (text(&result["repository"]["name"]), text(&envelope["bundle"]["path"]), result.get("notice").map(text))
}

fn ask(desk: &Desk, variables: &[(&str, &str)], further: &[&str]) -> Run {
    desk.run_with(variables, [&["artifacts", "--json"], further].concat())
}

#[test]
fn each_origin_goes_before_the_next() {
    let desk = Desk::new();
    let answers = |variables: &[(&str, &str)], further: &[&str]| {
        let run = ask(&desk, variables, further).expect(0);
        assert_eq!(run.stderr, "");
        asked(&run)
    };
    assert_eq!(answers(&[], &[]), ("fernhouse".into(), "built-in sample".into(), None));
    bundle_called(&desk, "one", "one.ompack");
    assert_eq!(answers(&[], &[]), ("one".into(), "./one.ompack".into(), None));
    directory_called(&desk, "two", ".openmind");
    assert_eq!(answers(&[], &[]), ("two".into(), "./.openmind".into(), None));
    directory_called(&desk, "three", "elsewhere");
    assert_eq!(answers(&[(ARTIFACTS, "elsewhere")], &[]), ("three".into(), "elsewhere".into(), None));
    let argument = ["--bundle", "one.ompack"];
    assert_eq!(answers(&[(ARTIFACTS, "elsewhere")], &argument), ("one".into(), "one.ompack".into(), None));
    assert_eq!(answers(&[(ARTIFACTS, "")], &[]).0, "two", "an empty variable is an absent one");
}

#[test]
fn what_the_environment_names_and_cannot_be_loaded_is_replaced_loudly() {
    let desk = Desk::new();
    desk.write("notes.txt", "These are only notes, and no bundle at all.\n");
    fs::create_dir(desk.path("bare")).expect("made");
    for path in ["missing", "notes.txt", "bare"] {
        let run = ask(&desk, &[(ARTIFACTS, path)], &[]).expect(0);
        let (repository, label, notice) = asked(&run);
        assert_eq!((repository.as_str(), label.as_str()), ("fernhouse", "built-in sample"));
        let notice = notice.expect("an answer from elsewhere says so");
        assert!(notice.contains("sample") && notice.contains("not your repository"), "{notice}");
        assert!(!notice.contains(path), "answers name no path: {notice}");
        let warning: Value = serde_json::from_str(run.stderr.trim_end()).expect("one JSON line");
        assert_eq!(warning["event"], "artifacts_fallback_to_samples");
        assert_eq!(warning["level"], "warn");
        assert_eq!(warning["artifacts_dir"], path);

        ask(&desk, &[(ARTIFACTS, path), ("LOG_LEVEL", "error")], &[]).expect(0);
        let code = if path == "missing" { 3 } else { 1 };
        ask(&desk, &[(ARTIFACTS, path)], &["--no-fallback"]).expect(code).complains(&[ARTIFACTS]);
        ask(&desk, &[], &["--bundle", path]).expect(code);
    }
    let shown = desk.run_with(&[(ARTIFACTS, "missing")], ["claim", "The LeakRule closes."]).expect(0).stdout;
    assert!(shown.starts_with("notice: "), "{shown}");
}

#[test]
fn what_lies_here_and_cannot_be_loaded_counts_as_configured() {
    let desk = Desk::new();
    bundle_called(&desk, "one", "one.ompack");
    fs::create_dir(desk.path(".openmind")).expect("made");
    let run = ask(&desk, &[], &[]).expect(0);
    assert!(asked(&run).2.is_some());
    run.complains(&["artifacts_fallback_to_samples", "./.openmind"]);
    ask(&desk, &[], &["--no-fallback"]).expect(1).complains(&["OMP001"]);

    fs::remove_dir(desk.path(".openmind")).expect("removed");
    bundle_called(&desk, "two", "two.ompack");
    let run = ask(&desk, &[], &[]).expect(0);
    assert!(asked(&run).2.is_some_and(|notice| notice.contains("several bundles")));
    ask(&desk, &[], &["--no-fallback"]).expect(1).complains(&["./one.ompack, ./two.ompack"]);
    assert_eq!(asked(&ask(&desk, &[], &["--bundle", "two.ompack"]).expect(0)).0, "two");
}

#[test]
fn damage_and_another_schema_major_are_errors_from_every_origin() {
    type Spoil = fn(&Desk, &str);
    let spoil: [(&str, Spoil); 5] = [
        ("cut", |desk, name| drop(desk.write(name, &desk.read("good")[..5_000]))),
        ("empty", |desk, name| drop(desk.write(name, ""))),
        ("magic", |desk, name| drop(desk.write(name, flipped(&desk.read("good"), 0)))),
        ("header", |desk, name| drop(desk.write(name, flipped(&desk.read("good"), 60)))),
        ("trailer", |desk, name| {
            let good = desk.read("good");
            desk.write(name, flipped(&good, good.len() - 70));
        }),
    ];
    for (what, spoil) in spoil {
        let desk = Desk::new();
        desk.build_sample("good");
        spoil(&desk, "bad.ompack");
        for (variables, further) in
            [(&[(ARTIFACTS, "bad.ompack")][..], &[][..]), (&[], &[]), (&[], &["--bundle", "bad.ompack"])]
        {
            let run = ask(&desk, variables, further);
            assert_eq!(run.code, Some(1), "{what}, {variables:?}: {}{}", run.stdout, run.stderr);
            assert_eq!(run.envelope()["result"]["status"], "failed", "{what}");
        }
    }
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/manifest.json", "\"schemaVersion\": \"1.1.0\"", "\"schemaVersion\": \"2.0.0\"");
    ask(&desk, &[], &[]).expect(1).complains(&["OMP040"]);
    ask(&desk, &[(ARTIFACTS, ".openmind")], &[]).expect(1).complains(&["OMP040"]);
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x10;
    bytes
}

#[test]
fn a_damaged_bundle_without_its_name_is_known_by_its_magic() {
    let desk = Desk::new();
    desk.build_sample("good");
    desk.write("renamed", flipped(&desk.read("good"), 2));
    ask(&desk, &[(ARTIFACTS, "renamed")], &[]).expect(1);
}

#[test]
fn the_repository_in_place_of_its_directory_gets_a_hint() {
    let desk = Desk::new();
    desk.copy_sample("repo/.openmind");
    let hint = Path::new("repo").join(".openmind");
    ask(&desk, &[], &["--bundle", "repo"]).expect(1).complains(&[&format!("{} holds", hint.display())]);
}
