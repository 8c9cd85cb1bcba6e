//! Why a shard is refused.

/// A shard broke a rule: which one, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("dictionary shard, byte {offset}: {kind}")]
pub struct ShardFault {
    /// Offset in the shard of the field at fault. A fault of a whole node is given at the node's last byte, which is
    /// its address; a fault of the keys as a whole at the root's.
    pub offset: usize,
    /// The broken rule, with what was found.
    pub kind: FaultKind,
}

/// The rule that a shard broke. The numbers are what was found and what the rule, or the table row, asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Too short for header and footer, or longer than a shard with that many keys may be.
    #[error("the shard is {found} bytes long, expected {least} to {most}")]
    Length {
        /// Bytes given.
        found: usize,
        /// The length of a shard that holds only the empty key.
        least: usize,
        /// The limit for the table row's key count.
        most: usize,
    },
    /// The table row itself asks for something that no shard can be.
    #[error("the table row promises {found} keys, expected 1 to {most}")]
    PromisedKeys {
        /// The row's key count.
        found: u32,
        /// [`MAX_SHARD_KEYS`](super::MAX_SHARD_KEYS).
        most: u32,
    },
    /// The map's format version.
    #[error("fst version {found}, expected {expected}")]
    Version {
        /// First eight bytes.
        found: u64,
        /// The one version that a shard may have.
        expected: u64,
    },
    /// The map's type field.
    #[error("fst type {found}, expected 0")]
    Type {
        /// Second eight bytes.
        found: u64,
    },
    /// The root isn't the node that ends where the footer begins.
    #[error("root address {found}, expected {expected}")]
    Root {
        /// The footer's root address.
        found: u64,
        /// The address that follows from the shard's length.
        expected: u64,
    },
    /// The footer's key count differs from the table row's.
    #[error("the footer counts {found} keys, the table row {expected}")]
    FooterKeys {
        /// The footer's count.
        found: u64,
        /// The row's count.
        expected: u32,
    },
    /// Reading backwards, a node needs bytes of the header.
    #[error("the node begins before the first byte that a node may have")]
    CutShort,
    /// The number of bytes of a packed address.
    #[error("addresses packed in {found} bytes, expected 1 to 8")]
    DeltaSize {
        /// Bytes an address.
        found: u8,
    },
    /// The number of bytes of a packed output.
    #[error("outputs packed in {found} bytes, expected 0 to 8")]
    OutputSize {
        /// Bytes an output.
        found: u8,
    },
    /// The byte after a state byte without a count: it is for 64 transitions and more, and 1 means 256.
    #[error("transition count byte {found}, expected 1 (which means 256) or 64 to 255")]
    CountByte {
        /// The byte.
        found: u8,
    },
    /// Inputs of a node repeat or descend.
    #[error("input {found:#04x} follows {previous:#04x}, inputs ascend strictly")]
    InputOrder {
        /// The input before.
        previous: u8,
        /// The input at fault.
        found: u8,
    },
    /// An entry of the 256-byte table from input to transition.
    #[error("the index sends input {input:#04x} to transition {found}, expected {expected} (255: none)")]
    Index {
        /// The input, which is the entry's place in the table.
        input: u8,
        /// The entry.
        found: u8,
        /// What the node's inputs ask for.
        expected: u8,
    },
    /// A transition to something that isn't a node further down.
    #[error("transition {transition} points {delta} bytes back from byte {start}, where no node ends")]
    Child {
        /// Place of the transition in the node, from 0.
        transition: usize,
        /// Distance from the node's first byte.
        delta: u64,
        /// The node's first byte.
        start: usize,
    },
    /// A transition's output isn't the number of keys that sort before it within the node.
    #[error(
        "transition {transition} has output {found}, expected {expected}, the number of keys before it in its node"
    )]
    Output {
        /// Place of the transition in the node, from 0.
        transition: usize,
        /// The stored output.
        found: u64,
        /// Keys of the node that sort before the transition.
        expected: u32,
    },
    /// A final node's own output isn't zero: its key is the first of all keys that pass through it.
    #[error("final output {found}, expected 0")]
    FinalOutput {
        /// The stored output.
        found: u64,
    },
    /// More keys pass through one node than the whole shard should have.
    #[error("{found} or more keys, the table row promises {expected}")]
    TooManyKeys {
        /// Keys counted when counting stopped.
        found: u32,
        /// The row's count.
        expected: u32,
    },
    /// The nodes spell fewer keys than the footer and the table row say.
    #[error("{found} keys, the table row promises {expected}")]
    Keys {
        /// Keys counted.
        found: u32,
        /// The row's count.
        expected: u32,
    },
    /// The longest key has another length than the table row says.
    #[error("the longest key has {found} bytes, the table row promises {expected}")]
    LongestKey {
        /// Bytes counted.
        found: u32,
        /// The row's figure.
        expected: u32,
    },
    /// A node that no key passes through.
    #[error("no transition leads to this node")]
    Unreachable,
    /// The CRC32C trailer doesn't fit the bytes before it.
    #[error("checksum {found:#010x}, expected {expected:#010x}")]
    Checksum {
        /// The trailer.
        found: u32,
        /// The checksum of the bytes before it.
        expected: u32,
    },
    /// The first key isn't the table row's.
    #[error("the first key is not the table row's first key")]
    FirstKey,
    /// The last key doesn't sort before the next row's first key.
    #[error("the last key does not sort before the next shard's first key")]
    LastKey,
    /// `fst` itself refused the bytes.
    #[error("not an fst map")]
    NotAMap,
}
