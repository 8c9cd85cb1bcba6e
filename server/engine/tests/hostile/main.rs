//! Consistent and hostile bundles, asked by the operations: each is answered, or refused by a typed error, and none costs more
//! than its size lets expect.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

// Shared with the format's own tests, which use more of it.
#[allow(dead_code)]
#[path = "../../../../format-spec/tests/hostile/forgery.rs"]
mod forgery;
#[path = "../../../../format-spec/tests/common/seal.rs"]
mod seal;

use forgery::Forgery;
use openmind_pack_engine::ops::{CallError, Context, by_command};
use openmind_pack_format::SectionKind;
use serde_json::{Value, json};

const SAMPLE: &[u8] = include_bytes!("../../../../fixtures/sample.ompack");
const MEBIBYTE: usize = 1 << 20;

fn ask(forgery: &Forgery, command: &str, arguments: Value) -> Result<Value, CallError> {
    let bundle = forgery.open().unwrap();
    let context = Context { bundle: &bundle, max_results: 50, notice: None, replacement_error: None };
    by_command(command).unwrap().call(&context, arguments).map(|answer| answer.into_value())
}

fn name_of(kind: SectionKind, row: u32) -> String {
    let field = if kind == SectionKind::Glossary { "term" } else { "name" };
    let id = Forgery::of(SAMPLE).get(kind, row, field);
    Forgery::of(SAMPLE).open().unwrap().string(id).unwrap().to_owned()
}

/// The sample with one text of a mebibyte behind the others, and the id of that text.
fn with_long_text() -> (Forgery, u32) {
    let sample = Forgery::of(SAMPLE);
    let length = sample.length(SectionKind::StringBytes) as usize;
    let last = sample.rows(SectionKind::StringEnds) - 1;
    let begins = sample.get(SectionKind::StringEnds, last - 1, "end");
    let forged = sample.resize(SectionKind::StringBytes, length + MEBIBYTE);
    let at = forged.start(SectionKind::StringBytes) + u64::from(begins);
    let forged = forged.put(at, &vec![b'x'; MEBIBYTE]).set(
        SectionKind::StringEnds,
        last,
        "end",
        begins + MEBIBYTE as u32,
    );
    (forged, last)
}

/// Every cited line is a long text, and an entry cites them all.
fn citing_all(kind: SectionKind, row: u32) -> Forgery {
    let (mut forged, long) = with_long_text();
    let lines = forged.rows(SectionKind::Evidence);
    for line in 0..lines {
        for field in ["file", "snippet"] {
            forged = forged.set(SectionKind::Evidence, line, field, long);
        }
    }
    forged.set(kind, row, "evidence_first", 0).set(kind, row, "evidence_count", lines)
}

#[test]
fn an_answer_of_a_hundred_megabytes_from_one_is_not_given() {
    let too_large = Err(CallError::TooLarge { limit: 64 << 20 });
    let component = name_of(SectionKind::Components, 0);
    let forged = citing_all(SectionKind::Components, 0);
    assert_eq!(ask(&forged, "explain", json!({"component": component})), too_large);
    assert_eq!(ask(&forged, "search", json!({"query": component})), too_large);
    let term = name_of(SectionKind::Glossary, 0);
    let forged = citing_all(SectionKind::Glossary, 0);
    assert_eq!(ask(&forged, "symbol", json!({"symbol": term})), too_large);
    assert_eq!(ask(&forged, "search", json!({"query": term})), too_large);
}

#[test]
fn a_claim_reads_no_more_lines_than_it_shows() {
    let term = name_of(SectionKind::Glossary, 0);
    let forged = citing_all(SectionKind::Glossary, 0);
    let answer = ask(&forged, "claim", json!({"claim": format!("{term}.")})).unwrap();
    let evidence = answer["evidence"].as_array().unwrap();
    assert!((1..=5).contains(&evidence.len()));
}

#[test]
fn a_page_of_symbols_stays_below_the_allowance_whatever_they_quote() {
    let (mut forged, long) = with_long_text();
    for symbol in 0..forged.rows(SectionKind::Symbols) {
        for field in ["kind", "snippet"] {
            forged = forged.set(SectionKind::Symbols, symbol, field, long);
        }
    }
    let too_large = CallError::TooLarge { limit: 64 << 20 };
    // Fifty hits of two long texts each are more than an answer holds, and ten are not.
    let names: Vec<String> = (0..80).step_by(2).map(|symbol| name_of(SectionKind::Symbols, symbol)).collect();
    let query = |limit: u32| json!({"query": names.join(" "), "limit": limit});
    assert!(ask(&forged, "search", query(50)) == Err(too_large));
    assert!(ask(&forged, "search", query(5)).is_ok());
}

#[test]
fn a_symbol_before_all_symbols_is_not_looked_for() {
    // The places of a name descend from a symbol to a glossary entry: subtracted, its row number would be below zero.
    let sample = Forgery::of(SAMPLE);
    let (name, first) = (1..sample.rows(SectionKind::NameEnds))
        .map(|name| (name, sample.get(SectionKind::NameEnds, name - 1, "end")))
        .find(|(name, first)| {
            let documents = sample.open().unwrap().first_symbol().unwrap();
            sample.get(SectionKind::NameEnds, *name, "end") >= first + 2
                && sample.get(SectionKind::Places, *first, "document") >= documents
        })
        .unwrap();
    let forged = sample.set(SectionKind::Places, first + 1, "document", 0);
    let mut key = Vec::new();
    assert!(forged.open().unwrap().names().unwrap().key(name, &mut key).unwrap());
    let symbol = String::from_utf8(key).unwrap();
    match ask(&forged, "symbol", json!({"symbol": symbol})) {
        Err(CallError::Damaged { reason }) => {
            assert!(reason.contains("places of a name do not ascend"), "{reason}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn search_and_claims_are_refused_for_another_analyzer_and_look_ups_are_not() {
    let analyzer = openmind_pack_format::layout::header::ANALYZER_ID as u64;
    let forged = Forgery::of(SAMPLE).put(analyzer, &2_u32.to_le_bytes());
    for (command, arguments) in
        [("search", json!({"query": "valve"})), ("claim", json!({"claim": "Valves open."}))]
    {
        match ask(&forged, command, arguments) {
            Err(CallError::Unsupported { reason }) => assert!(reason.contains("analyzer 2"), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
    let term = name_of(SectionKind::Glossary, 0);
    assert_eq!(ask(&forged, "symbol", json!({"symbol": term})).unwrap()["status"], "supported");
}
