//! What a good bundle answers, and whether a damaged one answers otherwise.

use openmind_pack_engine::ops::{CATALOGUE, CallError, Context};
use openmind_pack_format::analyzer::fold;
use openmind_pack_format::{Bundle, OpenError};
use rkyv::util::AlignedVec;
use serde_json::{Value, json};

/// A question and the good bundle's answer.
struct Question {
    operation: usize,
    arguments: Value,
    answer: String,
}

/// What came of asking a damaged bundle.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    /// Files that were not opened.
    pub(crate) refused: u64,
    /// Answers that were the good bundle's.
    pub(crate) answered: u64,
    /// Questions that got a typed error.
    pub(crate) errors: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.refused += other.refused;
        self.answered += other.answered;
        self.errors += other.errors;
    }
}

/// A good bundle's answers.
pub(crate) struct Oracle {
    questions: Vec<Question>,
}

fn ask(bundle: &Bundle, operation: usize, arguments: &Value) -> Result<String, CallError> {
    let context = Context { bundle, max_results: 5, notice: None, replacement_error: None };
    CATALOGUE[operation].call(&context, arguments.clone()).map(|answer| answer.to_json())
}

impl Oracle {
    /// Asks all five operations, by words and names of the bundle's own.
    pub(crate) fn of(good: &[u8]) -> Self {
        let bundle = Bundle::from_slice(good, None).unwrap();
        bundle.verify_deep().unwrap();
        let mut asked = vec![
            (0, json!({})),
            (1, json!({"query": "water the beds", "limit": 10})),
            (2, json!({"symbol": "no_such_nam"})),
            (3, json!({"component": "no/such/component"})),
            (4, json!({"claim": "The planner never opens a valve."})),
        ];
        let documents = bundle.document_count().unwrap();
        // A glossary entry or component, and symbols.
        for document in (0..documents).step_by((documents as usize / 2).max(1)) {
            let name = bundle.document(document).unwrap().name().unwrap();
            let lower = fold(name);
            asked.extend([
                (1, json!({"query": name})),
                (2, json!({"symbol": name, "limit": 2})),
                (2, json!({"symbol": lower})),
                (3, json!({"component": name})),
                (4, json!({"claim": format!("{name} writes to the log.")})),
            ]);
        }
        let question = |(operation, arguments): (usize, Value)| Question {
            answer: ask(&bundle, operation, &arguments).unwrap(),
            operation,
            arguments,
        };
        Self { questions: asked.into_iter().map(question).collect() }
    }

    /// Opens what is there, asks everything, and verifies. Panics where an answer is another than the good one, where an
    /// operation panicked, or where `verify` finds nothing. Gives the bytes back, if they were opened.
    pub(crate) fn check(
        &self,
        damaged: AlignedVec<64>,
        what: impl Fn() -> String,
    ) -> (Tally, Option<AlignedVec<64>>) {
        let mut tally = Tally::default();
        let bundle = match Bundle::from_aligned(damaged, None) {
            Ok(bundle) => bundle,
            Err(OpenError::Io { source, .. }) => panic!("{}: {source}", what()),
            Err(_) => return (Tally { refused: 1, ..tally }, None),
        };
        for question in &self.questions {
            match ask(&bundle, question.operation, &question.arguments) {
                Ok(answer) if answer == question.answer => tally.answered += 1,
                Ok(answer) => panic!("{}: {} became {answer}", what(), question.answer),
                Err(CallError::Damaged { .. }) => tally.errors += 1,
                Err(error) => panic!("{}: {error}", what()),
            }
        }
        assert!(bundle.verify().is_err(), "{}: verify found nothing", what());
        (tally, bundle.into_aligned())
    }
}
