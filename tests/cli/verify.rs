//! `verify` and `inspect`: damage is told, whatever byte it is in.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Desk, sample};
use crate::craft::{forge, knowledge_hash, replace_first, set_knowledge_hash, small_directory};

#[test]
fn a_good_bundle_verifies_and_says_by_which_name() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let deep = desk.run(["verify", "x.ompack", "--deep", "--json"]).expect(0).envelope();
    let hash = deep["bundle"]["contentHash"].as_str().expect("a hash").to_owned();
    assert_eq!(deep["bundle"]["path"], "x.ompack");
    assert_eq!(
        deep["result"],
        json!({"status": "ok", "contentHash": hash, "knowledgeHash": deep["result"]["knowledgeHash"],
               "fileLength": desk.read("x.ompack").len(), "deep": true})
    );
    let run = desk.run(["verify", "x.ompack", "--expect", &hash.to_ascii_uppercase()]).expect(0);
    assert!(run.stdout.starts_with("verified x.ompack\n") && run.stdout.contains(&hash), "{}", run.stdout);
}

#[test]
fn another_hash_than_the_expected_is_a_no_and_no_hash_is_wrong_usage() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let other = "0".repeat(64);
    let run = desk.run(["verify", "x.ompack", "--expect", &other, "--json"]).expect(1);
    assert_eq!(run.envelope()["result"]["status"], "failed");
    assert_eq!(run.envelope()["result"]["kind"], "unexpected_hash");
    run.complains(&["error: x.ompack: ", &other]);
    desk.run(["verify", "x.ompack", "--expect", "abc"]).expect(2).complains(&["64 hexadecimal digits"]);
}

#[test]
fn a_flipped_bit_anywhere_and_any_truncation_is_damage() {
    let desk = Desk::new();
    let good = fs::read(desk.build_sample("x.ompack")).expect("read");
    // Both ends byte for byte, where the header and the trailer are, and a stride through the rest.
    let edges = (0..160).chain(good.len() - 160..good.len());
    for at in edges.chain((160..good.len() - 160).step_by(2_003)) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        desk.write("bad.ompack", bad);
        let run = desk.run(["verify", "bad.ompack"]);
        assert_eq!(run.code, Some(1), "byte {at}: {}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.is_empty() && run.stderr.starts_with("error: bad.ompack: "),
            "byte {at}: {}",
            run.stderr
        );
    }
    for length in [0, 1, 7, 8, 127, 128, 1000, 65_536, good.len() - 1] {
        desk.write("bad.ompack", &good[..length]);
        desk.run(["verify", "bad.ompack"]).expect(1);
    }
    desk.write("bad.ompack", [&good[..], b"\n"].concat());
    desk.run(["verify", "bad.ompack"]).expect(1);
}

#[test]
fn what_is_no_bundle_is_named_for_what_it_is() {
    let desk = Desk::new();
    desk.copy_sample("dir");
    desk.run(["verify", "dir"]).expect(1).complains(&["is a directory", "openmind-pack build dir"]);
    desk.run(["verify", "dir/manifest.json"]).expect(1).complains(&["JSON"]);
    desk.write("empty", "");
    desk.run(["inspect", "empty"]).expect(1).complains(&["empty"]);
    desk.run(["verify", "missing"]).expect(3).complains(&["cannot read missing"]);
    desk.run(["verify"]).expect(2);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_without_waiting_for_a_writer() {
    let desk = Desk::new();
    let pipe = desk.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    desk.run(["verify", "pipe"]).expect(1).complains(&["not a regular file"]);
    desk.run(["search", "x", "--bundle", "pipe"]).expect(1).complains(&["regular file"]);
}

#[test]
fn originals_that_say_something_else_than_the_rows_are_found_in_depth_only() {
    let desk = Desk::new();
    let (text, forged) = ("The first of all letters.", "The worst of all letters.");
    small_directory(&desk, "honest", text);
    small_directory(&desk, "other", forged);
    desk.run(["build", "honest", "-o", "honest.ompack"]).expect(0);
    desk.run(["build", "other", "-o", "other.ompack"]).expect(0);
    let other = desk.read("other.ompack");
    // The rows say what `other` says, the originals are those of `honest`.
    let bundle = forge(desk.read("honest.ompack"), |bytes| {
        replace_first(bytes, text, forged);
        set_knowledge_hash(bytes, knowledge_hash(&other));
    });
    desk.write("forged.ompack", bundle);
    desk.run(["verify", "forged.ompack"]).expect(0);
    let run = desk.run(["verify", "forged.ompack", "--deep", "--json"]).expect(1);
    assert_eq!(run.envelope()["result"]["kind"], "originals");
    run.complains(&["original files", "description"]);
}

#[test]
fn a_knowledge_hash_that_the_rows_do_not_have_is_found_in_depth() {
    let desk = Desk::new();
    small_directory(&desk, "dir", "The first of all letters.");
    desk.run(["build", "dir", "-o", "x.ompack"]).expect(0);
    let bundle = forge(desk.read("x.ompack"), |bytes| set_knowledge_hash(bytes, &[0; 32]));
    desk.write("forged.ompack", bundle);
    desk.run(["verify", "forged.ompack"]).expect(0);
    desk.run(["verify", "forged.ompack", "--deep"]).expect(1).complains(&["knowledge hash"]);
}

#[test]
fn inspecting_shows_what_the_files_say() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let manifest: Value =
        serde_json::from_slice(&fs::read(sample().join("manifest.json")).expect("read")).expect("JSON");
    let run = desk.run(["inspect", "x.ompack", "--json"]).expect(0);
    let result = &run.envelope()["result"];
    assert_eq!(result["repository"], manifest["repository"]);
    assert_eq!(result["generator"]["name"], manifest["generator"]["name"]);
    assert_eq!(result["generator"]["template"], "irrigation-service");
    assert_eq!(result["generatedAt"], manifest["generatedAt"]);
    assert_eq!(result["fileLength"], desk.read("x.ompack").len());
    for artifact in result["artifacts"].as_array().expect("a list") {
        let name = artifact["name"].as_str().expect("a name");
        assert_eq!(artifact["length"], fs::metadata(sample().join(name)).expect("there").len(), "{name}");
    }
    let run = desk.run(["inspect", "x.ompack"]).expect(0);
    for text in ["fernhouse", "irrigation-service", "source-index.json", "string-bytes", "131  symbols"] {
        assert!(run.stdout.contains(text), "{text}:\n{}", run.stdout);
    }
}
