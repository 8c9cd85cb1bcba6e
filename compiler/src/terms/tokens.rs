//! Each distinct text cut into terms once, however often it is cited.

use openmind_pack_format::analyzer::Analyzer;
use rayon::prelude::*;

use crate::intern::{BlobFull, Interner, StringId};

/// Texts that one task cuts.
const TEXTS_PER_TASK: usize = 1 << 14;

/// A term of a text: its ordinal among all terms, and whether it is an undivided identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token(u32);

impl Token {
    /// The term's ordinal: there are fewer than 2^31 terms, each being a distinct part of a 2 GiB blob or longer.
    pub(super) const fn term(self) -> u32 {
        self.0 >> 1
    }

    pub(super) const fn is_whole(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Terms in byte order, and the tokens of every text that is searched.
pub(super) struct Tokens {
    terms: Interner,
    /// Term ids in the order of their bytes.
    sorted: Vec<StringId>,
    tokens: Vec<Token>,
    /// For each text, where its tokens end.
    ends: Vec<u32>,
}

/// What a task made of its texts: tokens name terms of the task's own.
struct Cut {
    terms: Interner,
    tokens: Vec<Token>,
    lengths: Vec<u32>,
}

impl Tokens {
    /// Cuts the texts that `searched` marks.
    ///
    /// # Errors
    ///
    /// [`BlobFull`] where the distinct terms outgrow 2 GiB: folding, wholes and bigrams can make them longer than the texts.
    pub(super) fn of(strings: &Interner, searched: &[bool]) -> Result<Self, BlobFull> {
        let cuts: Vec<Cut> = searched
            .par_chunks(TEXTS_PER_TASK)
            .enumerate()
            .map(|(task, searched)| cut(strings, task * TEXTS_PER_TASK, searched))
            .collect::<Result<_, _>>()?;
        let mut terms = Interner::default();
        let known: Vec<Vec<StringId>> = cuts
            .iter()
            .map(|cut| {
                let all = (0..cut.terms.len() as u32).map(|id| cut.terms.get(StringId(id)));
                all.map(|term| terms.intern(term)).collect()
            })
            .collect::<Result<_, _>>()?;
        let mut sorted: Vec<StringId> = (0..terms.len() as u32).map(StringId).collect();
        sorted.par_sort_unstable_by_key(|id| terms.get(*id));
        let mut ordinals = vec![0_u32; sorted.len()];
        for (ordinal, id) in sorted.iter().enumerate() {
            ordinals[id.0 as usize] = ordinal as u32;
        }
        let total = cuts.iter().map(|cut| cut.tokens.len()).sum();
        let mut tokens = Vec::with_capacity(total);
        let mut ends = Vec::with_capacity(searched.len());
        for (cut, known) in cuts.into_iter().zip(known) {
            let mut end = tokens.len() as u32;
            ends.extend(cut.lengths.iter().map(|length| {
                end += length;
                end
            }));
            tokens.extend(cut.tokens.iter().map(|token| {
                let global = known[token.term() as usize];
                Token(ordinals[global.0 as usize] << 1 | u32::from(token.is_whole()))
            }));
        }
        Ok(Self { terms, sorted, tokens, ends })
    }

    /// Number of distinct terms.
    pub(super) fn term_count(&self) -> usize {
        self.sorted.len()
    }

    /// The bytes of a term.
    pub(super) fn term(&self, ordinal: usize) -> &[u8] {
        self.terms.get(self.sorted[ordinal]).as_bytes()
    }

    /// The tokens of a text, in its order; none where the text isn't searched.
    pub(super) fn of_text(&self, id: u32) -> &[Token] {
        let end = self.ends[id as usize] as usize;
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize);
        &self.tokens[start..end]
    }
}

fn cut(strings: &Interner, first: usize, searched: &[bool]) -> Result<Cut, BlobFull> {
    let mut analyzer = Analyzer::default();
    let mut full = None;
    let mut cut =
        Cut { terms: Interner::default(), tokens: Vec::new(), lengths: Vec::with_capacity(searched.len()) };
    for (index, searched) in searched.iter().enumerate() {
        let before = cut.tokens.len();
        if *searched {
            let text = strings.get(StringId((first + index) as u32));
            analyzer.analyze(text, |token| match cut.terms.intern(token.term) {
                Ok(term) => cut.tokens.push(Token((term.0 << 1) | u32::from(token.whole))),
                Err(error) => full = Some(error),
            });
        }
        cut.lengths.push((cut.tokens.len() - before) as u32);
    }
    full.map_or(Ok(cut), Err)
}
