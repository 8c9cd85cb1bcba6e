//! Keys within a few edits of a word.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use fst::Automaton;
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};

use super::shard::Shard;
use super::walk::{StepBudget, WalkEnd};

/// The largest distance that can be asked for. The tables behind distance 3 take 60 times as long to make as those of 2.
pub const MAX_NEAR_DISTANCE: u8 = 2;

/// The longest word that can be asked for, in bytes. A state takes a kilobyte, and a character of a word up to 170 of
/// them: 15 MiB at this length for the worst script, 7 MiB for ASCII.
pub const MAX_NEAR_QUERY_BYTES: usize = 256;

/// A word no automaton is built for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NearQueryError {
    /// The word is longer than [`MAX_NEAR_QUERY_BYTES`].
    #[error("the word has {found} bytes, near matches are found for at most {most}")]
    TooLong {
        /// Bytes of the word.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// The distance is greater than [`MAX_NEAR_DISTANCE`].
    #[error("distance {found}, near matches are found up to {most}")]
    TooFar {
        /// The distance asked for.
        found: u8,
        /// The limit.
        most: u8,
    },
}

/// A word and all that lies within a distance of it, as an automaton; built once, used on every shard.
///
/// The distance is the number of characters (Unicode scalar values) to insert, delete, replace or swap with their
/// neighbour, where nothing is edited twice (optimal string alignment). Folding is the caller's business.
pub struct NearQuery {
    automaton: DFA,
}

impl NearQuery {
    /// Builds the automaton: 10 µs to 10 ms.
    ///
    /// # Errors
    ///
    /// Where word or distance is over its limit.
    pub fn new(word: &str, max_distance: u8) -> Result<Self, NearQueryError> {
        // The tables depend on the distance alone.
        static TABLES: [OnceLock<LevenshteinAutomatonBuilder>; MAX_NEAR_DISTANCE as usize + 1] =
            [const { OnceLock::new() }; MAX_NEAR_DISTANCE as usize + 1];
        if word.len() > MAX_NEAR_QUERY_BYTES {
            return Err(NearQueryError::TooLong { found: word.len(), most: MAX_NEAR_QUERY_BYTES });
        }
        let Some(tables) = TABLES.get(usize::from(max_distance)) else {
            return Err(NearQueryError::TooFar { found: max_distance, most: MAX_NEAR_DISTANCE });
        };
        let tables = tables.get_or_init(|| LevenshteinAutomatonBuilder::new(max_distance, true));
        Ok(Self { automaton: tables.build_dfa(word) })
    }

    /// Visits the keys within the distance, in byte order, with rank and distance, until the visitor breaks or the
    /// budget is spent. A key that isn't UTF-8 is no word and near to none.
    pub fn search(
        &self,
        shard: &Shard<'_>,
        steps: &mut StepBudget,
        mut visit: impl FnMut(&str, u32, u8) -> ControlFlow<()>,
    ) -> WalkEnd {
        shard.search(self, steps, |key, rank, &state| {
            match (std::str::from_utf8(key), self.automaton.distance(state)) {
                (Ok(key), Distance::Exact(distance)) => visit(key, rank, distance),
                _ => ControlFlow::Continue(()),
            }
        })
    }
}

impl Automaton for NearQuery {
    type State = u32;

    fn start(&self) -> u32 {
        self.automaton.initial_state()
    }

    fn is_match(&self, &state: &u32) -> bool {
        matches!(self.automaton.distance(state), Distance::Exact(_))
    }

    fn can_match(&self, &state: &u32) -> bool {
        state != SINK_STATE
    }

    fn accept(&self, &state: &u32, byte: u8) -> u32 {
        self.automaton.transition(state, byte)
    }
}
