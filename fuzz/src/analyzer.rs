//! Any text into the analyzer: the terms that SPEC.md promises, whatever the text.

use std::cell::RefCell;

use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use openmind_pack_format::analyzer::{
    Analyzer, MAX_TERM_BYTES, fold, is_blank, parts, stem, trim_blanks, words,
};

static NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();

thread_local! {
    /// Analyzers that have seen different texts, whose terms must be the same. They are costly to make.
    static WHOLE: RefCell<Analyzer> = RefCell::default();
    static LINES: RefCell<Analyzer> = RefCell::default();
}

#[derive(Debug, PartialEq)]
struct Owned {
    term: String,
    position: u32,
    whole: bool,
}

fn analyze(analyzer: &mut Analyzer, text: &str) -> Vec<Owned> {
    let mut tokens = Vec::new();
    analyzer.analyze(text, |token| {
        tokens.push(Owned { term: token.term.to_owned(), position: token.position, whole: token.whole });
    });
    tokens
}

/// Analyzes the bytes as text; what isn't UTF-8 becomes U+FFFD.
pub fn run(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    let tokens = WHOLE.with_borrow_mut(|whole| analyze(whole, text));
    check_tokens(&tokens);
    LINES.with_borrow_mut(|lines| check_lines(lines, text, &tokens));
    check_words(text);
    check_folding(text);
    check_trimming(text);
}

fn check_tokens(tokens: &[Owned]) {
    let mut parts_before = 0;
    for token in tokens {
        assert!((1..=MAX_TERM_BYTES).contains(&token.term.len()), "{token:?} has an impossible length");
        assert_eq!(fold(&token.term), token.term, "a term is folded");
        assert_eq!(token.position, parts_before, "a position is the number of parts before {token:?}");
        parts_before += u32::from(!token.whole);
    }
}

/// No rule looks past the end of a line, so a text has the tokens of its lines.
fn check_lines(lines: &mut Analyzer, text: &str, tokens: &[Owned]) {
    let mut base = 0;
    let mut at = 0;
    for line in text.split('\n') {
        let of_line = analyze(lines, line);
        for token in &of_line {
            let whole = tokens.get(at).unwrap_or_else(|| panic!("{token:?} is only found in the line"));
            assert_eq!(
                (&token.term, token.position + base, token.whole),
                (&whole.term, whole.position, whole.whole)
            );
            at += 1;
        }
        base += of_line.iter().filter(|token| !token.whole).count() as u32;
    }
    assert_eq!(at, tokens.len(), "no token is found only in the text");
}

/// Words are pieces of the text, in order and apart, and the same in every canonical form.
fn check_words(text: &str) {
    let mut end = 0;
    let mut found = Vec::new();
    for word in words(text) {
        assert!(word.start >= end && !word.text.is_empty(), "words stand apart");
        assert_eq!(text.get(word.start..word.end()), Some(word.text));
        end = word.end();
        let inside = parts(word.text).map(str::len).sum::<usize>();
        assert!(inside <= word.text.len(), "parts are pieces of the word");
        found.push(word.text);
    }
    if !text.is_ascii() {
        let composed = NFC.normalize(text);
        let again: Vec<_> = words(&composed).map(|word| word.text).collect();
        let found: Vec<_> = found.iter().map(|word| NFC.normalize(word)).collect();
        assert_eq!(found, again, "the limits of words are the same in NFC");
    }
}

fn check_folding(text: &str) {
    let folded = fold(text);
    assert_eq!(fold(&folded), folded, "folding twice changes nothing");
    assert_eq!(fold(&NFC.normalize(text)), folded, "canonical forms fold to one text");
    let _ = stem(&folded);
}

fn check_trimming(text: &str) {
    let trimmed = trim_blanks(text);
    assert!(text.contains(trimmed));
    assert!(!trimmed.starts_with(is_blank) && !trimmed.ends_with(is_blank));
}
