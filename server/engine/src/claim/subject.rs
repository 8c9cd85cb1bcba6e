//! What a claim is about: the names in it that the artifacts know.

use openmind_pack_format::analyzer::{Analyzer, Word, fold, is_blank, parts, words};
use openmind_pack_format::{Bundle, Dictionary, ReadError};

use super::terms::is_function_word;

/// Words of a claim among which names are looked for.
const MAX_WORDS: usize = 128;
/// Most words of a name with blanks in it.
const MAX_NAME_WORDS: usize = 5;
/// Documents taken of one exact name. They come by kind, so glossary entries and components are among them.
const MAX_DOCUMENTS: usize = 16;

/// What a claim is about.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    /// Distinct known names in the order of the claim, as it spells them.
    pub(super) names: Vec<String>,
    /// Documents of those names, ascending.
    pub(super) documents: Vec<u32>,
    /// An identifier that comes before every known name and that no text holds: the claim is about something that
    /// the artifacts don't cover.
    pub(super) unknown: Option<String>,
}

impl Subject {
    /// Finds the names in a claim, the longest at each place.
    ///
    /// A name of several words or parts is known by any spelling of its letters' case. A plain word is a name only where
    /// a glossary entry or component is called exactly so: nearly every word of English is some symbol's name.
    pub(super) fn of(bundle: &Bundle, claim: &str) -> Result<Self, ReadError> {
        let known = Known::new(bundle)?;
        let words: Vec<Word<'_>> = words(claim).take(MAX_WORDS).collect();
        let mut subject = Self::default();
        let mut rest = words.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let mut taken = 1;
            if let Some((name, words)) = known.longest(claim, rest, &mut subject.documents)? {
                taken = words;
                if !subject.names.iter().any(|earlier| earlier == name) {
                    subject.names.push(name.to_owned());
                }
            } else if subject.names.is_empty()
                && subject.unknown.is_none()
                && is_identifier(first.text)
                && !known.mentions(first.text)?
            {
                subject.unknown = Some(first.text.to_owned());
            }
            rest = others.get(taken - 1..).unwrap_or_default();
        }
        subject.documents.sort_unstable();
        subject.documents.dedup();
        Ok(subject)
    }
}

/// Whether a word is spelled like code: of several parts, and no mere number with a unit.
fn is_identifier(word: &str) -> bool {
    !word.starts_with(|c: char| c.is_ascii_digit()) && parts(word).nth(1).is_some()
}

/// The names and terms of a bundle.
struct Known<'a> {
    bundle: &'a Bundle,
    exact: Dictionary<'a>,
    folded: Dictionary<'a>,
    terms: Dictionary<'a>,
    /// Ids below this are glossary entries and components.
    described: u32,
}

impl<'a> Known<'a> {
    fn new(bundle: &'a Bundle) -> Result<Self, ReadError> {
        Ok(Self {
            bundle,
            exact: bundle.names()?,
            folded: bundle.folded_names()?,
            terms: bundle.terms()?,
            described: bundle.term_count()?.saturating_add(bundle.component_count()?),
        })
    }

    /// The longest name that begins with the first of these words, and its number of words. Adds its documents.
    fn longest<'c>(
        &self,
        claim: &'c str,
        words: &[Word<'c>],
        documents: &mut Vec<u32>,
    ) -> Result<Option<(&'c str, usize)>, ReadError> {
        let Some(first) = words.first().filter(|first| !is_function_word(first.text)) else {
            return Ok(None);
        };
        let unbroken = unbroken(claim, words);
        let lengths = (1..=MAX_NAME_WORDS.min(words.len())).rev();
        for length in (unbroken > MAX_NAME_WORDS).then_some(unbroken).into_iter().chain(lengths) {
            let Some(last) = words.get(length - 1).filter(|last| !is_function_word(last.text)) else {
                continue;
            };
            let name = claim.get(first.start..last.end()).unwrap_or_default();
            let before = documents.len();
            if length > 1 || is_identifier(name) {
                self.add_folded(name, documents)?;
            } else {
                self.add_described(name, documents)?;
            }
            if documents.len() > before {
                return Ok(Some((name, length)));
            }
        }
        Ok(None)
    }

    /// Adds documents of this name without regard to case.
    fn add_folded(&self, name: &str, documents: &mut Vec<u32>) -> Result<(), ReadError> {
        let Some(ordinal) = self.folded.get(fold(name).as_bytes())? else { return Ok(()) };
        for spelling in self.bundle.spellings(ordinal)?.take(MAX_DOCUMENTS) {
            for document in self.bundle.places(spelling?)?.take(MAX_DOCUMENTS) {
                documents.push(document?);
            }
        }
        Ok(())
    }

    /// Adds documents of exactly this name, where one of them is a glossary entry or component.
    fn add_described(&self, name: &str, documents: &mut Vec<u32>) -> Result<(), ReadError> {
        let Some(ordinal) = self.exact.get(name.as_bytes())? else { return Ok(()) };
        let mut places = self.bundle.places(ordinal)?.take(MAX_DOCUMENTS);
        match places.next().transpose()? {
            Some(first) if first < self.described => documents.push(first),
            _ => return Ok(()),
        }
        for document in places {
            documents.push(document?);
        }
        Ok(())
    }

    /// Whether any text holds the identifier undivided.
    fn mentions(&self, identifier: &str) -> Result<bool, ReadError> {
        let mut whole = None;
        Analyzer::default().analyze(identifier, |token| {
            if token.whole {
                whole.get_or_insert_with(|| token.term.to_owned());
            }
        });
        match whole {
            Some(term) => Ok(self.terms.get(term.as_bytes())?.is_some()),
            None => Ok(false),
        }
    }
}

/// Number of the first words with no blank between them, as in a path.
fn unbroken(claim: &str, words: &[Word<'_>]) -> usize {
    let joined = |pair: &&[Word<'_>]| match pair {
        [a, b] => !claim.get(a.end()..b.start).is_some_and(|gap| gap.contains(is_blank)),
        _ => false,
    };
    1 + words.windows(2).take_while(joined).count()
}
