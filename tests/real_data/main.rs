//! Real `.openmind` directories through the built program, and an oracle that shares no code with it.
//!
//! `OPENMIND_PACK_DATA` names a directory with one `NAME/.openmind` for each repository. Without it the checks are
//! skipped, loudly. `OPENMIND_PACK_DATA_MAX_MB` (12 where unset) leaves larger ones out.
//!
//! The oracle reads the input as plain `serde_json::Value` and computes answers from the published contract alone; it
//! may be slow and take memory, but it has to be obvious. docs/verification/real-data.md has the full run.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should fail loudly"
)]

mod artifacts;
mod asking;
mod checks;
mod determinism;
mod directories;
mod disagreements;
mod invented;
mod mixed;
mod oracle;
mod program;
mod questions;
mod random;
mod roundtrip;
mod sample;
mod session;
mod table;
mod torn;
