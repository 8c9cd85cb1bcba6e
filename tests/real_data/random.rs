//! SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): the same picks on every run.

pub(crate) struct Random(u64);

impl Random {
    /// A generator for a directory: each gets its own sequence, the same on every run.
    pub(crate) fn for_name(name: &str) -> Self {
        Self(name.bytes().fold(0x6f70_656e_6d69_6e64, |seed, byte| seed.wrapping_mul(31) ^ u64::from(byte)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which isn't 0. The bias of the remainder is of no concern here.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a length fits in 64 bits");
        usize::try_from(self.next() % end).expect("less than a length")
    }

    /// One of several.
    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Up to `count` distinct items, in random order.
    pub(crate) fn some_of<T: Copy>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut items = items.to_vec();
        let count = count.min(items.len());
        for at in 0..count {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
        items.truncate(count);
        items
    }
}
