//! Numbers of a fixed bit width, packed from the lowest bit up; each run of numbers ends on a byte.

/// Bytes that `count` numbers of `width` bits take.
pub(crate) const fn packed_length(count: usize, width: u8) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Bits needed for `value`; 0 for 0.
pub(crate) const fn width_of(value: u32) -> u8 {
    (u32::BITS - value.leading_zeros()) as u8
}

/// Appends numbers of `width` bits.
pub(crate) fn pack(values: impl Iterator<Item = u32>, width: u8, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let (mut pending, mut held) = (0_u64, 0_u32);
    for value in values {
        pending |= u64::from(value) << held;
        held += u32::from(width);
        while held >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        out.push(pending as u8);
    }
}

/// Reads numbers of `width` bits, at most 32, in order. Past the end it reads zeros.
pub(crate) struct Unpacker<'a> {
    bytes: &'a [u8],
    width: u32,
    pending: u64,
    held: u32,
}

impl<'a> Unpacker<'a> {
    pub(crate) const fn new(bytes: &'a [u8], width: u8) -> Self {
        Self { bytes, width: width as u32, pending: 0, held: 0 }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u32 {
        if self.held < self.width {
            self.refill();
        }
        let value = (self.pending & ((1 << self.width) - 1)) as u32;
        self.pending >>= self.width;
        self.held = self.held.saturating_sub(self.width);
        value
    }

    #[inline]
    fn refill(&mut self) {
        if let Some((word, rest)) = self.bytes.split_first_chunk::<4>() {
            self.pending |= u64::from(u32::from_le_bytes(*word)) << self.held;
            self.held += 32;
            self.bytes = rest;
            return;
        }
        while self.held <= 56 {
            let Some((byte, rest)) = self.bytes.split_first() else { break };
            self.pending |= u64::from(*byte) << self.held;
            self.held += 8;
            self.bytes = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_fill_bytes_from_the_lowest_bit() {
        let mut bytes = Vec::new();
        pack([0b101, 0b011, 0b110].into_iter(), 3, &mut bytes);
        assert_eq!(bytes, [0b10_011_101, 0b1]);
    }

    proptest! {
        #[test]
        fn what_was_packed_unpacks(width in 0_u8..=32, values in prop::collection::vec(any::<u32>(), 0..300)) {
            let mask = ((1_u64 << width) - 1) as u32;
            let values: Vec<u32> = values.into_iter().map(|value| value & mask).collect();
            let mut bytes = Vec::new();
            pack(values.iter().copied(), width, &mut bytes);
            prop_assert_eq!(bytes.len(), packed_length(values.len(), width));
            let mut unpacker = Unpacker::new(&bytes, width);
            let read: Vec<u32> = values.iter().map(|_| unpacker.next()).collect();
            prop_assert_eq!(read, values);
        }
    }
}
