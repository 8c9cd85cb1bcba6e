//! Faults of the output, at every byte; what is swept and what isn't; builds that meet in one directory.

use std::fs;
use std::io;
use std::path::PathBuf;

use openmind_pack_format::WriteError;
use tempfile::TempDir;

use super::*;
use crate::{Input, Options, Silent, compile};

/// The two ways to make a draft. On other systems than Linux they are one.
const WAYS: [fn(&Path) -> io::Result<Draft>; 2] = [Draft::create, Draft::named];

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Passes bytes on until a disk of `left` bytes is full, down to the file itself.
struct Full<'a, W> {
    disk: &'a mut W,
    left: u64,
}

impl<W: Write> Write for Full<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.left.min(bytes.len() as u64) as usize;
        if room == 0 && !bytes.is_empty() {
            self.disk.flush()?;
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = self.disk.write(&bytes[..room])?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.disk.flush()
    }
}

#[test]
fn an_output_that_fails_at_any_byte_leaves_the_former_file_and_nothing_else() {
    let artifacts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/golden/empty/.openmind");
    let options = Options { threads: Some(1), ..Options::default() };
    let files =
        names(&artifacts).into_iter().map(|name| (name.clone(), fs::read(artifacts.join(name)).unwrap()));
    let files: Vec<(String, Vec<u8>)> = files.collect();
    let compiled = || compile(Input::from_files(&artifacts, files.clone()), options, &Silent).unwrap();
    let mut whole = Vec::new();
    compiled().write_to(&mut whole).unwrap();
    for (create, step) in WAYS.into_iter().zip([1, 17]) {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("x.ompack");
        fs::write(&path, b"former").unwrap();
        for left in (0..whole.len() as u64).step_by(step) {
            let compiled = compiled();
            let failed = publish_as(&path, create, |disk| compiled.write_to(&mut Full { disk, left }));
            let full = matches!(&failed, Err(PublishError::Content(WriteError::Io(error)))
                if error.kind() == io::ErrorKind::StorageFull);
            assert!(full, "byte {left}: {failed:?}");
            assert_eq!(fs::read(&path).unwrap(), b"former", "byte {left}");
            assert_eq!(names(directory.path()), ["x.ompack"], "byte {left}");
        }
        let left = whole.len() as u64;
        publish_as(&path, create, |disk| compiled().write_to(&mut Full { disk, left })).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(names(directory.path()), ["x.ompack"]);
    }
}

#[test]
fn a_panic_in_the_middle_leaves_the_former_file_and_nothing_else() {
    for create in WAYS {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("x");
        fs::write(&path, b"former").unwrap();
        let panicked = std::panic::catch_unwind(|| {
            publish_as(&path, create, |output| -> io::Result<()> {
                output.write_all(b"half")?;
                panic!("as a defect would");
            })
        });
        assert!(panicked.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"former");
        assert_eq!(names(directory.path()), ["x"]);
    }
}

/// What a killed build then leaves is nothing. File systems in memory have such files wherever Linux has.
#[cfg(target_os = "linux")]
#[test]
fn a_draft_has_no_name_until_it_is_whole() {
    let Ok(directory) = TempDir::new_in("/dev/shm") else { return };
    let path = directory.path().join("x");
    publish(&path, |output| {
        output.write_all(b"content")?;
        output.flush()?;
        assert!(names(directory.path()).is_empty());
        io::Result::Ok(())
    })
    .unwrap();
    assert_eq!(names(directory.path()), ["x"]);
}

#[test]
fn a_draft_that_may_not_be_linked_is_copied() {
    let directory = TempDir::new().unwrap();
    let target = Target::of(&directory.path().join("x")).unwrap();
    let mut draft = Draft::create(directory.path()).unwrap();
    draft.file().write_all(b"content").unwrap();
    let copy = draft::copied(draft.file(), directory.path()).unwrap();
    drop(draft);
    copy.replace(&target).unwrap();
    assert_eq!(fs::read(target.path()).unwrap(), b"content");
    assert_eq!(names(directory.path()), ["x"]);
}

#[test]
fn what_killed_builds_left_is_swept_and_what_others_own_is_not() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    for name in [".openmind-pack-0000000000000001.tmp", ".openmind-pack-00000000000000ff.tmp"] {
        fs::write(at(name), "half a bundle").unwrap();
    }
    let living = ".openmind-pack-0000000000000002.tmp";
    fs::write(at(living), "a living build's").unwrap();
    let lock = File::open(at(living)).unwrap();
    lock.lock().unwrap();
    fs::create_dir(at(".openmind-pack-0000000000000003.tmp")).unwrap();
    fs::write(at(".openmind-pack-notes.tmp"), "not ours").unwrap();
    let mut kept = vec![living, ".openmind-pack-0000000000000003.tmp", ".openmind-pack-notes.tmp", "x"];
    #[cfg(unix)]
    {
        let link = ".openmind-pack-0000000000000004.tmp";
        fs::write(at("y"), "somebody's").unwrap();
        std::os::unix::fs::symlink("y", at(link)).unwrap();
        kept.insert(2, link);
        kept.push("y");
        // Only root can give a file away.
        let foreign = ".openmind-pack-0000000000000005.tmp";
        fs::write(at(foreign), "another user's").unwrap();
        match std::os::unix::fs::chown(at(foreign), Some(65_534), None) {
            Ok(()) => kept.insert(3, foreign),
            Err(_) => fs::remove_file(at(foreign)).unwrap(),
        }
    }
    publish(&at("x"), |output| output.write_all(b"new")).unwrap();
    assert_eq!(names(directory.path()), kept);
    drop(lock);
    publish(&at("x"), |output| output.write_all(b"newer")).unwrap();
    kept.remove(0);
    assert_eq!(names(directory.path()), kept);
}

#[test]
fn builds_that_meet_in_one_directory_neither_mix_nor_sweep_each_other() {
    const ROUNDS: usize = 100;
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("x");
    let contents: Vec<Vec<u8>> = (b'a'..b'e').map(|letter| vec![letter; 10_000]).collect();
    std::thread::scope(|scope| {
        for (number, content) in contents.iter().enumerate() {
            let path = &path;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let create = WAYS[(number + round) % 2];
                    publish_as(path, create, |output| output.write_all(content)).unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..ROUNDS {
                // Until the first is published, nothing is there.
                let Ok(found) = fs::read(&path) else { continue };
                assert!(contents.contains(&found));
            }
        });
    });
    assert!(contents.contains(&fs::read(&path).unwrap()));
    assert_eq!(names(directory.path()), ["x"]);
}

#[cfg(unix)]
#[test]
fn a_path_that_no_output_can_have_is_told_by_its_kind() {
    use std::os::unix::fs::symlink;

    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("dir")).unwrap();
    fs::write(at("file"), "").unwrap();
    symlink("dir", at("to-dir")).unwrap();
    symlink("circle", at("circle")).unwrap();
    symlink("left", at("right")).unwrap();
    symlink("right", at("left")).unwrap();
    symlink("nowhere/x", at("astray")).unwrap();
    symlink("/dev/null", at("to-null")).unwrap();
    let refusal = |name: &str| output_target(&at(name)).unwrap_err();
    assert!(matches!(refusal("dir"), TargetError::Directory));
    assert!(matches!(refusal("dir/"), TargetError::Directory));
    assert!(matches!(refusal("to-dir"), TargetError::Directory));
    assert!(matches!(refusal("to-null"), TargetError::Special));
    assert!(matches!(refusal("circle"), TargetError::Circle));
    assert!(matches!(refusal("left"), TargetError::Circle));
    assert!(matches!(refusal("free/"), TargetError::NoName));
    assert!(matches!(output_target(Path::new("")), Err(TargetError::NoName)));
    for name in ["missing/x", "astray"] {
        assert!(matches!(refusal(name), TargetError::NoDirectory { .. }), "{name}");
    }
    let TargetError::System(error) = refusal("file/x") else { panic!("a file isn't a directory") };
    assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
    let TargetError::System(error) = refusal(&"n".repeat(256)) else { panic!("the name is too long") };
    assert_eq!(error.kind(), io::ErrorKind::InvalidFilename);
}

#[cfg(unix)]
#[test]
fn a_chain_of_links_leads_to_its_end_also_where_nothing_is_yet() {
    use std::os::unix::fs::symlink;

    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("store")).unwrap();
    symlink("second", at("first")).unwrap();
    symlink("store/third", at("second")).unwrap();
    symlink("x", at("store/third")).unwrap();
    for content in [b"one", b"two"] {
        publish(&at("first"), |output| output.write_all(content)).unwrap();
        assert_eq!(fs::read(at("store/x")).unwrap(), content);
    }
    for link in ["first", "second", "store/third"] {
        assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
    }
    assert_eq!(names(&at("store")), ["third", "x"]);
}
