//! Bundles that no build makes: bytes changed, and the hash made right again.

use openmind_pack_format::layout::header;

use crate::seal::seal;

/// Changes a bundle's body, and writes the hashes that it then has.
pub(crate) fn forge(mut bundle: Vec<u8>, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let length = bundle.len();
    change(&mut bundle);
    assert_eq!(bundle.len(), length, "a forgery keeps the length");
    let body = u64::from_le_bytes(bundle[header::BODY_LENGTH..][..8].try_into().expect("eight bytes"));
    seal(&bundle[..body as usize])
}

/// Replaces the first occurrence of a text by one of its length. Texts of rows come before those of originals.
pub(crate) fn replace_first(bytes: &mut [u8], from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let at =
        bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("the text is there");
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
}

/// The knowledge hash as it stands in the header.
pub(crate) fn knowledge_hash(bundle: &[u8]) -> &[u8] {
    &bundle[header::KNOWLEDGE_HASH..header::KNOWLEDGE_HASH + 32]
}

/// Overwrites it.
pub(crate) fn set_knowledge_hash(bundle: &mut [u8], hash: &[u8]) {
    bundle[header::KNOWLEDGE_HASH..header::KNOWLEDGE_HASH + 32].copy_from_slice(hash);
}

/// A small directory, whose bundle is one group: the sample without its symbols.
pub(crate) fn small_directory(desk: &crate::common::Desk, name: &str, definition: &str) {
    let dir = desk.path(name);
    std::fs::create_dir_all(&dir).expect("made");
    let version = "\"schemaVersion\":\"1.1.0\"";
    let repository = "\"repository\":{\"name\":\"small\",\"root\":\".\",\"commit\":null}";
    let time = "\"generatedAt\":\"2026-01-01T00:00:00Z\"";
    let evidence =
        "\"evidence\":[{\"file\":\"a.md\",\"line\":1,\"snippet\":\"Alpha\"}],\"confidence\":\"high\"";
    let files = [
        (
            "manifest.json",
            format!(
                "{{{version},\"generator\":{{\"name\":\"g\",\"version\":\"1\"}},{time},{repository},\"artifacts\":{{\"metadata\":\"metadata.json\",\"glossary\":\"glossary.json\",\"architecture\":\"architecture.json\",\"flows\":\"flows.json\",\"sourceIndex\":\"source-index.json\"}}}}"
            ),
        ),
        (
            "metadata.json",
            format!(
                "{{{version},{repository},{time},\"summary\":{{\"filesIndexed\":1,\"symbolsIndexed\":0,\"artifactsGenerated\":5}}}}"
            ),
        ),
        (
            "glossary.json",
            format!(
                "{{{version},\"entries\":[{{\"term\":\"Alpha\",\"kind\":\"concept\",\"description\":\"{definition}\",{evidence}}}]}}"
            ),
        ),
        ("architecture.json", format!("{{{version},\"components\":[]}}")),
        ("flows.json", format!("{{{version},\"flows\":[]}}")),
        (
            "source-index.json",
            format!("{{{version},\"files\":[{{\"path\":\"a.md\",\"language\":null,\"symbols\":[]}}]}}"),
        ),
    ];
    for (file, text) in files {
        std::fs::write(dir.join(file), text).expect("written");
    }
}
