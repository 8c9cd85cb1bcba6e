//! What each command does.

mod build;
mod demo;
mod inspect;
mod names;
mod originals;
mod question;
mod serve;
mod signature;
mod unpack;
mod verify;

use std::fs::{self, File};
use std::path::Path;

use openmind_pack_format::{Bundle, ContentHash};

pub(crate) use build::Built;
pub(crate) use inspect::Inspected;
pub(crate) use unpack::Unpacked;
pub(crate) use verify::Verified;

use crate::args::Command;
use crate::console::Console;
use crate::envelope::Named;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::source::{Watch, Watched};

/// Runs a command.
///
/// # Errors
///
/// Why it couldn't do what it was asked for.
pub(crate) fn run(command: &Command, console: &Console) -> Result<Exit, Failure> {
    match command {
        Command::Build(args) => build::run(args, console),
        Command::Verify(args) => verify::run(args, console),
        Command::Inspect(args) => inspect::run(args, console),
        Command::Unpack(args) => unpack::run(args, console),
        Command::Serve(args) => serve::run(args, console),
        Command::Artifacts(args) => question::run(args, console),
        Command::Search(args) => question::run(args, console),
        Command::Symbol(args) => question::run(args, console),
        Command::Explain(args) => question::run(args, console),
        Command::Claim(args) => question::run(args, console),
        Command::Demo(args) => demo::run(args, console),
    }
}

/// Opens the bundle that a command works on as a file.
fn open(path: &Path, expect: Option<ContentHash>) -> Result<Watched, Failure> {
    Watched::open(open_file(path)?, path, expect)
}

/// Opens the file of a bundle, whatever is in it.
fn open_file(path: &Path) -> Result<Watch, Failure> {
    let system = |error| Failure::system(format_args!("cannot read {}", path.display()), &error);
    // Asked first, because opening a pipe would wait for somebody to write into it.
    let metadata = fs::metadata(path).map_err(system)?;
    if metadata.is_dir() {
        let name = path.display();
        return Err(Failure::refused("not_a_bundle", format!("{name} is a directory, not a bundle"))
            .hint(format!("build it first: openmind-pack build {name}")));
    }
    if !metadata.is_file() {
        let message = format!("{} is not a regular file, and so not a bundle", path.display());
        return Err(Failure::refused("not_a_bundle", message));
    }
    Watched::watch(File::open(path).map_err(system)?, path)
}

/// The bundle as envelopes name it.
fn named(path: &Path, bundle: &Bundle) -> Named {
    Named { path: path.display().to_string(), content_hash: bundle.content_hash() }
}
