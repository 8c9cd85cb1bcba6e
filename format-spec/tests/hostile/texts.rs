//! Texts and the ids that name them.

use openmind_pack_format::{Area, Problem, SectionKind};

use crate::forgery::{all, assert_refused, at_row, not_ascending, too_large, unexpected};
use crate::sample;

const ENDS: SectionKind = SectionKind::StringEnds;

#[test]
fn a_text_that_is_not_there() {
    let texts = sample().rows(ENDS);
    for id in [texts, u32::MAX - 1] {
        let forged = sample().set(SectionKind::Glossary, 0, "description", id);
        let bundle = forged.open().unwrap();
        let read = bundle.term(0).unwrap().description();
        assert_refused(read, at_row(&forged, ENDS, 0), too_large("row number", id.into(), texts.into()));
    }
}

#[test]
fn an_absent_text_where_one_is_required() {
    let forged = sample().set(SectionKind::Info, 0, "repository_name", u32::MAX);
    let bundle = forged.open().unwrap();
    let read = bundle.info().unwrap().repository_name();
    let problem = too_large("row number", u32::MAX.into(), sample().rows(ENDS).into());
    assert_refused(read, at_row(&forged, ENDS, 0), problem);
}

#[test]
fn a_text_that_ends_before_it_begins() {
    // Every second text could so be the whole section, and each look at one would cost that much.
    let forged = sample().set(ENDS, 10, "end", 0);
    let bundle = forged.open().unwrap();
    assert_refused(bundle.string(10).map(drop), at_row(&forged, ENDS, 10), not_ascending("ends"));
    assert_refused(bundle.verify_deep(), at_row(&forged, ENDS, 10), not_ascending("ends"));
}

#[test]
fn a_text_that_reaches_beyond_all_texts() {
    let length = sample().length(SectionKind::StringBytes);
    let last = sample().rows(ENDS) - 1;
    let forged = sample().set(ENDS, last, "end", length as u32 + 1);
    let bundle = forged.open().unwrap();
    let place = (Area::Section(SectionKind::StringBytes), forged.start(SectionKind::StringBytes));
    let problem = too_large("end of a byte range", length + 1, length);
    assert_refused(bundle.string(last).map(drop), place, problem);
}

#[test]
fn bytes_that_no_text_has() {
    let length = sample().length(SectionKind::StringBytes);
    let forged = sample().add(ENDS, sample().rows(ENDS) - 1, "end", -1);
    let bundle = forged.open().unwrap();
    assert_refused(
        bundle.verify_deep(),
        at_row(&forged, ENDS, 0),
        unexpected("last end", length - 1, length),
    );
}

#[test]
fn a_text_that_is_not_utf_8() {
    let forged = sample();
    let id = forged.get(SectionKind::Glossary, 0, "description");
    let at = forged.get(ENDS, id - 1, "end");
    let byte = forged.start(SectionKind::StringBytes) + u64::from(at) + 3;
    let forged = forged.put(byte, &[0xff]);
    let bundle = forged.open().unwrap();
    let place = (Area::Section(SectionKind::StringBytes), byte);
    assert_refused(bundle.term(0).unwrap().description(), place, Problem::NotUtf8);
    assert_refused(bundle.verify_deep(), place, Problem::NotUtf8);
}

#[test]
fn a_text_cut_within_a_character() {
    let forged = sample();
    let bytes = forged.bytes(SectionKind::StringBytes);
    let at = bytes.windows(2).position(|pair| pair == "θ".as_bytes()).unwrap() as u32;
    // The text that holds it ends after its first byte.
    let id = (0..forged.rows(ENDS)).find(|id| forged.get(ENDS, *id, "end") > at).unwrap();
    let place =
        (Area::Section(SectionKind::StringBytes), forged.start(SectionKind::StringBytes) + u64::from(at));
    let forged = forged.set(ENDS, id, "end", at + 1);
    assert_refused(forged.open().unwrap().string(id).map(drop), place, Problem::NotUtf8);
}

#[test]
fn a_text_of_megabytes_that_many_rows_could_name() {
    let length = sample().length(SectionKind::StringBytes) as usize;
    let last = sample().rows(ENDS) - 1;
    let begins = sample().get(ENDS, last - 1, "end");
    let text = 1 << 20;
    let longest = sample().resize(SectionKind::StringBytes, length + text + 1).set(
        ENDS,
        last,
        "end",
        begins + text as u32,
    );
    assert_eq!(longest.open().unwrap().string(last).unwrap().len(), text);
    let forged = longest.add(ENDS, last, "end", 1);
    let problem = too_large("length of a text", text as u64 + 1, text as u64);
    assert_refused(forged.open().unwrap().string(last).map(drop), at_row(&forged, ENDS, last), problem);
}

#[test]
fn a_name_too_long_to_be_asked_for() {
    let length = sample().length(SectionKind::StringBytes) as usize;
    let last = sample().rows(ENDS) - 1;
    let begins = sample().get(ENDS, last - 1, "end");
    let longest = sample()
        .resize(SectionKind::StringBytes, length + 8193)
        .set(ENDS, last, "end", begins + 8192)
        .set(SectionKind::Symbols, 3, "name", last);
    let first = longest.open().unwrap().first_symbol().unwrap();
    assert_eq!(longest.open().unwrap().document(first + 3).unwrap().name().unwrap().len(), 8192);
    let forged = longest.add(ENDS, last, "end", 1);
    let bundle = forged.open().unwrap();
    let read = bundle.document(first + 3).unwrap().name();
    assert_refused(read, at_row(&forged, ENDS, last), too_large("length of a name", 8193, 8192));
}

#[test]
fn evidence_beyond_all_evidence() {
    let rows = sample().rows(SectionKind::Evidence);
    let forged = sample().set(SectionKind::Glossary, 0, "evidence_count", u32::MAX);
    let bundle = forged.open().unwrap();
    let problem = too_large("end of a row range", u32::MAX.into(), rows.into());
    let place = at_row(&forged, SectionKind::Evidence, 0);
    assert_refused(all(bundle.term(0).unwrap().evidence()), place, problem);
}

#[test]
fn a_range_that_wraps_round() {
    let rows = sample().rows(SectionKind::Steps);
    let forged = sample().set(SectionKind::Flows, 1, "steps_first", u32::MAX).set(
        SectionKind::Flows,
        1,
        "steps_count",
        2,
    );
    let bundle = forged.open().unwrap();
    let problem = too_large("end of a row range", u64::from(u32::MAX) + 2, rows.into());
    let read = bundle.flow(1).unwrap().steps().map(drop);
    assert_refused(read, at_row(&forged, SectionKind::Steps, 0), problem);
}
