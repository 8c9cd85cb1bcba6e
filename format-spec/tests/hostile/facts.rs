//! Facts: what the knowledge hash covers, and the order of rows.

use openmind_pack_format::layout::header;
use openmind_pack_format::{Area, Problem, ReadError, SectionKind};

use crate::forgery::{assert_refused, at_row, not_ascending, too_large, unexpected};
use crate::sample;

#[test]
fn a_knowledge_hash_of_other_facts() {
    let forged = sample().put(header::KNOWLEDGE_HASH as u64 + 31, &[0]);
    let place = (Area::Header, header::KNOWLEDGE_HASH as u64);
    assert_refused(forged.open().unwrap().verify_deep(), place, Problem::KnowledgeHash);
}

#[test]
fn a_fact_believed_less_than_the_generator_did() {
    let kind = SectionKind::Glossary;
    let forged = sample().add(kind, 0, "confidence", -1);
    assert_eq!(forged.get(kind, 0, "confidence"), 2);
    let place = (Area::Header, header::KNOWLEDGE_HASH as u64);
    assert_refused(forged.open().unwrap().verify_deep(), place, Problem::KnowledgeHash);
}

#[test]
fn a_citation_of_another_line() {
    let forged = sample().add(SectionKind::Evidence, 0, "line", 1);
    let place = (Area::Header, header::KNOWLEDGE_HASH as u64);
    assert_refused(forged.open().unwrap().verify_deep(), place, Problem::KnowledgeHash);
}

#[test]
fn a_citation_of_line_zero() {
    for (kind, row) in [(SectionKind::Evidence, 57), (SectionKind::Facets, 5)] {
        let forged = sample().set(kind, row, "line", 0);
        let bundle = forged.open().unwrap();
        assert_refused(bundle.verify_deep(), at_row(&forged, kind, row), unexpected("line", 0, 1));
    }
}

#[test]
fn entries_out_of_order() {
    for (kind, field, what) in [
        (SectionKind::Glossary, "term", "terms"),
        (SectionKind::Components, "name", "component names"),
        (SectionKind::Flows, "name", "flow names"),
    ] {
        let last = sample().rows(kind) - 1;
        let first = sample().get(kind, 0, field);
        let forged = sample().set(kind, last, field, first);
        let bundle = forged.open().unwrap();
        assert_refused(bundle.verify_deep(), at_row(&forged, kind, last), not_ascending(what));
    }
}

#[test]
fn info_about_a_template_that_is_no_text() {
    let texts = sample().rows(SectionKind::StringEnds);
    for field in ["commit", "template_schema_version", "generated_at", "generator_version"] {
        let forged = sample().set(SectionKind::Info, 0, field, texts);
        let bundle = forged.open().unwrap();
        let problem = too_large("row number", texts.into(), texts.into());
        assert_refused(bundle.verify_deep(), at_row(&forged, SectionKind::StringEnds, 0), problem);
    }
}

#[test]
fn a_file_with_the_symbols_of_the_one_before() {
    let kind = SectionKind::Files;
    let row = (1..25).find(|row| sample().get(kind, row - 1, "symbols_count") > 0).unwrap();
    let forged = sample().add(kind, row, "symbols_first", -1);
    let first = u64::from(forged.get(kind, row, "symbols_first"));
    let problem = unexpected("first symbol of a file", first, first + 1);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, kind, row), problem);
}

#[test]
fn a_file_with_more_symbols_than_there_are() {
    let kind = SectionKind::Files;
    let symbols = sample().rows(SectionKind::Symbols);
    let forged = sample().set(kind, 24, "symbols_count", symbols);
    let end = u64::from(forged.get(kind, 24, "symbols_first")) + u64::from(symbols);
    let bundle = forged.open().unwrap();
    let problem = too_large("end of a row range", end, symbols.into());
    let place = at_row(&forged, SectionKind::Symbols, 0);
    assert_refused(bundle.file(24).unwrap().symbols(), place, problem.clone());
    assert_refused(bundle.verify_deep(), place, problem);
}

/// The last file with symbols, and its last symbol.
fn last_symbol() -> (u32, u32) {
    let row = (0..25).rev().find(|row| sample().get(SectionKind::Files, *row, "symbols_count") > 0).unwrap();
    (row, sample().rows(SectionKind::Symbols) - 1)
}

#[test]
fn a_symbol_of_no_file() {
    let (file, symbol) = last_symbol();
    let mut forged = sample().add(SectionKind::Files, file, "symbols_count", -1);
    let bundle = forged.open().unwrap();
    let problem = unexpected("files that hold the symbol", 0, 1);
    let place = at_row(&forged, SectionKind::Symbols, symbol);
    assert_refused(bundle.symbol_evidence(symbol), place, problem);
    // Were the files behind it made to fit, the number would still be short.
    for row in file + 1..25 {
        forged = forged.add(SectionKind::Files, row, "symbols_first", -1);
    }
    let problem = unexpected("symbols in files", symbol.into(), u64::from(symbol) + 1);
    let place = at_row(&forged, SectionKind::Files, 0);
    assert_refused(forged.open().unwrap().verify_deep(), place, problem);
}

#[test]
fn paths_out_of_order() {
    let forged = sample();
    let first = forged.get(SectionKind::Files, 0, "path");
    let forged = forged.set(SectionKind::Files, 24, "path", first);
    let place = at_row(&forged, SectionKind::Files, 24);
    assert_refused(forged.open().unwrap().verify_deep(), place, not_ascending("file paths"));
}

#[test]
fn a_language_that_is_no_text() {
    let texts = sample().rows(SectionKind::StringEnds);
    let forged = sample().set(SectionKind::Files, 3, "language", texts);
    let problem = too_large("row number", texts.into(), texts.into());
    let place = at_row(&forged, SectionKind::StringEnds, 0);
    assert_refused(forged.open().unwrap().verify_deep(), place, problem);
}

#[test]
fn a_symbol_on_line_zero_and_symbols_out_of_order() {
    let (_, last) = last_symbol();
    let line = sample().get(SectionKind::Symbols, last, "line");
    for (symbol, value) in [(0, 0), (last, 1), (last - 1, line + 1)] {
        let forged = sample().set(SectionKind::Symbols, symbol, "line", value);
        // The one that comes too early is the one at fault: the next where a line was raised.
        let named = if value > line { last } else { symbol };
        let place = at_row(&forged, SectionKind::Symbols, named);
        assert_refused(forged.open().unwrap().verify_deep(), place, not_ascending("symbols of a file"));
    }
}

#[test]
fn symbols_of_one_line_out_of_the_order_of_names() {
    let (_, last) = last_symbol();
    let line = sample().get(SectionKind::Symbols, last, "line");
    let names = [last - 1, last].map(|symbol| sample().get(SectionKind::Symbols, symbol, "name"));
    let bundle = sample().open().unwrap();
    let [earlier, later] = names.map(|name| bundle.string(name).unwrap());
    let (smaller, greater) = if earlier < later { (names[0], names[1]) } else { (names[1], names[0]) };
    let forged = sample()
        .set(SectionKind::Symbols, last - 1, "line", line)
        .set(SectionKind::Symbols, last - 1, "name", greater)
        .set(SectionKind::Symbols, last, "name", smaller);
    let place = at_row(&forged, SectionKind::Symbols, last);
    assert_refused(forged.open().unwrap().verify_deep(), place, not_ascending("symbols of a file"));
}

#[test]
fn equal_names_paths_and_symbols_are_in_order() {
    // What is refused is that the dictionary, or the knowledge hash, knows nothing of it.
    let names = Problem::Dictionary("a place bears another name than its key");
    for (kind, row, field) in [
        (SectionKind::Glossary, 1, "term"),
        (SectionKind::Components, 1, "name"),
        (SectionKind::Flows, 1, "name"),
    ] {
        let forged = sample();
        let before = forged.get(kind, row - 1, field);
        match forged.set(kind, row, field, before).open().unwrap().verify_deep() {
            Err(ReadError::Malformed { area: Area::Section(SectionKind::NameEnds), problem, .. }) => {
                assert_eq!(problem, names, "{kind}");
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
    let knowledge = (Area::Header, header::KNOWLEDGE_HASH as u64);
    let forged = sample();
    let path = forged.get(SectionKind::Files, 3, "path");
    let forged = forged.set(SectionKind::Files, 4, "path", path);
    assert_refused(forged.open().unwrap().verify_deep(), knowledge, Problem::KnowledgeHash);
    let (_, last) = last_symbol();
    let mut forged = sample();
    for field in ["name", "line"] {
        let before = forged.get(SectionKind::Symbols, last - 1, field);
        forged = forged.set(SectionKind::Symbols, last, field, before);
    }
    match forged.open().unwrap().verify_deep() {
        Err(ReadError::Malformed { area: Area::Section(SectionKind::NameEnds), problem, .. }) => {
            assert_eq!(problem, names);
        }
        other => panic!("{other:?}"),
    }
}
