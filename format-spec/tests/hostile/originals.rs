//! The original files and their compressed frames.

use openmind_pack_format::{Area, Bundle, Problem, ReadError, SectionKind};

use crate::forgery::{assert_refused, at_row, not_ascending, too_large, unexpected};
use crate::sample;

const FILES: SectionKind = SectionKind::Artifacts;
const FRAMES: SectionKind = SectionKind::Frames;
const BYTES: SectionKind = SectionKind::FrameBytes;

fn read(bundle: &Bundle, artifact: u32) -> Result<u64, ReadError> {
    let mut length = 0;
    bundle.read_original(artifact, |bytes| length += bytes.len() as u64)?;
    Ok(length)
}

#[test]
fn a_frame_that_decodes_to_gigabytes() {
    let full = 1 << 20;
    let forged = sample().set(FRAMES, 0, "length", full + 1);
    let problem = too_large("decoded length of a frame", u64::from(full) + 1, full.into());
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn a_frame_of_nothing() {
    let forged = sample().set(FRAMES, 0, "length", 0);
    let problem = unexpected("decoded length of a frame", 0, 1 << 20);
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn a_frame_that_is_not_the_last_and_not_full() {
    // The first file takes the second one's frame as well.
    let forged = sample().set(FILES, 0, "frames_count", 2);
    let length = forged.get(FRAMES, 0, "length");
    let problem = unexpected("decoded length of a frame", length.into(), 1 << 20);
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn a_frame_beyond_all_frames() {
    let length = sample().length(BYTES);
    let forged = sample().set(FRAMES, 0, "compressed", u32::MAX);
    let problem = too_large("end of a byte range", u32::MAX.into(), length);
    assert_refused(read(&forged.open().unwrap(), 0), (Area::Section(BYTES), forged.start(BYTES)), problem);
}

#[test]
fn a_frame_that_is_cut_short_or_no_frame() {
    for forged in [
        sample().add(FRAMES, 0, "compressed", -1),
        sample().put(sample().start(BYTES), &[0]),
        sample().set(FRAMES, 0, "offset", 1),
    ] {
        match read(&forged.open().unwrap(), 0) {
            Err(ReadError::Malformed { area, offset, problem: Problem::Frame(_) }) => {
                assert_eq!((area, offset), at_row(&forged, FRAMES, 0));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_frame_that_decodes_to_more_than_it_says() {
    let length = sample().get(FRAMES, 0, "length");
    let forged = sample().set(FRAMES, 0, "length", length - 1).set(FILES, 0, "length", length - 1);
    match read(&forged.open().unwrap(), 0) {
        Err(ReadError::Malformed { area, offset, problem: Problem::Frame(_) }) => {
            assert_eq!((area, offset), at_row(&forged, FRAMES, 0));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_frame_that_decodes_to_less_than_it_says() {
    let length = sample().get(FRAMES, 0, "length");
    let forged = sample().set(FRAMES, 0, "length", length + 1).set(FILES, 0, "length", length + 1);
    let problem = unexpected("decoded length of a frame", length.into(), u64::from(length) + 1);
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn a_file_of_another_length_than_its_frames() {
    let length = sample().get(FRAMES, 0, "length");
    let forged = sample().set(FILES, 0, "length", u32::MAX);
    let problem = unexpected("length of an original file", length.into(), u32::MAX.into());
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FILES, 0), problem);
    let forged = sample().set(FILES, 0, "length", length - 1);
    let problem = too_large("length of an original file so far", length.into(), u64::from(length) - 1);
    assert_refused(read(&forged.open().unwrap(), 0), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn a_file_with_frames_beyond_the_table() {
    let frames = sample().rows(FRAMES);
    let forged = sample().set(FILES, 5, "frames_count", 2);
    let problem = too_large("end of a row range", u64::from(frames) + 1, frames.into());
    assert_refused(read(&forged.open().unwrap(), 5), at_row(&forged, FRAMES, 0), problem);
}

#[test]
fn two_files_of_one_name() {
    let forged = sample();
    let name = forged.get(FILES, 0, "name");
    let forged = forged.set(FILES, 1, "name", name);
    let problem = not_ascending("names of original files");
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, FILES, 1), problem);
}

#[test]
fn frames_that_share_bytes_or_leave_some_out() {
    let second = u64::from(sample().get(FRAMES, 1, "offset"));
    for difference in [1, -1] {
        let forged = sample().add(FRAMES, 1, "offset", difference);
        let found = u64::from(forged.get(FRAMES, 1, "offset"));
        let problem = unexpected("offset of a frame", found, second);
        assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, FRAMES, 1), problem);
    }
    let length = sample().length(BYTES);
    let forged = sample().resize(BYTES, length as usize + 3);
    let problem = unexpected("end of the last frame", length, length + 3);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, FRAMES, 0), problem);
}
