//! The same bytes from the same directory, whatever surrounds a build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::directories;
use crate::disagreements::Disagreements;
use crate::program::{program, run, workshop};

/// A build takes its time in proportion; this is about kinds of directories rather than size.
const MAX_BYTES: u64 = if cfg!(debug_assertions) { 5_000_000 } else { 30_000_000 };

#[test]
fn bundles_are_the_same_bytes_whatever_surrounds_the_build() {
    let mut disagreements = Disagreements::default();
    for directory in directories::whole() {
        if directory.bytes <= MAX_BYTES {
            rebuild(&directory.name, &directory.path, &mut disagreements);
        }
    }
    disagreements.assert_none();
}

fn rebuild(name: &str, directory: &Path, disagreements: &mut Disagreements) {
    let workshop = workshop();
    let here = workshop.path();
    let first = built(program(here), &[], directory, here.join("first.ompack"));

    let elsewhere = here.join("élsewhere/a b/.openmind");
    copy_backwards(directory, &elsewhere);
    let beside = elsewhere.parent().expect("a parent");

    let one = ["--threads".to_owned(), "1".to_owned()];
    let two = ["--threads".to_owned(), "2".to_owned()];
    let mut surroundings = vec![
        ("one thread", program(here), &one[..], directory),
        ("two threads", program(here), &two[..], directory),
        ("a copy with its files made in another order", program(here), &[][..], &*elsewhere),
        ("a relative path from another folder", program(beside), &[][..], Path::new(".openmind")),
    ];
    let mut abroad = program(here);
    abroad.env("TZ", "Pacific/Kiritimati").env("LC_ALL", "tr_TR.UTF-8").env("LANG", "tr_TR.UTF-8");
    surroundings.push(("another time zone and language", abroad, &[][..], directory));
    #[cfg(unix)]
    for umask in ["077", "000"] {
        surroundings.push((
            "another umask",
            crate::program::program_with_umask(here, umask),
            &[][..],
            directory,
        ));
    }

    for (what, command, options, directory) in surroundings {
        let again = built(command, options, directory, here.join("again.ompack"));
        disagreements.check(first == again, || format!("{name}: other bytes with {what}"));
    }
}

fn built(mut command: Command, options: &[String], directory: &Path, bundle: PathBuf) -> Vec<u8> {
    command.arg("build").args(options);
    run(command, [directory.as_os_str(), "-o".as_ref(), bundle.as_os_str()]).expect(0);
    let bytes = fs::read(&bundle).expect("built");
    fs::remove_file(bundle).expect("removed");
    bytes
}

/// Copies a directory's files, last name first.
fn copy_backwards(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    let entries = fs::read_dir(from).expect("listed");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    for name in names.iter().rev() {
        let bytes = fs::read(from.join(name)).expect("read");
        fs::write(to.join(name), bytes).expect("written");
    }
}
