//! A file that is replaced, damaged, renamed or deleted under its reader.

use std::fs::{self, OpenOptions as FileOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use openmind_pack_compiler::{Input, Options, Silent, compile};
use openmind_pack_format::{Bundle, ContentHash, OpenError, OpenOptions};
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

/// A bundle that is short enough to be read rather than mapped.
fn small() -> Vec<u8> {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden/empty.ompack"));
    bytes.expect("the golden bundle is there")
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

    /// Cuts the file short where it lies, or makes it longer.
    fn cut(&self, length: u64) {
        let file = FileOptions::new().write(true).open(&self.path).expect("opens");
        file.set_len(length).expect("cut");
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
fn a_bad_file_renamed_over_the_bundle_is_not_taken_and_said_to_be_bad_as_long_as_it_is_there() {
    let desk = Desk::with(&bundle("one"));
    let source = desk.follow(true);
    let mut damaged = bundle("two");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for (bytes, reason) in [
        (&damaged[..], "is damaged"),
        (&damaged[..middle], "cut short"),
        (b"", "it is empty"),
        (b"{}", "it looks like JSON"),
    ] {
        desk.rename_over(bytes);
        assert_eq!(name(&source), "one");
        assert!(source.unchanged(&source.current().expect("served")));
        let error = source.replacement_error().expect("it was refused");
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains(desk.dir.path().to_str().expect("UTF-8")), "{error}");
    }
    fs::remove_file(&desk.path).expect("removed");
    fs::create_dir(&desk.path).expect("made");
    assert_eq!(name(&source), "one");
    assert!(source.replacement_error().expect("refused").contains("not a regular file"));
    fs::remove_dir(&desk.path).expect("removed");
    assert_eq!(name(&source), "one");
    assert_eq!(source.replacement_error(), None, "nothing lies there any more");
    desk.rename_over(&damaged);
    assert_eq!(name(&source), "one");
    desk.rename_over(&bundle("three"));
    assert_eq!(name(&source), "three");
    assert_eq!(source.replacement_error(), None);
}

#[test]
fn a_large_file_is_checked_beside_the_calls_that_the_former_one_answers() {
    let desk = Desk::with(&bundle("one"));
    let options = OpenOptions::default();
    let source = Followed::open_awaiting(&desk.path, options, 0).expect("opens");
    desk.rename_over(&bundle("two"));
    assert_eq!(name(&source), "one", "nobody waits");
    assert_eq!(patiently(&source, "two"), "two");

    desk.rename_over(b"{}");
    let deadline = Instant::now() + Duration::from_secs(30);
    while source.replacement_error().is_none() {
        assert_eq!(name(&source), "two");
        assert!(Instant::now() < deadline, "it is never refused");
    }
    desk.rename_over(&bundle("three"));
    assert_eq!(patiently(&source, "three"), "three");
}

#[test]
fn a_large_file_is_waited_for_where_there_is_nothing_else_to_answer_from() {
    let bytes = bundle("one");
    let desk = Desk::with(&bytes);
    let source = Followed::open_awaiting(&desk.path, OpenOptions::default(), 0).expect("opens");
    desk.flip(0, bytes[0]);
    assert!(source.current().is_err());
    desk.rename_over(&bundle("two"));
    assert_eq!(name(&source), "two");
}

/// The name served once another than the former is, or `wanted` never comes.
fn patiently(source: &Followed, wanted: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let name = name(source);
        if name == wanted || Instant::now() > deadline {
            return name;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
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
    for bytes in [bundle("one"), small()] {
        let at = bytes.len() / 2;
        let desk = Desk::with(&bytes);
        let source = desk.follow(true);
        let served = source.current().expect("served");
        // At once: no time passed since the file was made but what opening it took.
        desk.flip(at as u64, bytes[at]);
        assert!(!source.unchanged(&served));
        let error = source.current().err().expect("refused").to_string();
        assert!(error.contains("changed in place") && error.contains("damaged"), "{error}");
        assert_eq!(source.current().err().expect("refused again").to_string(), error);
        desk.rename_over(&bundle("two"));
        assert_eq!(name(&source), "two");
    }
}

#[test]
fn a_file_that_is_cut_short_is_survived_and_taken_again_once_it_is_whole() {
    for bytes in [bundle("one"), small()] {
        for length in [0, 100, 4096, bytes.len() as u64 - 1, bytes.len() as u64 + 1] {
            let desk = Desk::with(&bytes);
            let source = desk.follow(true);
            let served = source.current().expect("served");
            let good = name(&source);
            desk.cut(length);
            // Whatever it says: reading what is gone doesn't end the process.
            let _ = served.bundle.verify();
            let _ = served.bundle.verify_deep();
            assert!(!source.unchanged(&served), "{length}");
            let error = source.current().err().expect("refused").to_string();
            assert!(error.contains("changed in place"), "{error}");
            fs::write(&desk.path, &bytes).expect("restored in place");
            assert_eq!(name(&source), good);
            assert!(!source.unchanged(&served), "what was lost stays lost to who holds it");
        }
    }
}

#[test]
fn bytes_that_a_map_lost_are_dropped_even_if_the_file_looks_as_it_did() {
    let bytes = bundle("one");
    let desk = Desk::with(&bytes);
    let source = desk.follow(true);
    let served = source.current().expect("served");
    desk.cut(0);
    assert!(served.bundle.verify().is_err());
    assert!(served.bundle.faulted());
    fs::write(&desk.path, &bytes).expect("restored in place");
    // The stamp of now, as if times moved in long steps.
    let watch = Watch::new(fs::File::open(&desk.path).expect("opens")).expect("watched");
    let opened = opened::Opened { served, watch };
    assert!(!opened.is_whole());
}

#[test]
fn a_file_that_was_only_touched_is_checked_and_served_again() {
    for bytes in [bundle("one"), small()] {
        let desk = Desk::with(&bytes);
        let source = desk.follow(true);
        let served = source.current().expect("served");
        desk.flip(0, bytes[0] ^ 1);
        assert!(!source.unchanged(&served), "the same byte was written, which nobody can know");
        let again = source.current().expect("served");
        assert!(!Arc::ptr_eq(&served, &again));
        assert!(source.unchanged(&again));
    }
}

#[test]
fn memory_that_was_asked_for_is_not_touched_by_what_happens_to_the_file() {
    let bytes = bundle("one");
    let at = bytes.len() / 2;
    let desk = Desk::with(&bytes);
    let source = desk.follow(false);
    let served = source.current().expect("served");
    desk.flip(at as u64, bytes[at]);
    assert!(source.unchanged(&served));
    assert_eq!(name(&source), "one");
    assert!(source.replacement_error().is_some(), "but that the file is bad is told");
    desk.cut(10);
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

#[test]
fn a_command_that_reads_a_file_once_is_told_that_it_changed() {
    let bytes = bundle("one");
    let desk = Desk::with(&bytes);
    let open = || {
        let watch = Watched::watch(fs::File::open(&desk.path).expect("opens"), &desk.path).expect("watched");
        Watched::open(watch, &desk.path, None).expect("opens")
    };
    let bundle = open();
    bundle.unchanged().expect("it lies there as it was");
    desk.flip(9, bytes[9] ^ 1);
    let failure = bundle.unchanged().expect_err("it was written to");
    assert_eq!(failure.kind, "changed");
    let bundle = open();
    fs::remove_file(&desk.path).expect("removed");
    bundle.unchanged().expect("what is open stays as it was");
}
