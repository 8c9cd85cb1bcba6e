//! `serve`.

use std::path::PathBuf;

use clap::Args;
use openmind_pack_format::ContentHash;

/// Answer an agent over MCP on standard input and output.
///
/// A bundle that is rebuilt onto the same path is taken at the next call, once all its bytes were checked; no restart
/// is needed. Ends when standard input ends. Logs are JSON lines on standard error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack serve knowledge.ompack
  openmind-pack serve path/to/.openmind
  claude mcp add knowledge -- openmind-pack serve /absolute/path/knowledge.ompack

Environment:
  OPEN_MIND_ARTIFACTS_DIR  a bundle or a .openmind directory, where no argument names one
  OPEN_MIND_MAX_RESULTS    search results where a call sets no limit, 1 to 50 [default: 5]
  LOG_LEVEL                debug, info, warn or error [default: info]")]
pub(crate) struct ServeArgs {
    /// The bundle or .openmind directory to serve
    #[arg(value_name = "BUNDLE|DIR")]
    pub(crate) knowledge: Option<PathBuf>,

    /// Refuse any bundle but the one with this content hash
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,

    /// Fail where the configured knowledge can't be loaded, instead of serving the built-in sample
    #[arg(long)]
    pub(crate) no_fallback: bool,

    /// Read the bundle into memory instead of mapping it
    #[arg(long)]
    pub(crate) no_mmap: bool,
}
