//! Everything that a golden bundle holds, as a second reader lists it: `tests/reader.py`, which was written from SPEC.md
//! alone. It wrote the files compared with here.
//!
//!     python3 tests/reader.py fixtures/sample.ompack > fixtures/listings/sample.list

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use openmind_pack_format::postings::Block;
use openmind_pack_format::{
    Artifact, Bundle, Dictionary, Evidence, FoldedEnd, NameEnd, PostingsRow, ReadError,
};
use serde_json::{Value, json};

fn evidence<'a>(
    lines: &mut Vec<Value>,
    cited: Result<impl Iterator<Item = Result<Evidence<'a>, ReadError>>, ReadError>,
) {
    for cited in cited.unwrap() {
        let Evidence { file, line, snippet } = cited.unwrap();
        lines.push(json!(["evidence", file, line, snippet]));
    }
}

fn sections(bundle: &Bundle, lines: &mut Vec<Value>) {
    let header = bundle.header();
    let hashes = [bundle.content_hash().to_string(), header.knowledge_hash.to_string()];
    lines.push(json!(["bundle", hashes[0], hashes[1], header.format_version, header.analyzer_id]));
    for section in bundle.inventory() {
        lines.push(json!(["section", section.kind.code(), section.rows, section.length]));
    }
    for index in 0..bundle.artifact_count().unwrap() {
        let artifact: Artifact<'_> = bundle.artifact(index).unwrap();
        let length = artifact.row().length;
        lines.push(json!([
            "artifact",
            artifact.name().unwrap(),
            artifact.kind().code(),
            artifact.entries(),
            length
        ]));
    }
}

fn glossary(bundle: &Bundle, lines: &mut Vec<Value>) {
    for index in 0..bundle.term_count().unwrap() {
        let term = bundle.term(index).unwrap();
        let (name, kind, description) =
            (term.term().unwrap(), term.kind().unwrap(), term.description().unwrap());
        lines.push(json!(["glossary", name, kind, description, term.confidence().as_str()]));
        evidence(lines, term.evidence());
    }
}

fn architecture(bundle: &Bundle, lines: &mut Vec<Value>) {
    for index in 0..bundle.component_count().unwrap() {
        let component = bundle.component(index).unwrap();
        let (name, kind) = (component.name().unwrap(), component.kind().unwrap());
        let (description, confidence) = (component.description().unwrap(), component.confidence().as_str());
        lines.push(json!(["component", name, kind, description, confidence]));
        for responsibility in component.responsibilities().unwrap() {
            lines.push(json!(["responsibility", responsibility.unwrap()]));
        }
        evidence(lines, component.evidence());
        for role in component.roles().unwrap() {
            let (role, count) = role.unwrap();
            lines.push(json!(["role", role, count]));
        }
    }
    for index in 0..bundle.layer_count().unwrap() {
        let layer = bundle.layer(index).unwrap();
        let (role, title) = (layer.role().unwrap(), layer.title().unwrap());
        let (files, confidence) = (layer.row().file_count, layer.confidence().as_str());
        lines.push(json!(["layer", role, title, layer.layer(), files, confidence]));
        for file in layer.files().unwrap() {
            lines.push(json!(["layer-file", file.unwrap()]));
        }
        evidence(lines, layer.evidence());
    }
}

fn flows(bundle: &Bundle, lines: &mut Vec<Value>) {
    for index in 0..bundle.flow_count().unwrap() {
        let flow = bundle.flow(index).unwrap();
        lines.push(json!([
            "flow",
            flow.name().unwrap(),
            flow.description().unwrap(),
            flow.confidence().as_str()
        ]));
        for step in flow.steps().unwrap() {
            let step = step.unwrap();
            lines.push(json!([
                "step",
                step.row().order,
                step.description().unwrap(),
                step.component().unwrap()
            ]));
            evidence(lines, step.evidence());
        }
        for facet in flow.facets().unwrap() {
            let facet = facet.unwrap();
            let (name, file, snippet) =
                (facet.facet().unwrap(), facet.file().unwrap(), facet.snippet().unwrap());
            lines.push(json!(["facet", name, file, facet.row().line, snippet]));
            for value in facet.values().unwrap() {
                let (name, value) = value.unwrap();
                lines.push(json!(["value", name, value]));
            }
        }
    }
}

fn source_index(bundle: &Bundle, lines: &mut Vec<Value>) {
    for index in 0..bundle.file_count().unwrap() {
        let file = bundle.file(index).unwrap();
        lines.push(json!(["file", file.path().unwrap(), file.language().unwrap()]));
        for symbol in file.symbols().unwrap() {
            let symbol = bundle.symbol(symbol).unwrap();
            let (name, kind, snippet) =
                (symbol.name().unwrap(), symbol.kind().unwrap(), symbol.snippet().unwrap());
            lines.push(json!(["symbol", name, kind, symbol.row().line, snippet]));
        }
    }
}

fn key(dictionary: &Dictionary<'_>, ordinal: u32) -> String {
    let mut key = Vec::new();
    assert!(dictionary.key(ordinal, &mut key).unwrap());
    String::from_utf8(key).unwrap()
}

fn dictionaries(bundle: &Bundle, lines: &mut Vec<Value>) {
    let (names, folded, terms) =
        (bundle.names().unwrap(), bundle.folded_names().unwrap(), bundle.terms().unwrap());
    for ordinal in 0..bundle.rows::<NameEnd>().unwrap().len() {
        let places: Vec<u32> = bundle.places(ordinal).unwrap().collect::<Result<_, _>>().unwrap();
        lines.push(json!(["name", key(&names, ordinal), places]));
    }
    for ordinal in 0..bundle.rows::<FoldedEnd>().unwrap().len() {
        let spellings: Vec<u32> = bundle.spellings(ordinal).unwrap().collect::<Result<_, _>>().unwrap();
        lines.push(json!(["folded", key(&folded, ordinal), spellings]));
    }
    let mut block = Block::default();
    for ordinal in 0..bundle.rows::<PostingsRow>().unwrap().len() {
        let list = bundle.postings(ordinal).unwrap();
        let mut postings: Vec<(u32, u8)> = Vec::new();
        for index in 0..list.block_count() {
            list.decode(index, &mut block).unwrap();
            postings.extend(block.documents().iter().copied().zip(block.impacts().iter().copied()));
        }
        lines.push(json!(["term", key(&terms, ordinal), list.max_impact(), postings]));
    }
}

fn listing(bundle: &[u8]) -> String {
    let bundle = Bundle::from_slice(bundle, None).unwrap();
    let mut lines = Vec::new();
    sections(&bundle, &mut lines);
    glossary(&bundle, &mut lines);
    architecture(&bundle, &mut lines);
    flows(&bundle, &mut lines);
    source_index(&bundle, &mut lines);
    dictionaries(&bundle, &mut lines);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn both_readers_list_the_same() {
    for (bundle, second) in [
        (
            &include_bytes!("../../fixtures/sample.ompack")[..],
            include_str!("../../fixtures/listings/sample.list"),
        ),
        (
            include_bytes!("../../fixtures/golden/empty.ompack"),
            include_str!("../../fixtures/listings/empty.list"),
        ),
    ] {
        let first = listing(bundle);
        for (first, second) in first.lines().zip(second.lines()) {
            assert_eq!(first, second);
        }
        assert_eq!(first.len(), second.len());
    }
}

#[test]
fn both_readers_list_the_same_of_a_bundle_too_long_to_print() {
    let first = listing(include_bytes!("../../fixtures/golden/wide.ompack"));
    let second = include_str!("../../fixtures/listings/wide.blake3").trim_ascii();
    assert_eq!(blake3::hash(first.as_bytes()).to_hex().as_str(), second);
}
