//! Where the served bundle comes from.

use std::sync::Arc;

use openmind_pack_engine::Bundle;

/// Hands out the bundle to answer from. Implemented by the program, which knows paths, caches and replacements.
pub trait BundleSource: Send + Sync {
    /// The bundle for one call. It is asked before every call, so a bundle that was replaced on disk can be
    /// followed without a restart, and it should cost microseconds where nothing changed.
    ///
    /// # Errors
    ///
    /// [`SourceError`] if no bundle can be had. The next call asks again.
    fn current(&self) -> Result<Arc<Served>, SourceError>;

    /// Whether the bytes behind `served` are still those that were there when it was handed out. It is asked after
    /// every call; an answer that may have come from changed bytes is dropped.
    fn unchanged(&self, served: &Served) -> bool;

    /// Why a bundle that was put in the place of the current one wasn't taken, while that is so. It is told to whoever asks
    /// which bundle answers, so it stands by itself, holds no path of the machine and quotes nothing from artifacts.
    fn replacement_error(&self) -> Option<String> {
        None
    }

    /// Told that an operation panicked on `served`, whose bytes are then suspect: open it anew for the next call.
    fn distrust(&self, served: &Served) {
        let _ = served;
    }
}

/// One bundle, and what answers and logs say of it.
pub struct Served {
    /// The opened bundle.
    pub bundle: Bundle,
    /// Its path as logs show it, such as `OPEN_MIND_ARTIFACTS_DIR` or the argument gave it. Answers never hold it.
    pub label: String,
    /// The name of the repository that it describes, for logs.
    pub repository_name: String,
    /// A sentence that every answer must carry, such as that these data are only the built-in sample.
    pub notice: Option<String>,
}

/// Why no bundle can be had. The text is shown to the model, so it stands by itself, and it is logged, so it quotes
/// nothing from artifacts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(String);

impl SourceError {
    /// An error that says what is wrong and what to do.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
