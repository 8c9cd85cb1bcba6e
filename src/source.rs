//! Bundles for the server: one that stays, and one that follows its file.

mod followed;
mod opened;
mod refusal;
mod watch;
mod watched;

use std::sync::Arc;

use openmind_pack_mcp::{BundleSource, Served, SourceError};

pub(crate) use followed::Followed;
pub(crate) use watch::Watch;
pub(crate) use watched::Watched;

/// A bundle in memory: the built-in sample, or a directory compiled at the start.
pub(crate) struct Constant(Arc<Served>);

impl Constant {
    /// Serves `served` for ever.
    pub(crate) fn new(served: Served) -> Self {
        Self(Arc::new(served))
    }
}

impl BundleSource for Constant {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        Ok(Arc::clone(&self.0))
    }

    /// Nobody else can write to this process's memory.
    fn unchanged(&self, _: &Served) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
