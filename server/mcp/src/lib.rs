//! Serves the engine's operations over the Model Context Protocol.
//!
//! ```text
//!   stdin ─> transport ─> rmcp ─> Server ─> engine operation ─> answer ─> stdout
//!            (lines,                 │
//!             envelopes,             ├─ BundleSource: which bundle, and is it still the same?
//!             turns)                 └─ Telemetry: JSON lines on stderr
//! ```
//!
//! The knowledge is the engine's: an answer's text block and its structured content are the bytes that the engine's
//! [`Answer::to_json`](openmind_pack_engine::ops::Answer::to_json) gives. Where the bundle comes from is the
//! caller's: it implements [`BundleSource`].

#![forbid(unsafe_code)]

mod calls;
mod envelope;
mod server;
mod source;
mod stdio;
mod telemetry;
mod tools;
mod transport;

pub use openmind_pack_format::schemas::ToolSchemas;
pub use server::{INSTRUCTIONS, Server, Settings};
pub use source::{BundleSource, Served, SourceError};
pub use stdio::{ServeError, serve_on, serve_stdio};
pub use telemetry::{LogLevel, Telemetry, UnknownLogLevel};
pub use transport::MAX_MESSAGE_BYTES;
