//! Keys of a shard in order, with an account of the work.

use std::ops::ControlFlow;

use fst::Automaton;
use fst::raw::{Fst, Node};

use crate::error::ReadError;

/// How many transitions a walk may still look at.
///
/// A shard of 16 KiB can rightly hold 65,536 keys that share one ending of thousands of bytes: keys alone don't bound the
/// work, steps do. They don't depend on the machine, so a budget cuts an answer at the same place everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepBudget {
    limit: u64,
    left: u64,
}

impl StepBudget {
    /// A budget of so many transitions, or whatever else is counted; one budget may serve many shards.
    pub fn new(steps: u64) -> Self {
        Self { limit: steps, left: steps }
    }

    /// Steps not spent yet.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Spends some steps.
    ///
    /// # Errors
    ///
    /// [`ReadError::TooMuchWork`] where fewer are left.
    pub fn spend(&mut self, steps: u64) -> Result<(), ReadError> {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or(0);
        left.map(drop).ok_or(ReadError::TooMuchWork { limit: self.limit })
    }
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum WalkEnd {
    /// Every key was visited.
    Complete,
    /// The visitor broke off.
    Stopped,
    /// The budget was spent before the last key: what was visited is a beginning.
    OutOfSteps,
}

/// A depth-first walk, on a stack of its own.
pub(super) struct Walk<'m, A: Automaton> {
    map: &'m Fst<&'m [u8]>,
    automaton: A,
    /// The bytes that led to the frame on top.
    key: Vec<u8>,
    frames: Vec<Frame<'m, A::State>>,
    /// Whether the frame on top is yet to be visited itself.
    entered: bool,
}

struct Frame<'m, S> {
    node: Node<'m>,
    /// The transition to take next.
    next: usize,
    /// Sum of the outputs that led here.
    value: u64,
    state: S,
}

impl<'m, A: Automaton> Walk<'m, A> {
    /// The keys that begin with `prefix`.
    pub(super) fn below(map: &'m Fst<&'m [u8]>, automaton: A, prefix: &[u8]) -> Self {
        let mut walk = Self::from(map, automaton, prefix);
        // The frames below the top hold what sorts after the keys of the prefix.
        if walk.entered {
            walk.frames.drain(..walk.frames.len().saturating_sub(1));
        } else {
            walk.frames.clear();
        }
        walk
    }

    /// The keys at or after `from`.
    pub(super) fn from(map: &'m Fst<&'m [u8]>, automaton: A, from: &[u8]) -> Self {
        let root = Frame { node: map.root(), next: 0, value: 0, state: automaton.start() };
        let mut walk = Self { map, automaton, key: Vec::new(), frames: Vec::new(), entered: true };
        let mut top = root;
        for &byte in from {
            let Some(at) = top.node.find_input(byte) else {
                // Keys that end on the way are shorter and sort before.
                top.next = top.node.transitions().take_while(|transition| transition.inp < byte).count();
                walk.entered = false;
                break;
            };
            top.next = at + 1;
            let taken = top.node.transition(at);
            let state = walk.automaton.accept(&top.state, byte);
            let value = top.value + taken.out.value();
            let below = Frame { node: map.node(taken.addr), next: 0, value, state };
            walk.frames.push(std::mem::replace(&mut top, below));
            walk.key.push(byte);
        }
        walk.frames.push(top);
        walk
    }

    /// Visits key, value and state, in order of the keys.
    pub(super) fn run(
        mut self,
        steps: &mut StepBudget,
        mut visit: impl FnMut(&[u8], u64, &A::State) -> ControlFlow<()>,
    ) -> WalkEnd {
        if self.entered
            && let Some(top) = self.frames.last()
            && accepts(&self.automaton, &top.node, &top.state)
            && visit(&self.key, top.value + top.node.final_output().value(), &top.state).is_break()
        {
            return WalkEnd::Stopped;
        }
        while let Some(top) = self.frames.last_mut() {
            if top.next >= top.node.len() {
                self.frames.pop();
                self.key.pop();
                continue;
            }
            if steps.spend(1).is_err() {
                return WalkEnd::OutOfSteps;
            }
            let taken = top.node.transition(top.next);
            top.next += 1;
            let state = self.automaton.accept(&top.state, taken.inp);
            if !self.automaton.can_match(&state) {
                continue;
            }
            let value = top.value + taken.out.value();
            let node = self.map.node(taken.addr);
            self.key.push(taken.inp);
            if accepts(&self.automaton, &node, &state)
                && visit(&self.key, value + node.final_output().value(), &state).is_break()
            {
                return WalkEnd::Stopped;
            }
            self.frames.push(Frame { node, next: 0, value, state });
        }
        WalkEnd::Complete
    }
}

/// Whether a key ends at the node and the automaton accepts it.
fn accepts<A: Automaton>(automaton: &A, node: &Node<'_>, state: &A::State) -> bool {
    node.is_final()
        && match automaton.accept_eof(state) {
            Some(end) => automaton.is_match(&end),
            None => automaton.is_match(state),
        }
}
