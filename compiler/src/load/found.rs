//! How a message quotes what was found: short, and harmless on a terminal.

use std::fmt::Write;

/// Characters of a quotation before it is cut.
const LONGEST: usize = 60;

/// Describes a JSON value from its text: `the string "Go"`, `the number 1.5`, `null`, `an array`.
pub(super) fn value(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'"') => format!("the string {}", excerpt(raw)),
        Some(b'[') => "an array".to_owned(),
        Some(b'{') => "an object".to_owned(),
        Some(b't' | b'f' | b'n') => format!("`{raw}`"),
        _ => format!("the number {}", excerpt(raw)),
    }
}

/// A text in quotes, cut and escaped.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// The text, cut after [`LONGEST`] characters, with what could move a cursor or turn a line around written as an escape.
pub(super) fn excerpt(text: &str) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        if unprintable(c) {
            // Writing to a String can't fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Controls, line and paragraph separators, zero-width and direction marks.
fn unprintable(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_described_by_its_first_byte() {
        let described = [r#""a\tb""#, "1e0", "null", "false", "[1]", "{}"].map(value);
        let expected =
            [r#"the string "a\tb""#, "the number 1e0", "`null`", "`false`", "an array", "an object"];
        assert_eq!(described, expected);
    }

    #[test]
    fn a_long_text_is_cut_at_sixty_characters() {
        assert_eq!(excerpt(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(excerpt(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
    }

    #[test]
    fn what_could_disturb_a_terminal_is_escaped() {
        assert_eq!(quoted("a\u{1b}[2J\u{202e}b\u{7f}"), "\"a\\u001b[2J\\u202eb\\u007f\"");
    }
}
