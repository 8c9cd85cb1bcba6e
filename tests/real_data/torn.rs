//! Directories that the generator left half-written.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::artifacts::text;
use crate::directories;
use crate::disagreements::Disagreements;
use crate::program::{build, program, run, workshop};

#[test]
fn torn_directories_are_refused_and_it_is_said_what_is_torn() {
    let mut disagreements = Disagreements::default();
    for directory in directories::all().iter().filter(|directory| directory.is_torn()) {
        refuse(&directory.path, &mut disagreements);
    }
    disagreements.assert_none();
}

fn refuse(directory: &Path, disagreements: &mut Disagreements) {
    let workshop = workshop();
    let bundle = workshop.path().join("torn.ompack");
    let report = build(program(workshop.path()), directory, &bundle).expect(1).envelope();
    let human = run(
        program(workshop.path()),
        ["build".as_ref(), directory.as_os_str(), "-o".as_ref(), bundle.as_os_str()],
    )
    .expect(1);

    let findings = report["result"]["findings"].as_array().expect("findings").clone();
    let torn = torn(directory);
    disagreements.check(!torn.is_empty(), || format!("{}: nothing is torn", directory.display()));
    for (file, words) in torn {
        let found = findings.iter().any(|finding| {
            let message = finding["message"].as_str().unwrap_or_default();
            finding["file"] == *file
                && finding["severity"] == "error"
                && words.iter().any(|word| message.contains(word))
        });
        let about = format!("{}: {file} ({})", directory.display(), words[0]);
        disagreements.check(found, || format!("{about}: no such error in {findings:?}"));
        disagreements.check(human.stderr.contains(&file) || human.stdout.contains(&file), || {
            format!("{about}: not said to people:\n{}", human.stderr)
        });
    }
    let left = fs::read_dir(workshop.path()).expect("listed").count();
    disagreements.check(left == 0, || format!("{}: a refused build left a file", directory.display()));
}

/// Files that are torn, each with words of which the error's message has to have one.
fn torn(directory: &Path) -> Vec<(String, Vec<&'static str>)> {
    let read =
        |name: &str| -> Option<Value> { serde_json::from_slice(&fs::read(directory.join(name)).ok()?).ok() };
    let manifest = read("manifest.json").expect("the generator writes the manifest first");
    let names = &manifest["artifacts"];
    let mut torn = Vec::new();
    for role in ["metadata", "glossary", "architecture", "flows", "sourceIndex"] {
        let name = text(names, role);
        match fs::metadata(directory.join(name)) {
            Err(_) => torn.push((name.to_owned(), vec!["none of this name", "missing", "doesn't exist"])),
            Ok(found) if found.len() == 0 => torn.push((name.to_owned(), vec!["0 bytes", "empty"])),
            Ok(_) => {}
        }
    }
    let metadata = read(text(names, "metadata"));
    let files = read(text(names, "sourceIndex"));
    if let (Some(metadata), Some(files)) = (metadata, files) {
        let listed = files["files"].as_array().map(Vec::len);
        let counted = metadata["summary"]["filesIndexed"].as_u64();
        if counted != listed.map(|listed| u64::try_from(listed).expect("a count")) {
            torn.push((text(names, "metadata").to_owned(), vec!["filesIndexed"]));
        }
    }
    torn
}
