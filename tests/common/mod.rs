//! A desk for black-box tests: an empty working directory and the built program, run in an environment that holds
//! nothing of the machine's.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Variables that change what the program does.
const VARIABLES: [&str; 7] = [
    "OPEN_MIND_ARTIFACTS_DIR",
    "OPEN_MIND_MAX_RESULTS",
    "OPEN_MIND_SOURCE_ROOT",
    "LOG_LEVEL",
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "CLICOLOR",
];

/// A file of the repository under test.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The sample's `.openmind` directory.
pub(crate) fn sample() -> PathBuf {
    repository("fixtures/sample-repo/.openmind")
}

/// An empty directory that commands are run in.
pub(crate) struct Desk {
    dir: TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().expect("a temporary directory") }
    }

    /// A path on the desk.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("written");
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("read")
    }

    /// Names of what lies on the desk or in a directory on it, sorted.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).expect("listed");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// Copies the sample's `.openmind` directory onto the desk.
    pub(crate) fn copy_sample(&self, name: &str) -> PathBuf {
        let target = self.path(name);
        fs::create_dir_all(&target).expect("made");
        for entry in fs::read_dir(sample()).expect("listed") {
            let entry = entry.expect("an entry");
            fs::copy(entry.path(), target.join(entry.file_name())).expect("copied");
        }
        target
    }

    /// Replaces a text in a file, which must hold it.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = String::from_utf8(self.read(name)).expect("UTF-8");
        assert!(text.contains(from), "{name} holds {from:?}");
        self.write(name, text.replace(from, to));
    }

    /// Builds the sample to a bundle of this name.
    pub(crate) fn build_sample(&self, name: &str) -> PathBuf {
        self.run([OsStr::new("build"), sample().as_os_str(), OsStr::new("-o"), OsStr::new(name)]).expect(0);
        self.path(name)
    }

    /// The program, about to run here.
    pub(crate) fn program<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_openmind-pack"));
        command.args(arguments).current_dir(self.dir.path()).stdin(Stdio::null());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command
    }

    /// Runs the program here.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        Run::of(&mut self.program(arguments))
    }

    /// Runs the program here with further variables.
    pub(crate) fn run_with<S: AsRef<OsStr>>(
        &self,
        variables: &[(&str, &str)],
        arguments: impl IntoIterator<Item = S>,
    ) -> Run {
        Run::of(self.program(arguments).envs(variables.iter().copied()))
    }
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The envelope: exactly one line.
    #[track_caller]
    pub(crate) fn envelope(&self) -> Value {
        assert!(self.stdout.ends_with('\n') && self.stdout.lines().count() == 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).expect("an envelope is JSON")
    }

    /// The envelope's result, as the bytes that stand there.
    #[track_caller]
    pub(crate) fn result_bytes(&self) -> &str {
        let (_, result) = self.stdout.split_once(",\"result\":").expect("an envelope has a result");
        result.strip_suffix("}\n").expect("a result ends the envelope")
    }

    /// Asserts that standard error holds each text.
    #[track_caller]
    pub(crate) fn complains(self, texts: &[&str]) -> Self {
        for text in texts {
            assert!(self.stderr.contains(text), "{text:?} is not in:\n{}", self.stderr);
        }
        self
    }
}
