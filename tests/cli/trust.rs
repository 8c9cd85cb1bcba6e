//! Whose bundle this is: a hash that was got elsewhere, and signatures of a key that is trusted.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{Desk, repository};

const ARTIFACTS: &str = "OPEN_MIND_ARTIFACTS_DIR";

/// A key that signed nothing here: that of minisign's own releases.
const OTHER_KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

/// Every question, as it is typed.
const QUESTIONS: [&[&str]; 5] = [
    &["artifacts"],
    &["search", "valve"],
    &["symbol", "Pulse"],
    &["explain", "valved/safety"],
    &["claim", "The LeakRule closes valves."],
];

/// Builds the sample and gives its content hash, which is the name of the built-in one too.
fn sample_with_hash(desk: &Desk, name: &str) -> String {
    let built = desk.build_sample(name);
    let bundle = fs::read(&built).expect("read");
    // As `head -c BODY FILE | b3sum` would say it: the body is followed by a list and a trailer.
    let report = desk.run(["inspect", name, "--json"]).expect(0).envelope();
    let body = report["result"]["bodyLength"].as_u64().expect("a length");
    let body = usize::try_from(body).expect("small");
    blake3::hash(&bundle[..body]).to_hex().to_string()
}

#[test]
fn every_command_on_a_bundle_takes_the_expected_one_and_no_other() {
    let desk = Desk::new();
    let hash = sample_with_hash(&desk, "x.ompack");
    let upper = hash.to_ascii_uppercase();
    let other = "0".repeat(64);
    let on_file: [&[&str]; 4] = [
        &["verify", "x.ompack"],
        &["verify", "x.ompack", "--deep"],
        &["inspect", "x.ompack"],
        &["demo", "--bundle", "x.ompack"],
    ];
    let asking = QUESTIONS.map(|question| [question, &["--bundle", "x.ompack"]].concat());
    for command in on_file.into_iter().map(<[&str]>::to_vec).chain(asking) {
        let run = |expected: &str| desk.run(command.iter().copied().chain(["--expect", expected]));
        run(&hash).expect(0);
        run(&upper).expect(0);
        let refused = run(&other).expect(1);
        assert_eq!(refused.stdout, "", "{command:?}");
        refused.complains(&["error: x.ompack: ", &other, &hash]);
        for malformed in ["", "abc", &hash[1..], &format!("blake3:{hash}"), &format!("{hash} ")] {
            run(malformed).expect(2);
        }
    }
    desk.run(["unpack", "x.ompack", "out", "--expect", &other]).expect(1).complains(&[&other]);
    assert!(!desk.path("out").exists());
    desk.run(["unpack", "x.ompack", "out", "--expect", &hash]).expect(0);
}

#[test]
fn another_hash_is_an_error_from_every_origin_and_never_answered_by_the_sample() {
    let desk = Desk::new();
    let sample_hash = sample_with_hash(&desk, "sample");
    desk.copy_sample("dir");
    for file in ["manifest.json", "metadata.json"] {
        desk.edit(&format!("dir/{file}"), "\"fernhouse\"", "\"other\"");
    }
    desk.run(["build", "dir", "-o", "kept"]).expect(0);
    let compiled = desk.run(["verify", "kept", "--json"]).expect(0).envelope();
    let hash = compiled["result"]["contentHash"].as_str().expect("a hash").to_owned();
    desk.write("notes.txt", "no bundle");

    for question in QUESTIONS {
        let ask = |variables: &[(&str, &str)], expected: &str| {
            desk.run_with(variables, question.iter().copied().chain(["--json", "--expect", expected]))
        };
        // A directory is compared by what a build of it would be named.
        ask(&[(ARTIFACTS, "dir")], &hash).expect(0);
        ask(&[(ARTIFACTS, "kept")], &hash).expect(0);
        // The sample is knowledge like any other, where nothing else is configured.
        ask(&[], &sample_hash).expect(0);
        for (variables, expected) in
            [(&[(ARTIFACTS, "dir")][..], &sample_hash), (&[(ARTIFACTS, "kept")], &sample_hash), (&[], &hash)]
        {
            let result = ask(variables, expected).expect(1).envelope()["result"].clone();
            assert_eq!((&result["status"], &result["kind"]), (&json!("failed"), &json!("unexpected_hash")));
        }
        // What would be replaced by the sample isn't, though the sample be the expected one.
        ask(&[(ARTIFACTS, "missing")], &sample_hash).expect(3).complains(&["cannot read missing", ARTIFACTS]);
        ask(&[(ARTIFACTS, "notes.txt")], &sample_hash).expect(1).complains(&["notes.txt"]);
    }
    desk.run(["demo", "--expect", &sample_hash]).expect(0);
    desk.run(["demo", "--expect", &hash]).expect(1);
    let serve = |variables: &[(&str, &str)], expected: &str| {
        desk.run_with(variables, ["serve", "--expect", expected])
    };
    serve(&[(ARTIFACTS, "dir")], &hash).expect(0);
    for (variables, expected, code) in [
        (&[(ARTIFACTS, "dir")][..], &sample_hash, 1),
        (&[], &hash, 1),
        (&[(ARTIFACTS, "missing")], &sample_hash, 3),
    ] {
        assert_eq!(serve(variables, expected).expect(code).stdout, "");
    }
}

/// The smallest golden bundle with the signatures that `fixtures/signed/sign.sh` made.
fn signed_desk() -> Desk {
    let desk = Desk::new();
    for (from, to) in [
        ("golden/empty.ompack", "x.ompack"),
        ("signed/empty.ompack.minisig", "x.ompack.minisig"),
        ("signed/empty.ompack.legacy.minisig", "legacy"),
        ("signed/minisign.pub", "minisign.pub"),
    ] {
        fs::copy(repository("fixtures").join(from), desk.path(to)).expect("copied");
    }
    desk
}

/// The second line of a file: the key, or the signature.
fn second_line(desk: &Desk, name: &str) -> String {
    let text = String::from_utf8(desk.read(name)).expect("UTF-8");
    text.lines().nth(1).expect("a second line").to_owned()
}

/// `fixtures/signed/minisign.pub` has the id in its comment, as minisign wrote it.
fn key_id(desk: &Desk) -> String {
    let text = String::from_utf8(desk.read("minisign.pub")).expect("UTF-8");
    let comment = text.lines().next().expect("a comment");
    comment.strip_prefix("untrusted comment: minisign public key ").expect("an id").to_owned()
}

#[test]
fn a_signature_by_the_key_holds_and_is_told_with_its_comment() {
    let desk = signed_desk();
    let (key, id) = (second_line(&desk, "minisign.pub"), key_id(&desk));
    for key in ["minisign.pub", key.as_str()] {
        for (further, comment) in
            [(&[][..], "test fixture"), (&["--signature", "legacy"], "test fixture, legacy")]
        {
            let words = [&["verify", "x.ompack", "--public-key", key][..], further].concat();
            let shown = desk.run(&words).expect(0).stdout;
            let comment = format!("openmind-pack {comment}");
            assert!(shown.contains(&format!("key {id}")) && shown.contains(&comment), "{shown}");
            let result = desk.run(words.iter().chain(&["--json"])).expect(0).envelope()["result"].clone();
            assert_eq!(result["signature"], json!({"keyId": id, "trustedComment": comment}));
            let keys: Vec<&String> = result.as_object().expect("an object").keys().collect();
            assert_eq!(
                keys,
                ["status", "contentHash", "knowledgeHash", "fileLength", "deep", "signature"],
                "it comes after the keys that were there before"
            );
        }
    }
    let unsigned = desk.run(["verify", "x.ompack", "--json"]).expect(0).envelope();
    assert_eq!(unsigned["result"].get("signature"), None, "nothing is said of what wasn't asked for");
    // A signature vouches for a file, and doesn't make a bundle of it; an expectation stands beside it.
    let other = "0".repeat(64);
    desk.run(["verify", "x.ompack", "--public-key", "minisign.pub", "--expect", &other])
        .expect(1)
        .complains(&[&other]);
}

#[test]
fn each_changed_byte_of_bundle_signature_or_comment_is_a_no() {
    let desk = signed_desk();
    let bundle = desk.read("x.ompack");
    let mismatch = |what: &str| {
        let run = desk.run(["verify", "x.ompack", "--public-key", "minisign.pub", "--json"]);
        assert_eq!(run.code, Some(1), "{what}: {}{}", run.stdout, run.stderr);
        run.envelope()["result"]["kind"].as_str().expect("a kind").to_owned()
    };
    for at in (0..bundle.len()).step_by(97).chain([bundle.len() - 1]) {
        let mut changed = bundle.clone();
        changed[at] ^= 1;
        desk.write("x.ompack", changed);
        assert_eq!(mismatch(&format!("byte {at}")), "signature_mismatch");
    }
    desk.write("x.ompack", [&bundle[..], b"\n"].concat());
    assert_eq!(mismatch("one byte more"), "signature_mismatch");
    desk.write("x.ompack", &bundle);
    let signature = desk.read("x.ompack.minisig");
    let line = second_line(&desk, "x.ompack.minisig");
    // Within the signature proper, behind algorithm and key id.
    let changed = format!("{}{}{}", &line[..40], if &line[40..41] == "A" { "B" } else { "A" }, &line[41..]);
    desk.edit("x.ompack.minisig", &line, &changed);
    assert_eq!(mismatch("the signature"), "signature_mismatch");
    desk.write("x.ompack.minisig", &signature);
    desk.edit("x.ompack.minisig", "test fixture", "best fixture");
    assert_eq!(mismatch("the trusted comment"), "signature_mismatch");
    desk.write("x.ompack.minisig", &signature);
    desk.edit("x.ompack.minisig", "signature from", "Signature from");
    desk.run(["verify", "x.ompack", "--public-key", "minisign.pub"]).expect(0);
}

#[test]
fn what_is_missing_foreign_or_no_signature_is_named_for_what_it_is() {
    let desk = signed_desk();
    let id = key_id(&desk);
    let verify = |further: &[&str]| desk.run([&["verify", "x.ompack", "--json"], further].concat());
    let kind = |further: &[&str]| {
        let run = verify(further).expect(1);
        run.envelope()["result"]["kind"].as_str().expect("a kind").to_owned()
    };
    let key = ["--public-key", "minisign.pub", "--signature"];
    let with = |signature| [&key[..], &[signature]].concat();
    assert_eq!(kind(&["--public-key", OTHER_KEY]), "signature_key");
    verify(&["--public-key", OTHER_KEY]).complains(&[&id, "E7620F1842B4E81F"]);
    assert_eq!(kind(&with("nowhere")), "signature_missing");
    desk.write("empty", "");
    desk.write("long", "x".repeat(100_000));
    desk.write("binary", b"\xff\xfe");
    for name in ["empty", "long", "binary", "minisign.pub", "x.ompack"] {
        assert_eq!(kind(&with(name)), "signature_malformed", "{name}");
        if name != "minisign.pub" {
            verify(&["--public-key", name]).expect(2).complains(&["no minisign public key", "hint: "]);
        }
    }
    verify(&with(".")).expect(3).complains(&["cannot read ."]);
    verify(&["--public-key", "."]).expect(3).complains(&["cannot read the key in ."]);
    verify(&["--public-key", "nowhere"])
        .expect(2)
        .complains(&["nowhere is no minisign public key, and no file"]);
    verify(&["--signature", "x.ompack.minisig"]).expect(2).complains(&["--public-key"]);
    // A file that is called as a key is called isn't read: the key that was typed is meant.
    fs::copy(desk.path("minisign.pub"), desk.path(OTHER_KEY)).expect("copied");
    assert_eq!(kind(&["--public-key", OTHER_KEY]), "signature_key");
}

/// The comment is signed, and the signer may still be nobody's friend.
#[test]
fn control_characters_of_a_comment_are_shown_and_not_obeyed() {
    let Some(minisign) = Minisign::new() else { return };
    minisign.desk.build_sample("x.ompack");
    minisign.sign(&["-t", "red \u{1b}[31m\u{202e}"]);
    let words = ["verify", "x.ompack", "--public-key", "key.pub"];
    let shown = minisign.desk.run_with(&[("CLICOLOR_FORCE", "1")], words).expect(0).stdout;
    assert!(shown.contains("red \\u{1b}[31m\\u{202e}"), "{shown}");
    assert!(!shown.contains("\u{1b}[31m"), "{shown}");
}

#[test]
fn what_the_program_minisign_signs_holds_and_what_it_refuses_is_refused() {
    let Some(minisign) = Minisign::new() else { return };
    let desk = &minisign.desk;
    let good = fs::read(desk.build_sample("x.ompack")).expect("read");
    // Both kinds of signature, with its own comment and with a given one.
    for further in [&[][..], &["-l"], &["-t", "of a release"], &["-l", "-t", ""]] {
        minisign.sign(further);
        assert!(minisign.verifies());
        let key = second_line(desk, "key.pub");
        for key in ["key.pub", key.as_str()] {
            let run = desk.run(["verify", "x.ompack", "--deep", "--public-key", key, "--json"]).expect(0);
            let told = run.envelope()["result"]["signature"]["trustedComment"].clone();
            assert_eq!(told, Value::from(minisign.comment()), "{further:?}");
        }
        let mut bad = good.clone();
        bad[good.len() / 2] ^= 0x40;
        desk.write("x.ompack", bad);
        assert!(!minisign.verifies());
        desk.run(["verify", "x.ompack", "--public-key", "key.pub"]).expect(1).complains(&["doesn't hold"]);
        desk.write("x.ompack", &good);
    }
}

/// Debian's program, with a key of its own.
struct Minisign {
    desk: Desk,
}

impl Minisign {
    /// Makes a key, or says loudly that the program isn't there.
    fn new() -> Option<Self> {
        if Command::new("minisign").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            let _ = writeln!(
                std::io::stderr(),
                "*** SKIPPED: signatures by the program minisign, which isn't installed (Debian: minisign)"
            );
            return None;
        }
        let minisign = Self { desk: Desk::new() };
        assert!(minisign.run(&["-G", "-W", "-p", "key.pub", "-s", "key"]));
        Some(minisign)
    }

    fn run(&self, arguments: &[&str]) -> bool {
        let mut command = Command::new("minisign");
        command.args(arguments).current_dir(self.desk.path("."));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("runs").success()
    }

    fn sign(&self, further: &[&str]) {
        assert!(self.run(&[&["-S", "-s", "key", "-m", "x.ompack"], further].concat()));
        assert!(Path::new(&self.desk.path("x.ompack.minisig")).is_file());
    }

    fn verifies(&self) -> bool {
        self.run(&["-V", "-p", "key.pub", "-m", "x.ompack"])
    }

    /// The trusted comment as the signature's file has it.
    fn comment(&self) -> String {
        let text = String::from_utf8(self.desk.read("x.ompack.minisig")).expect("UTF-8");
        let line = text.lines().nth(2).expect("a third line");
        line.strip_prefix("trusted comment: ").expect("a comment").to_owned()
    }
}
