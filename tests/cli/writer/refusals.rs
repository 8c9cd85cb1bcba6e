//! Outputs that can't be, and limits that stop a build: what is said, and that nothing is lost.

use std::fs;

use crate::common::{Desk, Run};

#[test]
fn a_path_that_names_no_file_is_wrong_usage_and_one_that_cannot_be_made_the_systems() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.write("file", "");
    desk.run(["build", "-o", "new/"]).expect(2).complains(&["\"new/\"", "names no file"]);
    desk.run(["build", "-o", "missing/x"]).expect(3).complains(&[
        "missing/x",
        "no directory missing",
        "make the directory",
    ]);
    desk.run(["build", "-o", "file/x"]).expect(3).complains(&["cannot write file/x", "hint: "]);
    let long = "n".repeat(300);
    desk.run(["build", "-o", &long]).expect(3).complains(&[&long, "shorter name"]);
    assert_eq!(desk.list("."), [".openmind", "file"]);
}

#[test]
fn what_is_no_regular_file_is_refused_through_any_link_and_stays() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    let desk = Desk::new();
    desk.copy_sample(".openmind");
    fs::create_dir(desk.path("dir")).expect("made");
    let made = std::process::Command::new("mkfifo").arg(desk.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for (link, target) in
        [("to-dir", "dir"), ("to-pipe", "pipe"), ("circle", "circle"), ("astray", "nowhere/x")]
    {
        symlink(target, desk.path(link)).expect("linked");
        symlink(link, desk.path(&format!("{link}-2"))).expect("linked");
    }
    let before = desk.list(".");
    for (output, code, reason) in [
        ("dir", 1, "directory"),
        ("to-dir", 1, "directory"),
        ("to-dir-2", 1, "directory"),
        ("pipe", 1, "pipe"),
        ("to-pipe", 1, "pipe"),
        ("to-pipe-2", 1, "pipe"),
        ("/dev/null", 1, "device"),
        ("circle", 1, "circle"),
        ("circle-2", 1, "circle"),
        ("astray", 3, "no directory nowhere"),
        ("astray-2", 3, "no directory nowhere"),
    ] {
        desk.run(["build", "-o", output])
            .expect(code)
            .complains(&[&format!("cannot write {output}: "), reason]);
    }
    assert_eq!(desk.list("."), before);
    assert!(desk.list("dir").is_empty());
    assert!(fs::symlink_metadata(desk.path("pipe")).expect("there").file_type().is_fifo());
}

/// `-o /dev/stdout > file` would replace the file that the report goes to.
#[test]
fn the_file_that_the_report_goes_to_is_not_replaced() {
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    for output in ["/dev/stdout", "/proc/self/fd/1", "report"] {
        if !std::path::Path::new(output).exists() && output != "report" {
            continue;
        }
        let report = fs::File::create(desk.path("report")).expect("made");
        let build = desk.program(["build", "-o", output]).stdout(report).output().expect("runs");
        assert_eq!(build.status.code(), Some(1), "{output}");
        let complaint = String::from_utf8_lossy(&build.stderr);
        assert!(complaint.contains("this command's own report goes there"), "{output}: {complaint}");
    }
    assert_eq!(desk.list("."), [".openmind", "report"]);
    // A pipe is no file at all.
    desk.run(["build", "-o", "/dev/stdout"]).expect(1).complains(&["pipe"]);
}

/// In steps of 512 bytes, from nothing to more than the bundle has.
#[test]
fn a_limit_of_file_sizes_is_an_error_that_says_so_and_ends_nothing() {
    const BLOCK: usize = 512;
    let desk = Desk::new();
    desk.copy_sample(".openmind");
    desk.run(["build", "-o", "good"]).expect(0);
    let good = desk.read("good");
    desk.write("x.ompack", "former");
    let build = |blocks: usize| {
        let program = env!("CARGO_BIN_EXE_openmind-pack");
        let mut shell = std::process::Command::new("sh");
        // A shell of POSIX counts in units of 512 bytes.
        let script = r#"ulimit -f "$1"; shift; exec "$@""#;
        shell.args(["-c", script, "sh", &blocks.to_string(), program, "build", "-o", "x.ompack"]);
        Run::of(shell.current_dir(desk.path(".")))
    };
    let enough = good.len().div_ceil(BLOCK);
    for blocks in (0..enough).step_by(7).chain([enough - 1]) {
        // Bash counts in units of 1,024 outside its POSIX mode; it is no `sh` then.
        let run = build(blocks).expect(3);
        run.complains(&["cannot write x.ompack", "ulimit -f", "unchanged"]);
        assert_eq!(desk.read("x.ompack"), b"former");
        assert_eq!(desk.list("."), [".openmind", "good", "x.ompack"]);
    }
    build(enough).expect(0);
    assert_eq!(desk.read("x.ompack"), good);
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_the_systems_failure() {
    let desk = Desk::new();
    for arguments in [&["--help"][..], &["--version"], &["build", "--help"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
        let output = desk.program(arguments).stdout(full).output().expect("runs");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("cannot write to standard output"), "{complaint}");
    }
}

#[test]
fn a_deleted_working_directory_is_not_taken_for_an_empty_one() {
    let desk = Desk::new();
    let script = r#"mkdir gone; cd gone; rmdir ../gone; exec "$@""#;
    let run = |arguments: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        let program = env!("CARGO_BIN_EXE_openmind-pack");
        shell.args(["-c", script, "sh", program]).args(arguments);
        shell.env_remove("OPEN_MIND_ARTIFACTS_DIR").stdin(std::process::Stdio::null());
        Run::of(shell.current_dir(desk.path(".")))
    };
    for arguments in [&["artifacts"][..], &["search", "valve", "--json"], &["serve"]] {
        let run = run(arguments).expect(3);
        assert_eq!(run.stdout, "");
        run.complains(&["the working directory was deleted", "hint: "]);
    }
    let sample = crate::common::sample();
    let sample = sample.to_str().expect("UTF-8");
    run(&["artifacts", "--bundle", sample]).expect(0);
    run(&["demo"]).expect(0);
}
