//! The cases that are kept as files.

use std::fs;
use std::path::PathBuf;

use crate::directory::{fixtures, found, lay, sound};
use crate::expected::{Expected, difference};

/// The folder of each case, by name.
pub(crate) fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(fixtures().join("cases")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

#[test]
fn each_case_is_found_wrong_exactly_as_its_story_says() {
    let folders = folders();
    assert!(folders.len() >= 45, "{} cases", folders.len());
    let mut wrong = Vec::new();
    for folder in &folders {
        let case = folder.file_name().unwrap().to_str().unwrap();
        let expected = Expected::of(folder);
        assert!(!expected.story.is_empty(), "{case} has no story");
        let dir = sound();
        for name in &expected.remove {
            fs::remove_file(dir.path().join(name)).unwrap();
        }
        lay(folder, dir.path());
        fs::remove_file(dir.path().join("expected.json")).unwrap();
        wrong.extend(difference(case, &found(dir.path()), &expected.findings));
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), folders.len(), wrong.join("\n"));
}
