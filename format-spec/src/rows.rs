//! Row types: plain 32-bit integers, so that reading a table in place needs no parsing and no per-row validation.
//!
//! Texts are string ids. Where something is absent, its field is [`ABSENT`]. A range is (first row, number of rows).

use rkyv::rancor::BoxedError;
use rkyv::{Archive, Serialize};

use crate::section::SectionKind;

/// Absent text or number.
pub const ABSENT: u32 = u32::MAX;

/// A table row: its section, layout version and archived form.
pub trait Row: Archive + Sized {
    /// The section that holds these rows.
    const KIND: SectionKind;
    /// Layout version of the section.
    const VERSION: u32;
    /// Names and byte offsets of the fields, for comparison with SPEC.md.
    const FIELDS: &'static [(&'static str, usize)];

    /// Bytes a row.
    const SIZE: u32 = size_of::<Self::Archived>() as u32;

    /// The row that these [`Row::SIZE`] bytes hold.
    ///
    /// # Errors
    ///
    /// rkyv's reason, where their number or alignment is wrong.
    fn access(row: &[u8]) -> Result<Self, BoxedError>;

    /// A section's bytes for these rows.
    ///
    /// # Errors
    ///
    /// rkyv's reason; callers keep a table below 2 GiB, past which rkyv panics.
    fn section_bytes(rows: Vec<Self>) -> Result<rkyv::util::AlignedVec, BoxedError>;
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident in $kind:ident { $($(#[$field_doc:meta])* $field:ident,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize)]
            #[rkyv(derive(Debug, Clone, Copy))]
            pub struct $name {
                $($(#[$field_doc])* pub $field: u32,)*
            }

            impl Row for $name {
                const KIND: SectionKind = SectionKind::$kind;
                const VERSION: u32 = 1;
                const FIELDS: &'static [(&'static str, usize)] = &[
                    $((stringify!($field), std::mem::offset_of!(<$name as Archive>::Archived, $field)),)*
                ];

                fn access(row: &[u8]) -> Result<Self, BoxedError> {
                    let archived = rkyv::access::<<$name as Archive>::Archived, BoxedError>(row)?;
                    Ok(Self { $($field: archived.$field.to_native(),)* })
                }

                fn section_bytes(rows: Vec<Self>) -> Result<rkyv::util::AlignedVec, BoxedError> {
                    rkyv::to_bytes::<BoxedError>(&rows)
                }
            }
        )*

        /// Section, row size and fields of every row type, for comparison with SPEC.md.
        pub const ROW_LAYOUTS: &[(SectionKind, u32, &[(&str, usize)])] = &[
            $((<$name as Row>::KIND, <$name as Row>::SIZE, <$name as Row>::FIELDS),)*
        ];
    };
}

rows! {
    /// Where the bundle comes from. One row.
    InfoRow in Info {
        /// Repository name, may be empty.
        repository_name,
        /// Repository root as the generator was given it.
        repository_root,
        /// Commit, or absent.
        commit,
        /// When the generator says it ran, free text.
        generated_at,
        /// Generator's name.
        generator_name,
        /// Generator's version.
        generator_version,
        /// Schema version of the manifest.
        schema_version,
        /// Template name, or absent.
        template_name,
        /// Template source, or absent.
        template_source,
        /// Template's own schema version, or absent.
        template_schema_version,
    }
    /// End of a text in `string-bytes`; it begins where the one before ends.
    StringEnd in StringEnds {
        /// Byte offset just past the text.
        end,
    }
    /// A cited line.
    EvidenceRow in Evidence {
        /// Path.
        file,
        /// Line, from 1.
        line,
        /// The trimmed line as the generator cut it.
        snippet,
    }
    /// One text of a list.
    StringRow in StringLists {
        /// The text.
        string,
    }
    /// A glossary entry.
    TermRow in Glossary {
        /// The term.
        term,
        /// Its kind, an open set.
        kind,
        /// Its definition.
        description,
        /// Confidence code.
        confidence,
        /// First evidence row.
        evidence_first,
        /// Number of evidence rows.
        evidence_count,
    }
    /// An architecture component.
    ComponentRow in Components {
        /// Name, usually a directory.
        name,
        /// Its kind, an open set.
        kind,
        /// Description.
        description,
        /// Confidence code.
        confidence,
        /// First responsibility in `string-lists`.
        responsibilities_first,
        /// Number of responsibilities.
        responsibilities_count,
        /// First evidence row.
        evidence_first,
        /// Number of evidence rows.
        evidence_count,
        /// First role row.
        roles_first,
        /// Number of role rows.
        roles_count,
    }
    /// How many files of a component play a role.
    RoleRow in Roles {
        /// The role.
        role,
        /// Number of files.
        count,
    }
    /// An architecture layer.
    LayerRow in Layers {
        /// The role that makes the layer.
        role,
        /// Title.
        title,
        /// Layer number, or absent.
        layer,
        /// Files of the layer, listed or not.
        file_count,
        /// First listed file in `string-lists`.
        files_first,
        /// Number of listed files.
        files_count,
        /// First evidence row.
        evidence_first,
        /// Number of evidence rows.
        evidence_count,
        /// Confidence code.
        confidence,
    }
    /// A flow.
    FlowRow in Flows {
        /// Name.
        name,
        /// Description.
        description,
        /// Confidence code.
        confidence,
        /// First step row.
        steps_first,
        /// Number of step rows.
        steps_count,
        /// First facet row.
        facets_first,
        /// Number of facet rows.
        facets_count,
    }
    /// A step of a flow.
    StepRow in Steps {
        /// The generator's number for it; not an order in time.
        order,
        /// Description.
        description,
        /// Component that it happens in.
        component,
        /// First evidence row.
        evidence_first,
        /// Number of evidence rows.
        evidence_count,
    }
    /// A facet of a flow.
    FacetRow in Facets {
        /// Facet name.
        facet,
        /// Path.
        file,
        /// Line, from 1.
        line,
        /// The trimmed line.
        snippet,
        /// First value row.
        values_first,
        /// Number of value rows.
        values_count,
    }
    /// A captured value of a facet.
    FacetValueRow in FacetValues {
        /// Capture name.
        name,
        /// Captured text, may be empty.
        value,
    }
    /// A file of the source index.
    FileRow in Files {
        /// Path.
        path,
        /// Language, or absent.
        language,
        /// First symbol row.
        symbols_first,
        /// Number of symbol rows.
        symbols_count,
    }
    /// A symbol of the source index.
    SymbolRow in Symbols {
        /// Name.
        name,
        /// Kind, an open set.
        kind,
        /// Line, from 1.
        line,
        /// The trimmed line.
        snippet,
    }
    /// An original file of the directory.
    ArtifactRow in Artifacts {
        /// File name.
        name,
        /// Artifact kind code.
        kind,
        /// Entries in the list that it holds, or absent.
        entries,
        /// Length in bytes.
        length,
        /// First frame row.
        frames_first,
        /// Number of frame rows.
        frames_count,
    }
    /// A compressed frame of an original file.
    FrameRow in Frames {
        /// Byte offset in `frame-bytes`.
        offset,
        /// Compressed length in bytes.
        compressed,
        /// Length in bytes once decoded.
        length,
    }
    /// A dictionary shard; `folded-shards` and `term-shards` hold the same rows.
    ShardRow in NameShards {
        /// Byte offset in the fst section.
        offset,
        /// Length in bytes.
        length,
        /// Number of keys.
        keys,
        /// Ordinal of the shard's first key.
        ordinal,
        /// Length of its longest key in bytes.
        longest,
        /// Byte offset of its first key in the keys section.
        first_key,
        /// Length of its first key in bytes.
        first_key_length,
    }
    /// For the exact name of the same ordinal, where its documents end in `places`.
    NameEnd in NameEnds {
        /// Row just past the last document.
        end,
    }
    /// A document that bears a name.
    PlaceRow in Places {
        /// Document id.
        document,
    }
    /// For the folded name of the same ordinal, where its spellings end in `folded-names`.
    FoldedEnd in FoldedEnds {
        /// Row just past the last spelling.
        end,
    }
    /// An exact spelling of a folded name.
    FoldedName in FoldedNames {
        /// Ordinal of the exact name.
        name,
    }
    /// The postings list of the term of the same ordinal.
    PostingsRow in Postings {
        /// Number of documents, at least 1.
        documents,
        /// The document where there is one; else the first block row.
        first,
        /// Highest impact in the list.
        max_impact,
    }
    /// Header of a postings block.
    BlockRow in Blocks {
        /// The block's last document.
        last_document,
        /// Byte offset of the payload in `block-bytes`.
        payload,
        /// Maximum impact and bit widths, a byte each.
        layout,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_its_rows_and_an_eight_byte_footer() {
        let rows = vec![FacetValueRow { name: 1, value: 2 }, FacetValueRow { name: 3, value: ABSENT }];
        let bytes = FacetValueRow::section_bytes(rows.clone()).unwrap();
        let mut by_hand = Vec::new();
        for number in [1_u32, 2, 3, u32::MAX] {
            by_hand.extend(number.to_le_bytes());
        }
        by_hand.extend((-16_i32).to_le_bytes());
        by_hand.extend(2_u32.to_le_bytes());
        assert_eq!(bytes.as_slice(), by_hand);
        let read = |at: usize| FacetValueRow::access(&bytes[at..at + 8]).unwrap();
        assert_eq!(vec![read(0), read(8)], rows);
        assert!(FacetValueRow::access(&bytes[..7]).is_err());
        assert!(FacetValueRow::access(&bytes[1..9]).is_err(), "not aligned");
    }

    #[test]
    fn an_empty_table_is_its_footer() {
        let bytes = RoleRow::section_bytes(Vec::new()).unwrap();
        assert_eq!(bytes.as_slice(), [0; 8]);
    }
}
