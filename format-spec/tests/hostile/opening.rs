//! Header, section table and trailer.

use openmind_pack_format::layout::{entry, header, trailer};
use openmind_pack_format::{Area, OpenError, Problem, SectionKind};

use crate::forgery::{Forgery, assert_not_opened, assert_refused, not_ascending, too_large, unexpected};
use crate::sample;

/// The table's entry for a section, and a field of it.
fn table(forgery: &Forgery, kind: SectionKind, field: usize) -> (Area, u64) {
    (Area::SectionTable, forgery.entry(kind) + field as u64)
}

fn in_header(field: usize) -> (Area, u64) {
    (Area::Header, field as u64)
}

#[test]
fn a_header_with_another_body_length_than_the_trailer() {
    let body = u64::from(u32::from_le_bytes(crate::SAMPLE[24..28].try_into().unwrap()));
    let forged = sample().put(header::BODY_LENGTH as u64, &(body - 64).to_le_bytes());
    assert_not_opened(&forged, in_header(header::BODY_LENGTH), unexpected("body length", body - 64, body));
}

#[test]
fn a_header_that_says_the_file_is_longer() {
    let length = crate::SAMPLE.len() as u64;
    let forged = sample().put(header::FILE_LENGTH as u64, &u64::MAX.to_le_bytes());
    assert_not_opened(&forged, in_header(header::FILE_LENGTH), unexpected("file length", u64::MAX, length));
}

#[test]
fn a_section_table_somewhere_else() {
    let forged = sample().put(header::TABLE_OFFSET as u64, &4096_u64.to_le_bytes());
    let problem = unexpected("offset of the section table", 4096, 128);
    assert_not_opened(&forged, in_header(header::TABLE_OFFSET), problem);
}

#[test]
fn groups_of_another_size() {
    let forged = sample().put(header::GROUP_LOG as u64, &63_u32.to_le_bytes());
    assert_not_opened(&forged, in_header(header::GROUP_LOG), unexpected("group size (log2)", 63, 16));
}

#[test]
fn something_hidden_in_the_header() {
    for (at, named) in [
        (header::RESERVED_A, header::RESERVED_A),
        (header::RESERVED_A + 11, header::RESERVED_A),
        (header::RESERVED_B, header::RESERVED_B),
        (header::SIZE - 1, header::RESERVED_B),
    ] {
        assert_not_opened(&sample().put(at as u64, &[1]), in_header(named), Problem::ReservedNotZero);
    }
}

#[test]
fn a_format_of_the_future() {
    let forged = sample().put(header::MIN_READER_VERSION as u64, &1_u32.to_le_bytes());
    match forged.open() {
        Err(OpenError::NewerFormat { found: 0, needed: 1, known: 0 }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn more_sections_than_fit_the_first_group() {
    let forged = sample().put(header::SECTION_COUNT as u64, &2045_u32.to_le_bytes());
    let problem = too_large("number of sections", 2045, 2044);
    assert_not_opened(&forged, (Area::SectionTable, 128), problem);
}

#[test]
fn as_many_sections_as_fit_are_looked_at() {
    // So many entries reach to the end of the first group, and over the first section.
    let forged = sample().put(header::SECTION_COUNT as u64, &2044_u32.to_le_bytes());
    let problem = unexpected("section offset", sample().start(SectionKind::Info), 65_536);
    assert_not_opened(&forged, (Area::SectionTable, 128 + entry::OFFSET as u64), problem);
}

#[test]
fn a_section_of_the_longest_length_still_has_to_fit() {
    let kind = SectionKind::FrameBytes;
    let longest = (1_u32 << 31) - 1;
    let forged =
        sample().entry_field(kind, entry::LENGTH, longest).entry_field(kind, entry::ROW_COUNT, longest);
    let body = u64::from(u32::from_le_bytes(crate::SAMPLE[24..28].try_into().unwrap()));
    let problem = too_large("end of a section", forged.start(kind) + u64::from(longest), body);
    assert_not_opened(&forged, table(&forged, kind, entry::LENGTH), problem);
}

#[test]
fn an_empty_section_may_begin_where_the_body_ends() {
    let kind = SectionKind::BlockBytes;
    let body = u32::from_le_bytes(crate::SAMPLE[24..28].try_into().unwrap());
    let forged = sample()
        .entry_field(kind, entry::OFFSET, body)
        .entry_field(kind, entry::LENGTH, 0)
        .entry_field(kind, entry::ROW_COUNT, 0);
    let bundle = forged.open().unwrap();
    bundle.verify().unwrap();
    assert_eq!(bundle.inventory().last().map(|last| (last.kind, last.rows, last.length)), Some((kind, 0, 0)));
}

#[test]
fn a_section_that_comes_twice() {
    let forged = sample().entry_field(SectionKind::Steps, entry::KIND, SectionKind::Flows.code());
    let second = forged.entry(SectionKind::Flows) + 32;
    assert_not_opened(&forged, (Area::SectionTable, second), not_ascending("section kinds"));
}

#[test]
fn sections_of_no_kind() {
    let forged = sample().entry_field(SectionKind::Info, entry::KIND, 0);
    assert_not_opened(&forged, (Area::SectionTable, 128), not_ascending("section kinds"));
}

#[test]
fn a_section_of_more_than_two_gibibytes() {
    let kind = SectionKind::FrameBytes;
    let forged = sample().entry_field(kind, entry::LENGTH, 1 << 31);
    let problem = too_large("section length", 1 << 31, (1 << 31) - 1);
    assert_not_opened(&forged, table(&forged, kind, entry::LENGTH), problem);
}

#[test]
fn a_section_over_the_one_before_it() {
    let kind = SectionKind::Evidence;
    let (start, end) = (sample().start(SectionKind::StringEnds), sample().start(kind));
    let forged = sample().entry_field(kind, entry::OFFSET, start as u32);
    let problem = unexpected("section offset", start, end);
    assert_not_opened(&forged, table(&forged, kind, entry::OFFSET), problem);
}

#[test]
fn a_section_over_the_table() {
    let kind = SectionKind::Info;
    let start = sample().start(kind);
    let forged = sample().entry_field(kind, entry::OFFSET, 128);
    let problem = unexpected("section offset", 128, start);
    assert_not_opened(&forged, table(&forged, kind, entry::OFFSET), problem);
}

#[test]
fn a_section_whose_rows_are_not_aligned() {
    let kind = SectionKind::Evidence;
    let start = sample().start(kind);
    let forged = sample().entry_field(kind, entry::OFFSET, start as u32 + 4);
    let problem = unexpected("section offset", start + 4, start);
    assert_not_opened(&forged, table(&forged, kind, entry::OFFSET), problem);
}

#[test]
fn a_section_that_begins_beyond_the_body() {
    let kind = SectionKind::BlockBytes;
    let forged = sample();
    let (at, start) = (forged.entry(kind) + entry::OFFSET as u64, forged.start(kind));
    let far = u64::MAX - 63;
    let forged = forged.put(at, &far.to_le_bytes());
    assert_not_opened(&forged, (Area::SectionTable, at), unexpected("section offset", far, start));
}

#[test]
fn a_section_that_reaches_beyond_the_body() {
    let kind = SectionKind::BlockBytes;
    let forged = sample();
    let (start, length) = (forged.start(kind), forged.length(kind) as u32 + 64);
    let body = u64::from(u32::from_le_bytes(crate::SAMPLE[24..28].try_into().unwrap()));
    let forged = forged.entry_field(kind, entry::LENGTH, length).entry_field(kind, entry::ROW_COUNT, length);
    let problem = too_large("end of a section", start + u64::from(length), body);
    assert_not_opened(&forged, table(&forged, kind, entry::LENGTH), problem);
}

#[test]
fn rows_of_no_size_of_which_there_may_be_any_number() {
    let kind = SectionKind::NameShards;
    let forged = sample().entry_field(kind, entry::ROW_SIZE, 0).entry_field(kind, entry::ROW_COUNT, u32::MAX);
    assert_not_opened(&forged, table(&forged, kind, entry::ROW_SIZE), unexpected("row size", 0, 1));
}

#[test]
fn four_billion_rows_in_a_few_bytes() {
    let kind = SectionKind::NameShards;
    let forged = sample().entry_field(kind, entry::ROW_COUNT, u32::MAX);
    let problem = unexpected("section length", 36, u64::from(u32::MAX) * 28 + 8);
    assert_not_opened(&forged, table(&forged, kind, entry::LENGTH), problem);
}

#[test]
fn a_missing_section_is_missed_when_it_is_used() {
    let last = SectionKind::BlockBytes;
    let forged = sample().entry_field(last, entry::KIND, 1000);
    let bundle = forged.open().unwrap();
    bundle.info().unwrap().repository_name().unwrap();
    assert_refused(bundle.verify_deep(), (Area::Section(last), 128), Problem::Missing);
}

#[test]
fn a_layout_of_the_future_is_refused_when_it_is_used() {
    for kind in [SectionKind::StringBytes, SectionKind::Info] {
        let forged = sample().entry_field(kind, entry::VERSION, 2);
        let read = forged.open().unwrap();
        let read = read.info().and_then(|info| info.repository_name());
        let problem = Problem::SectionVersion { found: 2, known: 1 };
        assert_refused(read, (Area::Section(kind), forged.start(kind)), problem);
    }
}

#[test]
fn rows_cut_another_way() {
    // Eleven rows of 16 bytes become 44 of 4: the length fits and the fields are others.
    let kind = SectionKind::Symbols;
    let count = sample().rows(kind) * 4;
    let forged = sample().entry_field(kind, entry::ROW_SIZE, 4).entry_field(kind, entry::ROW_COUNT, count);
    let bundle = forged.open().unwrap();
    let place = (Area::Section(kind), forged.start(kind));
    assert_refused(bundle.symbol(0).map(drop), place, unexpected("row size", 4, 16));
}

#[test]
fn plain_bytes_that_call_themselves_rows() {
    // Rows and a footer where bytes should be, so that the length fits.
    let kind = SectionKind::StringBytes;
    let bytes = sample().length(kind) as u32 - 8;
    let size = (2..).find(|size| bytes.is_multiple_of(*size)).unwrap();
    let forged =
        sample().entry_field(kind, entry::ROW_SIZE, size).entry_field(kind, entry::ROW_COUNT, bytes / size);
    let bundle = forged.open().unwrap();
    let place = (Area::Section(kind), forged.start(kind));
    assert_refused(bundle.string(0).map(drop), place, unexpected("row size", size.into(), 1));
}

#[test]
fn a_footer_that_points_to_other_rows() {
    let kind = SectionKind::Evidence;
    let rows = sample().rows(kind) * 12;
    let at = sample().start(kind) + u64::from(rows);
    for (offset, found) in [(0_i32, 0_u64), (-12, 12), (i32::MIN, 1 << 31), (rows as i32, rows.into())] {
        let forged = sample().put(at, &offset.to_le_bytes());
        let place = (Area::Section(kind), forged.start(kind));
        let problem = unexpected("way back from the footer to the rows", found, rows.into());
        let bundle = forged.open().unwrap();
        assert_refused(bundle.rows::<openmind_pack_format::EvidenceRow>().map(drop), place, problem);
    }
}

#[test]
fn a_footer_that_counts_more_rows_than_the_table() {
    let kind = SectionKind::Evidence;
    let rows = sample().rows(kind);
    let forged = sample().put(sample().start(kind) + u64::from(rows) * 12 + 4, &u32::MAX.to_le_bytes());
    let place = (Area::Section(kind), forged.start(kind));
    let problem = unexpected("number of rows in the footer", u32::MAX.into(), rows.into());
    let bundle = forged.open().unwrap();
    assert_refused(bundle.rows::<openmind_pack_format::EvidenceRow>().map(drop), place, problem);
}

#[test]
fn trailers_that_do_not_add_up() {
    for (field, value, said) in [
        (trailer::FILE_LENGTH, 1 << 40, "states another length"),
        (trailer::BODY_LENGTH, 1 << 40, "impossible body length"),
        (trailer::BODY_LENGTH, 64, "impossible body length"),
        (trailer::BODY_LENGTH, 65_537, "impossible body length"),
        (trailer::LIST_LENGTH, 0, "does not fit its body"),
        (trailer::LIST_LENGTH, u64::MAX, "does not fit its body"),
        (trailer::BODY_LENGTH, 131_072 - 65_536 + 64, "do not add up"),
        (trailer::RESERVED, 1, "does not end with a trailer"),
        (trailer::MAGIC, 1, "does not end with a trailer"),
    ] {
        match sample().trailer(field, &u64::to_le_bytes(value)).open() {
            Err(error @ OpenError::Length { .. }) => {
                assert!(error.to_string().contains(said), "{error} at {field}");
            }
            other => panic!("{other:?} at {field}"),
        }
    }
}

#[test]
fn something_hidden_between_sections() {
    let kind = SectionKind::StringBytes;
    let at = sample().start(kind) + sample().length(kind);
    assert!(!at.is_multiple_of(64), "there is padding");
    let forged = sample().put(at + 1, &[1]);
    let bundle = forged.open().unwrap();
    assert_refused(bundle.verify_deep(), (Area::Body, at), Problem::ReservedNotZero);
}
