//! The analyzer against hand-written vectors, and what holds for every text.

use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use proptest::prelude::*;
use serde_json::Value;

use super::class::{Class, class_of};
use super::stem_cache::StemCache;
use super::stem_tables::{FIXED, IRREGULAR, MERGED};
use super::stop::STOP_WORDS;
use super::{
    ANALYZER_ID, Analyzer, MAX_TERM_BYTES, Token, fold, is_blank, is_stop_word, parts, stem, trim_blanks,
    words,
};

/// A token that owns its term.
type Owned = (String, u32, bool);

fn tokens(text: &str) -> Vec<Owned> {
    let mut tokens = Vec::new();
    Analyzer::default().analyze(text, |Token { term, position, whole }| {
        tokens.push((term.to_owned(), position, whole));
    });
    tokens
}

/// The terms of the parts alone.
fn part_terms(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|&(_, _, whole)| !whole).map(|(term, ..)| term).collect()
}

fn nfc(text: &str) -> String {
    ComposingNormalizer::new_nfc().normalize(text).into_owned()
}

fn nfd(text: &str) -> String {
    DecomposingNormalizer::new_nfd().normalize(text).into_owned()
}

fn vectors(name: &str) -> Value {
    let path = format!("{}/../fixtures/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let vectors: Value = serde_json::from_slice(&std::fs::read(&path).expect(&path)).expect(&path);
    assert_eq!(vectors["analyzer"], ANALYZER_ID, "{name} is for another analyzer");
    vectors
}

#[test]
fn the_vectors_hold_in_every_canonical_form() {
    let vectors = vectors("analyzer.json");
    let mut analyzer = Analyzer::default();
    for case in vectors["cases"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        for form in [text.to_owned(), nfc(text), nfd(text)] {
            let mut found = Vec::new();
            analyzer.analyze(&form, |token| {
                let mut entry = vec![Value::from(token.term), Value::from(token.position)];
                entry.extend(token.whole.then(|| Value::from("whole")));
                found.push(Value::from(entry));
            });
            assert_eq!(Value::from(found), case["tokens"], "{}: {form:?}", case["rule"]);
        }
    }
}

#[test]
fn the_words_of_a_vector_ask_for_what_its_text_holds() {
    for case in vectors("analyzer.json")["cases"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let question: Vec<&str> = words(text).map(|word| word.text).collect();
        assert_eq!(tokens(&question.join(" ? ")), tokens(text), "{}", case["rule"]);
    }
}

#[test]
fn families_meet_at_their_stem() {
    for (expected, words) in vectors("stem.json")["families"].as_object().unwrap() {
        for word in words.as_array().unwrap() {
            assert_eq!(stem(word.as_str().unwrap()), expected.as_str(), "{word}");
        }
    }
}

#[test]
fn stems_are_only_for_folded_ascii_words_that_fit_a_term() {
    for word in ["", "Stores", "naïves", "utf8s", "a b", &"stores".repeat(43)] {
        assert_eq!(stem(word), word);
    }
}

#[test]
fn the_stem_tables_are_sorted_and_say_each_thing_once() {
    for table in [&FIXED[..], &IRREGULAR, &MERGED] {
        assert!(table.is_sorted_by(|(left, _), (right, _)| left < right));
    }
    for (word, _) in FIXED {
        assert!(!IRREGULAR.iter().any(|(form, _)| *form == word), "{word} has a stem, not a base");
    }
    for (from, to) in MERGED {
        assert_ne!(from, to);
        assert!(!MERGED.iter().any(|(other, _)| *other == to), "{from} leads to {to}, which leads on");
    }
    for (form, base) in IRREGULAR {
        assert_ne!(form, base);
        assert!(
            !IRREGULAR.iter().any(|(other, _)| *other == base),
            "{form} is a form of {base}, a form itself"
        );
    }
}

/// The words of the first listing behind a heading of SPEC.md.
fn listing(heading: &str) -> String {
    let spec = include_str!("../../SPEC.md");
    let (_, section) = spec.split_once(&format!("# {heading}\n")).expect(heading);
    let (_, block) = section.split_once("```text\n").expect(heading);
    block.split("\n```").next().expect(heading).replace('\n', " ")
}

#[test]
fn the_stem_tables_are_those_of_the_spec() {
    for (heading, table) in
        [("Fixed stems", &FIXED[..]), ("Irregular forms", &IRREGULAR), ("Merged stems", &MERGED)]
    {
        let listing = listing(heading);
        let mut expected: Vec<(&str, &str)> = listing
            .split("; ")
            .filter_map(|entry| entry.split_once(": "))
            .flat_map(|(to, from)| from.split(' ').map(move |from| (from, to)))
            .collect();
        expected.sort_unstable();
        assert_eq!(table, expected, "{heading}");
    }
}

#[test]
fn stop_words_are_sorted_and_those_of_the_spec() {
    assert_eq!(STOP_WORDS.join(" "), listing("Stop words"));
    assert!(STOP_WORDS.is_sorted_by(|left, right| left < right));
}

#[test]
fn stop_words_leave_the_words_that_decide_a_claim() {
    for word in ["a", "the", "is", "when", "with", "yours"] {
        assert!(is_stop_word(word), "{word}");
    }
    let deciding = "not no never none nor neither without cannot don't isn't all any each every some only always exactly most \
                    both must more less than least over under before after until once during first last";
    for word in deciding.split(' ') {
        assert!(!is_stop_word(word), "{word}");
    }
}

#[test]
fn blanks_are_those_of_python() {
    // "".join(c for c in map(chr, range(0x110000)) if c.isspace()), written out.
    let blanks = "\t\n\u{b}\u{c}\r\u{1c}\u{1d}\u{1e}\u{1f} \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
                  \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";
    let found: String = ('\0'..=char::MAX).filter(|&c| is_blank(c)).collect();
    assert_eq!(found, blanks);
    assert_eq!(trim_blanks(&format!("{blanks}a{blanks}b{blanks}")), format!("a{blanks}b"));
    assert_eq!(trim_blanks(blanks), "");
    // Invisible, but no blanks.
    assert_eq!(trim_blanks("\u{200b}\u{feff}\u{180e}"), "\u{200b}\u{feff}\u{180e}");
}

#[test]
fn folding_makes_cases_one() {
    for (one, other) in [
        ("HTTPServer", "httpserver"),
        ("Straße", "STRASSE"),
        ("ΟΔΟΣ", "οδος"),
        ("\u{1f0}", "J\u{30c}"),
        ("\u{212b}", "a\u{30a}"),
        ("\u{1fb4}", "\u{391}\u{301}\u{345}"),
        ("ᏣᎳᎩ", "ꮳꮃꭹ"),
    ] {
        assert_eq!(fold(one), fold(other), "{one} {other}");
    }
    assert_ne!(fold("I"), fold("ı"));
    assert!(matches!(fold("already folded é"), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn words_are_given_as_they_stand() {
    let text = "The EventPublisher's “naïve” retry: isn’t it 日本語? _";
    let found: Vec<(&str, usize)> = words(text).map(|word| (word.text, word.start)).collect();
    let expected = [
        ("The", 0),
        ("EventPublisher", 4),
        ("naïve", 24),
        ("retry", 34),
        ("isn’t", 41),
        ("it", 49),
        ("日本語", 52),
    ];
    assert_eq!(found, expected);
    for word in words(text) {
        assert_eq!(&text[word.start..word.end()], word.text);
    }
}

#[test]
fn parts_are_given_as_they_stand() {
    for (identifier, expected) in [
        ("HTTPServer", &["HTTP", "Server"][..]),
        ("sha256", &["sha", "256"]),
        ("xCoord", &["x", "Coord"]),
        ("__getURLsFor2D__", &["get", "URLs", "For", "2", "D"]),
        ("plain", &["plain"]),
        ("日本語", &["日本語"]),
        ("doesn'tWait", &["doesn", "t", "Wait"]),
        ("isDON'T", &["is", "DON'T"]),
        ("_", &[]),
    ] {
        assert_eq!(parts(identifier).collect::<Vec<_>>(), expected, "{identifier}");
    }
}

#[test]
fn a_long_term_is_cut_before_the_character_that_does_not_fit() {
    // 1 + 127 * 2 = 255 bytes fit; one byte earlier, the last of the two-byte characters no longer does.
    for (text, expected) in [
        ("q".repeat(300), "q".repeat(255)),
        (format!("q{}", "é".repeat(200)), format!("q{}", "é".repeat(127))),
        (format!("qq{}", "é".repeat(200)), format!("qq{}", "é".repeat(126))),
    ] {
        assert_eq!(tokens(&text), [(expected, 0, false)]);
    }
    // A run without spaces is never one term.
    assert_eq!(tokens(&"語".repeat(1000)).len(), 999);
}

#[test]
fn the_class_tables_are_those_of_unicode_18() {
    // Counted with Python over the files of Unicode 18.0.0. Every release of Unicode changes some of them.
    let expected = [
        (Class::Upper, 1_937),
        (Class::Lower, 2_366),
        (Class::Letter, 39_134),
        (Class::Digit, 780),
        (Class::Cjk, 115_275),
        (Class::Mark, 2_304),
        (Class::Ignorable, 269),
        (Class::Connector, 17),
    ];
    let mut found = expected.map(|(class, _)| (class, 0));
    // The planes between have no characters.
    for c in ('\0'..='\u{3ffff}').chain('\u{e0000}'..='\u{effff}') {
        let class = class_of(c);
        if let Some((_, count)) = found.iter_mut().find(|(counted, _)| *counted == class) {
            *count += 1;
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn remembered_stems_are_the_stems() {
    // More words than there are slots, some too long for one, each asked for again at once and after the others.
    let letters = |n: usize| {
        (0..3).map(move |place| char::from(b"abcdefghijklmnopqrstuvwxyz"[n / 26_usize.pow(place) % 26]))
    };
    let words: Vec<String> =
        (0..10_000).map(|n| letters(n).chain("ated".chars().cycle().take(n % 16)).collect()).collect();
    let mut cache = StemCache::default();
    for word in words.iter().chain(&words).flat_map(|word| [word, word]) {
        let mut found = word.clone();
        cache.reduce(&mut found);
        assert_eq!(found, stem(word));
    }
}

/// Text that is rich in boundaries: cases, digits, connectors, marks, joiners, apostrophes, four scripts.
fn text() -> impl Strategy<Value = String> {
    let rich = "[a-cA-Csnt0-9_$ '’.ßǅéİſK\u{301}\u{345}\u{338}=\u{200d}\u{fe0f}\u{b7}日がーか\u{3099}한\u{1112}\u{1161}\u{11ab}٣\u{34f}😀]{0,24}";
    prop_oneof![rich, any::<String>()]
}

/// One identifier, nothing around it.
fn identifier() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_$éÀßД\u{301}]{1,24}"
}

proptest! {
    #[test]
    fn every_text_gives_terms_within_the_limits(text in text()) {
        let mut next = 0;
        for (term, position, whole) in tokens(&text) {
            prop_assert!((1..=MAX_TERM_BYTES).contains(&term.len()));
            prop_assert_eq!(&nfc(&term), &term);
            prop_assert_eq!(position, next);
            next += u32::from(!whole);
        }
    }

    #[test]
    fn a_reused_analyzer_gives_the_same_tokens(texts in prop::collection::vec(text(), 0..4)) {
        let mut analyzer = Analyzer::default();
        for text in &texts {
            let mut found = Vec::new();
            analyzer.analyze(text, |token| found.push((token.term.to_owned(), token.position, token.whole)));
            prop_assert_eq!(found, tokens(text));
        }
    }

    #[test]
    fn canonical_forms_give_the_same_tokens_words_and_parts(text in text()) {
        prop_assert_eq!(tokens(&nfd(&text)), tokens(&text));
        prop_assert_eq!(tokens(&nfc(&text)), tokens(&text));
        let composed: Vec<String> = words(&text).map(|word| nfc(word.text)).collect();
        prop_assert_eq!(words(&nfc(&text)).map(|word| word.text.to_owned()).collect::<Vec<_>>(), composed);
        let composed: Vec<String> = parts(&text).map(nfc).collect();
        prop_assert_eq!(parts(&nfc(&text)).map(str::to_owned).collect::<Vec<_>>(), composed);
    }

    #[test]
    fn folding_twice_changes_nothing(text in text()) {
        let once = fold(&text).into_owned();
        prop_assert_eq!(fold(&once), once.as_str());
        let decomposed = nfd(&text);
        prop_assert_eq!(fold(&decomposed), once.as_str());
    }

    #[test]
    fn an_identifier_and_its_parts_give_the_same_part_terms(identifier in identifier()) {
        let single = tokens(&identifier).iter().all(|&(.., whole)| !whole);
        let kept: Vec<&str> = parts(&identifier).filter(|part| single || fold(part).chars().count() > 1).collect();
        prop_assert_eq!(part_terms(&kept.join(" ")), part_terms(&identifier));
    }

    #[test]
    fn the_case_of_a_plain_word_makes_no_difference(word in "[a-z]{1,20}") {
        let upper = word.to_ascii_uppercase();
        prop_assert_eq!(tokens(&upper), tokens(&word));
        let capitalized = format!("{}{}", &upper[..1], &word[1..]);
        prop_assert_eq!(tokens(&capitalized), tokens(&word));
    }

    #[test]
    fn a_whole_is_the_fold_of_its_word(identifier in identifier()) {
        for (term, _, whole) in tokens(&identifier) {
            if whole {
                prop_assert!(words(&identifier).any(|word| fold(word.text) == term));
            }
        }
    }
}
