//! Loading one path: a bundle, or a directory that is compiled in memory.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use openmind_pack_compiler::findings::Code;
use openmind_pack_compiler::{BuildError, Input, Options, Progress, Stage, compile};
use openmind_pack_format::layout::MAGIC;
use openmind_pack_format::{Bundle, ContentHash, OpenError, OpenOptions};
use openmind_pack_mcp::{BundleSource, Served};
use rkyv::util::AlignedVec;

use crate::failure::Failure;
use crate::source::{Constant, Followed};

/// Why a path can't be loaded.
#[derive(Debug)]
pub(super) struct Unloadable {
    pub(super) failure: Failure,
    /// Whether the sample may stand in. It may not for what is there and wrong in a way that somebody must mend.
    pub(super) replaceable: bool,
}

/// Loads what lies at `path`.
pub(super) fn load(
    path: &Path,
    options: OpenOptions,
    progress: &dyn Progress,
) -> Result<Arc<dyn BundleSource>, Unloadable> {
    let metadata = fs::metadata(path).map_err(|error| Unloadable {
        failure: Failure::system(format_args!("cannot read {}", path.display()), &error),
        replaceable: true,
    })?;
    if metadata.is_dir() {
        return Ok(Arc::new(Constant::new(directory(path, options.expect, progress)?)));
    }
    if !metadata.is_file() {
        let message = format!("{} is neither a directory nor a regular file", path.display());
        return Err(Unloadable { failure: Failure::refused("not_a_bundle", message), replaceable: true });
    }
    let followed = Followed::open(path, options).map_err(|error| Unloadable {
        replaceable: match &error {
            OpenError::Io { .. } => true,
            OpenError::NotABundle { .. } => !was_a_bundle(path),
            _ => false,
        },
        failure: Failure::open(path, error),
    })?;
    Ok(Arc::new(followed))
}

/// Compiles a directory into memory and opens that.
fn directory(
    path: &Path,
    expect: Option<ContentHash>,
    progress: &dyn Progress,
) -> Result<Served, Unloadable> {
    let build = |error: BuildError| Unloadable {
        replaceable: match &error {
            BuildError::Refused(findings) => {
                !findings.iter().any(|finding| finding.code == Code::UnsupportedVersion)
            }
            _ => true,
        },
        failure: Failure::build(path, error),
    };
    progress.start(Stage::Read, 0);
    let input = Input::read(path).map_err(|error| build(error.into()))?;
    let compiled = compile(input, Options::default(), progress).map_err(build)?;
    let repository_name = compiled.repository_name.clone();
    progress.start(Stage::Write, 0);
    // Written once, at the alignment that it is read with.
    let mut bytes = AlignedVec::<64>::new();
    compiled
        .write_to(&mut bytes)
        .map_err(|error| Unloadable { failure: Failure::write(path, error), replaceable: true })?;
    let bundle = Bundle::from_aligned(bytes, expect)
        .map_err(|error| Unloadable { failure: Failure::open(path, error), replaceable: false })?;
    Ok(Served { bundle, label: path.display().to_string(), repository_name, notice: None })
}

/// Whether a file that doesn't begin as a bundle may have been one before it was damaged, rather than something else:
/// by its name, or by what is left of the magic bytes at either end.
fn was_a_bundle(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ompack")
        || ends(path).is_ok_and(|ends| ends.iter().any(is_like_magic))
}

/// The first and the last bytes of a file, as many as the magic has.
fn ends(path: &Path) -> io::Result<[[u8; MAGIC.len()]; 2]> {
    let mut file = fs::File::open(path)?;
    let mut ends = [[0; MAGIC.len()]; 2];
    let [first, last] = &mut ends;
    file.read_exact(first)?;
    file.seek(SeekFrom::End(-(MAGIC.len() as i64)))?;
    file.read_exact(last)?;
    Ok(ends)
}

fn is_like_magic(bytes: &[u8; MAGIC.len()]) -> bool {
    bytes.iter().zip(&MAGIC).filter(|(found, wanted)| found == wanted).count() >= MAGIC.len() / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magic_bytes_are_known_with_half_of_them_gone_and_text_is_not_taken_for_them() {
        assert!(is_like_magic(&MAGIC));
        for at in 0..MAGIC.len() {
            let mut damaged = MAGIC;
            damaged[at] ^= 0x20;
            assert!(is_like_magic(&damaged));
        }
        assert!(!is_like_magic(b"{\r\n  \"s\""));
        assert!(!is_like_magic(b"COMPLETE"));
    }
}
