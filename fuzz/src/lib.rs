//! What each fuzz target does with an input, and what has to hold then. A target panics where something doesn't hold.
//!
//! libFuzzer turns every panic into a crash, caught or not, so that a panic which the product would turn into an error
//! is a finding too. `tests/seeds.rs` runs the same functions on the committed seeds without libFuzzer.

pub mod analyzer;
pub mod base;
pub mod loader;
#[cfg(feature = "server")]
pub mod mcp_line;
pub mod reader;
pub mod script;
