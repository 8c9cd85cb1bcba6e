//! How strongly each term stands in each document.

use std::ops::Range;

use openmind_pack_format::scoring::{Field, impact, weighted_frequency};
use rayon::prelude::*;

use super::fields::FieldTexts;
use super::tokens::Tokens;

/// Number of fields.
const FIELDS: usize = Field::ALL.len();
/// Documents that one task measures.
const DOCUMENTS_PER_TASK: usize = 1 << 14;

/// Total length of a field in tokens, and the number of documents that have it.
#[derive(Debug, Clone, Copy, Default)]
struct FieldTotals {
    length: u64,
    documents: u64,
}

/// All documents.
pub(super) struct Documents<'t> {
    texts: &'t FieldTexts<'t>,
    tokens: &'t Tokens,
    totals: [FieldTotals; FIELDS],
}

/// A term's impact on a document.
pub(super) struct Weighted {
    pub(super) term: u32,
    pub(super) impact: u8,
}

impl<'t> Documents<'t> {
    pub(super) fn new(texts: &'t FieldTexts<'t>, tokens: &'t Tokens) -> Self {
        let mut documents = Self { texts, tokens, totals: Default::default() };
        documents.totals = documents.measure();
        documents
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    fn measure(&self) -> [FieldTotals; FIELDS] {
        let add = |mut a: [FieldTotals; FIELDS], b: [FieldTotals; FIELDS]| {
            for (a, b) in a.iter_mut().zip(b) {
                a.length += b.length;
                a.documents += b.documents;
            }
            a
        };
        (0..self.len().div_ceil(DOCUMENTS_PER_TASK))
            .into_par_iter()
            .map(|task| {
                let first = task * DOCUMENTS_PER_TASK;
                let mut totals = [FieldTotals::default(); FIELDS];
                self.texts.each(first..(first + DOCUMENTS_PER_TASK).min(self.len()), |_, fields| {
                    for (total, length) in totals.iter_mut().zip(self.lengths(&fields.texts)) {
                        total.length += length;
                        total.documents += u64::from(length > 0);
                    }
                });
                totals
            })
            .reduce(Default::default, add)
    }

    /// Tokens of each field of a document.
    fn lengths(&self, texts: &[(Field, u32)]) -> [u64; FIELDS] {
        let mut lengths = [0; FIELDS];
        for (field, text) in texts {
            for token in self.tokens.of_text(*text) {
                lengths[field_of(*field, token.is_whole()) as usize] += 1;
            }
        }
        lengths
    }

    /// The terms of each document of a range with their impacts, terms ascending.
    pub(super) fn weigh(&self, range: Range<usize>, mut visit: impl FnMut(u32, &[Weighted])) {
        let mut occurrences: Vec<(u32, Field)> = Vec::new();
        let mut weighted: Vec<Weighted> = Vec::new();
        self.texts.each(range, |document, fields| {
            occurrences.clear();
            weighted.clear();
            for (field, text) in &fields.texts {
                let tokens = self.tokens.of_text(*text).iter();
                occurrences.extend(tokens.map(|token| (token.term(), field_of(*field, token.is_whole()))));
            }
            let lengths = self.lengths(&fields.texts);
            occurrences.sort_unstable();
            for same_term in occurrences.chunk_by(|a, b| a.0 == b.0) {
                let frequency = same_term
                    .chunk_by(|a, b| a.1 == b.1)
                    .filter_map(|same_field| {
                        let field = same_field.first()?.1;
                        let totals = self.totals[field as usize];
                        let (count, length) = (same_field.len() as u64, lengths[field as usize]);
                        Some(weighted_frequency(field, count, length, totals.length, totals.documents))
                    })
                    .sum();
                if let Some((term, _)) = same_term.first() {
                    weighted.push(Weighted { term: *term, impact: impact(frequency, fields.low_priority) });
                }
            }
            visit(document, &weighted);
        });
    }
}

/// An undivided name weighs more than its parts.
const fn field_of(field: Field, whole: bool) -> Field {
    match (field, whole) {
        (Field::NamePart, true) => Field::WholeName,
        _ => field,
    }
}
