//! The Snowball English stemmer, also called Porter2, as release 3.1 of Snowball defines it.
//!
//! Written from the algorithm that <https://snowballstem.org/algorithms/english/stemmer.html> publishes. Its output
//! is part of the format, so it lives here rather than in a dependency that may follow a later definition.
//!
//! A word is ASCII: `a` to `z` and the apostrophe. The published algorithm writes a consonantal y as a capital;
//! here [`is_vowel`] works it out from the letters before it, which no step changes.

/// The regions of a word. R1 is what follows the first consonant after a vowel, R2 the same within R1; both
/// are the offset of their first byte, and stay what they were for the whole word while its end is replaced.
struct Regions {
    r1: usize,
    r2: usize,
}

/// Replaces a word by its stem.
pub(super) fn reduce(word: &mut String) {
    if let Some(stem) = exception(word) {
        replace(word, 0, stem);
        return;
    }
    if word.len() < 3
        || matches!(word.as_str(), "sky" | "news" | "howe" | "atlas" | "cosmos" | "bias" | "andes")
    {
        return;
    }
    if word.starts_with('\'') {
        word.remove(0);
    }
    let regions = Regions::of(word.as_bytes());
    step_1a(word);
    step_1b(word, &regions);
    step_1c(word);
    step_2(word, &regions);
    step_3(word, &regions);
    step_4(word, &regions);
    step_5(word, &regions);
}

/// The words with a stem of their own.
fn exception(word: &str) -> Option<&'static str> {
    Some(match word {
        "skis" => "ski",
        "skies" => "sky",
        "idly" => "idl",
        "gently" => "gentl",
        "ugly" => "ugli",
        "early" => "earli",
        "only" => "onli",
        "singly" => "singl",
        _ => return None,
    })
}

impl Regions {
    fn of(word: &[u8]) -> Self {
        /// Beginnings after which R1 starts, so that `general` and `generate` don't meet in `gener`.
        const PREFIXES: [&str; 9] =
            ["arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers"];
        let prefix = PREFIXES.into_iter().find(|prefix| word.starts_with(prefix.as_bytes()));
        let r1 = prefix.map_or_else(|| Self::after_syllable(word, 0), str::len);
        Self { r1, r2: Self::after_syllable(word, r1) }
    }

    /// The offset just after the first consonant that follows a vowel at or after `from`, or the word's length.
    fn after_syllable(word: &[u8], from: usize) -> usize {
        let vowel = (from..word.len()).find(|&at| is_vowel(word, at));
        let consonant = vowel.and_then(|vowel| (vowel + 1..word.len()).find(|&at| !is_vowel(word, at)));
        consonant.map_or(word.len(), |consonant| consonant + 1)
    }
}

/// Whether the letter at an offset is a vowel: `aeiou`, and `y` unless the word starts with it or a vowel precedes it.
fn is_vowel(word: &[u8], at: usize) -> bool {
    match word.get(at) {
        Some(b'a' | b'e' | b'i' | b'o' | b'u') => true,
        Some(b'y') => at > 0 && !is_vowel(word, at - 1),
        _ => false,
    }
}

fn has_vowel(word: &[u8]) -> bool {
    (0..word.len()).any(|at| is_vowel(word, at))
}

/// Whether a word ends in a short syllable: consonant, vowel, consonant other than `w`, `x`, `y`; or it is just vowel
/// and consonant; or it ends in `past`.
fn ends_short(word: &[u8]) -> bool {
    let vowel = |back: usize| word.len() >= back && is_vowel(word, word.len() - back);
    match word {
        [_, _] => vowel(2) && !vowel(1),
        [.., b'p', b'a', b's', b't'] => true,
        [.., _, _, last] => !vowel(3) && vowel(2) && !vowel(1) && !matches!(last, b'w' | b'x' | b'y'),
        _ => false,
    }
}

/// Replaces everything from an offset on.
fn replace(word: &mut String, from: usize, by: &str) {
    word.truncate(from);
    word.push_str(by);
}

/// `ends_with`, but the last letter, which settles most, is compared first.
fn ends_in(word: &str, suffix: &str) -> bool {
    word.bytes().next_back() == suffix.bytes().next_back() && word.ends_with(suffix)
}

/// The first of the suffixes that the word ends in, with its offset. Lists have longer suffixes first.
fn suffix<'s>(word: &str, suffixes: impl IntoIterator<Item = &'s str>) -> Option<(usize, &'s str)> {
    suffixes
        .into_iter()
        .find(|suffix| word.ends_with(suffix))
        .map(|suffix| (word.len() - suffix.len(), suffix))
}

/// Like [`suffix`], for a table of suffixes and what replaces them.
fn rule(word: &str, rules: &[(&'static str, &'static str)]) -> Option<(usize, &'static str, &'static str)> {
    let &(suffix, by) = rules.iter().find(|(suffix, _)| ends_in(word, suffix))?;
    Some((word.len() - suffix.len(), suffix, by))
}

/// Possessives and plurals.
fn step_1a(word: &mut String) {
    if let Some((at, _)) = suffix(word, ["'s'", "'s", "'"]) {
        word.truncate(at);
    }
    match suffix(word, ["sses", "ied", "ies", "us", "ss", "s"]) {
        Some((at, "sses")) => replace(word, at, "ss"),
        Some((at, "ied" | "ies")) => replace(word, at, if at > 1 { "i" } else { "ie" }),
        // A vowel, but not just before the s: `gaps` and `kiwis`, not `gas` and `this`.
        Some((at, "s")) if at > 0 && has_vowel(&word.as_bytes()[..at - 1]) => word.truncate(at),
        _ => {}
    }
}

/// Past tenses and participles.
fn step_1b(word: &mut String, regions: &Regions) {
    let Some((at, suffix)) = suffix(word, ["eedly", "ingly", "edly", "eed", "ing", "ed"]) else { return };
    let stem = &word.as_bytes()[..at];
    match (stem, suffix) {
        (b"succ" | b"proc" | b"exc", "eed" | "eedly") => return,
        (_, "eed" | "eedly") => {
            if at >= regions.r1 {
                replace(word, at, "ee");
            }
            return;
        }
        (b"even" | b"cann" | b"inn" | b"earr" | b"herr" | b"out", "ing") => return,
        // dying, lying
        ([_, b'y'], "ing") if !is_vowel(stem, 0) => {
            replace(word, 1, "ie");
            return;
        }
        _ if !has_vowel(stem) => return,
        _ => word.truncate(at),
    }
    match word.as_bytes() {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => word.push('e'),
        // add, egg, off
        [b'a' | b'e' | b'o', x, y] if x == y && is_doubled(*x) => {}
        [.., x, y] if x == y && is_doubled(*x) => word.truncate(word.len() - 1),
        short if short.len() == regions.r1 && ends_short(short) => word.push('e'),
        _ => {}
    }
}

/// Whether a doubled consonant is halved where a suffix was.
fn is_doubled(consonant: u8) -> bool {
    matches!(consonant, b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't')
}

/// A final y after a consonant that isn't the first letter.
fn step_1c(word: &mut String) {
    if let [_, .., _, b'y'] = word.as_bytes() {
        let at = word.len() - 1;
        if !is_vowel(word.as_bytes(), at - 1) {
            replace(word, at, "i");
        }
    }
}

/// Suffixes made of several, in R1.
fn step_2(word: &mut String, regions: &Regions) {
    const RULES: [(&str, &str); 25] = [
        ("ational", "ate"),
        ("fulness", "ful"),
        ("iveness", "ive"),
        ("ization", "ize"),
        ("ousness", "ous"),
        ("biliti", "ble"),
        ("lessli", "less"),
        ("tional", "tion"),
        ("alism", "al"),
        ("aliti", "al"),
        ("ation", "ate"),
        ("entli", "ent"),
        ("fulli", "ful"),
        ("iviti", "ive"),
        ("ogist", "og"),
        ("ousli", "ous"),
        ("abli", "able"),
        ("alli", "al"),
        ("anci", "ance"),
        ("ator", "ate"),
        ("enci", "ence"),
        ("izer", "ize"),
        ("bli", "ble"),
        ("ogi", "og"),
        ("li", ""),
    ];
    let Some((at, suffix, by)) = rule(word, &RULES) else { return };
    let before = at.checked_sub(1).and_then(|at| word.as_bytes().get(at));
    let fits = match suffix {
        "ogi" => before == Some(&b'l'),
        "li" => before.is_some_and(|letter| b"cdeghkmnrt".contains(letter)),
        _ => true,
    };
    if at >= regions.r1 && fits {
        replace(word, at, by);
    }
}

/// More of them, in R1, and one in R2.
fn step_3(word: &mut String, regions: &Regions) {
    const RULES: [(&str, &str); 9] = [
        ("ational", "ate"),
        ("tional", "tion"),
        ("alize", "al"),
        ("ative", ""),
        ("icate", "ic"),
        ("iciti", "ic"),
        ("ical", "ic"),
        ("ness", ""),
        ("ful", ""),
    ];
    let Some((at, suffix, by)) = rule(word, &RULES) else { return };
    if at >= regions.r1 && (suffix != "ative" || at >= regions.r2) {
        replace(word, at, by);
    }
}

/// Single suffixes, in R2.
fn step_4(word: &mut String, regions: &Regions) {
    const SUFFIXES: [&str; 18] = [
        "ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive",
        "ize", "ous", "al", "er", "ic",
    ];
    let Some((at, suffix)) = suffix(word, SUFFIXES) else { return };
    let fits = suffix != "ion" || matches!(word.as_bytes()[..at], [.., b's' | b't']);
    if at >= regions.r2 && fits {
        word.truncate(at);
    }
}

/// A final e or doubled l.
fn step_5(word: &mut String, regions: &Regions) {
    let Some(at) = word.len().checked_sub(1) else { return };
    let fits = match word.as_bytes() {
        [before @ .., b'e'] => at >= regions.r2 || at >= regions.r1 && !ends_short(before),
        [.., b'l', b'l'] => at >= regions.r2,
        _ => false,
    };
    if fits {
        word.truncate(at);
    }
}
