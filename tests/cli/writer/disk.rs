//! Disks that are full or read-only. A small one of either kind is mounted, which takes root.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{invented_directory, skipped};
use crate::common::Desk;

const PAGE: usize = 4096;

/// A small disk in memory, gone when it is dropped.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    /// Mounts a disk, or says loudly that it can't.
    fn mount(at: &'a Path, options: &str) -> Option<Self> {
        fs::create_dir_all(at).expect("made");
        if mount(at, options) {
            return Some(Self(at));
        }
        skipped("a disk that is full or read-only. Mounting one takes root and `mount` with tmpfs");
        None
    }

    fn remount(&self, options: &str) {
        assert!(mount(self.0, &format!("remount,{options}")), "{options}");
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

fn mount(at: &Path, options: &str) -> bool {
    let mut command = Command::new("mount");
    command.args(["-t", "tmpfs", "-o", options, "openmind-pack-test"]).arg(at);
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn a_full_disk_keeps_the_former_file_and_says_what_to_do() {
    let desk = Desk::new();
    invented_directory(&desk, "old", 900);
    invented_directory(&desk, "new", 901);
    desk.run(["build", "new", "-o", "new.ompack"]).expect(0);
    let bundle = desk.read("new.ompack");
    let place = desk.path("disk");
    let Some(disk) = Disk::mount(&place, "size=16m") else { return };
    desk.run(["build", "old", "-o", "disk/x.ompack"]).expect(0);
    let former = desk.read("disk/x.ompack");
    let (held, needed) = (former.len().div_ceil(PAGE), bundle.len().div_ceil(PAGE));
    // Every second page, the first few and the last few: from no room at all to one page too little.
    let mut sizes: Vec<usize> =
        (0..needed).filter(|room| room % 2 == 0 || *room < 4 || room + 4 > needed).collect();
    sizes.sort_unstable();
    assert!(sizes.len() >= 30, "{} sizes of {needed} pages", sizes.len());
    let build = || desk.run(["build", "new", "-o", "disk/x.ompack"]);
    for room in sizes {
        disk.remount(&format!("size={}", (held + room) * PAGE));
        build().expect(3).complains(&[
            "cannot write disk/x.ompack",
            "the disk is full; free space",
            "unchanged",
        ]);
        assert_eq!(desk.read("disk/x.ompack"), former, "room for {room} pages");
        assert_eq!(desk.list("disk"), ["x.ompack"], "room for {room} pages");
    }
    // No new file at all, with room for its bytes.
    disk.remount("size=16m,nr_inodes=2");
    build().expect(3).complains(&["cannot write disk/x.ompack", "the disk is full"]);
    assert_eq!(desk.list("disk"), ["x.ompack"]);
    disk.remount(&format!("nr_inodes=0,size={}", (held + needed) * PAGE));
    build().expect(0);
    assert_eq!(desk.read("disk/x.ompack"), bundle, "exactly enough room is enough");
}

#[test]
fn what_killed_builds_left_on_a_full_disk_makes_room() {
    let desk = Desk::new();
    invented_directory(&desk, "new", 901);
    desk.run(["build", "new", "-o", "new.ompack"]).expect(0);
    let needed = desk.read("new.ompack").len().div_ceil(PAGE);
    let place = desk.path("disk");
    let Some(_disk) = Disk::mount(&place, &format!("size={}", (needed + 2) * PAGE)) else { return };
    desk.write("disk/.openmind-pack-0123456789abcdef.tmp", vec![1; needed * PAGE]);
    desk.run(["build", "new", "-o", "disk/x.ompack"]).expect(0);
    assert_eq!(desk.list("disk"), ["x.ompack"]);
}

#[test]
fn a_directory_that_takes_no_files_is_told_before_the_work() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::new();
    desk.copy_sample(".openmind");
    let place = desk.path("shelf");
    fs::create_dir(&place).expect("made");
    desk.build_sample("shelf/x.ompack");
    let former = desk.read("shelf/x.ompack");
    fs::set_permissions(&place, fs::Permissions::from_mode(0o555)).expect("set");
    let obeyed = fs::File::create(place.join("y")).is_err();
    if obeyed {
        desk.run(["build", "-o", "shelf/x.ompack"]).expect(3).complains(&["shelf/x.ompack", "get the right"]);
        assert_eq!(desk.read("shelf/x.ompack"), former);
        assert_eq!(desk.list("shelf"), ["x.ompack"]);
    }
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).expect("set");
    let shelf = desk.path("mounted");
    let Some(disk) = Disk::mount(&shelf, "size=1m") else { return };
    desk.build_sample("mounted/x.ompack");
    disk.remount("ro");
    // What is wrong with the directory's content comes second.
    desk.write(".openmind/flows.json", "{");
    let run = desk.run(["build", "-o", "mounted/x.ompack"]).expect(3);
    run.complains(&["cannot write mounted/x.ompack", "read-only; write elsewhere"]);
    assert_eq!(desk.read("mounted/x.ompack"), former);
    assert_eq!(desk.list("mounted"), ["x.ompack"]);
}
