//! Files that aren't text, or aren't JSON.

use crate::base::{Directory, Expected, GLOSSARY, at, check, text_at};

const G: &str = "glossary.json";

/// Case, what stands in place of `"Order"`, and what is found.
const SPOILED_TERM: &[(&str, &str, &[Expected])] = &[
    ("a value that is missing", "", &[text_at("OMP022", G, 5, 15, "expected value")]),
    ("NaN", "NaN", &[text_at("OMP022", G, 5, 15, "expected value")]),
    ("a missing comma", "\"Order\" \"x\"", &[text_at("OMP022", G, 5, 23, "expected `,` or `}`")]),
    ("a leading zero", "01", &[text_at("OMP022", G, 5, 16, "invalid number")]),
    ("a raw control character", "\"Or\tder\"", &[text_at("OMP022", G, 5, 18, "control character")]),
    ("an unknown escape", "\"\\x\"", &[text_at("OMP022", G, 5, 17, "invalid escape")]),
    ("a column counts code points", "\"é😀\" \"x\"", &[text_at("OMP022", G, 5, 20, "expected `,` or `}`")]),
    (
        "half a pair",
        r#""a\ud800""#,
        &[at("OMP025", G, "/entries/0/term", 5, 15, r#"found the string "a\ud800""#)],
    ),
    ("the other half", r#""\udc00""#, &[at("OMP025", G, "/entries/0/term", 5, 15, "whole characters")]),
    ("half a pair before another escape", r#""\ud83d\n""#, &[at("OMP025", G, "/entries/0/term", 5, 15, "")]),
    ("a whole pair", r#""\ud83d\ude00""#, &[]),
    (
        "half a pair in a field that isn't known",
        r#""Order", "note": "\ud800""#,
        &[at("OMP025", G, "/entries/0/note", 5, 32, "whole characters")],
    ),
    (
        "the key again",
        r#""Order", "term": "Order""#,
        &[at("OMP027", G, "/entries/0/term", 5, 24, "the key \"term\"")],
    ),
    (
        "the key three times",
        r#""Order", "term": 1, "term": 2"#,
        &[
            at("OMP027", G, "/entries/0/term", 5, 24, "already"),
            at("OMP027", G, "/entries/0/term", 5, 35, "already"),
        ],
    ),
    (
        "the key again, escaped",
        r#""Order", "\u0074erm": "x""#,
        &[at("OMP027", G, "/entries/0/term", 5, 24, "")],
    ),
    (
        "an unknown key twice",
        r#""Order", "note": 1, "note": 2"#,
        &[at("OMP027", G, "/entries/0/note", 5, 35, "the key \"note\"")],
    ),
    ("a number beyond all floats under an unknown key", r#""Order", "note": 1e999"#, &[]),
];

#[test]
fn json_mistakes_have_their_place() {
    for (case, value, expected) in SPOILED_TERM {
        check(case, Directory::sound().edit(G, "\"Order\"", value), expected);
    }
}

#[test]
fn a_key_may_be_escaped() {
    check("an escaped key", Directory::sound().edit(G, "\"term\"", r#""\u0074\u0065rm""#), &[]);
}

#[test]
fn a_byte_order_mark_is_named_and_the_rest_still_checked() {
    let spoiled = GLOSSARY.replacen("\"high\"", "\"sure\"", 1);
    let directory = Directory::sound().put(G, format!("\u{feff}{spoiled}"));
    let expected = [
        text_at("OMP020", G, 1, 1, "found a byte order mark"),
        at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"sure\""),
    ];
    check("a byte order mark", directory, &expected);
}

#[test]
fn bytes_that_are_not_utf_8_are_named() {
    let mut latin1 = GLOSSARY.as_bytes().to_vec();
    let at = GLOSSARY.find("Order").unwrap();
    latin1[at + 2] = 0xe9;
    // The lines before have 2 + 28 + 15 + 6 bytes; 14 bytes, the quote and two letters follow.
    let says = "byte 68 of the file is 0xe9";
    check("Latin-1", Directory::sound().put(G, latin1), &[text_at("OMP021", G, 5, 18, says)]);

    let mut utf16 = vec![0xff, 0xfe];
    utf16.extend("{}".encode_utf16().flat_map(u16::to_le_bytes));
    check("UTF-16", Directory::sound().put(G, utf16), &[text_at("OMP021", G, 1, 1, "UTF-16")]);

    let cut = Directory::sound().put(G, b"{\"a\": \"\xc3".to_vec());
    check("cut in a character", cut, &[text_at("OMP021", G, 1, 8, "byte 7 of the file is 0xc3")]);
}

#[test]
fn a_file_that_ends_too_early_is_truncated_at_its_end() {
    let cut = |length: usize| Directory::sound().put(G, GLOSSARY[..length].to_owned());
    check("after a brace", cut(1), &[text_at("OMP023", G, 1, 2, "EOF")]);
    // 2 + 28 + 15 + 6 bytes of four lines, and eight of the fifth.
    check("in a key", cut(59), &[text_at("OMP023", G, 5, 9, "EOF")]);
    check("before the last brace", cut(GLOSSARY.len() - 2), &[text_at("OMP023", G, 19, 1, "EOF")]);
    check("blanks", Directory::sound().put(G, " \n "), &[text_at("OMP023", G, 2, 2, "EOF")]);
}

#[test]
fn what_follows_the_value_is_named() {
    let garbage = Directory::sound().put(G, format!("{GLOSSARY}]"));
    check("a bracket", garbage, &[text_at("OMP024", G, 20, 1, "found \"]\"")]);
    let second = Directory::sound().put(G, format!("{} {{}}", GLOSSARY.trim_end_matches('\n')));
    check("a second object", second, &[text_at("OMP024", G, 19, 3, "found \"{}\"")]);
}

#[test]
fn a_syntax_error_ends_one_file_and_keeps_what_was_found_in_it() {
    let directory = Directory::sound()
        .edit(G, "\"term\": \"Order\"", "\"term\": 7")
        .edit(G, "\"low\"", "low")
        .edit("flows.json", "\"order\": 1", "\"order\": -1");
    let expected = [
        at("OMP030", G, "/entries/0/term", 5, 15, "expected a string, found the number 7"),
        text_at("OMP022", G, 16, 21, "expected value"),
        at("OMP032", "flows.json", "/flows/0/steps/0/order", 12, 20, "found -1"),
    ];
    check("two files", directory, &expected);
}

#[test]
fn carriage_returns_are_blanks_and_lines_still_end_with_lf() {
    let crlf = GLOSSARY.replace('\n', "\r\n");
    check("CRLF", Directory::sound().put(G, crlf.clone()), &[]);
    let spoiled = Directory::sound().put(G, crlf.replacen("\"high\"", "\"HIGH\"", 1));
    check("CRLF, spoiled", spoiled, &[at("OMP034", G, "/entries/0/confidence", 9, 21, "found \"HIGH\"")]);
}

#[test]
fn what_json_allows_in_a_string_is_allowed() {
    let odd = r#""\u0000\u001b\/ \u007f""#.to_owned() + "";
    check("escapes", Directory::sound().edit(G, "\"class Cart:\"", &odd), &[]);
    check(
        "raw separators",
        Directory::sound().edit(G, "\"class Cart:\"", "\"a\u{2028}b\u{7f}\u{202e}\""),
        &[],
    );
}

/// `levels` arrays in one another.
fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn nesting_stops_at_128_levels() {
    let note = |levels: usize| {
        Directory::sound().edit(G, "\"kind\"", &format!("\"note\": {}, \"kind\"", nested(levels)))
    };
    // The file, the list and the entry are three levels around the value.
    check("128 levels", note(125), &[]);
    let says = "nested 129 levels deep here; at most 128";
    check("129 levels", note(126), &[at("OMP026", G, "/entries/0/note", 6, 15, says)]);
    let says = "nested 100003 levels deep here; at most 128";
    check("100,003 levels", note(100_000), &[at("OMP026", G, "/entries/0/note", 6, 15, says)]);
}

#[test]
fn a_deep_value_of_a_wrong_type_overflows_nothing() {
    let deep = nested(100_000);
    let expected = [
        at("OMP026", G, "/entries/0/term", 5, 15, "100003 levels"),
        at("OMP030", G, "/entries/0/term", 5, 15, "expected a string, found an array"),
    ];
    check("a leaf", Directory::sound().edit(G, "\"Order\"", &deep), &expected);
    let expected = [
        at("OMP030", G, "/entries", 1, 39, "expected an array, found an object"),
        at("OMP026", G, "/entries/a", 1, 44, "100001 levels"),
    ];
    let object = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    let glossary = format!("{{\"schemaVersion\": \"1.1.0\", \"entries\": {object}}}");
    check("a list", Directory::sound().put(G, glossary), &expected);
    let whole = [
        at("OMP030", G, "/0", 1, 2, "expected an object, found an array"),
        at("OMP026", G, "/0/0", 1, 3, "100000 levels"),
    ];
    check("a file", Directory::sound().put(G, deep), &whole);
}
