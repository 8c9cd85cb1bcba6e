//! What a character is to the analyzer, from the pinned Unicode tables.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, Script, XidContinue};
use icu_properties::script::ScriptWithExtensions;
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};

static XID_CONTINUE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<XidContinue>();
static IGNORABLE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();
static CATEGORY: CodePointMapDataBorrowed<'static, GeneralCategory> =
    CodePointMapData::<GeneralCategory>::new();

/// The one class of a character. Everything but `Other` occurs inside words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends a word: blanks, punctuation, symbols, emoji.
    Other,
    /// An upper- or titlecase letter.
    Upper,
    /// A lowercase letter.
    Lower,
    /// A letter without case, of a script that isn't cut into bigrams.
    Letter,
    /// A digit of any script.
    Digit,
    /// Han, Hiragana, Katakana, Hangul, and the length and repetition marks that they share.
    Cjk,
    /// A combining mark: belongs to the character before it.
    Mark,
    /// A joiner or variation selector: continues a word and leaves no trace in its terms.
    Ignorable,
    /// `_`, `$` and the other joints of identifiers.
    Connector,
}

impl Class {
    /// Whether a word may start with this class.
    pub(super) fn starts_word(self) -> bool {
        !matches!(self, Self::Other | Self::Mark | Self::Ignorable)
    }

    /// Whether the character takes the place of the one before it: it neither starts nor splits anything.
    pub(super) fn is_transparent(self) -> bool {
        matches!(self, Self::Mark | Self::Ignorable)
    }
}

/// The classes of the 128 ASCII characters, so that ordinary text never reaches the big tables.
static ASCII: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => Class::Upper,
            b'a'..=b'z' => Class::Lower,
            b'0'..=b'9' => Class::Digit,
            b'_' | b'$' => Class::Connector,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

/// The class of the character that starts at `at`, and its length in bytes; `None` at the end of the text (or,
/// which doesn't happen, inside a character).
#[inline]
pub(super) fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let &byte = text.as_bytes().get(at)?;
    match ASCII.get(usize::from(byte)) {
        Some(&class) => Some((class, 1)),
        None => text.get(at..)?.chars().next().map(|c| (class_of(c), c.len_utf8())),
    }
}

/// The class of a character.
pub(super) fn class_of(c: char) -> Class {
    if let Some(&class) = ASCII.get(c as usize) {
        return class;
    }
    if !XID_CONTINUE.contains(c) {
        return Class::Other;
    }
    if IGNORABLE.contains(c) {
        return Class::Ignorable;
    }
    match CATEGORY.get(c) {
        GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => Class::Upper,
        GeneralCategory::LowercaseLetter => Class::Lower,
        GeneralCategory::ModifierLetter | GeneralCategory::OtherLetter | GeneralCategory::LetterNumber => {
            if is_cjk(c) {
                Class::Cjk
            } else {
                Class::Letter
            }
        }
        GeneralCategory::DecimalNumber | GeneralCategory::OtherNumber => Class::Digit,
        GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark => Class::Mark,
        // Connector punctuation, and the middle dots that Unicode lets into identifiers.
        _ => Class::Connector,
    }
}

/// Whether one of the four scripts uses the letter. Script extensions decide: U+30FC, the mark that lengthens a
/// vowel in both kana, has no script of its own.
fn is_cjk(c: char) -> bool {
    let scripts = ScriptWithExtensions::new();
    [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul]
        .into_iter()
        .any(|script| scripts.has_script(c, script))
}
