//! `artifacts`, `search`, `symbol`, `explain`, `claim`: the five questions.

use std::path::PathBuf;

use clap::Args;
use openmind_pack_format::ContentHash;

/// Which knowledge is asked, and how the answer is printed.
#[derive(Args, Debug)]
pub(crate) struct Knowledge {
    /// Ask this bundle or .openmind directory
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) bundle: Option<PathBuf>,

    /// Ask no bundle but the one with this content hash; never fall back to another
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,

    /// Fail where the configured knowledge can't be loaded, instead of answering from the built-in sample
    #[arg(long)]
    pub(crate) no_fallback: bool,

    /// Read the bundle into memory instead of mapping it
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// Print one JSON line
    #[arg(long)]
    pub(crate) json: bool,
}

/// List what the bundle holds: repository, artifacts, hashes.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack artifacts
  openmind-pack artifacts --bundle knowledge.ompack --json
  openmind-pack artifacts --expect 64-HEX-DIGITS")]
pub(crate) struct ArtifactsArgs {
    #[command(flatten)]
    pub(crate) knowledge: Knowledge,
}

/// Search terms, components, flows and symbols.
///
/// Matches words and parts of identifiers (camelCase and snake_case are split), not meanings.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack search \"retry failed delivery\"
  openmind-pack search eventPublisher --limit 20")]
pub(crate) struct SearchArgs {
    /// The words to look for
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,

    /// Give at most this many results, 1 to 50 [default: OPEN_MIND_MAX_RESULTS, or 5]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    #[command(flatten)]
    pub(crate) knowledge: Knowledge,
}

/// Show every place where a name is defined.
///
/// Matches the whole name; where no place has it in exactly this case, case is ignored.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack symbol RetryPolicy
  openmind-pack symbol new --limit 50
  openmind-pack symbol new --cursor CURSOR")]
pub(crate) struct SymbolArgs {
    /// The name
    #[arg(value_name = "NAME")]
    pub(crate) symbol: String,

    /// Give at most this many places, 1 to 50 [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Go on where a former answer's nextCursor points
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,

    #[command(flatten)]
    pub(crate) knowledge: Knowledge,
}

/// Explain what a component is for, in the artifacts' own words.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack explain src/events
  openmind-pack explain src/events --json")]
pub(crate) struct ExplainArgs {
    /// The component's name
    #[arg(value_name = "COMPONENT")]
    pub(crate) component: String,

    #[command(flatten)]
    pub(crate) knowledge: Knowledge,
}

/// Check one sentence against the sources.
///
/// Answers supported, unsupported (the subject is described, but not so) or insufficient_evidence (the subject isn't
/// covered).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack claim \"The EventPublisher retries failed deliveries.\"
  openmind-pack claim --require-supported \"The EventPublisher retries failed deliveries.\" && echo holds")]
pub(crate) struct ClaimArgs {
    /// A full sentence that names its subject
    #[arg(value_name = "CLAIM")]
    pub(crate) claim: String,

    /// Exit with 1 unless the claim is supported
    #[arg(long)]
    pub(crate) require_supported: bool,

    #[command(flatten)]
    pub(crate) knowledge: Knowledge,
}
