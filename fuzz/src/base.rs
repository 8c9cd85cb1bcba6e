//! The sound directories and bundles that inputs spoil.

use std::fmt::Write;

use openmind_pack_compiler::{Input, Options, Silent, compile};

macro_rules! small {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../bases/small/", $name)))),*]
    };
}

/// A directory of a few lines a file, with every artifact kind and every optional field.
pub const SMALL: &[(&str, &str)] = small!(
    "manifest.json",
    "metadata.json",
    "glossary.json",
    "architecture.json",
    "flows.json",
    "source-index.json"
);

/// A directory in memory.
pub fn input(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Input {
    Input::from_files("fuzzed", files.into_iter().collect())
}

/// The bundle of [`SMALL`]: one group.
pub fn small() -> Vec<u8> {
    bundle(SMALL.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())))
}

/// A bundle with what `SMALL` hasn't: postings lists of several blocks in both forms, dictionaries of several shards
/// (of which long names make do with few), and two groups.
pub fn medium() -> Vec<u8> {
    let mut files = String::new();
    let mut symbols = 0;
    for file in 0..4 {
        let comma = if file == 0 { "" } else { "," };
        write!(files, r#"{comma}{{"path":"lib/part{file}/tools.rs","language":"rs","symbols":["#).unwrap();
        for line in 1..=40 {
            let comma = if line == 1 { "" } else { "," };
            // Every third is called differently, so that the list of `turn` has gaps.
            let name =
                if line % 3 == 0 { format!("wheel{line}") } else { format!("turn{}", line * 7 + file) };
            write!(
                files,
                r#"{comma}{{"name":"{name}","kind":"function","line":{line},"snippet":"fn {name}()"}}"#
            )
            .unwrap();
            symbols += 1;
        }
        if file < 3 {
            let long: String =
                (0..1500_u32).map(|at| char::from(b'a' + (at * at + at * file) as u8 % 23)).collect();
            let long = format!("{}{long}{long}{long}", char::from(b'f' + 5 * file as u8));
            write!(files, r#",{{"name":"{long}","kind":"type","line":41,"snippet":""}}"#).unwrap();
            symbols += 1;
        }
        files.push_str("]}");
    }
    bundle(SMALL.iter().map(|(name, text)| {
        let text = match *name {
            "source-index.json" => format!(r#"{{"schemaVersion":"1.1.0","files":[{files}]}}"#),
            "metadata.json" => text
                .replace(r#""filesIndexed":2"#, r#""filesIndexed":4"#)
                .replace(r#""symbolsIndexed":6"#, &format!(r#""symbolsIndexed":{symbols}"#)),
            _ => (*text).to_owned(),
        };
        (name.to_string(), text.into_bytes())
    }))
}

fn bundle(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let options = Options { threads: Some(1), ..Options::default() };
    let compiled = compile(input(files), options, &Silent).unwrap_or_else(|error| panic!("{error}"));
    let mut bytes = Vec::new();
    compiled.write_to(&mut bytes).unwrap();
    bytes
}
