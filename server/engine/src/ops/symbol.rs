//! `get_symbol_evidence`: every place of a name.

use std::collections::HashSet;

use openmind_pack_format::{Bundle, Confidence, Evidence, ReadError, SymbolRow, Term};
use serde::Serialize;
use serde_json::Value;

use super::allowance::Allowance;
use super::cursor::Cursor;
use super::evidence::{EvidenceRecord, confidence};
use super::{Arguments, CallError, Context, TextLimit, report};
use crate::suggest::suggest;

/// Longest name, in bytes; also the limit of names in the input.
const MAX_NAME: TextLimit = TextLimit::Bytes(8 * 1024);
/// Places a page where the caller sets no limit.
const DEFAULT_LIMIT: u32 = 20;
/// Most places a page.
const MAX_LIMIT: u32 = 50;
/// Most suggestions.
const MAX_SUGGESTIONS: usize = 10;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Supported<'a> {
    status: &'static str,
    symbol: &'a str,
    evidence: Vec<EvidenceRecord<'a>>,
    #[serde(serialize_with = "confidence")]
    confidence: Confidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Serialize)]
struct Insufficient<'a> {
    status: &'static str,
    symbol: &'a str,
    evidence: [EvidenceRecord<'a>; 0],
    reason: String,
    suggestions: Vec<String>,
}

pub(crate) fn run(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let symbol = arguments.required_text("symbol", MAX_NAME)?;
    let limit = arguments.optional_integer("limit", 1..=MAX_LIMIT)?.unwrap_or(DEFAULT_LIMIT) as usize;
    let cursor = arguments.optional_text("cursor", Cursor::LIMIT)?;
    arguments.finish()?;

    let bundle = context.bundle;
    let scope = Cursor::scope(bundle, &symbol);
    let offset = cursor.map_or(Ok(0), |cursor| scope.read(&cursor))?;
    let places = Places::find(bundle, &symbol)?;
    let total = places.len();
    if total == 0 {
        return refuse(bundle, &symbol);
    }
    if offset >= total {
        return Err(Cursor::unusable("one that points past the last place").into());
    }
    let end = total.min(offset.saturating_add(limit));
    let evidence = (offset..end).map(|index| places.get(index).map(Into::into)).collect::<Result<_, _>>()?;
    report(&Supported {
        status: "supported",
        symbol: &symbol,
        evidence,
        confidence: places.confidence,
        total: (total > limit).then_some(total),
        next_cursor: (end < total).then(|| scope.write(end)),
    })
}

fn refuse(bundle: &Bundle, symbol: &str) -> Result<Value, CallError> {
    let suggestions = suggest(bundle, symbol, MAX_SUGGESTIONS)?;
    let near = if suggestions.is_empty() {
        "and no name is near it"
    } else {
        "near names are suggestions, not evidence"
    };
    report(&Insufficient {
        status: "insufficient_evidence",
        symbol,
        evidence: [],
        reason: format!("No loaded artifact records a symbol or term of this name; {near}."),
        suggestions,
    })
}

/// The distinct places of a name: glossary entries first, then symbols, each by path and line.
struct Places<'a> {
    bundle: &'a Bundle,
    glossary: Vec<Evidence<'a>>,
    symbols: Vec<u32>,
    confidence: Confidence,
}

impl<'a> Places<'a> {
    fn find(bundle: &'a Bundle, symbol: &str) -> Result<Self, CallError> {
        let exact = Self::among(bundle, &bundle.documents_named(symbol)?, Confidence::High)?;
        if exact.len() > 0 {
            return Ok(exact);
        }
        Self::among(bundle, &bundle.documents_named_in_any_case(symbol)?, Confidence::Medium)
    }

    /// Places of ascending documents, with a confidence of at most `ceiling`.
    fn among(bundle: &'a Bundle, documents: &[u32], ceiling: Confidence) -> Result<Self, CallError> {
        let (terms, first_symbol) = (bundle.term_count()?, bundle.first_symbol()?);
        let (entries, others) = documents.split_at(documents.partition_point(|document| *document < terms));
        let entries: Vec<Term<'_>> = entries.iter().map(|row| bundle.term(*row)).collect::<Result<_, _>>()?;
        let confidence = entries.iter().map(Term::confidence).min().unwrap_or(Confidence::High).min(ceiling);
        let mut allowance = Allowance::default();
        let mut glossary = Vec::new();
        for entry in &entries {
            glossary.extend(allowance.evidence(entry.evidence()?)?);
        }
        glossary.sort_by_key(|evidence| (evidence.file, evidence.line));
        let mut seen = HashSet::new();
        glossary.retain(|evidence| seen.insert(*evidence));
        let symbols =
            others.get(others.partition_point(|document| *document < first_symbol)..).unwrap_or_default();
        let symbols = distinct(bundle, symbols.iter().map(|document| document - first_symbol), &seen)?;
        Ok(Self { bundle, glossary, symbols, confidence })
    }

    fn len(&self) -> usize {
        self.glossary.len() + self.symbols.len()
    }

    fn get(&self, index: usize) -> Result<Evidence<'a>, ReadError> {
        match self.glossary.get(index) {
            Some(evidence) => Ok(*evidence),
            None => {
                let symbol = self.symbols.get(index - self.glossary.len()).copied().unwrap_or(u32::MAX);
                self.bundle.symbol_evidence(symbol)
            }
        }
    }
}

/// Symbols without those whose place equals an earlier one. Rows are in the order of path and line, so equal places are
/// neighbours: only neighbours on one line, and lines that the glossary cites, are compared.
fn distinct(
    bundle: &Bundle,
    symbols: impl Iterator<Item = u32>,
    glossary: &HashSet<Evidence<'_>>,
) -> Result<Vec<u32>, ReadError> {
    let rows = bundle.rows::<SymbolRow>()?;
    let cited: HashSet<u32> = glossary.iter().map(|evidence| evidence.line).collect();
    let mut kept: Vec<u32> = Vec::new();
    // A run: symbols on one line of one file. Its line, its first symbol, where it begins in `kept`, and the symbols of
    // its file once they were needed.
    let (mut line, mut first, mut run, mut file) = (0, 0, 0, 0..0);
    for symbol in symbols {
        let row = rows.get(symbol)?;
        if row.line == line && file.is_empty() {
            file = bundle.file(bundle.file_of_symbol(first)?)?.symbols()?;
        }
        if row.line != line || !file.contains(&symbol) {
            (line, first, run, file) = (row.line, symbol, kept.len(), 0..0);
        }
        let neighbours = kept.get(run..).unwrap_or_default();
        let mut repeated = false;
        if !neighbours.is_empty() || cited.contains(&line) {
            let evidence = bundle.symbol_evidence(symbol)?;
            repeated = glossary.contains(&evidence);
            for earlier in neighbours {
                repeated = repeated || bundle.symbol_evidence(*earlier)? == evidence;
            }
        }
        if !repeated {
            kept.push(symbol);
        }
    }
    Ok(kept)
}
