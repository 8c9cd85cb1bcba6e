//! Damage: every flipped bit, every truncation and every zeroed window of small bundles, and sampled mutations of any other.
//! `verify` finds each, and a question is answered as by the good bundle or not at all.
//!
//! `OPENMIND_PACK_MUTATE=FILE` mutates that bundle as often as `OPENMIND_PACK_MUTATIONS` says (1,000); run it with
//! `cargo test --release --test damage -- --nocapture sampled`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod exhaustive;
mod oracle;
mod sampled;

/// Two groups; every section has rows.
const SAMPLE: &[u8] = include_bytes!("../../fixtures/sample.ompack");
/// One group.
const EMPTY: &[u8] = include_bytes!("../../fixtures/golden/empty.ompack");
/// Seven groups.
const WIDE: &[u8] = include_bytes!("../../fixtures/golden/wide.ompack");
