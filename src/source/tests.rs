//! A file that is replaced, damaged, renamed or deleted under its reader.

use std::fs::OpenOptions as FileOptions;
use std::io::{Seek, SeekFrom, Write};

use openmind_pack_compiler::{Input, Options, Silent, compile};
use openmind_pack_format::ContentHash;
use tempfile::TempDir;

use super::*;

/// The bytes of a bundle of a repository called `name`, made from the sample.
fn bundle(name: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sample-repo/.openmind");
    let files = fs::read_dir(dir).expect("the fixture is there").map(|entry| {
        let entry = entry.expect("an entry");
        let text = fs::read_to_string(entry.path()).expect("a text");
        let renamed = text.replace("\"name\": \"fernhouse\"", &format!("\"name\": \"{name}\""));
        (entry.file_name().into_string().expect("a plain name"), renamed.into_bytes())
    });
    let input = Input::from_files("memory", files.collect());
    let mut bytes = Vec::new();
    compile(input, Options::default(), &Silent).expect("compiles").write_to(&mut bytes).expect("writes");
    bytes
}

struct Desk {
    dir: TempDir,
    path: PathBuf,
}

impl Desk {
    fn with(bytes: &[u8]) -> Self {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("served.ompack");
        fs::write(&path, bytes).expect("written");
        Self { dir, path }
    }

    /// Puts a file in place as a build does.
    fn rename_over(&self, bytes: &[u8]) {
        let temporary = self.dir.path().join("temporary");
        fs::write(&temporary, bytes).expect("written");
        fs::rename(temporary, &self.path).expect("renamed");
    }

    /// Changes one byte where it lies.
    fn flip(&self, at: u64, byte: u8) {
        let mut file = FileOptions::new().write(true).open(&self.path).expect("opens");
        file.seek(SeekFrom::Start(at)).expect("seeks");
        file.write_all(&[byte ^ 1]).expect("writes");
    }

    fn follow(&self, mmap: bool) -> Followed {
        Followed::open(&self.path, OpenOptions { mmap, expect: None }).expect("opens")
    }
}

fn name(source: &Followed) -> String {
    source.current().expect("served").repository_name.clone()
}

#[test]
fn a_good_bundle_renamed_over_the_file_is_taken_without_a_restart() {
    for mmap in [true, false] {
        let desk = Desk::with(&bundle("one"));
        let source = desk.follow(mmap);
        let held = source.current().expect("served");
        desk.rename_over(&bundle("two"));
        assert_eq!(name(&source), "two");
        assert!(source.unchanged(&held), "who still holds the former one may answer from it");
        assert_eq!(held.repository_name, "one");
    }
}

#[test]
fn a_damaged_bundle_renamed_over_the_file_is_not_taken() {
    let desk = Desk::with(&bundle("one"));
    let source = desk.follow(true);
    let mut damaged = bundle("two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for bytes in [&damaged[..], &damaged[..middle], b"", b"{}"] {
        desk.rename_over(bytes);
        assert_eq!(name(&source), "one");
        assert!(source.unchanged(&source.current().expect("served")));
    }
    desk.rename_over(&bundle("three"));
    assert_eq!(name(&source), "three");
}

#[test]
fn another_bundle_than_the_expected_is_not_taken() {
    let first = bundle("one");
    let desk = Desk::with(&first);
    let expect = Bundle::from_slice(&first, None).expect("opens").content_hash();
    let options = OpenOptions { mmap: true, expect: Some(expect) };
    let source = Followed::open(&desk.path, options).expect("opens");
    desk.rename_over(&bundle("two"));
    assert_eq!(name(&source), "one");
    desk.rename_over(&first);
    assert_eq!(name(&source), "one");
    let other = OpenOptions { mmap: true, expect: Some(ContentHash::from([7; 32])) };
    assert!(matches!(Followed::open(&desk.path, other), Err(OpenError::UnexpectedHash { .. })));
}

#[test]
fn a_deleted_or_missing_file_goes_on_answering() {
    let desk = Desk::with(&bundle("one"));
    let source = desk.follow(true);
    fs::remove_file(&desk.path).expect("removed");
    let served = source.current().expect("served");
    assert!(source.unchanged(&served));
    desk.rename_over(&bundle("two"));
    assert_eq!(name(&source), "two");
}

#[test]
fn an_answer_from_a_file_that_was_written_to_is_dropped_and_the_damage_is_told() {
    let bytes = bundle("one");
    let at = bytes.len() / 2;
    let desk = Desk::with(&bytes);
    let source = desk.follow(true);
    let served = source.current().expect("served");
    wait_a_tick();
    desk.flip(at as u64, bytes[at]);
    assert!(!source.unchanged(&served));
    let error = source.current().err().expect("refused").to_string();
    assert!(error.contains("changed in place") && error.contains("damaged"), "{error}");
    assert_eq!(source.current().err().expect("refused again").to_string(), error);
    desk.rename_over(&bundle("two"));
    assert_eq!(name(&source), "two");
}

#[test]
fn a_file_that_was_only_touched_is_checked_and_served_again() {
    let bytes = bundle("one");
    let desk = Desk::with(&bytes);
    let source = desk.follow(true);
    let served = source.current().expect("served");
    wait_a_tick();
    desk.flip(0, bytes[0] ^ 1);
    assert!(!source.unchanged(&served), "the same byte was written, which nobody can know");
    let again = source.current().expect("served");
    assert!(!Arc::ptr_eq(&served, &again));
    assert!(source.unchanged(&again));
}

#[test]
fn memory_is_not_touched_by_what_happens_to_the_file() {
    let bytes = bundle("one");
    let at = bytes.len() / 2;
    let desk = Desk::with(&bytes);
    let source = desk.follow(false);
    let served = source.current().expect("served");
    wait_a_tick();
    desk.flip(at as u64, bytes[at]);
    assert!(source.unchanged(&served));
    assert_eq!(name(&source), "one");
}

#[test]
fn a_distrusted_bundle_is_opened_anew() {
    for mmap in [true, false] {
        let desk = Desk::with(&bundle("one"));
        let source = desk.follow(mmap);
        let served = source.current().expect("served");
        source.distrust(&served);
        let again = source.current().expect("served");
        assert!(!Arc::ptr_eq(&served, &again));
        assert!(Arc::ptr_eq(&again, &source.current().expect("served")));
    }
}

/// File times move in steps of up to 10 ms on common kernels.
fn wait_a_tick() {
    std::thread::sleep(std::time::Duration::from_millis(25));
}
