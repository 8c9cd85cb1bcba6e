//! Compiles a .openmind directory into the bytes of a bundle.
//!
//! The way of a fact so far: [`input`] reads files, [`load`](load()) parses and checks them into a [`model`], and [`findings`] say what is wrong.

#![forbid(unsafe_code)]

mod compile;
mod error;
mod names;
mod originals;
mod progress;
mod publish;
mod redact;
mod shards;
mod tables;
mod terms;

pub mod findings;
pub mod input;
pub mod intern;
pub mod limits;
mod load;
pub mod model;

pub use compile::{Compiled, Counts, Options, compile};
pub use error::{BuildError, CompileError};
pub use findings::{Finding, Severity};
pub use input::Input;
pub use load::{Loaded, load, load_within};
pub use progress::{Progress, Silent, Stage};
pub use publish::{PublishError, Step, TargetError, output_target, publish};
