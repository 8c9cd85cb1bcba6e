//! What an openmind-pack bundle is: layout, hashes, dictionaries, postings and text analysis.
//!
//! A bundle is one immutable file, `*.ompack`, compiled from a `.openmind` directory and named by the BLAKE3 hash of
//! its body. [`Bundle`] opens one without parsing or copying it, and checks every byte against that hash before the
//! byte is used. [`BundleWriter`] lays one out. `SPEC.md` beside this crate is normative.

mod backing;
mod bundle;
mod error;
mod groups;
mod guard;
mod hash;
mod knowledge;
mod originals;
mod rows;
mod section;
mod views;
mod writer;

pub mod analyzer;
pub mod dictionary;
pub mod layout;
pub mod postings;
pub mod schemas;
pub mod scoring;

pub use backing::read_aligned;
pub use bundle::{Bundle, Dictionary, Inventory, OpenOptions, Rows, Verification, Verified};
pub use error::{Area, OpenError, Problem, ReadError};
pub use hash::{ContentHash, HashParseError, KnowledgeHash};
pub use knowledge::{Facts, Table, knowledge_hash};
pub use layout::{FORMAT_VERSION, Header};
pub use originals::{FRAME_INPUT_BYTES, ZSTD_LEVEL, compress_frame};
pub use rows::*;
pub use section::{MAX_SECTION_BYTES, SectionKind};
pub use views::{
    Artifact, ArtifactKind, Component, Confidence, Document, DocumentKind, Evidence, Facet, File, Flow, Info,
    Layer, Step, Symbol, Term,
};
pub use writer::{BundleWriter, WriteError, Written};
