//! Blanks: the characters that Python's `str.strip` removes, which is how snippets were trimmed when they were cut.

/// Whether Python's `str.isspace` holds: a fixed table, U+001C..U+001F included, which Rust's `trim` keeps.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{09}'..='\u{0D}'
            | '\u{1C}'..='\u{20}'
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}

/// The text without the [blanks](is_blank) at either end.
pub fn trim_blanks(text: &str) -> &str {
    text.trim_matches(is_blank)
}
