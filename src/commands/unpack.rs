//! `unpack`: the original files, back in a directory.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use openmind_pack_format::Bundle;

use super::{names, open};
use crate::args::UnpackArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print;

/// A file that came back.
pub(crate) struct Unpacked {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) length: u64,
}

pub(super) fn run(args: &UnpackArgs, console: &Console) -> Result<Exit, Failure> {
    let bundle = open(&args.file, args.expect)?;
    let names = names_of(&args.file, &bundle)?;
    let mut target = Target::prepare(&args.dir)?;
    let mut unpacked = Vec::with_capacity(names.len());
    for (index, name) in (0..).zip(names) {
        let length = target.write(&name, &args.file, &bundle, index)?;
        let kind = bundle.artifact(index).map_err(|error| Failure::read(&args.file, &error))?.kind();
        unpacked.push(Unpacked { name, kind: kind.as_str(), length });
    }
    bundle.unchanged()?;
    target.keep();
    let mut page = console.page();
    print::unpacked(&mut page, &args.dir, &unpacked);
    console.print(&page)?;
    Ok(Exit::Done)
}

/// Every name, before anything is written: a bundle may come from anywhere, and so may the names in it.
fn names_of(path: &Path, bundle: &Bundle) -> Result<Vec<String>, Failure> {
    let read = |error| Failure::read(path, &error);
    let mut names = Vec::new();
    for index in 0..bundle.artifact_count().map_err(read)? {
        let name = bundle.artifact(index).and_then(|artifact| artifact.name()).map_err(read)?;
        if !names::is_plain(name) {
            let message = format!(
                "{}: an original file is called {name:?}, which is no plain file name; nothing was unpacked",
                path.display()
            );
            return Err(Failure::refused("unsafe_name", message)
                .hint("no openmind-pack build makes such a bundle; don't trust it"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// The directory being filled. Until it is kept, dropping it takes away what was written.
struct Target {
    dir: PathBuf,
    made: bool,
    written: Vec<PathBuf>,
}

impl Target {
    /// Makes the directory, or makes sure that it is empty.
    fn prepare(dir: &Path) -> Result<Self, Failure> {
        let name = dir.display();
        let system = |error: io::Error| Failure::system(format_args!("cannot use {name}"), &error);
        let made = match fs::metadata(dir) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(Failure::refused("target", format!("{name} is not a directory")));
            }
            Ok(_) => {
                if fs::read_dir(dir).map_err(system)?.next().is_some() {
                    let message = format!("{name} is not empty; nothing was unpacked");
                    return Err(Failure::refused("target", message).hint("name a new or an empty directory"));
                }
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(dir)
                    .map_err(|error| Failure::system(format_args!("cannot make {name}"), &error))?;
                true
            }
            Err(error) => return Err(system(error)),
        };
        Ok(Self { dir: dir.to_owned(), made, written: Vec::new() })
    }

    /// Writes one original file and gives its length.
    fn write(&mut self, name: &str, bundle_path: &Path, bundle: &Bundle, index: u32) -> Result<u64, Failure> {
        let path = self.dir.join(name);
        let system = |error: io::Error| Failure::unwritable(&path, &error);
        // Never over something: two names may be one on a system that folds case.
        let mut file = File::create_new(&path).map_err(system)?;
        self.written.push(path.clone());
        let (mut length, mut failed) = (0, None);
        bundle
            .read_original(index, |part| {
                if failed.is_none() {
                    failed = file.write_all(part).err();
                    length += part.len() as u64;
                }
            })
            .map_err(|error| Failure::read(bundle_path, &error))?;
        failed.map_or(Ok(length), |error| Err(system(error)))
    }

    fn keep(mut self) {
        self.made = false;
        self.written.clear();
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Cleaning up after a failure that is about to be told: nothing better can be done where this fails too.
        for path in &self.written {
            let _ = fs::remove_file(path);
        }
        if self.made {
            let _ = fs::remove_dir(&self.dir);
        }
    }
}
