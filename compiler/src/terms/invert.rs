//! From terms by document to documents by term.

use openmind_pack_format::postings::{EncodedPostings, PostingsEncoder};
use rayon::prelude::*;

use super::documents::Documents;

/// Documents that one task weighs.
const DOCUMENTS_PER_TASK: usize = 1 << 14;
/// Terms that one task encodes.
const TERMS_PER_TASK: usize = 1 << 13;

/// What a task weighed: one entry an occurrence.
#[derive(Default)]
struct Batch {
    terms: Vec<u32>,
    impacts: Vec<u8>,
    /// Where each document's terms end.
    ends: Vec<u32>,
    first_document: usize,
}

pub(super) fn invert(documents: &Documents<'_>, term_count: usize) -> EncodedPostings {
    let batches: Vec<Batch> = (0..documents.len().div_ceil(DOCUMENTS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let first_document = task * DOCUMENTS_PER_TASK;
            let mut batch = Batch { first_document, ..Batch::default() };
            documents.weigh(
                first_document..(first_document + DOCUMENTS_PER_TASK).min(documents.len()),
                |_, terms| {
                    batch.terms.extend(terms.iter().map(|weighted| weighted.term));
                    batch.impacts.extend(terms.iter().map(|weighted| weighted.impact));
                    batch.ends.push(batch.terms.len() as u32);
                },
            );
            batch
        })
        .collect();

    let mut starts = vec![0_usize; term_count + 1];
    for term in batches.iter().flat_map(|batch| &batch.terms) {
        starts[*term as usize + 1] += 1;
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut next = starts.clone();
    let mut by_term = vec![0_u32; total];
    let mut impacts = vec![0_u8; total];
    for batch in batches {
        let mut first = 0;
        for (index, end) in batch.ends.iter().enumerate() {
            for at in first..*end as usize {
                let slot = &mut next[batch.terms[at] as usize];
                by_term[*slot] = (batch.first_document + index) as u32;
                impacts[*slot] = batch.impacts[at];
                *slot += 1;
            }
            first = *end as usize;
        }
    }

    let encoded: Vec<EncodedPostings> = (0..term_count.div_ceil(TERMS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let mut encoder = PostingsEncoder::default();
            for term in task * TERMS_PER_TASK..((task + 1) * TERMS_PER_TASK).min(term_count) {
                let range = starts[term]..starts[term + 1];
                encoder.push(&by_term[range.clone()], &impacts[range]);
            }
            encoder.finish()
        })
        .collect();
    let mut postings = EncodedPostings::default();
    for part in encoded {
        postings.append(part);
    }
    postings
}
