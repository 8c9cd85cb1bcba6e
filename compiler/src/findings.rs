//! What a load has to say about its input: coded, placed, with the remedy.

mod code;

use serde::Serialize;

pub use code::{Code, codes_as_markdown};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Stops a build.
    Error,
    /// Stops a build with `--strict`.
    Warning,
    /// Stops nothing.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One thing found in the input. Serialized with the keys in this order; what a finding doesn't have is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The stable code.
    pub code: Code,
    /// The code's severity.
    pub severity: Severity,
    /// Name of the file in the directory.
    pub file: String,
    /// JSON pointer (RFC 6901) of the value, where the finding is about one. A missing field is found at its object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Line of the place, from 1; lines end with LF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column of the place, from 1, in code points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}
