//! Bundles whose hash is right and whose content was made to do harm.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use openmind_pack_format::layout::{entry, trailer};
use openmind_pack_format::{Area, Bundle, OpenError, Problem, ReadError, SectionKind};

const EMPTY: &[u8] = include_bytes!("../../fixtures/golden/empty.ompack");

/// Puts a number into a field of a section's table entry, and hashes the body anew: it is one group.
fn forge(kind: SectionKind, field: usize, value: u32) -> Vec<u8> {
    let mut bytes = EMPTY.to_vec();
    let at = (0..)
        .map(|index| 128 + index * 32)
        .find(|at| bytes[*at..][..4] == kind.code().to_le_bytes())
        .unwrap();
    bytes[at + field..][..4].copy_from_slice(&value.to_le_bytes());
    let body = bytes.len() - trailer::SIZE;
    let hash = blake3::hash(&bytes[..body]);
    bytes[body..][..32].copy_from_slice(hash.as_bytes());
    bytes
}

#[test]
fn rows_of_no_size_are_refused_before_their_number_is_believed() {
    let mut bytes = forge(SectionKind::NameShards, entry::ROW_COUNT, u32::MAX);
    assert!(Bundle::from_slice(&bytes, None).is_err(), "the length does not fit");
    bytes = forge(SectionKind::NameShards, entry::ROW_SIZE, 0);
    match Bundle::from_slice(&bytes, None) {
        Err(OpenError::Read(ReadError::Malformed { area: Area::SectionTable, problem, .. })) => {
            assert_eq!(problem, Problem::Unexpected { what: "row size", found: 0, expected: 1 });
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_section_of_another_version_is_refused_when_it_is_used() {
    for kind in [SectionKind::StringBytes, SectionKind::Info] {
        let bundle = Bundle::from_slice(&forge(kind, entry::VERSION, 2), None).unwrap();
        match bundle.info().and_then(|info| info.repository_name()) {
            Err(ReadError::Malformed { area, problem, .. }) => {
                assert_eq!(area, Area::Section(kind));
                assert_eq!(problem, Problem::SectionVersion { found: 2, known: 1 });
            }
            other => panic!("{other:?}"),
        }
    }
}
