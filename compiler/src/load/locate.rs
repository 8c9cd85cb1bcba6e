//! From JSON pointers to byte offsets: one walk over a file's text for all of them.
//!
//! The loader keeps no offsets while all is well. Where something was found, this walk finds its place again. It only believes in the grammar as far
//! as it needs to: the text may be cut off or malformed after what is looked for.

use std::collections::HashMap;

use super::cursor::{Cursor, Step};
use super::path::Leg;

/// What to look for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The way to the value.
    pub(super) legs: Vec<Leg>,
    /// Look for the key that leads there rather than for the value.
    pub(super) key: bool,
}

/// The byte offset of each target's first character; `None` where the text has no such value.
pub(super) fn locate(text: &str, targets: &[Target]) -> Vec<Option<usize>> {
    let mut wanted = vec![Wanted::default()];
    for (number, target) in targets.iter().enumerate() {
        plant(&mut wanted, number, target);
    }
    let found = vec![None; targets.len()];
    let mut walk = Walk { cursor: Cursor::new(text), wanted: &wanted, found, missing: targets.len() };
    walk.value(Some(0));
    walk.found
}

/// A node of the tree of pointers.
#[derive(Default)]
struct Wanted {
    /// Targets that are this value.
    values: Vec<usize>,
    /// Targets that are the key of this value.
    keys: Vec<usize>,
    /// Nodes under this one. Indexes into the tree.
    below: HashMap<Leg, usize>,
    /// Keys of `below`, with how many occurrences matter.
    repeats: HashMap<Box<str>, u32>,
}

fn plant(wanted: &mut Vec<Wanted>, number: usize, target: &Target) {
    let mut at = 0;
    for leg in &target.legs {
        let free = wanted.len();
        let Some(node) = wanted.get_mut(at) else { return };
        if let Leg::Key { key, occurrence } = leg {
            let most = node.repeats.entry(key.clone()).or_default();
            *most = (*most).max(occurrence + 1);
        }
        at = *node.below.entry(leg.clone()).or_insert(free);
        if at == free {
            wanted.push(Wanted::default());
        }
    }
    if let Some(node) = wanted.get_mut(at) {
        if target.key { node.keys.push(number) } else { node.values.push(number) }
    }
}

struct Walk<'w> {
    cursor: Cursor<'w>,
    wanted: &'w [Wanted],
    found: Vec<Option<usize>>,
    /// Targets not found yet.
    missing: usize,
}

impl<'w> Walk<'w> {
    /// Notes that the targets stand here. `None` where that was the last.
    fn reach(&mut self, targets: &[usize], offset: usize) -> Step {
        for target in targets {
            if let Some(place @ None) = self.found.get_mut(*target) {
                *place = Some(offset);
                self.missing -= 1;
            }
        }
        (self.missing > 0).then_some(())
    }

    /// Passes a value. Recursion ends at the tree's depth, which is that of the deepest pointer.
    fn value(&mut self, node: Option<usize>) -> Step {
        let first = self.cursor.next()?;
        let node: Option<&'w Wanted> = node.and_then(|node| self.wanted.get(node));
        let Some(node) = node else { return self.cursor.skip() };
        self.reach(&node.values, self.cursor.at)?;
        match first {
            _ if node.below.is_empty() => self.cursor.skip(),
            b'{' => self.object(node),
            b'[' => self.array(node),
            _ => self.cursor.skip(),
        }
    }

    fn object(&mut self, node: &'w Wanted) -> Step {
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let mut more = self.cursor.open(b'}')?;
        while more {
            let raw = self.cursor.key()?;
            let start = self.cursor.at - raw.len();
            let key = unescape(raw);
            let mut below = None;
            if let Some((key, most)) = node.repeats.get_key_value(&*key) {
                let count = seen.entry(key).or_default();
                if *count < *most {
                    below = node.below.get(&Leg::Key { key: key.clone(), occurrence: *count }).copied();
                    *count += 1;
                }
            }
            if let Some(below) = below.and_then(|below| self.wanted.get(below)) {
                self.reach(&below.keys, start)?;
            }
            self.cursor.colon()?;
            self.value(below)?;
            more = self.cursor.another(b'}')?;
        }
        Some(())
    }

    fn array(&mut self, node: &'w Wanted) -> Step {
        let (mut index, mut more) = (0, self.cursor.open(b']')?);
        while more {
            self.value(node.below.get(&Leg::Index(index)).copied())?;
            index += 1;
            more = self.cursor.another(b']')?;
        }
        Some(())
    }
}

/// The text of a raw key; one with a lone surrogate is taken as it is, quotes and all.
fn unescape(raw: &str) -> std::borrow::Cow<'_, str> {
    match raw.get(1..raw.len().saturating_sub(1)) {
        Some(inner) if !inner.contains('\\') => inner.into(),
        _ => serde_json::from_str::<String>(raw).map_or(raw.into(), Into::into),
    }
}

/// Line and column of each offset, which must ascend. Lines end with LF and columns are code points, both from 1. A stretch that isn't UTF-8 counts a
/// column for each of its bytes.
pub(super) fn lines_and_columns(bytes: &[u8], offsets: &[usize]) -> Vec<(u32, u32)> {
    let (mut line, mut column, mut from) = (1u32, 1u32, 0usize);
    let mut places = Vec::with_capacity(offsets.len());
    for offset in offsets {
        let stretch = bytes.get(from..*offset).unwrap_or_default();
        let mut rest = stretch;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            line = line.saturating_add(1);
            column = 1;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        let width = std::str::from_utf8(rest).map_or(rest.len(), |text| text.chars().count());
        column = column.saturating_add(u32::try_from(width).unwrap_or(u32::MAX));
        from = from.max(*offset);
        places.push((line, column));
    }
    places
}

#[cfg(test)]
mod tests;
