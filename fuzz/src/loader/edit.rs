//! Edits of the small directory: values replaced, removed and doubled where JSON has them, and bytes where it hasn't.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::base::SMALL;
use crate::script::Script;

/// Values and pieces of text that loaders stumble over.
const NASTY: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "1.5",
    "1e2",
    "2147483647",
    "2147483648",
    "18446744073709551616",
    "1e999",
    "\"\"",
    "{}",
    "[]",
    "[[]]",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u0000\"",
    "\"../a\"",
    "\"/a\"",
    "\"C:/a\"",
    "\"a\\\\b\"",
    "\"src/graft.py\"",
    "\"high\"",
    "\"2.0.0\"",
    "\"a\u{301}\u{df}\u{130}\"",
    "{\"a\":1,\"a\":2}",
    "\u{feff}",
    "\r\n",
    "tru",
    "\"",
];

/// Where JSON values stand in a file, those of members with their keys.
struct Spans {
    values: Vec<Range<usize>>,
    members: Vec<Range<usize>>,
}

static SPANS: LazyLock<Vec<Spans>> =
    LazyLock::new(|| SMALL.iter().map(|(_, text)| Spans::of(text)).collect());

impl Spans {
    /// Of a sound text, in one pass: a value ends where its container's depth is reached again.
    fn of(text: &str) -> Self {
        let mut spans = Self { values: Vec::new(), members: Vec::new() };
        let mut at = 0;
        spans.value(text.as_bytes(), &mut at);
        spans
    }

    fn value(&mut self, text: &[u8], at: &mut usize) {
        skip_blanks(text, at);
        let start = *at;
        match text[*at] {
            b'"' => string(text, at),
            open @ (b'{' | b'[') => {
                *at += 1;
                loop {
                    skip_blanks(text, at);
                    match text[*at] {
                        b'}' | b']' => break,
                        b',' => *at += 1,
                        _ if open == b'{' => {
                            let key = *at;
                            string(text, at);
                            skip_blanks(text, at);
                            *at += 1;
                            self.value(text, at);
                            self.members.push(key..*at);
                        }
                        _ => self.value(text, at),
                    }
                }
                *at += 1;
            }
            _ => {
                while !matches!(text[*at], b',' | b'}' | b']' | b'\n') {
                    *at += 1;
                }
            }
        }
        self.values.push(start..*at);
    }
}

fn skip_blanks(text: &[u8], at: &mut usize) {
    while text[*at].is_ascii_whitespace() {
        *at += 1;
    }
}

fn string(text: &[u8], at: &mut usize) {
    *at += 1;
    while text[*at] != b'"' {
        *at += if text[*at] == b'\\' { 2 } else { 1 };
    }
    *at += 1;
}

/// What takes the place of pieces of a file, by where they begin.
type Edits = BTreeMap<usize, (usize, Vec<u8>)>;

/// The small directory after the script's edits.
pub fn edited(script: &mut Script<'_>) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Edits)> =
        SMALL.iter().map(|(name, _)| (name.to_string(), Edits::new())).collect();
    let mut others = Vec::new();
    let mut gone = [false; SMALL.len()];
    while !script.is_done() {
        let what = script.u8();
        let file = usize::from(what >> 4) % SMALL.len();
        let (text, spans) = (SMALL[file].1.as_bytes(), &SPANS[file]);
        let edits = &mut files[file].1;
        let mut put = |range: Range<usize>, bytes: &[u8]| {
            edits.insert(range.start, (range.end, bytes.to_vec()));
        };
        let value = |script: &mut Script<'_>| spans.values[script.index(spans.values.len())].clone();
        let member = |script: &mut Script<'_>| spans.members[script.index(spans.members.len())].clone();
        match what & 15 {
            0 | 1 => put(value(script), script.piece()),
            2 | 3 => put(value(script), NASTY[usize::from(script.u8()) % NASTY.len()].as_bytes()),
            4 => {
                let to = value(script);
                put(to, &text[value(script)]);
            }
            5 => {
                // A quoted text, which is most likely to be accepted.
                let range = value(script);
                let quoted = serde_json::to_vec(&*String::from_utf8_lossy(script.piece())).unwrap();
                put(range, &quoted);
            }
            6 | 7 => {
                let range = member(script);
                let comma = usize::from(text.get(range.end) == Some(&b','));
                put(range.start..range.end + comma, b"");
            }
            8 => {
                let range = member(script);
                let twice = [&text[range.clone()], b",", &text[range.clone()]].concat();
                put(range, &twice);
            }
            9 => {
                let range = value(script);
                let twice = [&text[range.clone()], b",", &text[range.clone()]].concat();
                put(range, &twice);
            }
            10 => {
                let range = member(script);
                let added = [b"\"", script.piece(), b"\":1,"].concat();
                put(range.start..range.start, &added);
            }
            11 => {
                let start = script.index(text.len());
                let end = (start + usize::from(script.u8())).min(text.len());
                put(start..end, script.piece());
            }
            12 => {
                let start = script.index(text.len());
                put(start..text.len(), b"");
            }
            13 => {
                let range = value(script);
                let deep = usize::from(script.u16()) % 300;
                let nested = [b"[".repeat(deep), b"]".repeat(deep)].concat();
                put(range, &nested);
            }
            14 => others.push((name(script.piece()), script.piece().to_vec())),
            _ => match script.u8() % 3 {
                0 => gone[file] = true,
                1 => files[file].0 = name(script.piece()),
                _ => put(0..text.len(), script.piece()),
            },
        }
    }
    let kept = files.into_iter().zip(SMALL).zip(gone).filter(|(_, gone)| !gone);
    let mut files: BTreeMap<String, Vec<u8>> =
        kept.map(|(((name, edits), (_, text)), _)| (name, apply(text.as_bytes(), edits))).collect();
    // A directory has one file of a name.
    for (name, bytes) in others {
        files.entry(name).or_insert(bytes);
    }
    files.into_iter().collect()
}

/// A name that a file of a directory can have and that can be stored.
fn name(bytes: &[u8]) -> String {
    let name: String = String::from_utf8_lossy(bytes).chars().filter(|c| !"/\\\0".contains(*c)).collect();
    if name.is_empty() || name == "." || name == ".." { "other".to_owned() } else { name }
}

/// The text with its pieces replaced. Of two that overlap the later one is left out.
fn apply(text: &[u8], edits: Edits) -> Vec<u8> {
    let mut edited = Vec::with_capacity(text.len());
    let mut at = 0;
    for (start, (end, bytes)) in edits {
        if start >= at {
            edited.extend_from_slice(&text[at..start]);
            edited.extend_from_slice(&bytes);
            at = end;
        }
    }
    edited.extend_from_slice(&text[at..]);
    edited
}
