//! Text from artifacts, made fit for eyes: nothing in it may steer a terminal or hide.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

/// The text with every character escaped that controls a terminal, turns the direction of what follows, or can't be
/// seen. Tabs stay: source lines have them, and they do no harm.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            hidden if is_hidden(hidden) => {
                let _ = write!(safe, "{}", hidden.escape_unicode());
            }
            plain => safe.push(plain),
        }
    }
    Cow::Owned(safe)
}

/// Controls (C0 but the tab, DEL, C1), marks of direction, invisible fillers and separators, tags. Joiners stay:
/// words of several scripts need them.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{8}'
            | '\n'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{115f}' | '\u{1160}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Columns that a text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks prose at spaces into lines of at most `most` columns; a longer word gets a line of its own. Line breaks of
/// the text are kept.
pub(crate) fn wrapped(text: &str, most: Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let paragraph = shown(paragraph.trim_end_matches('\r'));
        let Some(most) = most else {
            lines.push(paragraph.into_owned());
            continue;
        };
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let wide = columns(word);
            if used > 0 && used + 1 + wide > most {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += wide;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_of_one_and_two_bytes_are_shown() {
        assert_eq!(shown("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(shown("a\u{9b}31mb"), "a\\u{9b}31mb");
        assert_eq!(shown("bell\u{7} del\u{7f}"), "bell\\u{7} del\\u{7f}");
    }

    #[test]
    fn line_ends_are_shown_and_tabs_stay() {
        assert_eq!(shown("a\r\nb\tc"), "a\\r\\nb\tc");
    }

    #[test]
    fn marks_of_direction_and_invisible_characters_are_shown() {
        assert_eq!(shown("if \u{202e}x\u{2066}y"), "if \\u{202e}x\\u{2066}y");
        assert_eq!(shown("a\u{200b}b\u{feff}c\u{e0041}"), "a\\u{200b}b\\u{feff}c\\u{e0041}");
    }

    #[test]
    fn letters_of_any_script_and_joiners_stay() {
        for text in ["θ und ß", "日本語", "می\u{200c}خواهم", "👩\u{200d}💻", "e\u{301}"] {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn prose_is_broken_at_spaces_by_columns_and_not_by_bytes() {
        assert_eq!(wrapped("one two three", Some(7)), ["one two", "three"]);
        assert_eq!(wrapped("ééé ééé", Some(7)), ["ééé ééé"]);
        assert_eq!(wrapped("日本 日本", Some(8)), ["日本", "日本"]);
        assert_eq!(wrapped("unbreakable a", Some(3)), ["unbreakable", "a"]);
        assert_eq!(wrapped("", Some(3)), [""]);
    }

    #[test]
    fn prose_keeps_its_own_lines_and_without_a_width_only_those() {
        assert_eq!(wrapped("a  b\r\nc\u{1b}", None), ["a  b", "c\\u{1b}"]);
        assert_eq!(wrapped("a b\nc", Some(80)), ["a b", "c"]);
    }
}
