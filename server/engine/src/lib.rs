//! Answers questions from a bundle: pure, synchronous, deterministic.
//!
//! [`ops`] is the catalogue of questions. The command line and the MCP server are thin loops over it, so both
//! say the same, byte for byte.

#![forbid(unsafe_code)]

mod claim;
mod search;
mod suggest;
#[cfg(test)]
mod testing;

pub mod ops;

pub use openmind_pack_format::Bundle;
