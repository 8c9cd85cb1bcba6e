//! How large a shard can get by one more key.
//!
//! `fst` writes a node when no later key can change it; the nodes on the path of the last key are still open. What
//! they'll take is bounded here, so that a shard is closed before it can pass its limit.

/// Bytes of an input with a packed address of two bytes (no shard passes 64 KiB) and an output of two (ranks stay
/// below 2^16).
const TRANSITION_BYTES: usize = 1 + 2 + 2;
/// State, sizes and count.
const FIXED_BYTES: usize = 3;
/// A final node's own output.
const FINAL_BYTES: usize = 2;
/// A node with one transition to the node just before: input and state.
const CHAIN_BYTES: usize = 2;
/// One such node of a chain may lead elsewhere: its sizes and an address of two bytes on top.
pub(super) const LONE_CHAIN_BYTES: usize = 3;

#[derive(Debug, Clone, Copy)]
struct Open {
    transitions: usize,
    is_final: bool,
}

impl Open {
    fn most_bytes(self) -> usize {
        use super::layout::{INDEX_BYTES, INDEX_THRESHOLD};
        match (self.transitions, self.is_final) {
            (0, _) => 0,
            // The first transition of a node where no key ends has output 0.
            (1, false) => CHAIN_BYTES,
            (transitions, is_final) => {
                let index = if transitions > INDEX_THRESHOLD { INDEX_BYTES } else { 0 };
                FIXED_BYTES + transitions * TRANSITION_BYTES + index + if is_final { FINAL_BYTES } else { 0 }
            }
        }
    }
}

/// The open nodes, from the root to the end of the last key.
#[derive(Debug)]
pub(super) struct OpenNodes {
    path: Vec<Open>,
    most_bytes: usize,
}

impl OpenNodes {
    /// The root alone.
    pub(super) fn new() -> Self {
        Self { path: vec![Open { transitions: 0, is_final: false }], most_bytes: 0 }
    }

    /// The most bytes that are still to be written once a key is added that shares `shared` bytes with the last one and
    /// goes on for `added` more.
    pub(super) fn most_bytes_with(&self, shared: usize, added: usize) -> usize {
        let fork = self.path.get(shared).copied().unwrap_or(Open { transitions: 0, is_final: false });
        let forked = Open { transitions: fork.transitions + 1, ..fork };
        // Two chains can be open: the nodes that the key closes, and those that it opens.
        self.most_bytes - fork.most_bytes() + forked.most_bytes() + added * CHAIN_BYTES + 2 * LONE_CHAIN_BYTES
    }

    /// Takes note of that key.
    pub(super) fn add(&mut self, shared: usize, added: usize) {
        for closed in self.path.drain((shared + 1).min(self.path.len())..) {
            self.most_bytes -= closed.most_bytes();
        }
        if let Some(fork) = self.path.last_mut().filter(|_| added > 0) {
            self.most_bytes -= fork.most_bytes();
            fork.transitions += 1;
            self.most_bytes += fork.most_bytes();
        }
        let chain = Open { transitions: 1, is_final: false };
        self.path.extend(std::iter::repeat_n(chain, added.saturating_sub(1)));
        self.most_bytes += added.saturating_sub(1) * CHAIN_BYTES;
        if added > 0 {
            self.path.push(Open { transitions: 0, is_final: true });
        } else if let Some(root) = self.path.last_mut() {
            // Only the empty key adds nothing, and only as the first.
            root.is_final = true;
        }
    }
}
