//! The crates know each other only along the arrows that ARCHITECTURE.md draws.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

const ARROWS: [(&str, &[&str]); 5] = [
    ("openmind-pack-format", &[]),
    ("openmind-pack-compiler", &["openmind-pack-format"]),
    ("openmind-pack-engine", &["openmind-pack-format"]),
    ("openmind-pack-mcp", &["openmind-pack-engine", "openmind-pack-format"]),
    (
        "openmind-pack",
        &["openmind-pack-compiler", "openmind-pack-engine", "openmind-pack-format", "openmind-pack-mcp"],
    ),
];

#[test]
fn crates_depend_on_each_other_along_the_arrows_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let mut seen = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            panic!("crate {name} has no place in the arrows");
        };
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        // Also in tests and build scripts.
        let dependencies = package["dependencies"].as_array().unwrap();
        let names = dependencies.iter().map(|dependency| dependency["name"].as_str().unwrap());
        let found: BTreeSet<&str> = names.filter(|dependency| ours.contains(dependency)).collect();
        assert_eq!(found, allowed, "{name}");
        seen.insert(name);
    }
    assert_eq!(seen, ours);
}
