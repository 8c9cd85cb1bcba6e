//! `demo`.

use std::path::PathBuf;

use clap::Args;
use openmind_pack_format::ContentHash;

/// Show the five answers, supported and refused.
///
/// Asks the built-in sample unless another bundle is named, whatever the working directory holds.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack demo
  openmind-pack demo --bundle knowledge.ompack
  openmind-pack demo --markdown > docs/demo-queries.md")]
pub(crate) struct DemoArgs {
    /// Ask this bundle or .openmind directory
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) bundle: Option<PathBuf>,

    /// Ask no bundle but the one with this content hash
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,

    /// Print a Markdown page with the calls and answers as JSON
    #[arg(long)]
    pub(crate) markdown: bool,
}
