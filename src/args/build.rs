//! `build`.

use std::path::PathBuf;

use clap::Args;

/// Build a bundle from a .openmind directory.
///
/// Checks every file of the directory and reports all findings of the run. Errors stop the build; --strict lets
/// warnings stop it too. The same directory gives the same bytes on any machine.
///
/// A bundle holds source lines word for word: whoever publishes it publishes them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack build
  openmind-pack build path/to/.openmind -o knowledge.ompack
  openmind-pack build --strict --json > report.json")]
pub(crate) struct BuildArgs {
    /// The directory [default: .openmind]
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,

    /// Write the bundle here [default: REPOSITORY.ompack]
    ///
    /// The file is put in place in one step: a build that fails leaves what was there. Of a symbolic link, the target
    /// is replaced.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Let warnings stop the build
    #[arg(long)]
    pub(crate) strict: bool,

    /// Leave out repository.root, which may be a path of the machine that ran the generator
    #[arg(long)]
    pub(crate) redact_root: bool,

    /// Use this many threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroU16>,

    /// Print one JSON line
    #[arg(long)]
    pub(crate) json: bool,
}
