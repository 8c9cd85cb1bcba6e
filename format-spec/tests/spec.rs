//! SPEC.md and the code say the same.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use openmind_pack_format::layout::{entry, header, trailer};
use openmind_pack_format::{ROW_LAYOUTS, SectionKind, scoring};

const SPEC: &str = include_str!("../SPEC.md");

/// Rows of the first table behind a heading, cells trimmed.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let start = SPEC.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no heading {heading}"));
    let lines = SPEC[start + heading.len() + 2..].lines();
    let rows: Vec<&str> =
        lines.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).collect();
    let cells =
        |row: &&'static str| row.trim_matches('|').split('|').map(|cell| cell.trim_matches(' ')).collect();
    rows.iter().skip(2).map(cells).collect()
}

/// Offsets and fields of a table whose rows are `offset | bytes | field | …`, and its end.
fn fields(heading: &str) -> (BTreeMap<&'static str, usize>, usize) {
    let mut end = 0;
    let mut offsets = BTreeMap::new();
    for row in table(heading) {
        let offset: usize = row[0].parse().unwrap();
        assert_eq!(offset, end, "{heading}: {} begins where the field before ends", row[2]);
        end = offset + row[1].parse::<usize>().unwrap();
        assert!(offsets.insert(row[2], offset).is_none(), "{heading}: {} stands twice", row[2]);
    }
    (offsets, end)
}

macro_rules! assert_layout {
    ($heading:literal, $module:ident: $($field:ident)*) => {
        let (found, end) = fields($heading);
        let expected = BTreeMap::from([$((stringify!($field), $module::$field),)*]);
        assert_eq!(found, expected);
        assert_eq!(end, $module::SIZE);
    };
}

#[test]
fn the_fixed_parts_are_laid_out_as_the_spec_says() {
    assert_layout!("### Header", header: MAGIC FORMAT_VERSION MIN_READER_VERSION ANALYZER_ID GROUP_LOG BODY_LENGTH
        FILE_LENGTH TABLE_OFFSET SECTION_COUNT RESERVED_A KNOWLEDGE_HASH RESERVED_B);
    assert_layout!("### Section table", entry: KIND VERSION ROW_SIZE ROW_COUNT OFFSET LENGTH);
    assert_layout!("### Trailer", trailer: CONTENT_HASH BODY_LENGTH LIST_LENGTH FILE_LENGTH RESERVED MAGIC);
}

#[test]
fn the_spec_lists_every_section_and_no_other() {
    let listed: Vec<(u32, String)> = table("## Sections")
        .iter()
        .map(|row| (row[0].parse().unwrap(), row[1].trim_matches('`').to_owned()))
        .collect();
    let known: Vec<(u32, String)> =
        SectionKind::ALL.iter().map(|kind| (kind.code(), kind.name().to_owned())).collect();
    assert_eq!(listed, known);
}

#[test]
fn rows_are_laid_out_as_the_spec_says() {
    let described = SPEC.lines().filter(|line| line.starts_with("#### `")).count();
    assert_eq!(described, ROW_LAYOUTS.len());
    for (kind, size, layout) in ROW_LAYOUTS {
        let rows = table(&format!("#### `{}` ({})", kind.name(), kind.code()));
        let listed: Vec<(&str, usize)> = rows.iter().map(|row| (row[1], row[0].parse().unwrap())).collect();
        assert_eq!(&listed, layout, "{kind}");
        assert_eq!(*size as usize, layout.len() * 4, "{kind}");
    }
}

#[test]
fn field_weights_are_the_ones_in_the_spec() {
    let rows = table("### Impacts");
    assert_eq!(rows.len(), scoring::Field::ALL.len());
    for (row, field) in rows.iter().zip(scoring::Field::ALL) {
        let name = row[0].split(':').next().unwrap();
        assert_eq!(name, format!("{field:?}"));
        assert_eq!(row[1].parse(), Ok(field.weight()), "{name}");
        assert_eq!(row[2].parse(), Ok(field.length_share()), "{name}");
    }
}

#[test]
fn low_priority_lists_are_the_ones_in_the_spec() {
    let list = |from: &str, to: &str| -> Vec<&str> {
        let start = SPEC.find(from).unwrap() + from.len();
        let text = &SPEC[start..start + SPEC[start..].find(to).unwrap()];
        text.split('`').skip(1).step_by(2).collect()
    };
    let segments = list("has a directory segment of this list:", ";\nor where");
    assert_eq!(segments, scoring::LOW_PRIORITY_SEGMENTS);
    let endings = list("or ends with one of:", "\n\n");
    assert_eq!(endings, scoring::LOW_PRIORITY_ENDINGS);
}
