//! The committed seeds through the targets, without libFuzzer: on any toolchain, and under a coverage tool.
//!
//! `FUZZ_CORPUS=DIR` runs the folders of a corpus instead; a folder that isn't there is passed over.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn replay(target: &str, run: fn(&[u8])) {
    let corpus = env::var_os("FUZZ_CORPUS").map(PathBuf::from);
    let seeds = || Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let dir = corpus.unwrap_or_else(seeds).join(target);
    let Ok(files) = fs::read_dir(&dir) else { return };
    let mut count = 0;
    for file in files {
        let path = file.unwrap().path();
        // The name is shown with the panic of an input that fails.
        println!("{}", path.display());
        run(&fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count > 0, "{} is empty", dir.display());
}

#[test]
fn the_analyzer_holds_on_its_inputs() {
    replay("analyzer", openmind_pack_fuzz::analyzer::run);
}

#[test]
fn the_loader_holds_on_its_inputs() {
    replay("loader", openmind_pack_fuzz::loader::run);
}

#[cfg(feature = "server")]
#[test]
fn the_server_holds_on_its_inputs() {
    replay("mcp_line", openmind_pack_fuzz::mcp_line::run);
}

#[test]
fn the_reader_holds_on_its_inputs() {
    replay("reader", openmind_pack_fuzz::reader::run);
}
