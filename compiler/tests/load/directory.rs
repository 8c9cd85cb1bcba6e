//! What the manifest names, what is there, and what the files say about each other.

use std::fs;
use std::path::Path;

use openmind_pack_compiler::input::{ArtifactKind, Input, LeftOut, ReadError, Reason};
use openmind_pack_compiler::limits::Limits;
use openmind_pack_compiler::load;

use crate::base::{Directory, Expected, at, check, compare, file};

const M: &str = "manifest.json";
const D: &str = "metadata.json";

#[test]
fn a_missing_file_is_named() {
    for (name, key) in [
        ("metadata.json", "artifacts.metadata"),
        ("glossary.json", "artifacts.glossary"),
        ("architecture.json", "artifacts.architecture"),
        ("flows.json", "artifacts.flows"),
        ("source-index.json", "artifacts.sourceIndex"),
    ] {
        check(name, Directory::sound().without(name), &[file("OMP001", name, key)]);
    }
    check(M, Directory::sound().without(M), &[file("OMP001", M, "the directory has no manifest.json")]);
    let nothing = Directory { files: Vec::new(), limits: Limits::default() };
    check("an empty directory", nothing, &[file("OMP001", M, "")]);
}

#[test]
fn a_file_of_0_bytes_is_named() {
    for name in [M, D, "glossary.json", "architecture.json", "flows.json", "source-index.json"] {
        check(name, Directory::sound().put(name, ""), &[file("OMP002", name, "0 bytes")]);
    }
    check("a file that is only kept", Directory::sound().put("notes.txt", ""), &[]);
}

#[test]
fn a_first_run_that_broke_off_is_torn() {
    let torn =
        Directory::sound().put("architecture.json", "").without("flows.json").without("source-index.json");
    let expected = [
        file("OMP002", "architecture.json", "0 bytes"),
        file("OMP001", "flows.json", "artifacts.flows"),
        file("OMP001", "source-index.json", "artifacts.sourceIndex"),
    ];
    check("a first run", torn, &expected);
}

#[test]
fn counts_of_another_run_are_torn() {
    let files = Directory::sound().edit(D, "\"filesIndexed\": 2", "\"filesIndexed\": 3");
    let expected = at(
        "OMP010",
        D,
        "/summary/filesIndexed",
        6,
        31,
        "`filesIndexed` is 3, and the source index lists 2 files",
    );
    check("files", files, &[expected]);
    let symbols = Directory::sound().edit(D, "\"symbolsIndexed\": 3", "\"symbolsIndexed\": 2");
    let expected =
        at("OMP010", D, "/summary/symbolsIndexed", 6, 52, "is 2, and the source index lists 3 symbols");
    check("symbols", symbols, &[expected]);
    let artifacts = Directory::sound().edit(D, "\"artifactsGenerated\": 5", "\"artifactsGenerated\": 6");
    let expected =
        at("OMP010", D, "/summary/artifactsGenerated", 6, 77, "is 6, and the manifest names 5 artifacts");
    check("artifacts", artifacts, &[expected]);
}

#[test]
fn counts_are_not_compared_with_what_could_not_be_counted() {
    let directory = Directory::sound().edit("source-index.json", "\"symbols\": []", "\"symbols\": 7");
    let expected = at("OMP030", "source-index.json", "/files/0/symbols", 4, 60, "expected an array");
    check("symbols that are no list", directory, &[expected]);
    let directory = Directory::sound().edit("manifest.json", "\"flows.json\"", "7");
    let expected = at("OMP030", "manifest.json", "/artifacts/flows", 10, 14, "expected a file name");
    check("a file name that is none", directory, &[expected]);
}

#[test]
fn another_repository_is_torn() {
    let manifest = |from: &str, to: &str| Directory::sound().edit(M, from, to);
    let expected =
        at("OMP011", D, "/repository/name", 3, 26, "is \"shop\" here and \"mall\" in the manifest");
    check("name", manifest("\"shop\"", "\"mall\""), &[expected]);
    let expected =
        at("OMP011", D, "/repository/root", 3, 42, "`repository.root` is another one in the manifest");
    check("root", manifest("\".\"", "\"..\""), &[expected]);
    let expected = at("OMP011", D, "/repository", 3, 17, "is `null` here and \"c0ffee\" in the manifest");
    check("commit", manifest("\"commit\": null", "\"commit\": \"c0ffee\""), &[expected]);
    let expected =
        at("OMP011", D, "/repository/commit", 3, 57, "is \"c0ffee\" here and `null` in the manifest");
    let metadata = Directory::sound().edit(D, "\"commit\": null", "\"commit\": \"c0ffee\"");
    check("commit here", metadata, &[expected]);
    let time = manifest("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z");
    let expected =
        at("OMP012", D, "/generatedAt", 4, 18, "\"2026-01-01T00:00:00Z\" here and \"2026-01-02T00:00:00Z\"");
    check("time", time, &[expected]);
}

#[test]
fn a_missing_commit_and_a_null_one_are_the_same() {
    check("missing there", Directory::sound().edit(M, ", \"commit\": null", ""), &[]);
    let directory = Directory::sound().edit(M, "\"commit\": null", "\"commit\": \"c0ffee\"").edit(
        D,
        ", \"commit\": null",
        "",
    );
    // What isn't there has its place at the object.
    check("missing here", directory, &[at("OMP011", D, "/repository", 3, 17, "is `null` here")]);
}

#[test]
fn of_a_repository_that_is_not_there_no_commit_is_told() {
    let directory = Directory::sound().edit(M, "\"commit\": null", "\"commit\": \"c0ffee\"").edit(
        D,
        "  \"repository\": {\"name\": \"shop\", \"root\": \".\", \"commit\": null},\n",
        "",
    );
    check("no repository", directory, &[at("OMP031", D, "", 1, 1, "repository")]);
}

#[test]
fn another_schema_version_is_torn() {
    let directory = Directory::sound().edit("flows.json", "1.1.0", "1.0.0");
    let expected = at(
        "OMP013",
        "flows.json",
        "/schemaVersion",
        2,
        20,
        "is \"1.0.0\" here and \"1.1.0\" in the manifest",
    );
    check("flows of an older run", directory, &[expected]);
    // A bare array carries no version.
    let bare = Directory::sound().put("flows.json", "[]");
    check("a bare array", bare, &[]);
}

#[test]
fn a_root_on_somebodys_machine_is_a_warning() {
    for root in ["/home/anna/shop", r"C:\\shop", r"\\\\server\\shop"] {
        let directory = Directory::sound().edit(M, "\"root\": \".\"", &format!("\"root\": \"{root}\"")).edit(
            D,
            "\"root\": \".\"",
            &format!("\"root\": \"{root}\""),
        );
        check(root, directory, &[at("OMP072", M, "/repository/root", 5, 42, "expected a relative path")]);
    }
}

#[test]
fn the_manifest_names_files_of_its_directory() {
    let named = |name: &str| Directory::sound().edit(M, "\"glossary.json\"", &format!("\"{name}\""));
    for (name, shown) in [
        ("/tmp/glossary.json", "\"/tmp/glossary.json\""),
        ("../glossary.json", "\"../glossary.json\""),
        ("sub/glossary.json", "\"sub/glossary.json\""),
        (r"sub\\glossary.json", r#""sub\glossary.json""#),
        ("..", "\"..\""),
        (".", "\".\""),
        ("", "\"\""),
        (r"a\u0000", "\"a\\u0000\""),
    ] {
        check(name, named(name), &[at("OMP003", M, "/artifacts/glossary", 8, 17, shown)]);
    }
    let expected = at("OMP005", M, "/artifacts/flows", 10, 14, "\"glossary.json\" is glossary already");
    let twice = Directory::sound().edit(M, "\"flows.json\"", "\"glossary.json\"");
    check("named twice", twice, &[expected]);
    let expected = at("OMP005", M, "/artifacts/glossary", 8, 17, "\"manifest.json\" is the manifest already");
    check("the manifest itself", named("manifest.json"), &[expected]);
}

#[test]
fn files_may_have_other_names() {
    let directory = Directory::sound().edit(M, "\"glossary.json\"", "\"words.json\"");
    let renamed = Directory {
        files: directory
            .files
            .into_iter()
            .map(|(name, bytes)| (name.replace("glossary.json", "words.json"), bytes))
            .collect(),
        ..Directory::sound()
    };
    check("renamed", renamed, &[]);
}

#[test]
fn a_file_named_under_an_unknown_key_must_be_there_too() {
    let named = |value: &str| {
        Directory::sound().edit(M, "\"metadata\":", &format!("\"graph\": {value}, \"metadata\":"))
    };
    let graph = || named("\"graph.json\"").edit(D, "\"artifactsGenerated\": 5", "\"artifactsGenerated\": 6");
    check("missing", graph(), &[file("OMP001", "graph.json", "`artifacts.graph`")]);
    check("there", graph().put("graph.json", "anything"), &[]);
    check(
        "outside",
        named("\"../graph.json\""),
        &[at("OMP003", M, "/artifacts/graph", 7, 14, "../graph.json")],
    );
    check("no name at all", named("{\"file\": 1}"), &[]);
}

#[test]
fn without_a_manifest_the_usual_files_are_still_checked() {
    let directory = Directory::sound().put(M, "{").edit("glossary.json", "\"high\"", "\"sure\"");
    let expected = [
        crate::base::text_at("OMP023", M, 1, 2, "EOF"),
        at("OMP034", "glossary.json", "/entries/0/confidence", 9, 21, "sure"),
    ];
    check("half a manifest", directory, &expected);
}

#[test]
fn findings_come_file_by_file_and_in_order_of_their_places() {
    let directory = Directory::sound()
        .edit(M, "\"open-mind\"", "1")
        .edit(D, "\"shop\"", "2")
        .edit("glossary.json", "\"low\"", "\"lower\"")
        .edit("glossary.json", "\"term\": \"Order\"", "\"x\": 1")
        .edit("architecture.json", "\"module\"", "3")
        .edit("flows.json", "\"line\": 2", "\"line\": -2")
        .edit("source-index.json", "\"Python\"", "4");
    let expected = [
        at("OMP030", M, "/generator/name", 3, 25, "number 1"),
        at("OMP030", D, "/repository/name", 3, 26, "number 2"),
        at("OMP031", "glossary.json", "/entries/0", 4, 5, "`term`"),
        at("OMP034", "glossary.json", "/entries/1/confidence", 16, 21, "lower"),
        at("OMP030", "architecture.json", "/components/0/kind", 6, 15, "number 3"),
        at("OMP032", "flows.json", "/flows/0/steps/0/evidence/0/line", 15, 56, "-2"),
        at("OMP030", "source-index.json", "/files/1/language", 7, 19, "number 4"),
    ];
    check("six files", directory, &expected);
}

/// Writes the sound directory to disk.
fn on_disk() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in Directory::sound().files {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

fn found_in(dir: &Path) -> Vec<openmind_pack_compiler::Finding> {
    load(&Input::read(dir).unwrap()).findings
}

#[test]
fn a_directory_is_read_in_byte_order_with_its_roles() {
    let dir = on_disk();
    fs::write(dir.path().join("Zebra.txt"), "z").unwrap();
    fs::write(dir.path().join("\u{e9}.txt"), "").unwrap();
    let input = Input::read(dir.path()).unwrap();
    let files: Vec<_> = input.files.iter().map(|file| (file.name.as_str(), file.role)).collect();
    let expected = [
        ("Zebra.txt", None),
        ("architecture.json", Some(ArtifactKind::Architecture)),
        ("flows.json", Some(ArtifactKind::Flows)),
        ("glossary.json", Some(ArtifactKind::Glossary)),
        ("manifest.json", Some(ArtifactKind::Manifest)),
        ("metadata.json", Some(ArtifactKind::Metadata)),
        ("source-index.json", Some(ArtifactKind::SourceIndex)),
        ("\u{e9}.txt", None),
    ];
    assert_eq!(files, expected);
    assert_eq!(input.left_out, []);
    assert_eq!(input.artifact(ArtifactKind::Glossary).unwrap().bytes, crate::base::GLOSSARY.as_bytes());
    compare("on disk", &load(&input).findings, &[]);
}

#[test]
fn a_subdirectory_is_left_out_with_a_note() {
    let dir = on_disk();
    fs::create_dir(dir.path().join("cache")).unwrap();
    compare("a subdirectory", &found_in(dir.path()), &[file("OMP008", "cache", "a directory isn't kept")]);
    assert!(load(&Input::read(dir.path()).unwrap()).model.is_some());
}

#[test]
fn a_directory_in_place_of_a_file_is_an_error() {
    let dir = on_disk();
    fs::remove_file(dir.path().join("flows.json")).unwrap();
    fs::create_dir(dir.path().join("flows.json")).unwrap();
    let expected = [file("OMP004", "flows.json", "expected a regular file, found a directory")];
    compare("a directory", &found_in(dir.path()), &expected);
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let dir = on_disk();
    fs::write(dir.path().join("large.bin"), [0; 4_096]).unwrap();
    let mut limits = Limits::default();
    limits.file_bytes = 4_095;
    let input = Input::read_within(dir.path(), &limits).unwrap();
    let left_out = LeftOut { name: "large.bin".to_owned(), reason: Reason::TooLarge { bytes: 4_096 } };
    assert_eq!(input.left_out, [left_out]);
    let loaded = openmind_pack_compiler::load_within(&input, &limits);
    compare(
        "4,096 bytes",
        &loaded.findings,
        &[file("OMP006", "large.bin", "has 4096 bytes; at most 4095 are read")],
    );
    limits.file_bytes = 4_096;
    assert_eq!(Input::read_within(dir.path(), &limits).unwrap().left_out, []);
}

#[test]
fn a_directory_that_cannot_be_listed_is_an_error_of_the_system() {
    let dir = tempfile::tempdir().unwrap();
    let error = Input::read(&dir.path().join("none")).unwrap_err();
    assert!(matches!(error, ReadError::List { .. }), "{error}");
    assert!(error.to_string().contains("give the path of a .openmind directory"), "{error}");
    fs::write(dir.path().join("file"), "").unwrap();
    assert!(matches!(Input::read(&dir.path().join("file")), Err(ReadError::List { .. })));
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_the_manifest_does_not_name_is_left_out_with_a_note() {
        let dir = on_disk();
        symlink("/etc/hostname", dir.path().join("link")).unwrap();
        symlink("nowhere", dir.path().join("broken")).unwrap();
        let expected: [Expected; 2] = [
            file("OMP008", "broken", "a symbolic link isn't kept"),
            file("OMP008", "link", "a symbolic link isn't kept"),
        ];
        compare("links", &found_in(dir.path()), &expected);
    }

    #[test]
    fn a_link_that_the_manifest_names_is_an_error() {
        for name in ["manifest.json", "glossary.json"] {
            let dir = on_disk();
            let aside = tempfile::tempdir().unwrap();
            fs::rename(dir.path().join(name), aside.path().join(name)).unwrap();
            symlink(aside.path().join(name), dir.path().join(name)).unwrap();
            let expected = [file("OMP004", name, "expected a regular file, found a symbolic link")];
            compare(name, &found_in(dir.path()), &expected);
        }
    }

    #[test]
    fn a_socket_is_neither_opened_nor_kept() {
        let dir = on_disk();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let expected = [file("OMP008", "socket", "a device, a pipe or a socket isn't kept")];
        compare("a socket", &found_in(dir.path()), &expected);
    }

    #[test]
    fn a_name_that_not_every_system_can_hold_is_an_error() {
        let dir = on_disk();
        fs::write(dir.path().join("a\\b"), "").unwrap();
        compare("a backslash", &found_in(dir.path()), &[file("OMP007", "a\\b", "without a backslash")]);
        fs::remove_file(dir.path().join("a\\b")).unwrap();
        fs::write(dir.path().join(OsStr::from_bytes(b"a\xff")), "").unwrap();
        compare("not UTF-8", &found_in(dir.path()), &[file("OMP007", "a\u{fffd}", "UTF-8")]);
    }
}
