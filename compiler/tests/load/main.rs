//! What loading a directory finds: every case spoils a small sound directory and names each finding by hand.

// Helpers outside test functions unwrap as the tests do.
#![allow(clippy::unwrap_used, clippy::panic)]

mod base;
mod capped;
mod citations;
mod directory;
mod hostile;
mod json;
mod published;
mod sound;
mod structure;
mod values;
