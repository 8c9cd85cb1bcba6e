//! Streams: colour, closed pipes, full disks, help.

use std::fs;
use std::process::Stdio;

use crate::common::{Desk, Run};

#[test]
fn a_pipe_gets_no_colour_unless_it_is_forced() {
    let desk = Desk::new();
    let text = |variables: &[(&str, &str)]| desk.run_with(variables, ["symbol", "Pulse"]).expect(0).stdout;
    let plain = text(&[]);
    assert!(!plain.contains('\u{1b}'));
    let coloured = text(&[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.contains("\u{1b}["));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    assert_eq!(text(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
    let envelope = desk.run_with(&[("CLICOLOR_FORCE", "1")], ["symbol", "Pulse", "--json"]).expect(0).stdout;
    assert!(!envelope.contains('\u{1b}'), "an envelope is for machines");
}

#[test]
fn no_progress_is_shown_where_nobody_watches() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    assert_eq!(desk.run_with(&[("CLICOLOR_FORCE", "1")], ["build"]).expect(0).stderr, "");
}

#[test]
fn artifact_text_is_shown_and_never_obeyed() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.edit(".openmind/source-index.json", "class Pulse:", "class \\u001b]0;owned\\u0007\\u202ePulse:");
    let run = desk.run_with(&[("CLICOLOR_FORCE", "1")], ["symbol", "Pulse"]).expect(0);
    assert!(run.stdout.contains("class \\u{1b}]0;owned\\u{7}\\u{202e}Pulse:"), "{}", run.stdout);
    assert!(!run.stdout.contains("\u{1b}]") && !run.stdout.contains(['\u{7}', '\u{202e}']));
}

#[test]
fn a_reader_that_left_is_no_error() {
    let desk = Desk::new();
    for arguments in [
        &["demo"][..],
        &["--help"],
        &["search", "valve", "--json"],
        &["symbol", "Pulse"],
        &["demo", "--markdown"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = desk.program(arguments).stdout(writer).stderr(Stdio::piped()).output().expect("runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
        assert_eq!(complaint, "", "{arguments:?}");
    }
    // What the operation says stays said.
    desk.write("bad.ompack", "");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status =
        desk.program(["verify", "bad.ompack", "--json"]).stdout(writer).stderr(Stdio::null()).status();
    assert_eq!(status.expect("runs").code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_the_systems_failure() {
    let desk = Desk::new();
    for arguments in [&["artifacts"][..], &["artifacts", "--json"], &["demo", "--markdown"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
        let output = desk.program(arguments).stdout(full).output().expect("runs");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("cannot write to standard output"), "{complaint}");
    }
}

#[test]
fn help_and_version_are_answers_and_no_command_is_wrong_usage() {
    let desk = Desk::new();
    let version = desk.run(["--version"]).expect(0);
    assert_eq!(version.stdout, concat!("openmind-pack ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = desk.run(["--help"]).expect(0);
    for text in ["build", "serve", "Exit codes", "OPEN_MIND_ARTIFACTS_DIR"] {
        assert!(help.stdout.contains(text), "{text}");
    }
    let nothing: [&str; 0] = [];
    let run = desk.run(nothing).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("Usage:"));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_is_usable() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let desk = Desk::new();
    let built = desk.build_sample("x.ompack");
    let name = OsStr::from_bytes(b"\xff.ompack");
    fs::rename(built, desk.path(".").join(name)).expect("renamed");
    Run::of(desk.program([OsStr::new("verify")]).arg(name)).expect(0);
}
