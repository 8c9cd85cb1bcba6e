//! Walks the postings of all terms together, in the order of documents.

use openmind_pack_format::ReadError;
use openmind_pack_format::dictionary::StepBudget;
use openmind_pack_format::postings::{Block, PostingsList};

use super::query::Query;

/// Scores are sums of weight (16 fraction bits) times impact; this many of their bits are dropped.
const SCORE_SHIFT: u32 = 8;

/// Cursors looked at for the price of one step.
const CURSORS_PER_STEP: u64 = 16;

/// A document, and which terms of the query it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) document: u32,
    pub(super) score: u64,
    /// Distinct part terms that it holds.
    pub(super) distinct: u32,
}

/// One list, at a document.
struct Cursor<'a> {
    postings: PostingsList<'a>,
    weight: u64,
    /// Number of the query term that it counts for.
    term: usize,
    block: u32,
    decoded: Box<Block>,
    at: usize,
    /// The document that it stands at; `None` at the end.
    document: Option<u32>,
}

impl Cursor<'_> {
    fn load(&mut self) -> Result<(), ReadError> {
        self.at = 0;
        self.document = None;
        if self.block < self.postings.block_count() {
            self.postings.decode(self.block, &mut self.decoded)?;
            self.document = self.decoded.documents().first().copied();
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<(), ReadError> {
        self.at += 1;
        match self.decoded.documents().get(self.at) {
            Some(document) => self.document = Some(*document),
            None => {
                self.block += 1;
                self.load()?;
            }
        }
        Ok(())
    }

    fn contribution(&self) -> u64 {
        self.weight * u64::from(self.decoded.impacts().get(self.at).copied().unwrap_or(0))
    }
}

/// Documents that hold at least one term, or that are named by the query.
pub(super) struct Merge<'a> {
    cursors: Vec<Cursor<'a>>,
    /// Whether each term counts as distinct.
    counts: Vec<bool>,
    /// Documents whose name the query is, ascending; they need not hold a term (a name may be all punctuation).
    named: std::iter::Peekable<std::vec::IntoIter<u32>>,
}

impl<'a> Merge<'a> {
    pub(super) fn new(query: &Query<'a>, named: Vec<u32>) -> Result<Self, ReadError> {
        let mut cursors = Vec::new();
        for (term, query_term) in query.terms.iter().enumerate() {
            for source in &query_term.sources {
                let (postings, weight) = (source.postings, source.weight);
                let decoded = Box::default();
                let mut cursor = Cursor { postings, weight, term, block: 0, decoded, at: 0, document: None };
                cursor.load()?;
                cursors.push(cursor);
            }
        }
        let counts = query.terms.iter().map(|term| !term.whole).collect();
        Ok(Self { cursors, counts, named: named.into_iter().peekable() })
    }

    /// The next document with its score.
    pub(super) fn next(&mut self, steps: &mut StepBudget) -> Result<Option<Found>, ReadError> {
        steps.spend(1 + self.cursors.len() as u64 / CURSORS_PER_STEP)?;
        let next =
            self.cursors.iter().filter_map(|cursor| cursor.document).chain(self.named.peek().copied()).min();
        let Some(document) = next else { return Ok(None) };
        if self.named.peek() == Some(&document) {
            self.named.next();
        }
        let (mut score, mut distinct) = (0, 0);
        let (mut term, mut term_score) = (usize::MAX, 0);
        // Cursors of one term are neighbours: of the terms that stand in for it, the strongest counts.
        for cursor in &mut self.cursors {
            if cursor.document != Some(document) {
                continue;
            }
            if cursor.term != term {
                score += term_score;
                (term, term_score) = (cursor.term, 0);
                distinct += u32::from(self.counts.get(term) == Some(&true));
            }
            term_score = term_score.max(cursor.contribution());
            cursor.advance()?;
        }
        score += term_score;
        Ok(Some(Found { document, score: score >> SCORE_SHIFT, distinct }))
    }
}
