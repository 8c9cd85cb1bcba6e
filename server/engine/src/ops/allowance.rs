//! How much text one answer may hold.
//!
//! A row costs a bundle a few bytes and an answer a whole text, so a small hostile bundle could ask for a huge answer.

use openmind_pack_format::{Evidence, ReadError};

use super::CallError;
use super::evidence::EvidenceRecord;

/// Bytes of text, and of what surrounds it. Fifty hits of the longest texts that a bundle can hold stay below it.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// What a record costs besides its texts.
const RECORD_BYTES: u64 = 64;

/// What an answer may still hold.
pub(crate) struct Allowance(u64);

impl Default for Allowance {
    fn default() -> Self {
        Self(MAX_ANSWER_BYTES)
    }
}

impl Allowance {
    /// Passes a text on, or refuses it.
    pub(crate) fn text<'a>(&mut self, text: &'a str) -> Result<&'a str, CallError> {
        let cost = RECORD_BYTES + text.len() as u64;
        self.0 = self.0.checked_sub(cost).ok_or(CallError::TooLarge { limit: MAX_ANSWER_BYTES })?;
        Ok(text)
    }

    /// Gathers texts.
    pub(crate) fn texts<'a>(
        &mut self,
        texts: impl Iterator<Item = Result<&'a str, ReadError>>,
    ) -> Result<Vec<&'a str>, CallError> {
        texts.map(|text| self.text(text?)).collect()
    }

    /// Gathers cited lines.
    pub(crate) fn evidence<'a>(
        &mut self,
        evidence: impl Iterator<Item = Result<Evidence<'a>, ReadError>>,
    ) -> Result<Vec<Evidence<'a>>, CallError> {
        evidence
            .map(|evidence| {
                let evidence = evidence?;
                self.text(evidence.file)?;
                self.text(evidence.snippet)?;
                Ok(evidence)
            })
            .collect()
    }

    /// Gathers cited lines as answers show them.
    pub(crate) fn records<'a>(
        &mut self,
        evidence: impl Iterator<Item = Result<Evidence<'a>, ReadError>>,
    ) -> Result<Vec<EvidenceRecord<'a>>, CallError> {
        Ok(self.evidence(evidence)?.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_passed_on_until_the_allowance_is_spent() {
        let text = "x".repeat(1 << 20);
        let mut allowance = Allowance::default();
        // 64 bytes of each record leave room for one text less.
        for _ in 0..63 {
            assert_eq!(allowance.text(&text), Ok(text.as_str()));
        }
        assert_eq!(allowance.text(&text), Err(CallError::TooLarge { limit: 64 << 20 }));
        assert_eq!(allowance.text("small"), Ok("small"), "what was refused costs nothing");
    }

    #[test]
    fn endless_evidence_is_not_gathered() {
        let evidence = std::iter::repeat(Ok(Evidence { file: "a", line: 1, snippet: "" }));
        assert_eq!(Allowance::default().evidence(evidence), Err(CallError::TooLarge { limit: 64 << 20 }));
    }
}
