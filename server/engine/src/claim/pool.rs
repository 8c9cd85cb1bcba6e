//! The entries that a verdict rests on.

use std::cmp::Reverse;

use openmind_pack_format::analyzer::Analyzer;
use openmind_pack_format::{Bundle, Confidence, Document, Evidence, ReadError};

use super::candidates::{Holders, Lists, NAMED};
use super::subject::Subject;
use super::terms::Terms;

/// Entries of a pool.
const MAX_ENTRIES: usize = 3;
/// Cited lines of a verdict.
const MAX_EVIDENCE: usize = 5;
/// Cited lines looked at of one entry, or of one step, to find those that differ.
const MAX_CITED: usize = 128;

/// An entry in the running. The order is that of the fields: the best is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    score: Reverse<usize>,
    document: u32,
    /// Whether the claim names it.
    named: bool,
    /// Its bit in [`Holders`].
    bit: Holders,
}

/// The best entries, best first, and what they hold between them.
#[derive(Debug)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    /// For each term of the claim, who holds it.
    holders: Vec<Holders>,
}

impl Pool {
    /// Takes the best entries. An entry scores 1 for each term that it holds, 1 more for each that its name holds, and
    /// [`NAMED`] where the claim names it. Of equals the first document is better. Where the claim names any, the best
    /// of those is in the pool, if need be as the last.
    pub(super) fn of(
        bundle: &Bundle,
        terms: &Terms,
        lists: &Lists<'_>,
        subject: &Subject,
    ) -> Result<Self, ReadError> {
        let candidates = lists.candidates(&subject.documents)?;
        let mut holders = lists.holders(&candidates)?;
        let mut analyzer = Analyzer::default();
        let mut ranked = Vec::new();
        for (number, document) in candidates.into_iter().enumerate() {
            let bit: Holders = 1 << number;
            let name = bundle.document(document)?.name()?;
            let named = subject.documents.binary_search(&document).is_ok();
            let mut in_name = Vec::new();
            analyzer.analyze(name, |token| in_name.extend(terms.number(token.term)));
            if named {
                // In another case a name may divide otherwise, as `ZooKeeper` and `Zookeeper` do.
                in_name.extend(terms.spelled(name));
            }
            in_name.sort_unstable();
            in_name.dedup();
            for term in &in_name {
                if let Some(holders) = holders.get_mut(*term) {
                    *holders |= bit;
                }
            }
            let held = holders.iter().filter(|holders| **holders & bit != 0).count();
            if held > 0 {
                let score = held + in_name.len() + if named { NAMED } else { 0 };
                ranked.push(Entry { score: Reverse(score), document, named, bit });
            }
        }
        ranked.sort_unstable();
        if let Some(best) = ranked.iter().position(|entry| entry.named)
            && best >= MAX_ENTRIES
        {
            ranked.swap(MAX_ENTRIES - 1, best);
        }
        ranked.truncate(MAX_ENTRIES);
        Ok(Self { entries: ranked, holders })
    }

    /// The claim's terms as it spells them: those that the pool holds, and the others.
    pub(super) fn split(&self, terms: &Terms) -> (Vec<String>, Vec<String>) {
        let pool = self.entries.iter().fold(0, |bits, entry| bits | entry.bit);
        let (matched, missing): (Vec<_>, Vec<_>) =
            terms.all().iter().zip(&self.holders).partition(|(_, holders)| **holders & pool != 0);
        let surfaces = |terms: Vec<(&super::terms::ClaimTerm, &Holders)>| {
            terms.into_iter().map(|(term, _)| term.surface.clone()).collect()
        };
        (surfaces(matched), surfaces(missing))
    }

    /// Distinct names of the entries, best first.
    pub(super) fn names<'a>(&self, bundle: &'a Bundle) -> Result<Vec<&'a str>, ReadError> {
        let mut names = Vec::new();
        for entry in &self.entries {
            let name = bundle.document(entry.document)?.name()?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// The lowest confidence of the entries without which, best first, a term would be missing.
    pub(super) fn confidence(&self, bundle: &Bundle) -> Result<Confidence, ReadError> {
        let mut lowest = Confidence::High;
        let mut better = 0;
        for entry in &self.entries {
            if self.holders.iter().any(|holders| holders & entry.bit != 0 && holders & better == 0) {
                lowest = lowest.min(confidence(&bundle.document(entry.document)?));
            }
            better |= entry.bit;
        }
        Ok(lowest)
    }

    /// Distinct cited lines, best entry first. Every entry has room for one, whatever the better ones cite.
    pub(super) fn evidence<'a>(&self, bundle: &'a Bundle) -> Result<Vec<Evidence<'a>>, ReadError> {
        let mut evidence = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let reserved = self.entries.len() - number - 1;
            let mut taken = Taken { evidence: &mut evidence, room: MAX_EVIDENCE - reserved };
            match bundle.document(entry.document)? {
                Document::Glossary(term) => taken.from(term.evidence()?)?,
                Document::Component(component) => taken.from(component.evidence()?)?,
                Document::Flow(flow) => {
                    for step in flow.steps()?.take(MAX_EVIDENCE) {
                        taken.from(step?.evidence()?)?;
                    }
                }
                Document::Symbol(_, row) => taken.from(std::iter::once(bundle.symbol_evidence(row)))?,
            }
        }
        Ok(evidence)
    }
}

fn confidence(document: &Document<'_>) -> Confidence {
    match document {
        Document::Glossary(term) => term.confidence(),
        Document::Component(component) => component.confidence(),
        Document::Flow(flow) => flow.confidence(),
        // A symbol is read off the source.
        Document::Symbol(..) => Confidence::High,
    }
}

/// Distinct cited lines, up to a number.
struct Taken<'e, 'a> {
    evidence: &'e mut Vec<Evidence<'a>>,
    room: usize,
}

impl<'a> Taken<'_, 'a> {
    fn from(
        &mut self,
        cited: impl Iterator<Item = Result<Evidence<'a>, ReadError>>,
    ) -> Result<(), ReadError> {
        for cited in cited.take(MAX_CITED) {
            if self.evidence.len() >= self.room {
                break;
            }
            let cited = cited?;
            if !self.evidence.contains(&cited) {
                self.evidence.push(cited);
            }
        }
        Ok(())
    }
}
