//! The sound bundles that scripts start from.

use std::sync::LazyLock;

use blake3::hazmat::ChainingValue;
use openmind_pack_engine::Bundle;
use openmind_pack_format::analyzer::words;

use super::seal;
use crate::base;

/// Bytes of the header.
pub const HEADER: usize = 128;
/// Bytes of an entry of the section table.
pub const ENTRY: usize = 32;

/// A sound bundle, and what is known of it.
pub struct Pristine {
    /// The file.
    pub bytes: Vec<u8>,
    /// Length of its body.
    pub body: usize,
    /// Its section table.
    pub sections: Vec<Section>,
    /// The chaining values of its groups.
    pub values: Vec<ChainingValue>,
    /// Names to ask for, cut where that takes long.
    pub names: Vec<String>,
    /// Words of names and descriptions.
    pub words: Vec<String>,
    /// The same, opened.
    pub opened: Bundle,
}

/// An entry of the section table.
#[derive(Clone, Copy)]
pub struct Section {
    pub row_size: usize,
    pub rows: usize,
    pub offset: usize,
    pub length: usize,
}

/// The bundles that scripts choose from.
pub static BASES: LazyLock<[Pristine; 4]> = LazyLock::new(|| {
    [
        base::small(),
        base::medium(),
        include_bytes!("../../../fixtures/sample.ompack").to_vec(),
        include_bytes!("../../../fixtures/golden/empty.ompack").to_vec(),
    ]
    .map(Pristine::of)
});

/// The bundle of a script's first byte: most often the smallest, which is read fastest.
pub fn chosen(byte: u8) -> &'static Pristine {
    &BASES[if byte % 16 < BASES.len() as u8 { usize::from(byte % 16) } else { 0 }]
}

pub fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

pub fn u64_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

impl Pristine {
    fn of(bytes: Vec<u8>) -> Self {
        let opened = Bundle::from_slice(&bytes, None).unwrap();
        let body = u64_at(&bytes, seal::BODY_LENGTH);
        let sections = (0..u32_at(&bytes, seal::SECTION_COUNT)).map(|index| {
            let at = HEADER + index * ENTRY;
            Section {
                row_size: u32_at(&bytes, at + 8),
                rows: u32_at(&bytes, at + 12),
                offset: u64_at(&bytes, at + 16),
                length: u64_at(&bytes, at + 24),
            }
        });
        let sections = sections.collect();
        let values = seal::group_values(&bytes[..body]);
        let (names, words) = vocabulary(&opened);
        Self { body, sections, values, names, words, bytes, opened }
    }

    /// The section of a kind.
    pub fn section(&self, kind: u32) -> Section {
        self.sections[kind as usize - 1]
    }
}

/// The names of a bundle's documents, and their words and those of the glossary.
fn vocabulary(bundle: &Bundle) -> (Vec<String>, Vec<String>) {
    // Something to ask of an empty bundle.
    let (mut names, mut found) = (vec!["nothing".to_owned()], vec!["nothing".to_owned()]);
    for document in 0..bundle.document_count().unwrap() {
        let name: String = bundle.document(document).unwrap().name().unwrap().chars().take(60).collect();
        found.extend(words(&name).map(|word| word.text.to_owned()));
        names.push(name);
    }
    for term in 0..bundle.term_count().unwrap() {
        let description = bundle.term(term).unwrap().description().unwrap();
        found.extend(words(description).map(|word| word.text.to_owned()));
    }
    [&mut names, &mut found].into_iter().for_each(|texts| {
        texts.sort();
        texts.dedup();
    });
    (names, found)
}
