//! Building, checking and unpacking.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::disagreements::Disagreements;
use crate::program::{build, program, run};

/// Builds a directory and returns the report's result.
pub(crate) fn build_bundle(directory: &Path, bundle: &Path) -> Value {
    let here = bundle.parent().expect("a bundle lies in a directory");
    let built = build(program(here), directory, bundle).expect(0).envelope();
    assert_eq!(built["bundle"]["contentHash"], built["result"]["contentHash"]);
    built["result"].clone()
}

/// Checks every byte and all that it means.
pub(crate) fn verify(bundle: &Path, expected: &Value) {
    let here = bundle.parent().expect("a bundle lies in a directory");
    let hash = expected.as_str().expect("a hash is a text");
    let arguments =
        ["verify".as_ref(), bundle.as_os_str(), "--deep".as_ref(), "--expect".as_ref(), hash.as_ref()];
    run(program(here), arguments).expect(0);
}

/// Unpacks and compares with the directory that the bundle was built from.
pub(crate) fn unpack(bundle: &Path, directory: &Path, disagreements: &mut Disagreements) {
    let here = bundle.parent().expect("a bundle lies in a directory");
    let target = here.join("unpacked");
    run(program(here), ["unpack".as_ref(), bundle.as_os_str(), target.as_os_str()]).expect(0);
    let (expected, got) = (listed(directory), listed(&target));
    disagreements.check(expected == got, || format!("unpacked {got:?}, expected {expected:?}"));
    for name in expected.keys() {
        let (expected, got) = (fs::read(directory.join(name)), fs::read(target.join(name)));
        let same = matches!((expected, got), (Ok(expected), Ok(got)) if expected == got);
        disagreements.check(same, || format!("{name:?} isn't unpacked byte for byte"));
    }
    fs::remove_dir_all(target).expect("removed");
}

/// Names and sizes of what lies in a directory.
fn listed(directory: &Path) -> BTreeMap<OsString, u64> {
    let entries = fs::read_dir(directory).expect("a directory that can be listed");
    entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            (entry.file_name(), entry.metadata().expect("metadata").len())
        })
        .collect()
}
