//! Evidence as answers show it.

use openmind_pack_format::{Confidence, Evidence};
use serde::{Serialize, Serializer};

/// A cited line in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct EvidenceRecord<'a> {
    file: &'a str,
    line: u32,
    snippet: &'a str,
}

impl<'a> From<Evidence<'a>> for EvidenceRecord<'a> {
    fn from(evidence: Evidence<'a>) -> Self {
        let Evidence { file, line, snippet } = evidence;
        Self { file, line, snippet }
    }
}

/// Confidence as its text.
pub(crate) fn confidence<S: Serializer>(confidence: &Confidence, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(confidence.as_str())
}
