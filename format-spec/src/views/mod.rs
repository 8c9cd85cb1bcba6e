//! Typed views: what a row means, its texts read on demand.

mod documents;
mod entries;

pub use documents::{Document, DocumentKind};
pub use entries::{Artifact, Component, Facet, File, Flow, Info, Layer, Step, Symbol, Term};

use crate::bundle::Bundle;
use crate::error::ReadError;
use crate::rows::EvidenceRow;

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident, else $fallback:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal, $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// The number in a row.
            #[must_use]
            pub const fn code(self) -> u32 {
                match self { $(Self::$variant => $code,)* }
            }

            /// What a number in a row means. Numbers are open: an unknown one counts as the most cautious meaning.
            #[must_use]
            pub const fn from_code(code: u32) -> Self {
                match code { $($code => Self::$variant,)* _ => Self::$fallback }
            }

            /// The text in artifacts and answers.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }
    };
}

codes! {
    /// How sure the generator is of an entry. Ordered.
    Confidence, else Low {
        /// A guess from names.
        Low = 1, "low";
        /// Derived from structure.
        Medium = 2, "medium";
        /// Read off the source.
        High = 3, "high";
    }
}

codes! {
    /// What an original file is to the directory.
    ArtifactKind, else Other {
        /// Not named by the manifest.
        Other = 0, "other";
        /// manifest.json.
        Manifest = 1, "manifest";
        /// The metadata file.
        Metadata = 2, "metadata";
        /// The glossary.
        Glossary = 3, "glossary";
        /// Components and layers.
        Architecture = 4, "architecture";
        /// The flows.
        Flows = 5, "flows";
        /// Files and symbols.
        SourceIndex = 6, "source-index";
    }
}

/// The most cautious.
impl Default for Confidence {
    fn default() -> Self {
        Self::Low
    }
}

impl Confidence {
    /// The confidence of an artifact's text, where it is one.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Low, Self::Medium, Self::High].into_iter().find(|confidence| confidence.as_str() == text)
    }
}

/// A cited line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evidence<'a> {
    /// Path, relative to the repository.
    pub file: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// The line, trimmed, cut at 200 characters by the generator.
    pub snippet: &'a str,
}

impl Bundle {
    /// Evidence rows of a range, read as they are asked for.
    pub(crate) fn evidence_range(
        &self,
        first: u32,
        count: u32,
    ) -> Result<impl Iterator<Item = Result<Evidence<'_>, ReadError>> + use<'_>, ReadError> {
        let rows = self.rows::<EvidenceRow>()?;
        let range = rows.range(first, count)?;
        Ok(range.map(move |index| {
            let row = rows.get(index)?;
            Ok(Evidence { file: self.string(row.file)?, line: row.line, snippet: self.string(row.snippet)? })
        }))
    }
}
