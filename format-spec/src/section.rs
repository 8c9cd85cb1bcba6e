//! Section kinds: what a table entry's number means.

use std::fmt;

/// A section stays below 2 GiB: rkyv's relative pointers are signed 32-bit numbers.
pub const MAX_SECTION_BYTES: u64 = (1 << 31) - 1;

macro_rules! section_kinds {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal;)*) => {
        /// What a section holds. Codes are open: a reader skips those that it doesn't know.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum SectionKind {
            $($(#[$doc])* $variant,)*
        }

        impl SectionKind {
            /// Every kind of this format version, by ascending code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The number in the section table.
            #[must_use]
            pub const fn code(self) -> u32 {
                match self { $(Self::$variant => $code,)* }
            }

            /// The name in SPEC.md and in messages.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The kind of a code, where this version knows it.
            #[must_use]
            pub const fn from_code(code: u32) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

section_kinds! {
    /// One row: repository, generator, versions.
    Info = 1, "info";
    /// All texts, back to back.
    StringBytes = 2, "string-bytes";
    /// Where each text ends.
    StringEnds = 3, "string-ends";
    /// Cited lines.
    Evidence = 4, "evidence";
    /// Lists of texts: responsibilities, files of a layer.
    StringLists = 5, "string-lists";
    /// Glossary entries.
    Glossary = 6, "glossary";
    /// Architecture components.
    Components = 7, "components";
    /// Role counts of components.
    Roles = 8, "roles";
    /// Architecture layers.
    Layers = 9, "layers";
    /// Flows.
    Flows = 10, "flows";
    /// Steps of flows.
    Steps = 11, "steps";
    /// Facets of flows.
    Facets = 12, "facets";
    /// Captured values of facets.
    FacetValues = 13, "facet-values";
    /// Files of the source index.
    Files = 14, "files";
    /// Symbols of the source index.
    Symbols = 15, "symbols";
    /// The original artifact files.
    Artifacts = 16, "artifacts";
    /// Compressed frames of the originals.
    Frames = 17, "frames";
    /// Frame bytes.
    FrameBytes = 18, "frame-bytes";
    /// Shards of the dictionary of exact names.
    NameShards = 19, "name-shards";
    /// First keys of those shards.
    NameKeys = 20, "name-keys";
    /// Their fst bytes.
    NameFst = 21, "name-fst";
    /// Shards of the dictionary of folded names.
    FoldedShards = 22, "folded-shards";
    /// First keys of those shards.
    FoldedKeys = 23, "folded-keys";
    /// Their fst bytes.
    FoldedFst = 24, "folded-fst";
    /// Shards of the dictionary of terms.
    TermShards = 25, "term-shards";
    /// First keys of those shards.
    TermKeys = 26, "term-keys";
    /// Their fst bytes.
    TermFst = 27, "term-fst";
    /// For each exact name, where its places end.
    NameEnds = 28, "name-ends";
    /// Documents that bear a name, grouped by name.
    Places = 29, "places";
    /// For each folded name, where its exact spellings end.
    FoldedEnds = 30, "folded-ends";
    /// Exact spellings, grouped by folded name.
    FoldedNames = 31, "folded-names";
    /// For each term, its postings list.
    Postings = 32, "postings";
    /// Headers of postings blocks.
    Blocks = 33, "blocks";
    /// Payloads of postings blocks.
    BlockBytes = 34, "block-bytes";
}

impl fmt::Display for SectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_without_gaps_and_lead_back_to_their_kind() {
        for (index, kind) in SectionKind::ALL.iter().enumerate() {
            assert_eq!(kind.code() as usize, index + 1);
            assert_eq!(SectionKind::from_code(kind.code()), Some(*kind));
        }
        assert_eq!(SectionKind::from_code(0), None);
    }
}
