//! Reads a fuzz input as a script of small numbers and pieces of bytes.

/// What is left of an input. Past the end every number is 0 and every piece is empty, so that each input is a script.
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// A script from its first byte.
    pub fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Whether all of it was read.
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    /// The next `length` bytes, or fewer at the end.
    pub fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (now, later) = self.0.split_at(length.min(self.0.len()));
        self.0 = later;
        now
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        self.bytes(self.0.len())
    }

    fn number<const N: usize>(&mut self) -> [u8; N] {
        let mut number = [0; N];
        let bytes = self.bytes(N);
        number[..bytes.len()].copy_from_slice(bytes);
        number
    }

    /// A byte.
    pub fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.number())
    }

    /// Two bytes, little-endian.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.number())
    }

    /// Four bytes, little-endian.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.number())
    }

    /// Two bytes as an index below `count`, which must not be 0.
    pub fn index(&mut self, count: usize) -> usize {
        usize::from(self.u16()) % count
    }

    /// A length byte and so many bytes.
    pub fn piece(&mut self) -> &'a [u8] {
        let length = self.u8();
        self.bytes(length.into())
    }
}
