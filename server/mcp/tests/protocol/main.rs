//! The server as a client sees it: raw lines in, raw lines out, in one process.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should fail loudly"
)]

mod calls;
mod catalogue;
mod hostile;
mod openings;
mod schemas;
mod support;
