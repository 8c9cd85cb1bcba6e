//! The best candidates by the order key.

use std::cmp::Ordering;

use openmind_pack_format::{Bundle, DocumentKind, ReadError};

use super::Hit;
use super::cursor::Found;
use super::tier::Tier;

/// A document in the running.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) tier: Tier,
    distinct: u32,
    score: u64,
    document: u32,
}

impl Candidate {
    pub(super) const fn new(tier: Tier, found: &Found) -> Self {
        Self { tier, distinct: found.distinct, score: found.score, document: found.document }
    }

    const fn strength(&self) -> (Tier, u32, u64) {
        (self.tier, self.distinct, self.score)
    }
}

/// The best so far, best first.
pub(super) struct Best<'a> {
    bundle: &'a Bundle,
    limit: usize,
    candidates: Vec<Candidate>,
}

impl<'a> Best<'a> {
    pub(super) fn new(bundle: &'a Bundle, limit: usize) -> Self {
        Self { bundle, limit, candidates: Vec::with_capacity(limit + 1) }
    }

    /// Whether the candidate would be among the best; false only where it certainly isn't.
    pub(super) fn might_take(&self, candidate: &Candidate) -> Result<bool, ReadError> {
        match self.candidates.last() {
            Some(worst) if self.candidates.len() == self.limit => {
                Ok(self.compare(candidate, worst)? == Ordering::Less)
            }
            _ => Ok(self.limit > 0),
        }
    }

    pub(super) fn offer(&mut self, candidate: Candidate) -> Result<(), ReadError> {
        let (mut low, mut high) = (0, self.candidates.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(other) = self.candidates.get(middle) else { break };
            if self.compare(other, &candidate)? == Ordering::Less { low = middle + 1 } else { high = middle }
        }
        self.candidates.insert(low, candidate);
        self.candidates.truncate(self.limit);
        Ok(())
    }

    /// `Less` where `a` comes before `b`.
    fn compare(&self, a: &Candidate, b: &Candidate) -> Result<Ordering, ReadError> {
        match b.strength().cmp(&a.strength()) {
            Ordering::Equal => self.compare_ties(a.document, b.document),
            order => Ok(order),
        }
    }

    /// Kind, name, then path, line and row: documents are numbered by kind, and symbols by path and line.
    fn compare_ties(&self, a: u32, b: u32) -> Result<Ordering, ReadError> {
        let kind = |document| self.bundle.locate(document).map(|(kind, _): (DocumentKind, u32)| kind);
        let by_kind = kind(a)?.cmp(&kind(b)?);
        if by_kind != Ordering::Equal {
            return Ok(by_kind);
        }
        let by_name =
            self.bundle.document(a)?.name()?.as_bytes().cmp(self.bundle.document(b)?.name()?.as_bytes());
        Ok(by_name.then(a.cmp(&b)))
    }

    pub(super) fn into_hits(self) -> Vec<Hit> {
        let hit = |candidate: Candidate| Hit { document: candidate.document, score: candidate.score };
        self.candidates.into_iter().map(hit).collect()
    }
}
