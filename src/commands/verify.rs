//! `verify`: are these the bytes that were published, who vouches for them, and were they made well?

use std::path::Path;

use openmind_pack_format::Bundle;
use serde::Serialize;

use super::signature::{self, Key, Signed};
use super::{named, open_file, originals};
use crate::args::VerifyArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print;
use crate::source::Watched;

/// A bundle that holds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verified {
    status: &'static str,
    pub(crate) content_hash: String,
    pub(crate) knowledge_hash: String,
    pub(crate) file_length: u64,
    pub(crate) deep: bool,
    /// There where a signature was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signature: Option<Signed>,
}

pub(super) fn run(args: &VerifyArgs, console: &Console) -> Result<Exit, Failure> {
    let path = args.file.as_path();
    let key = args.public_key.as_deref().map(Key::of).transpose()?;
    // One file for everything: another may be renamed to its path at any moment.
    let watch = open_file(path)?;
    // First: what nobody vouches for needn't be understood.
    let signature = key.map(|key| {
        let beside = signature::beside(path);
        signature::check(watch.file(), path, args.signature.as_deref().unwrap_or(&beside), &key)
    });
    let signature = signature.transpose()?;
    let bundle = Watched::open(watch, path, args.expect)?;
    check(path, &bundle, args.deep)?;
    bundle.unchanged()?;
    let verified = Verified {
        status: "ok",
        content_hash: bundle.content_hash().to_string(),
        knowledge_hash: bundle.header().knowledge_hash.to_string(),
        file_length: bundle.file_length(),
        deep: args.deep,
        signature,
    };
    if console.json() {
        let result = serde_json::to_string(&verified).map_err(Failure::defect)?;
        console.print_envelope(Some(&named(path, &bundle)), &result)?;
    } else {
        let mut page = console.page();
        print::verified(&mut page, path, &verified);
        console.print(&page)?;
    }
    Ok(Exit::Done)
}

fn check(path: &Path, bundle: &Bundle, deep: bool) -> Result<(), Failure> {
    if deep {
        bundle.verify_deep().map_err(|error| Failure::read(path, &error))?;
        originals::compare(path, bundle)
    } else {
        bundle.verify().map_err(|error| Failure::read(path, &error))
    }
}
