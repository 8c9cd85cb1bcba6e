//! Consistent and hostile: bundles whose hashes are right and one field of which was changed to do harm. Each test is one
//! such file and says what it is after; what comes of it is a typed error that names section and offset.
//!
//! Crafted dictionary shards, byte by byte, are among the dictionary's own tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod children;
mod dictionaries;
mod facts;
mod forgery;
mod names;
mod opening;
mod originals;
mod postings;
#[path = "../common/seal.rs"]
mod seal;
mod texts;

/// Every section has rows; its body has two groups.
const SAMPLE: &[u8] = include_bytes!("../../../fixtures/sample.ompack");
/// Several shards a dictionary, several blocks a list.
const WIDE: &[u8] = include_bytes!("../../../fixtures/golden/wide.ompack");

fn sample() -> forgery::Forgery {
    forgery::Forgery::of(SAMPLE)
}

fn wide() -> forgery::Forgery {
    forgery::Forgery::of(WIDE)
}

#[test]
fn what_is_forged_without_a_change_is_the_good_file() {
    for good in [SAMPLE, WIDE] {
        let forgery = forgery::Forgery::of(good);
        assert!(forgery.file() == good);
        forgery.open().unwrap().verify_deep().unwrap();
    }
    let longer = sample().resize(openmind_pack_format::SectionKind::FrameBytes, 100_000);
    longer.open().unwrap().verify().unwrap();
}
