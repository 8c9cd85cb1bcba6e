//! Cursors of paged answers: an offset, bound to the bundle and the question that it was given for.

use openmind_pack_format::Bundle;

use super::{ArgumentError, TextLimit};

/// Reads and writes the cursors of one question.
pub(crate) struct Cursor {
    scope: String,
}

impl Cursor {
    /// Longer cursors were never given out.
    pub(crate) const LIMIT: TextLimit = TextLimit::Characters(64);

    /// Cursors for a question about `subject`.
    pub(crate) fn scope(bundle: &Bundle, subject: &str) -> Self {
        let hash = bundle.content_hash().to_string();
        let bundle = hash.get(..12).unwrap_or_default();
        Self { scope: format!("{bundle}-{:08x}-", fnv1a(subject.as_bytes())) }
    }

    /// The error for a cursor that leads nowhere.
    pub(crate) fn unusable(found: &str) -> ArgumentError {
        let expected = "a nextCursor of an earlier answer to the same question";
        ArgumentError::Unusable { name: "cursor", expected, found: found.to_owned() }
    }

    pub(crate) fn write(&self, offset: usize) -> String {
        format!("{}{offset}", self.scope)
    }

    /// The offset of a cursor that this question's answer gave out.
    pub(crate) fn read(&self, cursor: &str) -> Result<usize, ArgumentError> {
        let (bundle, _) = self.scope.split_once('-').unwrap_or_default();
        if cursor.split_once('-').is_some_and(|(other, _)| is_prefix_of_a_hash(other) && other != bundle) {
            return Err(Self::unusable("one of another bundle"));
        }
        cursor
            .strip_prefix(&self.scope)
            .filter(|offset| offset.bytes().all(|byte| byte.is_ascii_digit()) && !offset.starts_with('0'))
            .and_then(|offset| offset.parse().ok())
            .ok_or_else(|| Self::unusable("one that was not given for these arguments"))
    }
}

fn is_prefix_of_a_hash(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// FNV-1a, 32 bits: tells questions apart, protects nothing.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // From the algorithm's published vectors.
        assert_eq!(fnv1a(b""), 0x811c_9dc5);
        assert_eq!(fnv1a(b"foobar"), 0xbf9c_f968);
    }

    #[test]
    fn a_cursor_reads_back_only_for_its_own_question() {
        let cursor =
            |subject: &str| Cursor { scope: format!("0123456789ab-{:08x}-", fnv1a(subject.as_bytes())) };
        let text = cursor("a").write(20);
        assert_eq!(cursor("a").read(&text), Ok(20));
        assert!(cursor("b").read(&text).is_err());
        let found = |text: &str| cursor("a").read(text).unwrap_err().to_string();
        assert!(found("ffffffffffff-e40c292c-20").contains("another bundle"));
        assert!(found("zzz").contains("not given for these arguments"));
        for bad in [
            "",
            "20",
            "0123456789ab",
            &text.replace("-20", "-020"),
            &text.replace("-20", "-"),
            &format!("{text}x"),
        ] {
            assert!(cursor("a").read(bad).is_err(), "{bad}");
        }
    }
}
