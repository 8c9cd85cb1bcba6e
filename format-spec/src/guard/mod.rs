//! Maps that outlive their files: where a mapped file is cut short, its readers see zeros instead of the end of the
//! process.
//!
//! A load from a mapped page that lies behind the end of the file, or that the disk can't deliver, raises SIGBUS, and
//! SIGBUS ends a process. Nobody can rule that out by looking first: the file may shrink between the look and the load.
//! So the signal is handled:
//!
//! ```text
//! load ──> SIGBUS ──> address in a map of ours?  yes: mark the map, put zero pages there, repeat the load
//!                                                no:  whatever would have happened without us
//! ```
//!
//! Zeros are as good as any other damage. A group that wasn't hashed yet fails its hash; for bytes that were, the mark
//! tells, after the answer was made and before it is given, that it has to be dropped.

mod table;

#[cfg(unix)]
mod signal;

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::ops::Deref;

use memmap2::Mmap;

use table::{Slot, Table};

/// Every guarded map of the process.
static TABLE: Table = Table::new();

/// A map whose readers survive that its file is cut short.
pub(crate) struct GuardedMap {
    map: Mmap,
    slot: &'static Slot,
}

impl GuardedMap {
    /// Guards `map`, which nobody has read from yet. There are no more guards than [`table::SLOTS`], and none where the
    /// system doesn't let the signal be handled: then there is nothing to return, and the file has to be read instead.
    pub(crate) fn new(map: Mmap) -> Option<Self> {
        let page_bytes = page_bytes()?;
        let start = map.as_ptr() as usize;
        // Maps come in whole pages; the last one belongs to this map as far as it reaches.
        let end = start.checked_add(map.len())?.checked_next_multiple_of(page_bytes)?;
        let slot = TABLE.enter(start..end)?;
        Some(Self { map, slot })
    }

    /// Whether a part of the map was lost since it was made, and zeros stand in its place. True for ever once it is.
    pub(crate) fn faulted(&self) -> bool {
        self.slot.faulted()
    }
}

impl Deref for GuardedMap {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for GuardedMap {
    fn drop(&mut self) {
        // Before the map goes, which is when its addresses may become another's.
        TABLE.leave(self.slot);
    }
}

/// The size of a page, where faults are handled.
#[cfg(unix)]
fn page_bytes() -> Option<usize> {
    signal::handled()
}

/// Windows doesn't let a mapped file be cut short.
#[cfg(not(unix))]
fn page_bytes() -> Option<usize> {
    Some(1)
}
