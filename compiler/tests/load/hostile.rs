//! Whatever bytes the files hold: findings, never a panic; and the order of keys says nothing.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value};

use crate::base::Directory;
use crate::sound::written;

/// Loads and checks what always holds.
fn load_and_check(directory: Directory) {
    let sizes: Vec<(String, usize, usize)> = directory
        .files
        .iter()
        .map(|(name, bytes)| {
            (name.clone(), bytes.iter().filter(|byte| **byte == b'\n').count() + 1, bytes.len() + 1)
        })
        .collect();
    let loaded = directory.load();
    let stopped = loaded.findings.iter().any(|finding| finding.severity.as_str() == "error");
    assert_eq!(loaded.model.is_none(), stopped);
    for finding in &loaded.findings {
        assert_eq!(finding.line.is_some(), finding.column.is_some());
        // Whatever has a pointer was found again.
        assert!(finding.pointer.is_none() || finding.line.is_some(), "{finding:?}");
        let Some((line, column)) = finding.line.zip(finding.column) else { continue };
        let (_, lines, columns) = sizes.iter().find(|(name, ..)| *name == finding.file).unwrap();
        assert!(line >= 1 && line as usize <= *lines, "{finding:?}");
        assert!(column >= 1 && column as usize <= *columns, "{finding:?}");
    }
}

/// Values that fit nowhere, or nearly everywhere.
const ODD: [&str; 23] = [
    "null",
    "true",
    "0",
    "-1",
    "1.0",
    "1e0",
    "1e999",
    "9007199254740993",
    "\"\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[[]]",
    "{\"line\": 0}",
    "[{}]",
    "[null]",
    "\"../x\"",
    "\"C:/x\"",
    "\"2.0.0\"",
    "{\"a\": {\"a\": 1}}",
    "-1e400",
    "{\"a\": 1, \"a\": {\"b\": \"\\ud800\", \"\\u0062\": [{\"c\": 1, \"c\": 2}]}}",
    "{\"\\udc00\": {\"a\": 1, \"a\": 2}, \"\\udc00\": [\"\\ud800\", {\"b\": 1, \"b\": 2}]}",
];

fn file_index() -> impl Strategy<Value = Index> {
    any::<Index>()
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(file in file_index(), bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut directory = Directory::sound();
        let file = file.index(directory.files.len());
        directory.files[file].1 = bytes;
        load_and_check(directory);
    }

    #[test]
    fn flipped_and_cut_bytes_never_panic(
        file in file_index(), at in any::<Index>(), byte in any::<u8>(), cut in proptest::option::of(any::<Index>()),
    ) {
        let mut directory = Directory::sound();
        let file = file.index(directory.files.len());
        let bytes = &mut directory.files[file].1;
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Some(cut) = cut {
            let length = cut.index(bytes.len());
            bytes.truncate(length);
        }
        load_and_check(directory);
    }

    #[test]
    fn structural_characters_in_odd_places_never_panic(
        file in file_index(), at in any::<Index>(), text in select(vec!["{", "}", "[", "]", "\"", ",", ":", "\\", "\\u", "\u{feff}", "\n", "é"]),
    ) {
        let mut directory = Directory::sound();
        let file = file.index(directory.files.len());
        let bytes = &mut directory.files[file].1;
        let at = at.index(bytes.len());
        bytes.splice(at..at, text.bytes());
        load_and_check(directory);
    }

    #[test]
    fn odd_values_anywhere_never_panic(spoil in proptest::collection::vec((file_index(), any::<Index>(), select(ODD.to_vec())), 1..6)) {
        let mut directory = Directory::sound();
        for (file, at, odd) in spoil {
            let file = file.index(directory.files.len());
            let bytes = &mut directory.files[file].1;
            let text = std::str::from_utf8(bytes).unwrap();
            let values = value_spans(text);
            if values.is_empty() {
                continue;
            }
            let (start, end) = values[at.index(values.len())];
            let spoiled = format!("{}{odd}{}", &text[..start], &text[end..]);
            *bytes = spoiled.into_bytes();
        }
        load_and_check(directory);
    }

    #[test]
    fn the_order_of_keys_says_nothing(seed in proptest::collection::vec(any::<u64>(), 64)) {
        let mut seed = seed.into_iter().cycle();
        let mut directory = Directory::sound();
        for (_, bytes) in &mut directory.files {
            let value: Value = serde_json::from_slice(bytes).unwrap();
            *bytes = serde_json::to_vec(&shuffled(value, &mut seed)).unwrap();
        }
        let loaded = directory.load();
        prop_assert_eq!(loaded.findings, vec![]);
        let sound = Directory::sound().load().model.unwrap();
        prop_assert_eq!(written(&loaded.model.unwrap()), written(&sound));
    }
}

/// Where scalars stand after a colon, as long as the text is plain enough to tell.
fn value_spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    for (at, _) in text.match_indices("\": ") {
        let start = at + 3;
        let rest = &text[start..];
        let end = match rest.chars().next() {
            Some('"') => rest[1..].find('"').map(|end| end + 2),
            _ => rest.find([',', '}', '\n']),
        };
        spans.extend(end.map(|end| (start, start + end)));
    }
    spans
}

fn shuffled(value: Value, seed: &mut impl Iterator<Item = u64>) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(|item| shuffled(item, seed)).collect()),
        Value::Object(pairs) => {
            let mut pairs: Vec<(u64, String, Value)> = pairs
                .into_iter()
                .map(|(key, value)| (seed.next().unwrap(), key, shuffled(value, seed)))
                .collect();
            pairs.sort_by_key(|(order, ..)| *order);
            Value::Object(
                pairs.into_iter().map(|(_, key, value)| (key, value)).collect::<Map<String, Value>>(),
            )
        }
        other => other,
    }
}

#[test]
fn a_text_of_300_mb_is_too_long() {
    let snippet = "x".repeat(300 << 20);
    let loaded = Directory::sound().edit("glossary.json", "class Cart:", &snippet).load();
    let [finding] = loaded.findings.as_slice() else { panic!("{:?}", loaded.findings.len()) };
    assert_eq!((finding.code.id(), finding.line), ("OMP039", Some(15)));
    assert_eq!(finding.message, "the text is 314572800 bytes long; at most 1048576 are read");
    assert!(loaded.model.is_none());
}

#[test]
fn a_name_of_300_mb_is_too_long() {
    let loaded = Directory::sound()
        .edit("glossary.json", "\"Cart\"", &format!("\"{}\"", "x".repeat(300 << 20)))
        .load();
    let [finding] = loaded.findings.as_slice() else { panic!("{:?}", loaded.findings.len()) };
    assert_eq!((finding.code.id(), finding.line, finding.column), ("OMP036", Some(12), Some(15)));
    assert_eq!(finding.message, "the name has 314572800 bytes; at most 8192 are allowed");
}
