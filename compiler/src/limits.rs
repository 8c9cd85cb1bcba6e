//! The bounds that the input must keep. Each is an error that names the bound and the value.

use openmind_pack_format::layout::MAX_TEXT_BYTES;

/// Bounds on one `.openmind` directory. The defaults are the product's limits; tests shrink them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one file: 2 GiB - 1, what a bundle's section can hold.
    pub file_bytes: u64,
    /// Containers around the innermost value, the outermost counted.
    pub depth: usize,
    /// Bytes of one term or name; longer ones couldn't be asked for.
    pub name_bytes: usize,
    /// Bytes of one text: what a bundle can hold as one.
    pub text_bytes: usize,
    /// Entries of one list. A quarter of the 32-bit document ids, since four lists share them.
    pub entries: usize,
    /// Bytes of all distinct strings together: 2 GiB - 1.
    pub string_bytes: usize,
    /// Largest line number or count.
    pub number: u32,
    /// Findings of one code listed per file; the rest are counted.
    pub findings_per_code: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: (1 << 31) - 1,
            depth: 128,
            name_bytes: 8 << 10,
            text_bytes: MAX_TEXT_BYTES as usize,
            entries: (1 << 30) - 1,
            string_bytes: (1 << 31) - 1,
            number: (1 << 31) - 1,
            findings_per_code: 1_000,
        }
    }
}
