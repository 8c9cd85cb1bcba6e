//! Damage anywhere is found, and nothing panics on it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use openmind_pack_format::{Area, Bundle, OpenError, OpenOptions, ReadError, SectionKind};

const SAMPLE: &[u8] = include_bytes!("../../fixtures/sample.ompack");

fn verify(bytes: &[u8]) -> Result<(), OpenError> {
    Ok(Bundle::from_slice(bytes, None)?.verify()?)
}

#[test]
fn the_sample_is_whole() {
    verify(SAMPLE).unwrap();
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    let mut bytes = SAMPLE.to_vec();
    // Every byte of the fixed parts and the list, and a sample of the rest; another bit each time.
    let body = Bundle::from_slice(SAMPLE, None).unwrap().header().body_length as usize;
    let tail = body..SAMPLE.len();
    let positions = (0..2048).chain((2048..body).step_by(211)).chain(tail);
    for (index, at) in positions.enumerate() {
        let bit = 1 << (index % 8);
        bytes[at] ^= bit;
        assert!(verify(&bytes).is_err(), "bit {bit:#x} of byte {at}");
        bytes[at] ^= bit;
    }
}

#[test]
fn a_truncated_or_extended_file_is_refused() {
    let lengths: Vec<usize> = (0..400).chain((400..SAMPLE.len()).step_by(997)).collect();
    for length in lengths {
        assert!(Bundle::from_slice(&SAMPLE[..length], None).is_err(), "{length} bytes");
    }
    let mut longer = SAMPLE.to_vec();
    longer.push(0);
    assert!(matches!(Bundle::from_slice(&longer, None), Err(OpenError::Length { .. })));
}

#[test]
fn damage_is_found_when_it_is_touched_and_named_by_section_and_offset() {
    // The sample's body has two groups. A byte of the second is found when that group is touched, not at open.
    let mut bytes = SAMPLE.to_vec();
    bytes[65_536 + 100] ^= 1;
    let bundle = Bundle::from_slice(&bytes, None).unwrap();
    assert_eq!(bundle.info().unwrap().repository_name().unwrap(), "fernhouse");
    match bundle.verify() {
        // The last section of a bundle reaches to its end.
        Err(ReadError::Damaged { area: Area::Section(SectionKind::BlockBytes), offset: 65_536 }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_bundle_is_told_by_its_first_bytes() {
    let message = |bytes: &[u8]| Bundle::from_slice(bytes, None).unwrap_err().to_string();
    assert!(message(b"").contains("it is empty"));
    assert!(message(b"{\"schemaVersion\": \"1.1.0\"}").contains("has to be built first"));
    assert!(message(b"PK\x03\x04").contains("zip"));
    assert!(message(b"\x1f\x8b\x08").contains("gzip"));
    assert!(message(b"\x28\xb5\x2f\xfd").contains("zstd"));
    assert!(message(b"\x09OMP\r\n\x1a\n").contains("high bits"));
    let mut text_mode = SAMPLE.to_vec();
    text_mode.remove(4);
    assert!(message(&text_mode).contains("line ends"));
    let mut newer = SAMPLE.to_vec();
    newer[12] = 7;
    assert!(message(&newer).contains("needs a reader of format 7"));
}

#[test]
fn another_hash_than_expected_is_refused() {
    let hash = Bundle::from_slice(SAMPLE, None).unwrap().content_hash();
    assert!(Bundle::from_slice(SAMPLE, Some(hash)).is_ok());
    let other = "00".repeat(32).parse().unwrap();
    let error = Bundle::from_slice(SAMPLE, Some(other)).unwrap_err();
    assert!(matches!(error, OpenError::UnexpectedHash { found, .. } if found == hash));
}

#[test]
fn a_bundle_is_a_regular_file() {
    let error = Bundle::open(std::path::Path::new("."), OpenOptions::default()).unwrap_err();
    assert!(matches!(error, OpenError::NotABundle { reason: "it is not a regular file" }), "{error}");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/sample.ompack");
    for mmap in [true, false] {
        let bundle = Bundle::open(&path, OpenOptions { mmap, expect: None }).unwrap();
        assert_eq!(bundle.file_length(), SAMPLE.len() as u64);
        assert!(format!("{bundle:?}").contains(&bundle.content_hash().to_string()));
        // What is mapped isn't given away; the sample is too large to be read where it can be mapped.
        assert_eq!(bundle.into_aligned().as_deref(), if mmap { None } else { Some(SAMPLE) });
    }
    let missing = Bundle::open(std::path::Path::new("no/such.ompack"), OpenOptions::default()).unwrap_err();
    assert!(matches!(missing, OpenError::Io { .. }), "{missing}");
}
