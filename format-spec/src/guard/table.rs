//! Which addresses belong to guarded maps, in a form that a signal handler may read.
//!
//! A handler can interrupt a thread anywhere, so it can't wait for anyone: a lock that it waits for may be held by the very
//! thread that it interrupted. Writers therefore take turns by a lock, and the handler reads without one. A slot's
//! generation is odd while the slot holds a map, and grows with every change; what was read between two equal odd
//! generations belongs together. A slot that changes meanwhile is passed over rather than read again, and rightly so: a
//! thread that faults in a map has borrowed it, and a borrowed map was entered before and doesn't leave until later.
//!
//! All accesses are `SeqCst`. They are rare (opening, dropping, faulting), and one order of all of them is what the argument
//! above needs.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// How many maps can be guarded at a time. A server holds one, and two while it takes a replacement; whoever holds more than
/// these reads the rest into memory.
pub(super) const SLOTS: usize = 64;

/// The addresses of one map.
pub(super) struct Slot {
    /// Odd while the slot holds a map.
    generation: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    faulted: AtomicBool,
}

impl Slot {
    const fn free() -> Self {
        Self {
            generation: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            faulted: AtomicBool::new(false),
        }
    }

    /// Whether a load from the map faulted.
    pub(super) fn faulted(&self) -> bool {
        self.faulted.load(SeqCst)
    }

    /// Marks the map. Called by the handler.
    pub(super) fn mark(&self) {
        self.faulted.store(true, SeqCst);
    }

    /// The addresses of the map that the slot holds, or none where it holds none or changes just now. Called by the handler.
    fn range(&self) -> Option<Range<usize>> {
        let generation = self.generation.load(SeqCst);
        let range = self.start.load(SeqCst)..self.end.load(SeqCst);
        let settled = generation % 2 == 1 && self.generation.load(SeqCst) == generation;
        settled.then_some(range)
    }
}

/// A fixed number of slots.
pub(super) struct Table {
    slots: [Slot; SLOTS],
    /// Held by whoever enters a map. The handler never takes it.
    entering: Mutex<()>,
}

impl Table {
    pub(super) const fn new() -> Self {
        Self { slots: [const { Slot::free() }; SLOTS], entering: Mutex::new(()) }
    }

    /// Enters the addresses of a map. None where all slots are taken.
    pub(super) fn enter(&self, range: Range<usize>) -> Option<&Slot> {
        let _turn = self.entering.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = self.slots.iter().find(|slot| slot.generation.load(SeqCst) % 2 == 0)?;
        slot.start.store(range.start, SeqCst);
        slot.end.store(range.end, SeqCst);
        slot.faulted.store(false, SeqCst);
        slot.generation.fetch_add(1, SeqCst);
        Some(slot)
    }

    /// Frees a slot that `enter` gave. It must be called once for each, and before the map is taken down.
    pub(super) fn leave(&self, slot: &Slot) {
        slot.generation.fetch_add(1, SeqCst);
    }

    /// The map that an address lies in, and where it ends. Takes the same few steps whatever other threads do: the handler
    /// calls it.
    pub(super) fn find(&self, address: usize) -> Option<(&Slot, usize)> {
        self.slots.iter().find_map(|slot| {
            let range = slot.range()?;
            range.contains(&address).then_some((slot, range.end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_from_the_first_to_the_last_of_its_map_and_no_longer_than_the_map_is_there() {
        let table = Table::new();
        let low = table.enter(4096..8192).expect("free");
        let high = table.enter(8192..12288).expect("free");
        let found = |address| table.find(address).map(|(slot, end)| (std::ptr::from_ref(slot), end));
        assert_eq!(found(4095), None);
        assert_eq!(found(4096), Some((std::ptr::from_ref(low), 8192)));
        assert_eq!(found(8191), Some((std::ptr::from_ref(low), 8192)));
        assert_eq!(found(8192), Some((std::ptr::from_ref(high), 12288)));
        assert_eq!(found(12288), None);
        table.leave(low);
        assert_eq!(found(4096), None);
        assert_eq!(found(8192), Some((std::ptr::from_ref(high), 12288)));
    }

    #[test]
    fn as_many_maps_are_guarded_as_there_are_slots_and_a_freed_one_is_clean() {
        let table = Table::new();
        let entered: Vec<&Slot> =
            (0..SLOTS).map(|at| table.enter(at * 10..at * 10 + 10).expect("free")).collect();
        assert!(table.enter(9000..9010).is_none());
        let seventh = entered.get(7).expect("there are more");
        seventh.mark();
        table.leave(seventh);
        assert!(table.find(75).is_none());
        let again = table.enter(9000..9010).expect("free again");
        assert!(!again.faulted(), "a mark is the map's, not the slot's");
        assert!(table.find(9005).is_some());
    }

    /// Ranges that change hands as fast as possible. Each that is ever entered is `n * 1000..n * 1000 + 10`, so a start of
    /// one with the end of another would hold an address that none has.
    #[test]
    fn a_reader_never_sees_half_of_a_change() {
        const ROUNDS: usize = 20_000;
        let table = Table::new();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    let at = (round % 50 + 1) * 1000;
                    table.leave(table.enter(at..at + 10).expect("free"));
                }
                done.store(true, SeqCst);
            });
            scope.spawn(|| {
                while !done.load(SeqCst) {
                    for between in (500..51_000).step_by(1000) {
                        assert!(table.find(between).is_none(), "{between}");
                    }
                }
            });
        });
    }
}
