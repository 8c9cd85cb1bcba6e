//! The same directory gives the same bytes, and the same question the same answer.

use std::fs;
use std::process::Command;

use crate::common::{Desk, Run, sample};

#[test]
fn folder_zone_locale_threads_and_order_of_files_do_not_show() {
    let first = Desk::new();
    let expected = fs::read(first.build_sample("x.ompack")).expect("read");

    let second = Desk::new();
    let dir = second.path("another folder/ö");
    fs::create_dir_all(&dir).expect("made");
    let mut files: Vec<_> =
        fs::read_dir(sample()).expect("listed").map(|entry| entry.expect("an entry")).collect();
    files.sort_by_key(|entry| std::cmp::Reverse(entry.file_name()));
    for file in files {
        fs::copy(file.path(), dir.join(file.file_name())).expect("copied");
    }
    let dir = dir.to_str().expect("UTF-8");
    for (number, (variables, threads)) in [
        (&[("TZ", "Pacific/Chatham"), ("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8")][..], "1"),
        (&[("TZ", "UTC"), ("LC_ALL", "C"), ("RAYON_NUM_THREADS", "3")][..], "2"),
        (&[("SOURCE_DATE_EPOCH", "1"), ("HOME", "/nowhere"), ("USER", "x")][..], "7"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("{number}.ompack");
        second.run_with(variables, ["build", dir, "-o", &name, "--threads", threads]).expect(0);
        assert!(second.read(&name) == expected, "{variables:?}, {threads} threads");
    }
}

#[cfg(unix)]
#[test]
fn the_umask_decides_who_may_read_the_file_and_not_what_is_in_it() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::new();
    desk.copy_sample(".openmind");
    let program = env!("CARGO_BIN_EXE_openmind-pack");
    let mut bytes = Vec::new();
    for (umask, mode) in [("022", 0o644), ("077", 0o600)] {
        let script = format!("umask {umask} && '{program}' build -o {umask}.ompack");
        Run::of(Command::new("sh").arg("-c").arg(script).current_dir(desk.path("."))).expect(0);
        let name = format!("{umask}.ompack");
        let found = fs::metadata(desk.path(&name)).expect("there").permissions().mode() & 0o777;
        assert_eq!(found, mode, "umask {umask}: {found:o}");
        bytes.push(desk.read(&name));
    }
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn one_question_has_one_answer_from_a_bundle_a_directory_and_memory() {
    let desk = Desk::new();
    let bundle = desk.build_sample("x.ompack");
    let (bundle, dir) =
        (bundle.to_str().expect("UTF-8").to_owned(), sample().to_str().expect("UTF-8").to_owned());
    for question in [
        &["artifacts"][..],
        &["search", "water bed after leak"],
        &["symbol", "Pulse"],
        &["explain", "valved"],
        &["claim", "The LeakRule closes the main valve first."],
    ] {
        let ask = |further: &[&str], variables: &[(&str, &str)]| {
            let arguments = [question, &["--json", "--bundle"], further].concat();
            desk.run_with(variables, arguments).expect(0).result_bytes().to_owned()
        };
        let expected = ask(&[&bundle], &[]);
        assert_eq!(ask(&[&bundle], &[("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu")]), expected);
        assert_eq!(ask(&[&dir], &[]), expected);
        assert_eq!(ask(&[&bundle, "--no-mmap"], &[]), expected);
    }
}
