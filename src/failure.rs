//! Every way to fail, as a person or a script hears of it: a message, hints, an exit code.
//!
//! The libraries' errors are translated here and nowhere else, so that one kind of trouble reads the same from every
//! command.

use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::Path;

use openmind_pack_compiler::{BuildError, CompileError, Finding, PublishError, TargetError};
use openmind_pack_engine::ops::CallError;
use openmind_pack_format::{OpenError, ReadError, WriteError};
use openmind_pack_mcp::{ServeError, SourceError};
use serde_json::{Value, json};

use crate::exit::Exit;

/// Why a command ends without doing what it was asked for.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A word for scripts.
    pub(crate) kind: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hints: Vec<String>,
    /// How the process ends.
    pub(crate) exit: Exit,
}

impl Failure {
    /// The operation says no.
    pub(crate) fn refused(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), exit: Exit::Refused }
    }

    /// The command line asks for something that doesn't exist.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { kind: "usage", message: message.into(), hints: Vec::new(), exit: Exit::Usage }
    }

    /// The system failed while doing `what`, such as "cannot read x.ompack".
    pub(crate) fn system(what: impl Display, error: &io::Error) -> Self {
        Self { kind: "system", message: format!("{what}: {error}"), hints: Vec::new(), exit: Exit::System }
    }

    /// A defect of this program.
    pub(crate) fn defect(message: impl Display) -> Self {
        Self {
            kind: "internal",
            message: format!("internal error: {message}"),
            hints: vec!["this is a defect of openmind-pack; please report it".into()],
            exit: Exit::System,
        }
    }

    /// Adds a hint.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The failure as the `result` of an envelope.
    pub(crate) fn to_result(&self) -> Value {
        json!({"status": "failed", "kind": self.kind, "message": self.message, "hints": self.hints})
    }

    /// A bundle can't be opened.
    pub(crate) fn open(path: &Path, error: OpenError) -> Self {
        let name = path.display();
        match error {
            OpenError::Io { source, .. } => Self::system(format_args!("cannot read {name}"), &source),
            OpenError::Read(error) => Self::read(path, &error),
            error @ OpenError::NotABundle { .. } => Self::refused("not_a_bundle", format!("{name}: {error}"))
                .hint(match path.is_dir() {
                    true => format!("build the directory first: openmind-pack build {name}"),
                    false => "bundles are made by `openmind-pack build`".into(),
                }),
            error @ OpenError::Length { .. } => Self::refused("damaged", format!("{name}: {error}")),
            error @ OpenError::NewerFormat { .. } => {
                Self::refused("newer_format", format!("{name}: {error}"))
            }
            error @ OpenError::UnexpectedHash { .. } => {
                Self::refused("unexpected_hash", format!("{name}: {error}"))
            }
            error => Self::refused("damaged", format!("{name}: {error}")),
        }
    }

    /// Bytes of an open bundle can't be used.
    pub(crate) fn read(path: &Path, error: &ReadError) -> Self {
        let kind = match error {
            ReadError::Malformed { .. } => "malformed",
            _ => "damaged",
        };
        Self::refused(kind, format!("{}: {error}", path.display()))
    }

    /// A directory can't be built. The findings themselves are told by the build command; elsewhere the first stands
    /// for all.
    pub(crate) fn build(dir: &Path, error: BuildError) -> Self {
        let name = dir.display();
        match error {
            BuildError::Refused(findings) => {
                let message = format!("{name} can't be built: {}", summary(&findings));
                let failure = Self::refused("findings", message);
                match Self::nested(dir) {
                    Some(hint) => failure.hint(hint),
                    None => failure.hint(format!("`openmind-pack build {name}` lists every finding")),
                }
            }
            BuildError::Input(error) => {
                Self { kind: "system", message: error.to_string(), hints: Vec::new(), exit: Exit::System }
            }
            BuildError::Compile(error @ CompileError::Threads(_)) => Self {
                kind: "system",
                message: error.to_string(),
                hints: vec!["give a smaller --threads".into()],
                exit: Exit::System,
            },
            error => Self::refused("not_built", format!("{name}: {error}")),
        }
    }

    /// A hint for a directory that isn't one of artifacts but holds one: the usual slip is to name the repository.
    pub(crate) fn nested(dir: &Path) -> Option<String> {
        let inner = dir.join(".openmind");
        let slip = inner.is_dir() && !dir.join("manifest.json").exists();
        slip.then(|| format!("{} holds the artifacts; name that", inner.display()))
    }

    /// A bundle can't be made.
    pub(crate) fn write(path: &Path, error: WriteError) -> Self {
        match error {
            WriteError::Io(source) => Self::unwritable(path, &source),
            error => Self::refused("not_built", error.to_string()),
        }
    }

    /// A file can't be written, or not be put in its place.
    pub(crate) fn publish(path: &Path, error: PublishError<WriteError>) -> Self {
        let kept = |failure: Self| failure.hint("what was at the path before is there unchanged");
        match error {
            PublishError::Target(error) => Self::target(path, error),
            PublishError::Content(error) => kept(Self::write(path, error)),
            PublishError::System { source, .. } => kept(Self::unwritable(path, &source)),
            error => Self {
                kind: "system",
                message: format!("{}: {error}", path.display()),
                hints: vec![
                    "the disk or its file system refused to sync the directory; check it, then build again"
                        .into(),
                ],
                exit: Exit::System,
            },
        }
    }

    /// A path can't be that of an output.
    pub(crate) fn target(path: &Path, error: TargetError) -> Self {
        let name = path.display();
        match error {
            TargetError::System(source) => Self::unwritable(path, &source),
            error @ TargetError::NoDirectory { .. } => Self {
                kind: "system",
                message: format!("cannot write {name}: {error}"),
                hints: vec!["make the directory first".into()],
                exit: Exit::System,
            },
            TargetError::NoName => Self::usage(format!("cannot write {name:?}: {}", TargetError::NoName)),
            error => Self::refused("output", format!("cannot write {name}: {error}")),
        }
    }

    /// The system refuses to write a file: what it said, and what can be done.
    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Self {
        let hint = match error.kind() {
            ErrorKind::StorageFull => "the disk is full; free space on it, or write to another",
            ErrorKind::QuotaExceeded => "your disk quota is used up; free space, or write elsewhere",
            ErrorKind::FileTooLarge => {
                "the file would be larger than this process may write (see `ulimit -f`) or than the file system holds; \
                 raise the limit, or write elsewhere"
            }
            ErrorKind::ReadOnlyFilesystem => "the file system is mounted read-only; write elsewhere",
            ErrorKind::PermissionDenied => {
                "files must be made in the directory, not only written; get the right to do so, or write elsewhere"
            }
            ErrorKind::InvalidFilename => "give a shorter name",
            ErrorKind::NotADirectory => {
                "a part of the path is a file where a directory has to be; mend the path"
            }
            ErrorKind::NotFound => {
                "the directory went away, or takes no new files; make it again, or write elsewhere"
            }
            _ => "mend what the system names, or write elsewhere",
        };
        Self::system(format_args!("cannot write {}", path.display()), error).hint(hint)
    }
}

/// How many findings of each severity, and the first that stops: by place and code, since messages quote artifacts.
pub(crate) fn summary(findings: &[Finding]) -> String {
    let mut text = crate::print::severities(findings);
    if let Some(first) = findings.iter().min_by_key(|finding| finding.severity) {
        let place = match first.line {
            Some(line) => format!("{}:{line}", first.file),
            None => first.file.clone(),
        };
        let code = first.code;
        text.push_str(&format!("; the first is {code} in {place}: {}", code.meaning()));
    }
    text
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Arguments(error) => Self::usage(error.to_string()),
            error @ CallError::Damaged { .. } => Self::refused("damaged", error.to_string()),
            error => Self::defect(error),
        }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::refused("changed", error.to_string())
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        Self { kind: "system", message: error.to_string(), hints: Vec::new(), exit: Exit::System }
    }
}

#[cfg(test)]
mod tests {
    use openmind_pack_format::ContentHash;

    use super::*;

    #[test]
    fn what_the_system_refused_ends_otherwise_than_what_the_bundle_lacks() {
        let path = Path::new("x.ompack");
        let missing = OpenError::Io { path: path.into(), source: io::Error::from(io::ErrorKind::NotFound) };
        assert_eq!(Failure::open(path, missing).exit, Exit::System);
        let other = OpenError::NotABundle { reason: "it is empty" };
        let failure = Failure::open(path, other);
        assert_eq!((failure.exit, failure.kind), (Exit::Refused, "not_a_bundle"));
        assert!(failure.message.starts_with("x.ompack: "), "{}", failure.message);
        let hash = ContentHash::from([0; 32]);
        let unexpected = OpenError::UnexpectedHash { expected: hash, found: hash };
        assert_eq!(Failure::open(path, unexpected).kind, "unexpected_hash");
        let newer = OpenError::NewerFormat { found: 9, needed: 9, known: 0 };
        assert_eq!(Failure::open(path, newer).exit, Exit::Refused);
    }

    #[test]
    fn a_full_disk_is_the_systems_fault_and_a_large_input_is_not() {
        let path = Path::new("x.ompack");
        let full = WriteError::Io(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(Failure::write(path, full).exit, Exit::System);
        let kind = openmind_pack_format::SectionKind::Symbols;
        let large = WriteError::SectionTooLarge { kind, length: 1 << 31 };
        assert_eq!(Failure::write(path, large).exit, Exit::Refused);
    }

    #[test]
    fn wrong_arguments_are_wrong_usage_and_a_panic_is_a_defect() {
        let arguments = openmind_pack_engine::ops::ArgumentError::Empty { name: "query" };
        assert_eq!(Failure::from(CallError::Arguments(arguments)).exit, Exit::Usage);
        assert_eq!(Failure::from(CallError::Panicked).exit, Exit::System);
        let damaged = CallError::Damaged { reason: "section names at 640".into() };
        assert_eq!(Failure::from(damaged).exit, Exit::Refused);
    }

    #[test]
    fn a_result_says_what_happened_in_a_fixed_order() {
        let failure = Failure::refused("damaged", "it is cut short").hint("get it again");
        assert_eq!(
            failure.to_result().to_string(),
            r#"{"status":"failed","kind":"damaged","message":"it is cut short","hints":["get it again"]}"#
        );
    }
}
