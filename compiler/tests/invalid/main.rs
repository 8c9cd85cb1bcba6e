//! Bad directories: each case of `fixtures/openmind-invalid` and each that has to be made at test time, with all that is found in it, written by hand.

// Helpers outside test functions unwrap as the tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cases;
mod coverage;
mod directory;
mod expected;
mod large;
mod made;
