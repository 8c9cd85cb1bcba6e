//! Where knowledge lies.

use std::io;
use std::path::{Path, PathBuf};

use super::Origin;

/// What was found.
#[derive(Debug)]
pub(super) enum Found {
    /// A bundle or a directory, to be loaded.
    Path(PathBuf, Origin),
    /// Several bundles in the working directory, in byte order of their names.
    Several(Vec<PathBuf>),
    /// The working directory can't be listed.
    Unlisted(io::Error),
    /// Nothing at all.
    Nothing,
}

/// Looks in the documented order. Nothing is opened yet, so that what is there and broken counts as found.
pub(super) fn find(argument: Option<&Path>, environment: Option<&Path>, working: &Path) -> Found {
    if let Some(path) = argument {
        return Found::Path(path.to_owned(), Origin::Argument);
    }
    if let Some(path) = environment {
        return Found::Path(path.to_owned(), Origin::Environment);
    }
    let directory = working.join(".openmind");
    // Of the entry itself: a link that leads nowhere was meant for something.
    if directory.symlink_metadata().is_ok() {
        return Found::Path(directory, Origin::WorkingDirectory);
    }
    match bundles(working) {
        Ok(mut paths) => match (paths.pop(), paths.is_empty()) {
            (None, _) => Found::Nothing,
            (Some(only), true) => Found::Path(only, Origin::WorkingDirectory),
            (Some(last), false) => {
                paths.push(last);
                Found::Several(paths)
            }
        },
        // A working directory that was deleted holds nothing.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Found::Nothing,
        Err(error) => Found::Unlisted(error),
    }
}

/// What a shell's `./*.ompack` gives, but for directories.
fn bundles(working: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in working.read_dir()? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if name.ends_with(b".ompack") && !name.starts_with(b".") && !path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn path_of(found: Found) -> (String, Origin) {
        match found {
            Found::Path(path, origin) => {
                (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), origin)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_place_goes_before_the_next() {
        let dir = TempDir::new().expect("a directory");
        let working = dir.path();
        assert!(matches!(find(None, None, working), Found::Nothing));
        fs::write(working.join("b.ompack"), "").expect("written");
        assert_eq!(path_of(find(None, None, working)), ("b.ompack".into(), Origin::WorkingDirectory));
        fs::create_dir(working.join(".openmind")).expect("made");
        assert_eq!(path_of(find(None, None, working)), (".openmind".into(), Origin::WorkingDirectory));
        let environment = Some(Path::new("e"));
        assert_eq!(path_of(find(None, environment, working)), ("e".into(), Origin::Environment));
        assert_eq!(path_of(find(Some(Path::new("a")), environment, working)), ("a".into(), Origin::Argument));
    }

    #[test]
    fn several_bundles_are_told_in_order_and_hidden_ones_and_directories_are_none() {
        let dir = TempDir::new().expect("a directory");
        let working = dir.path();
        fs::write(working.join(".hidden.ompack"), "").expect("written");
        fs::create_dir(working.join("dir.ompack")).expect("made");
        fs::write(working.join("z.ompack"), "").expect("written");
        assert_eq!(path_of(find(None, None, working)).0, "z.ompack");
        fs::write(working.join("a.ompack"), "").expect("written");
        let Found::Several(paths) = find(None, None, working) else { panic!("several are there") };
        let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["a.ompack", "z.ompack"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_counts_as_found() {
        let dir = TempDir::new().expect("a directory");
        std::os::unix::fs::symlink("nowhere", dir.path().join(".openmind")).expect("linked");
        assert_eq!(path_of(find(None, None, dir.path())).0, ".openmind");
    }
}
