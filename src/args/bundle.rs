//! `verify`, `inspect`, `unpack`: what is done with a bundle as a file.

use std::path::PathBuf;

use clap::Args;
use openmind_pack_format::ContentHash;

/// Check a bundle against its content hash.
///
/// Hashes every byte. A bundle that verifies holds the bytes that were published under its hash; who published them is
/// settled by a hash that you got elsewhere (--expect) or by a signature of a key that you trust (--public-key), as
/// `minisign -S -m FILE` makes it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack verify knowledge.ompack
  openmind-pack verify knowledge.ompack --deep
  openmind-pack verify knowledge.ompack --expect 64-HEX-DIGITS
  openmind-pack verify knowledge.ompack --public-key minisign.pub")]
pub(crate) struct VerifyArgs {
    /// The bundle
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Also check every row, dictionary, posting and text, and rebuild the knowledge from the original files
    #[arg(long)]
    pub(crate) deep: bool,

    /// Refuse any bundle but the one with this content hash
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,

    /// Refuse the bundle unless this minisign key signed it: the key itself, or a file that holds it
    #[arg(long, value_name = "KEY")]
    pub(crate) public_key: Option<PathBuf>,

    /// The signature [default: FILE.minisig]
    #[arg(long, value_name = "FILE", requires = "public_key")]
    pub(crate) signature: Option<PathBuf>,

    /// Print one JSON line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Show what a bundle is and what it holds.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack inspect knowledge.ompack
  openmind-pack inspect knowledge.ompack --json")]
pub(crate) struct InspectArgs {
    /// The bundle
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Refuse any bundle but the one with this content hash
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,

    /// Print one JSON line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write the original artifact files of a bundle into a directory.
///
/// They come back byte for byte as they were built from, with whatever this program doesn't know in them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  openmind-pack unpack knowledge.ompack path/to/.openmind")]
pub(crate) struct UnpackArgs {
    /// The bundle
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The directory to write into: made where it is missing, refused where it isn't empty
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// Refuse any bundle but the one with this content hash
    #[arg(long, value_name = "HASH")]
    pub(crate) expect: Option<ContentHash>,
}
