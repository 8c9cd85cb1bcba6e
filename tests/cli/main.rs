//! Black-box tests of the built program: what a person, a script or an agent sees of it.

#![allow(
    clippy::expect_used,
    reason = "a test that can't set up its case has failed; clippy knows only the test functions"
)]

#[path = "../common/mod.rs"]
mod common;

mod build;
mod craft;
mod demo;
mod determinism;
mod findings;
mod output;
mod questions;
#[path = "../real_data/random.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random;
#[path = "../../format-spec/tests/common/seal.rs"]
mod seal;
mod select;
mod serve;
mod trust;
mod unpack;
mod verify;
#[cfg(unix)]
mod writer;
