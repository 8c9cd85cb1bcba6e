//! Every distinct string once, in one growing blob.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Names a string of an [`Interner`], in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(pub u32);

impl StringId {
    /// No string. A finished model has it nowhere but where its field says so.
    pub const ABSENT: StringId = StringId(u32::MAX);

    /// Whether this names no string.
    #[must_use]
    pub fn is_absent(self) -> bool {
        self == StringId::ABSENT
    }
}

/// [`StringId::ABSENT`]: what a row holds until its field has been read.
impl Default for StringId {
    fn default() -> StringId {
        StringId::ABSENT
    }
}

/// The distinct strings would take more bytes than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the distinct strings take more than {limit} bytes together")]
pub struct BlobFull {
    /// Bytes that the blob may hold.
    pub limit: usize,
}

/// A set of strings that hands out ids. Memory: the distinct bytes, and 14 to 25 bytes a string.
#[derive(Debug)]
pub struct Interner {
    blob: String,
    /// Where each string ends in the blob; it starts where the one before ends.
    ends: Vec<u32>,
    slots: HashTable<Slot>,
    /// A key of its own: without one, whoever writes the input could make all strings collide and a build take hours. No output depends on it, since
    /// ids follow the order of appearance and the table is never walked.
    hasher: RandomState,
    limit: usize,
}

/// The hash is kept beside the id so that neither a probe nor a growth of the table has to visit the blob.
#[derive(Debug)]
struct Slot {
    hash: u32,
    id: StringId,
}

impl Slot {
    /// The table takes its group from the low bits and its tag from the top seven: both must depend on the whole hash.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Interner {
    /// An empty set that holds at most `limit` bytes, itself at most 2^31 - 1, so that ends fit in 32 bits.
    #[must_use]
    pub fn with_limit(limit: usize) -> Interner {
        let limit = limit.min((1 << 31) - 1);
        Interner {
            blob: String::new(),
            ends: Vec::new(),
            slots: HashTable::new(),
            hasher: RandomState::default(),
            limit,
        }
    }

    /// The id of `text`, which is added if it's new.
    ///
    /// # Errors
    /// The blob would outgrow its limit; the set stays as it was.
    pub fn intern(&mut self, text: &str) -> Result<StringId, BlobFull> {
        let hash = self.hash(text);
        let Interner { blob, ends, slots, limit, .. } = self;
        if let Some(slot) = slots
            .find(Slot::spread(hash), |slot| slot.hash == hash && lookup(blob, ends, slot.id) == Some(text))
        {
            return Ok(slot.id);
        }
        let full = BlobFull { limit: *limit };
        let end = blob.len().checked_add(text.len()).filter(|end| end <= limit).ok_or(full)?;
        // Only the empty string takes no bytes, so there are at most limit + 1 strings: far from `ABSENT`.
        let id = StringId(u32::try_from(ends.len()).map_err(|_| full)?);
        ends.push(u32::try_from(end).map_err(|_| full)?);
        blob.push_str(text);
        slots.insert_unique(Slot::spread(hash), Slot { hash, id }, |slot| Slot::spread(slot.hash));
        Ok(id)
    }

    fn hash(&self, text: &str) -> u32 {
        let long = self.hasher.hash_one(text.as_bytes());
        (long >> 32) as u32 ^ long as u32
    }

    /// The string of an id; the empty one for an id that was never handed out.
    #[must_use]
    pub fn get(&self, id: StringId) -> &str {
        lookup(&self.blob, &self.ends, id).unwrap_or_default()
    }

    /// How many distinct strings there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was interned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The blob, and where each string ends in it, by id.
    #[must_use]
    pub fn into_parts(self) -> (String, Vec<u32>) {
        (self.blob, self.ends)
    }
}

/// A set with the largest limit.
impl Default for Interner {
    fn default() -> Interner {
        Interner::with_limit(usize::MAX)
    }
}

fn lookup<'b>(blob: &'b str, ends: &[u32], id: StringId) -> Option<&'b str> {
    let index = id.0 as usize;
    let end = *ends.get(index)? as usize;
    let start = match index.checked_sub(1) {
        Some(before) => *ends.get(before)? as usize,
        None => 0,
    };
    blob.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_keeps_its_first_id() {
        let mut strings = Interner::default();
        assert_eq!(strings.intern("b"), Ok(StringId(0)));
        assert_eq!(strings.intern(""), Ok(StringId(1)));
        assert_eq!(strings.intern("é"), Ok(StringId(2)));
        assert_eq!(strings.intern("b"), Ok(StringId(0)));
        assert_eq!(strings.intern(""), Ok(StringId(1)));
        assert_eq!(
            (strings.get(StringId(0)), strings.get(StringId(1)), strings.get(StringId(2))),
            ("b", "", "é")
        );
        assert_eq!(strings.into_parts(), ("bé".to_owned(), vec![1, 1, 3]));
    }

    #[test]
    fn an_id_never_handed_out_is_empty() {
        let strings = Interner::default();
        assert!(strings.is_empty());
        assert_eq!(strings.get(StringId(0)), "");
        assert_eq!(strings.get(StringId::ABSENT), "");
    }

    #[test]
    fn a_full_blob_refuses_new_strings_and_still_finds_old_ones() {
        let mut strings = Interner::with_limit(3);
        assert_eq!(strings.intern("ab"), Ok(StringId(0)));
        assert_eq!(strings.intern("cd"), Err(BlobFull { limit: 3 }));
        assert_eq!(strings.intern("ab"), Ok(StringId(0)));
        assert_eq!(strings.intern("c"), Ok(StringId(1)));
        assert_eq!(strings.intern("d"), Err(BlobFull { limit: 3 }));
        assert_eq!(strings.len(), 2);
    }

    /// Strings of 64 bytes that are one to the unkeyed hash of rustc, in all 64 bits: the third block cancels what the first one left behind, so that the
    /// eight bytes after it count for nothing. Found by trying first blocks until that is printable.
    #[test]
    fn strings_crafted_against_an_unkeyed_hash_spread() {
        let strings = Interner::default();
        let craft = |n: u32| format!("000000000002eda2{:016}uOBdM7zu{n:08}{:016}", 0, 0);
        let hashes: std::collections::HashSet<u32> = (0..1_000).map(|n| strings.hash(&craft(n))).collect();
        assert!(hashes.len() > 990, "{} of 1000", hashes.len());
        // Nor would the same ones collide in another table.
        let other = Interner::default();
        assert!((0..1_000).any(|n| strings.hash(&craft(n)) != other.hash(&craft(n))));
    }

    #[test]
    fn many_strings_survive_the_growth_of_the_table() {
        let mut strings = Interner::default();
        let ids: Vec<StringId> = (0..20_000).map(|n| strings.intern(&format!("name{n}")).unwrap()).collect();
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(strings.get(*id), format!("name{n}"));
            assert_eq!(strings.intern(&format!("name{n}")), Ok(*id));
        }
        assert_eq!(strings.len(), 20_000);
    }
}
