//! Which knowledge is asked or served, and what stands in for it where it can't be had.
//!
//! ```text
//! argument -> OPEN_MIND_ARTIFACTS_DIR -> ./.openmind -> a single ./*.ompack -> the built-in sample
//!     |              |                       |                |
//!     error          the sample, with a warning and a notice; an error with --no-fallback
//! ```
//! Whatever the origin, a wrong schema major, a damaged bundle and another content hash than the expected are errors:
//! a stand-in would hide that somebody must act.

mod find;
mod load;

use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use openmind_pack_compiler::Progress;
use openmind_pack_format::OpenOptions;
use openmind_pack_mcp::{BundleSource, Telemetry};

use crate::environment::{ARTIFACTS, Environment};
use crate::failure::Failure;
use crate::sample;
use find::Found;
use load::Unloadable;

/// What a command was asked to use.
pub(crate) struct Wish<'a> {
    /// The path on the command line.
    pub(crate) argument: Option<&'a Path>,
    /// The environment.
    pub(crate) environment: &'a Environment,
    /// Whether the sample may stand in for what can't be loaded.
    pub(crate) fallback: bool,
    /// How bundles are opened.
    pub(crate) options: OpenOptions,
}

/// Where a path comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Argument,
    Environment,
    WorkingDirectory,
}

/// Opens the knowledge that a command wants, or the sample in its place.
///
/// # Errors
///
/// What can't be loaded and may not be replaced.
pub(crate) fn select(
    wish: &Wish<'_>,
    telemetry: &Telemetry,
    progress: &dyn Progress,
) -> Result<Arc<dyn BundleSource>, Failure> {
    let (path, origin) =
        match find::find(wish.argument, wish.environment.artifacts.as_deref(), Path::new(".")) {
            Found::Nothing => {
                check_working_directory()?;
                return sample::source(wish.options.expect, None);
            }
            Found::Path(path, origin) => (path, origin),
            Found::Several(paths) => return stand_in(wish, telemetry, Path::new("."), several(&paths)),
            Found::Unlisted(error) => {
                let failure = Failure::system("cannot list the working directory", &error);
                return stand_in(wish, telemetry, Path::new("."), failure);
            }
        };
    let Unloadable { failure, replaceable } = match load::load(&path, wish.options, progress) {
        Ok(source) => return Ok(source),
        Err(unloadable) => unloadable,
    };
    let failure = match origin {
        Origin::Argument => return Err(failure),
        Origin::Environment => failure.hint(format!("the path comes from {ARTIFACTS}")),
        Origin::WorkingDirectory => failure.hint(
            "it was found in the working directory; name another on the command line to use that".to_owned(),
        ),
    };
    if replaceable { stand_in(wish, telemetry, &path, failure) } else { Err(failure) }
}

/// A shell can stand in a directory that was deleted. It lists as empty, but whoever stands there meant something else than
/// the sample.
fn check_working_directory() -> Result<(), Failure> {
    match env::current_dir() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(Failure::system("the working directory was deleted", &error)
                .hint("change into one that is there, or name a bundle"))
        }
        _ => Ok(()),
    }
}

fn several(paths: &[PathBuf]) -> Failure {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let message = format!("the working directory holds several bundles: {}", names.join(", "));
    Failure::refused("ambiguous", message).hint("name the one that you mean")
}

/// Serves the sample for what can't be loaded, says so in the log, and lets every answer say so.
fn stand_in(
    wish: &Wish<'_>,
    telemetry: &Telemetry,
    path: &Path,
    failure: Failure,
) -> Result<Arc<dyn BundleSource>, Failure> {
    // Who names a hash wants no other knowledge.
    if !wish.fallback || wish.options.expect.is_some() {
        return Err(failure);
    }
    // No path here: answers are the same on every machine.
    let cause = match (&wish.environment.artifacts, failure.kind) {
        (Some(_), _) => "what OPEN_MIND_ARTIFACTS_DIR names could not be loaded",
        (None, "ambiguous") => "the working directory holds several bundles and none was named",
        (None, _) => "what was found in the working directory could not be loaded",
    };
    let notice = format!(
        "These data describe \"fernhouse\", the sample built into openmind-pack, and not your repository: {cause}."
    );
    let source = sample::source(None, Some(notice))?;
    let repository = source.current()?.repository_name.clone();
    telemetry.artifacts_fallback_to_samples(&path.display().to_string(), &repository, &failure.message);
    Ok(source)
}
