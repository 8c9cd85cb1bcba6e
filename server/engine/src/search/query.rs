//! What a query asks for: terms, in the order of its words, with their postings.

use openmind_pack_format::analyzer::{Analyzer, fold, is_stop_word, trim_blanks, words};
use openmind_pack_format::postings::PostingsList;
use openmind_pack_format::scoring::inverse_document_frequency;
use openmind_pack_format::{Bundle, PostingsRow, ReadError};

/// Most distinct terms of a query; the rarest are kept. Bounds the work of a query of thousands of words.
pub(super) const MAX_TERMS: usize = 32;
/// Most terms that stand in for one that no document holds.
const MAX_EXPANSIONS: usize = 32;
/// Terms looked at for those.
const MAX_EXPANSIONS_SEEN: u32 = 1024;
/// Shorter beginnings say too little.
const MIN_PREFIX_CHARACTERS: usize = 3;

/// Postings that count for a term.
pub(super) struct Source<'a> {
    pub(super) postings: PostingsList<'a>,
    /// Inverse document frequency; halved where the term is only a beginning.
    pub(super) weight: u64,
}

/// A distinct term of the query.
pub(super) struct QueryTerm<'a> {
    /// The term itself, or the terms that it begins.
    pub(super) sources: Vec<Source<'a>>,
    /// Undivided identifiers add to the score, and don't count as a term beside their parts.
    pub(super) whole: bool,
}

/// A query, cut into terms.
pub(super) struct Query<'a> {
    pub(super) terms: Vec<QueryTerm<'a>>,
    /// Part terms in the order of the words, for comparison with a name's.
    pub(super) sequence: Vec<String>,
    /// Distinct part terms, found or not.
    pub(super) distinct: u32,
    /// The query without blanks at its ends.
    pub(super) trimmed: String,
    /// Words of several parts: identifiers, each of which may be a whole name.
    pub(super) identifiers: Vec<String>,
}

/// A term as it was cut, before it is looked up.
struct Cut {
    term: String,
    whole: bool,
    /// What longer terms begin with: the folded word that the term was stemmed from, else the term.
    prefix: String,
}

impl<'a> Query<'a> {
    pub(super) fn parse(bundle: &'a Bundle, text: &str) -> Result<Self, ReadError> {
        let all: Vec<&str> = words(text).map(|word| word.text).collect();
        let content: Vec<&str> = all.iter().copied().filter(|word| !is_stop_word(&fold(word))).collect();
        let content = if content.is_empty() { all } else { content };

        let mut analyzer = Analyzer::default();
        let mut cuts: Vec<Cut> = Vec::new();
        let mut sequence = Vec::new();
        let mut identifiers: Vec<String> = Vec::new();
        for word in content {
            let (mut parts, first_new) = (0, cuts.len());
            analyzer.analyze(word, |token| {
                parts += usize::from(!token.whole);
                if !token.whole {
                    sequence.push(token.term.to_owned());
                }
                if !cuts.iter().any(|cut| cut.term == token.term && cut.whole == token.whole) {
                    let term = token.term.to_owned();
                    cuts.push(Cut { prefix: term.clone(), term, whole: token.whole });
                }
            });
            if parts > 1 {
                if !identifiers.iter().any(|known| known == word) {
                    identifiers.push(word.to_owned());
                }
            } else if let Some(cut) = cuts.get_mut(first_new..).and_then(<[Cut]>::last_mut) {
                cut.prefix = fold(word).into_owned();
            }
        }
        let distinct = cuts.iter().filter(|cut| !cut.whole).count() as u32;
        let documents = bundle.document_count()?;
        let mut terms = Vec::new();
        for cut in cuts {
            let sources = sources(bundle, &cut, documents)?;
            if !sources.is_empty() {
                terms.push(QueryTerm { sources, whole: cut.whole });
            }
        }
        // A stable sort by rarity: of equally rare terms the first of the query is kept.
        if terms.len() > MAX_TERMS {
            terms.sort_by_key(|term| {
                term.sources.iter().map(|source| source.postings.document_frequency()).sum::<u32>()
            });
            terms.truncate(MAX_TERMS);
        }
        Ok(Self { terms, sequence, distinct, trimmed: trim_blanks(text).to_owned(), identifiers })
    }
}

/// The postings of a term; where no document holds it, those of the most frequent terms that it begins.
fn sources<'a>(bundle: &'a Bundle, cut: &Cut, documents: u32) -> Result<Vec<Source<'a>>, ReadError> {
    let dictionary = bundle.terms()?;
    let weigh = |postings: PostingsList<'a>, halvings: u32| Source {
        weight: u64::from(inverse_document_frequency(documents, postings.document_frequency()) >> halvings),
        postings,
    };
    // A lower-case word is also sought as it stands: `eventpublisher` is the undivided form of a name.
    let undivided = (!cut.whole && cut.prefix != cut.term).then_some(&cut.prefix);
    let mut exact = Vec::new();
    for term in std::iter::once(&cut.term).chain(undivided) {
        if let Some(ordinal) = dictionary.get(term.as_bytes())? {
            exact.push(weigh(bundle.postings(ordinal)?, 0));
        }
    }
    if !exact.is_empty() {
        return Ok(exact);
    }
    let prefix = &cut.prefix;
    if prefix.chars().count() < MIN_PREFIX_CHARACTERS {
        return Ok(Vec::new());
    }
    let longer = dictionary.prefix(prefix.as_bytes())?;
    let lists = bundle.rows::<PostingsRow>()?;
    let mut frequent = Vec::new();
    for ordinal in longer.start..longer.end.min(longer.start.saturating_add(MAX_EXPANSIONS_SEEN)) {
        frequent.push((std::cmp::Reverse(lists.get(ordinal)?.documents), ordinal));
    }
    // Ordinals are in the order of the terms' bytes.
    frequent.sort_unstable();
    frequent.truncate(MAX_EXPANSIONS);
    frequent.into_iter().map(|(_, ordinal)| Ok(weigh(bundle.postings(ordinal)?, 1))).collect()
}
