//! Search: which documents answer a query best.
//!
//! ```text
//! query -> words -> terms (exact, else by prefix) -> postings, merged by document -> order key -> best k
//! ```
//! The order key is total: tier, distinct query terms, score, kind, name, path, line, document.

mod cursor;
mod query;
mod rank;
#[cfg(test)]
mod tests;
mod tier;

use openmind_pack_format::dictionary::StepBudget;
use openmind_pack_format::{Bundle, ReadError};

use cursor::Merge;
use query::Query;
use rank::{Best, Candidate};
use tier::Tiers;

/// Steps that any search may take: a step is a document, a few more where many lists are looked at for it, or a byte of a
/// name taken apart.
const MIN_STEPS: u64 = 1 << 24;
/// Steps for each byte of the bundle besides. A symbol takes more than eighty bytes, several times its name: only a bundle
/// made for it, whose rows share long names, passes this.
const STEPS_PER_BYTE: u64 = 1;

/// A document found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) document: u32,
    pub(crate) score: u64,
}

/// The best `limit` documents for a query, best first.
///
/// Reads the postings of the query's terms, document by document, without an accumulator for each document.
///
/// # Errors
///
/// [`ReadError`] where bytes on the way are damaged or malformed.
pub(crate) fn search(bundle: &Bundle, text: &str, limit: usize) -> Result<Vec<Hit>, ReadError> {
    let query = Query::parse(bundle, text)?;
    let mut steps =
        StepBudget::new(MIN_STEPS.saturating_add(bundle.file_length().saturating_mul(STEPS_PER_BYTE)));
    let mut tiers = Tiers::new(bundle, &query)?;
    let mut merge = Merge::new(&query, tiers.named())?;
    let mut best = Best::new(bundle, limit);
    while let Some(found) = merge.next(&mut steps)? {
        let ceiling = tiers.ceiling(&found);
        let mut candidate = Candidate::new(ceiling, &found);
        if !best.might_take(&candidate)? {
            continue;
        }
        candidate.tier = tiers.tier(&found, ceiling, &mut steps)?;
        best.offer(candidate)?;
    }
    Ok(best.into_hits())
}
