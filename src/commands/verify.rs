//! `verify`: are these the bytes that were published, and were they made well?

use std::path::Path;

use openmind_pack_format::Bundle;
use serde::Serialize;

use super::{named, open, originals};
use crate::args::VerifyArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print;

/// A bundle that holds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verified {
    status: &'static str,
    pub(crate) content_hash: String,
    pub(crate) knowledge_hash: String,
    pub(crate) file_length: u64,
    pub(crate) deep: bool,
}

pub(super) fn run(args: &VerifyArgs, console: &Console) -> Result<Exit, Failure> {
    let bundle = open(&args.file, args.expect)?;
    check(&args.file, &bundle, args.deep)?;
    let verified = Verified {
        status: "ok",
        content_hash: bundle.content_hash().to_string(),
        knowledge_hash: bundle.header().knowledge_hash.to_string(),
        file_length: bundle.file_length(),
        deep: args.deep,
    };
    if console.json() {
        let result = serde_json::to_string(&verified).map_err(Failure::defect)?;
        console.print_envelope(Some(&named(&args.file, &bundle)), &result)?;
    } else {
        let mut page = console.page();
        print::verified(&mut page, &args.file, &verified);
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
