//! `unpack`: the files come back byte for byte, into an empty directory or not at all.

use std::fs;

use crate::common::{Desk, sample};
use crate::craft::{forge, replace_first, small_directory};

#[test]
fn a_build_unpacks_to_what_it_was_built_from() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    // Whatever else lies there, and whatever else is in a file, is kept.
    desk.write(".openmind/notes.bin", [0_u8, 255, 10, 13]);
    desk.write(".openmind/empty", "");
    desk.edit(
        ".openmind/flows.json",
        "\"schemaVersion\"",
        "\"unheardOf\": [1e3, {\"a\": null}],\n  \"schemaVersion\"",
    );
    desk.run(["build", "-o", "x.ompack"]).expect(0);
    let run = desk.run(["unpack", "x.ompack", "deep/er/out"]).expect(0);
    assert!(run.stdout.starts_with("unpacked 8 files into deep/er/out\n"), "{}", run.stdout);
    assert_eq!(desk.list("deep/er/out"), desk.list(".openmind"));
    for name in desk.list(".openmind") {
        assert_eq!(
            desk.read(&format!("deep/er/out/{name}")),
            desk.read(&format!(".openmind/{name}")),
            "{name}"
        );
    }
    desk.run(["build", "deep/er/out", "-o", "y.ompack"]).expect(0);
    assert_eq!(desk.read("x.ompack"), desk.read("y.ompack"), "what came back builds to the same bytes");
}

#[test]
fn an_empty_directory_is_filled_and_any_other_refused() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    fs::create_dir(desk.path("empty")).expect("made");
    desk.run(["unpack", "x.ompack", "empty"]).expect(0);
    assert_eq!(desk.list("empty").len(), fs::read_dir(sample()).expect("listed").count());

    fs::create_dir(desk.path("full")).expect("made");
    desk.write("full/mine", "kept");
    desk.run(["unpack", "x.ompack", "full"]).expect(1).complains(&["full is not empty"]);
    assert_eq!(desk.list("full"), ["mine"]);
    desk.run(["unpack", "x.ompack", "full/mine"]).expect(1).complains(&["not a directory"]);
    desk.run(["unpack", "x.ompack", "full/mine/below"]).expect(3);
    assert_eq!(desk.read("full/mine"), b"kept");
}

/// Bytes that don't compress (xorshift).
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn a_damaged_original_leaves_nothing_half_written() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    let noise = noise(1_500_000);
    desk.write(".openmind/zz-last.bin", &noise);
    desk.run(["build", "-o", "x.ompack"]).expect(0);
    let mut bad = desk.read("x.ompack");
    // Noise is stored as it is, so this is in the second frame of the last file.
    let piece = &noise[1_400_000..1_400_032];
    let at = bad.windows(32).position(|bytes| bytes == piece).expect("the noise is there");
    bad[at] ^= 1;
    desk.write("bad.ompack", bad);
    desk.run(["inspect", "bad.ompack"]).expect(0);
    desk.run(["unpack", "bad.ompack", "out"]).expect(1).complains(&["damaged"]);
    assert!(!desk.path("out").exists());
    fs::create_dir(desk.path("out")).expect("made");
    desk.run(["unpack", "bad.ompack", "out"]).expect(1);
    assert!(desk.list("out").is_empty(), "a directory that was there stays, empty");
}

#[test]
fn names_that_lead_out_of_the_directory_are_refused_before_anything_is_written() {
    for name in ["../escape.json", "/escaped.json", "a\\manif.json"] {
        let desk = Desk::new();
        small_directory(&desk, "dir", "The first of all letters.");
        fs::write(desk.path("dir/harmless.json"), "{}").expect("written");
        desk.run(["build", "dir", "-o", "x.ompack"]).expect(0);
        let padded = format!("{name:_<13}");
        let from = "harmless.json";
        let bundle = forge(desk.read("x.ompack"), |bytes| replace_first(bytes, from, &padded[..from.len()]));
        desk.write("forged.ompack", bundle);
        desk.run(["unpack", "forged.ompack", "out/inner"])
            .expect(1)
            .complains(&["no plain file name", "don't trust"]);
        assert_eq!(desk.list("."), ["dir", "forged.ompack", "x.ompack"]);
    }
}
