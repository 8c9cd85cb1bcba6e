//! The built program, run in an environment that holds nothing of the machine's.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Variables that change what the program does.
const VARIABLES: [&str; 6] = [
    "OPEN_MIND_ARTIFACTS_DIR",
    "OPEN_MIND_MAX_RESULTS",
    "OPEN_MIND_SOURCE_ROOT",
    "LOG_LEVEL",
    "NO_COLOR",
    "CLICOLOR_FORCE",
];

/// An empty directory beside the build's own output: /tmp may be memory, and the largest bundles are large.
pub(crate) fn workshop() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary directory")
}

/// The program, about to run in a directory.
pub(crate) fn program(here: &Path) -> Command {
    undisturbed(Command::new(env!("CARGO_BIN_EXE_openmind-pack")), here)
}

/// The program under another umask.
#[cfg(unix)]
pub(crate) fn program_with_umask(here: &Path, umask: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "umask \"$0\" && exec \"$@\"", umask, env!("CARGO_BIN_EXE_openmind-pack")]);
    undisturbed(shell, here)
}

fn undisturbed(mut command: Command, here: &Path) -> Command {
    command.current_dir(here).stdin(Stdio::null());
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
}

/// What a run of the program left.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with these arguments.
pub(crate) fn run<S: AsRef<OsStr>>(mut command: Command, arguments: impl IntoIterator<Item = S>) -> Run {
    let Output { status, stdout, stderr } = command.args(arguments).output().expect("the program starts");
    Run {
        code: status.code(),
        stdout: String::from_utf8(stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8(stderr).expect("standard error is UTF-8"),
    }
}

impl Run {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The envelope: one line and nothing else.
    #[track_caller]
    pub(crate) fn envelope(&self) -> Value {
        let line = self.stdout.strip_suffix('\n').expect("a line ends");
        assert!(!line.contains('\n'), "more than one line:\n{line}");
        serde_json::from_str(line).expect("an envelope is JSON")
    }
}

/// Builds a directory to a bundle.
pub(crate) fn build(command: Command, directory: &Path, bundle: &Path) -> Run {
    run(
        command,
        [OsStr::new("build"), directory.as_os_str(), "-o".as_ref(), bundle.as_os_str(), "--json".as_ref()],
    )
}
