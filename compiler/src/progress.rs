//! Telling a person how far a build is.

/// A part of a build, in order. Loading and compressing overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reading the directory.
    Read,
    /// Parsing and checking; measured in bytes.
    Load,
    /// Compressing the originals; measured in bytes.
    Compress,
    /// Making dictionaries and postings.
    Index,
    /// Writing the bundle.
    Write,
}

impl Stage {
    /// What is being done, for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Read => "reading",
            Self::Load => "checking",
            Self::Compress => "compressing originals",
            Self::Index => "indexing",
            Self::Write => "writing",
        }
    }
}

/// Hears of a build's progress, from several threads.
pub trait Progress: Sync {
    /// A stage begins; `total` is its amount of work, 0 where unknown.
    fn start(&self, stage: Stage, total: u64);
    /// So much more of it is done.
    fn advance(&self, stage: Stage, amount: u64);
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: Stage, _: u64) {}
    fn advance(&self, _: Stage, _: u64) {}
}
