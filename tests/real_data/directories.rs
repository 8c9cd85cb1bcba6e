//! Which real directories are there.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

const DATA: &str = "OPENMIND_PACK_DATA";
const MAX_MB: &str = "OPENMIND_PACK_DATA_MAX_MB";

/// Holds rails, the largest that a debug build gets through while somebody waits.
const DEFAULT_MAX_MB: u64 = 12;

/// A `.openmind` directory of a real repository.
pub(crate) struct Directory {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
}

impl Directory {
    /// Whether the generator was interrupted here, so that the directory has to be refused.
    pub(crate) fn is_torn(&self) -> bool {
        self.name.starts_with("edge-torn-")
    }
}

/// The directories to check, smallest first; none where the data isn't here, which is said on standard error.
pub(crate) fn all() -> Vec<Directory> {
    let Some(data) = env::var_os(DATA) else {
        say_skipped();
        return Vec::new();
    };
    let data = PathBuf::from(data);
    let mut found: Vec<Directory> = fs::read_dir(&data)
        .unwrap_or_else(|error| panic!("{DATA}={}: {error}", data.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join(".openmind").is_dir())
        .map(|path| Directory {
            name: path.file_name().expect("a listed path has a name").to_string_lossy().into_owned(),
            bytes: bytes_in(&path.join(".openmind")),
            path: path.join(".openmind"),
        })
        .collect();
    assert!(!found.is_empty(), "{DATA}={} holds no NAME/.openmind", data.display());
    found.sort_by(|a, b| (a.bytes, &a.name).cmp(&(b.bytes, &b.name)));

    let max = max_mb() * 1_000_000;
    let (small, large): (Vec<_>, Vec<_>) = found.into_iter().partition(|directory| directory.bytes <= max);
    say_left_out(&large);
    small
}

/// Those that have to build.
pub(crate) fn whole() -> Vec<Directory> {
    all().into_iter().filter(|directory| !directory.is_torn()).collect()
}

/// Prints a line that reaches the terminal of a passing test too: the harness captures only the print macros.
pub(crate) fn say(line: &str) {
    writeln!(io::stderr(), "{line}").expect("standard error takes a line");
}

fn max_mb() -> u64 {
    match env::var(MAX_MB) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{MAX_MB}={text}: expected a whole number")),
        Err(_) => DEFAULT_MAX_MB,
    }
}

fn bytes_in(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).expect("a directory that can be listed");
    entries.map(|entry| entry.and_then(|entry| entry.metadata()).expect("metadata").len()).sum()
}

fn say_skipped() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        say("");
        say("*** SKIPPED: the checks on real data. They need real .openmind directories:");
        say(&format!("***   {DATA}=DIR cargo test --test real_data      where DIR holds NAME/.openmind"));
        say("");
    });
}

fn say_left_out(large: &[Directory]) {
    static ONCE: Once = Once::new();
    if large.is_empty() {
        return;
    }
    ONCE.call_once(|| {
        let names: Vec<&str> = large.iter().map(|directory| directory.name.as_str()).collect();
        say(&format!("left out, larger than {MAX_MB}={}: {}", max_mb(), names.join(", ")));
    });
}
