//! Tiers: how nearly a document's name is the query itself.

use openmind_pack_format::analyzer::{Analyzer, fold};
use openmind_pack_format::dictionary::StepBudget;
use openmind_pack_format::{Bundle, ReadError};

use super::cursor::Found;
use super::query::Query;

/// How nearly a name is the query. Ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// Only terms in common.
    Terms,
    /// The name begins with the query, or the query's parts stand in it one after the other.
    Within,
    /// The name without regard to case.
    Folded,
    /// The name exactly.
    Exact,
}

/// Tells the tier of documents, asked in ascending order.
pub(super) struct Tiers<'q, 'a> {
    bundle: &'a Bundle,
    query: &'q Query<'a>,
    exact: Vec<u32>,
    folded: Vec<u32>,
    folded_query: String,
    analyzer: Analyzer,
    name_parts: Vec<String>,
}

impl<'q, 'a> Tiers<'q, 'a> {
    /// Looks up the query, and each identifier in it, as a name.
    pub(super) fn new(bundle: &'a Bundle, query: &'q Query<'a>) -> Result<Self, ReadError> {
        let (mut exact, mut folded) = (Vec::new(), Vec::new());
        for name in std::iter::once(&query.trimmed).chain(&query.identifiers) {
            exact.extend(bundle.documents_named(name)?);
            folded.extend(bundle.documents_named_in_any_case(name)?);
        }
        for documents in [&mut exact, &mut folded] {
            documents.sort_unstable();
            documents.dedup();
        }
        let folded_query = fold(&query.trimmed).into_owned();
        Ok(Self {
            bundle,
            query,
            exact,
            folded,
            folded_query,
            analyzer: Analyzer::default(),
            name_parts: Vec::new(),
        })
    }

    /// Documents that the query names, ascending.
    pub(super) fn named(&self) -> Vec<u32> {
        // An exact name is among the folded ones.
        self.folded.clone()
    }

    /// The highest tier that the document can have, without reading its name.
    pub(super) fn ceiling(&self, found: &Found) -> Tier {
        if self.exact.binary_search(&found.document).is_ok() {
            Tier::Exact
        } else if self.folded.binary_search(&found.document).is_ok() {
            Tier::Folded
        } else if found.distinct == self.query.distinct && found.distinct > 0 {
            Tier::Within
        } else {
            Tier::Terms
        }
    }

    /// The document's tier, given its ceiling.
    pub(super) fn tier(
        &mut self,
        found: &Found,
        ceiling: Tier,
        steps: &mut StepBudget,
    ) -> Result<Tier, ReadError> {
        if ceiling != Tier::Within {
            return Ok(ceiling);
        }
        let name = self.bundle.document(found.document)?.name()?;
        steps.spend(name.len() as u64)?;
        let within = fold(name).starts_with(&self.folded_query) || self.holds_sequence(name);
        Ok(if within { Tier::Within } else { Tier::Terms })
    }

    fn holds_sequence(&mut self, name: &str) -> bool {
        let parts = &mut self.name_parts;
        parts.clear();
        self.analyzer.analyze(name, |token| {
            if !token.whole {
                parts.push(token.term.to_owned());
            }
        });
        parts.windows(self.query.sequence.len().max(1)).any(|window| window == self.query.sequence)
    }
}
