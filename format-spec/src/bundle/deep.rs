//! Deep verification: every row, shard, posting and text, beyond what the hash proves.
//!
//! The hash says that the bytes are the ones that were published. This says that they were made well.

use super::{Bundle, DictionarySections, Rows};
use crate::analyzer::fold;
use crate::error::{Area, Problem, ReadError};
use crate::knowledge::knowledge_hash;
use crate::layout::{HEADER_BYTES, SECTION_ENTRY_BYTES};
use crate::postings::Block;
use crate::rows::{
    ABSENT, ArtifactRow, BlockRow, ComponentRow, EvidenceRow, FacetRow, FileRow, FlowRow, FoldedEnd,
    FoldedName, InfoRow, NameEnd, PlaceRow, PostingsRow, Row, StringEnd, SymbolRow, TermRow,
};
use crate::section::SectionKind;

type Done = Result<(), ReadError>;

/// What a section takes, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inventory {
    /// The section.
    pub kind: SectionKind,
    /// Number of rows, or of bytes in a section of plain bytes.
    pub rows: u32,
    /// Exact length in bytes.
    pub length: u64,
}

impl Bundle {
    /// The sections that this reader knows, by ascending kind.
    #[must_use]
    pub fn inventory(&self) -> Vec<Inventory> {
        let of = |kind: &SectionKind| {
            self.entry(*kind).map(|entry| Inventory {
                kind: *kind,
                rows: entry.row_count,
                length: entry.length,
            })
        };
        SectionKind::ALL.iter().filter_map(of).collect()
    }

    /// Hashes every byte, then checks every text, row, dictionary, postings list and frame, and that the facts hash to the
    /// header's knowledge hash.
    ///
    /// Whether a postings list is the one that its term deserves only a rebuild from the originals can tell. Takes memory
    /// for one shard, and time in proportion to the bundle: that child rows have one owner each is checked before ranges
    /// are followed.
    ///
    /// # Errors
    ///
    /// The first [`ReadError`] found.
    pub fn verify_deep(&self) -> Result<(), ReadError> {
        self.verify()?;
        self.check_padding()?;
        self.check_strings()?;
        self.check_tiles()?;
        self.check_info()?;
        self.check_entries()?;
        self.check_files()?;
        self.check_names()?;
        self.check_folded_names()?;
        self.check_postings()?;
        self.check_originals()?;
        if knowledge_hash(self)? != self.header.knowledge_hash {
            let at = crate::layout::header::KNOWLEDGE_HASH as u64;
            return Err(ReadError::malformed(Area::Header, at, Problem::KnowledgeHash));
        }
        Ok(())
    }

    /// Bytes between known sections are zero, where no section of a later version may lie.
    fn check_padding(&self) -> Done {
        if self.header.section_count as usize != self.sections.iter().flatten().count() {
            return Ok(());
        }
        let mut at = HEADER_BYTES + u64::from(self.header.section_count) * SECTION_ENTRY_BYTES;
        let ends = self.sections.iter().flatten().map(|entry| (entry.offset, entry.end()));
        for (offset, end) in ends.chain([(self.header.body_length, 0)]) {
            if self.verified(Area::Body, at..offset)?.iter().any(|byte| *byte != 0) {
                return Err(ReadError::malformed(Area::Body, at, Problem::ReservedNotZero));
            }
            at = end;
        }
        Ok(())
    }

    fn check_strings(&self) -> Done {
        let ends = self.rows::<StringEnd>()?;
        let length = self.require(SectionKind::StringBytes)?.length;
        check_ends(&ends, |row| row.end, length)?;
        (0..ends.len()).try_for_each(|id| self.string(id).map(drop))
    }

    /// One row, whose texts are there.
    fn check_info(&self) -> Done {
        let rows = self.rows::<InfoRow>()?;
        if rows.len() != 1 {
            let (found, expected) = (rows.len().into(), 1);
            return Err(rows.fault(0, Problem::Unexpected { what: "number of rows", found, expected }));
        }
        let InfoRow {
            repository_name,
            repository_root,
            commit,
            generated_at,
            generator_name,
            generator_version,
            schema_version,
            template_name,
            template_source,
            template_schema_version,
        } = rows.get(0)?;
        for text in [
            repository_name,
            repository_root,
            generated_at,
            generator_name,
            generator_version,
            schema_version,
        ] {
            self.string(text)?;
        }
        for text in [commit, template_name, template_source, template_schema_version] {
            self.optional_string(text)?;
        }
        Ok(())
    }

    /// Glossary, components and flows are in the order of their names, and every cited line is one. That their texts are
    /// there shows when they are hashed.
    fn check_entries(&self) -> Done {
        self.check_order::<TermRow>("terms", |row| row.term)?;
        self.check_order::<ComponentRow>("component names", |row| row.name)?;
        self.check_order::<FlowRow>("flow names", |row| row.name)?;
        self.check_lines::<EvidenceRow>(|row| row.line)?;
        self.check_lines::<FacetRow>(|row| row.line)
    }

    fn check_order<R: Row>(&self, what: &'static str, name: impl Fn(R) -> u32) -> Done {
        let rows = self.rows::<R>()?;
        let mut before = "";
        for index in 0..rows.len() {
            let this = self.name(name(rows.get(index)?))?;
            if this < before {
                return Err(rows.fault(index, Problem::NotAscending { what }));
            }
            before = this;
        }
        Ok(())
    }

    fn check_lines<R: Row>(&self, line: impl Fn(R) -> u32) -> Done {
        let rows = self.rows::<R>()?;
        for index in 0..rows.len() {
            if line(rows.get(index)?) == 0 {
                let problem = Problem::Unexpected { what: "line", found: 0, expected: 1 };
                return Err(rows.fault(index, problem));
            }
        }
        Ok(())
    }

    /// Files and their symbols follow one another in order, without gap or overlap.
    fn check_files(&self) -> Done {
        let (files, symbols) = (self.rows::<FileRow>()?, self.rows::<SymbolRow>()?);
        let mut next = 0;
        let mut path = "";
        for index in 0..files.len() {
            let file = files.get(index)?;
            if file.symbols_first != next {
                let (found, expected) = (file.symbols_first.into(), next.into());
                return Err(files
                    .fault(index, Problem::Unexpected { what: "first symbol of a file", found, expected }));
            }
            next = symbols.range(file.symbols_first, file.symbols_count)?.end;
            let this = self.string(file.path)?;
            if this < path {
                return Err(files.fault(index, Problem::NotAscending { what: "file paths" }));
            }
            path = this;
            self.optional_string(file.language)?;
            let mut before = (1, "");
            for index in file.symbols_first..next {
                let symbol = symbols.get(index)?;
                let this = (symbol.line, self.name(symbol.name)?);
                if this < before {
                    return Err(symbols.fault(index, Problem::NotAscending { what: "symbols of a file" }));
                }
                before = this;
            }
        }
        if next == symbols.len() {
            return Ok(());
        }
        let (found, expected) = (next.into(), symbols.len().into());
        Err(files.fault(0, Problem::Unexpected { what: "symbols in files", found, expected }))
    }

    /// Each key of the dictionary is the name of exactly its places, and every document is a place: their number is right
    /// and none is there twice.
    fn check_names(&self) -> Done {
        let ends = self.rows::<NameEnd>()?;
        let places = self.rows::<PlaceRow>()?;
        check_ends(&ends, |row| row.end, places.len().into())?;
        let (found, expected) = (places.len().into(), self.document_count()?.into());
        if found != expected {
            return Err(places.fault(0, Problem::Unexpected { what: "places of names", found, expected }));
        }
        self.each_key(DictionarySections::NAMES, ends.len(), |ordinal, key| {
            for document in self.places(ordinal)? {
                if self.document(document?)?.name()?.as_bytes() != key {
                    let problem = Problem::Dictionary("a place bears another name than its key");
                    return Err(ends.fault(ordinal, problem));
                }
            }
            Ok(())
        })
    }

    /// Each spelling folds to its key. That none is missing follows from their number and ascent.
    fn check_folded_names(&self) -> Done {
        let ends = self.rows::<FoldedEnd>()?;
        let spellings = self.rows::<FoldedName>()?;
        check_ends(&ends, |row| row.end, spellings.len().into())?;
        let names = self.names()?;
        let (found, expected) = (spellings.len().into(), names.len()?.into());
        if found != expected {
            return Err(spellings
                .fault(0, Problem::Unexpected { what: "spellings of folded names", found, expected }));
        }
        let mut spelling = Vec::new();
        self.each_key(DictionarySections::FOLDED, ends.len(), |ordinal, key| {
            for name in self.spellings(ordinal)? {
                let known = names.key(name?, &mut spelling)?;
                let text = std::str::from_utf8(&spelling).unwrap_or_default();
                if !known || fold(text).as_bytes() != key {
                    let problem = Problem::Dictionary("a spelling folds to another key");
                    return Err(ends.fault(ordinal, problem));
                }
            }
            Ok(())
        })
    }

    /// Every list decodes, its maximum is reached, and blocks and payloads follow one another without gap or overlap.
    fn check_postings(&self) -> Done {
        let lists = self.rows::<PostingsRow>()?;
        let rows = self.rows::<BlockRow>()?;
        let (mut blocks, mut payload) = (0, 0);
        let mut block = Block::default();
        self.each_key(DictionarySections::TERMS, lists.len(), |ordinal, _| {
            let list = self.postings(ordinal)?;
            let unexpected = |what, found: u64, expected: u64| {
                lists.fault(ordinal, Problem::Unexpected { what, found, expected })
            };
            if list.document_frequency() > 1 {
                let first = lists.get(ordinal)?.first;
                if first != blocks {
                    return Err(unexpected("first block of a list", first.into(), blocks.into()));
                }
                blocks += list.block_count();
            }
            let mut highest = 0;
            for index in 0..list.block_count() {
                let place = list.decode_with_place(index, &mut block)?;
                highest = block.impacts().iter().copied().max().unwrap_or(0).max(highest);
                if let Some(place) = place {
                    if place.start != payload {
                        let (found, expected) = (place.start, payload);
                        let problem = Problem::Unexpected { what: "place of a payload", found, expected };
                        return Err(rows.fault(blocks - list.block_count() + index, problem));
                    }
                    payload = place.end;
                }
            }
            if highest != list.max_impact() {
                return Err(unexpected("maximum impact", list.max_impact().into(), highest.into()));
            }
            Ok(())
        })?;
        for (what, found, expected) in [
            ("number of postings blocks", u64::from(rows.len()), u64::from(blocks)),
            ("end of the last payload", payload, self.require(SectionKind::BlockBytes)?.length),
        ] {
            if found != expected {
                return Err(rows.fault(0, Problem::Unexpected { what, found, expected }));
            }
        }
        Ok(())
    }

    /// Names are distinct and in order, and every frame decodes.
    fn check_originals(&self) -> Done {
        let artifacts = self.rows::<ArtifactRow>()?;
        let mut before = None;
        for index in 0..artifacts.len() {
            let name = self.name(artifacts.get(index)?.name)?;
            if before >= Some(name) {
                return Err(artifacts.fault(index, Problem::NotAscending { what: "names of original files" }));
            }
            before = Some(name);
            self.read_original(index, |_| ())?;
        }
        Ok(())
    }

    /// Visits every key of a dictionary that should have `count` of them.
    fn each_key(
        &self,
        sections: DictionarySections,
        count: u32,
        mut visit: impl FnMut(u32, &[u8]) -> Done,
    ) -> Done {
        let dictionary = self.dictionary(sections)?;
        let found = dictionary.len()?;
        if found != count {
            let (found, expected) = (found.into(), count.into());
            let problem = Problem::Unexpected { what: "number of keys", found, expected };
            return Err(ReadError::malformed(
                Area::Section(sections.shards),
                self.offset_in(sections.shards, 0),
                problem,
            ));
        }
        let mut key = Vec::new();
        let mut first_key = 0;
        for index in 0..dictionary.shard_count() {
            let (row, shard) = dictionary.shard(index)?;
            first_key = dictionary.check_first_key(index, &row, first_key)?;
            for rank in 0..row.keys {
                shard.key(rank, &mut key);
                visit(row.ordinal.saturating_add(rank), &key)?;
            }
        }
        Ok(())
    }
}

/// Ends ascend (texts may be empty, so not strictly) up to the length of what they cut.
fn check_ends<R: Row>(rows: &Rows<'_, R>, end: impl Fn(R) -> u32, length: u64) -> Done {
    let mut before = 0;
    for index in 0..rows.len() {
        let this = end(rows.get(index)?);
        if this < before || this == ABSENT {
            return Err(rows.fault(index, Problem::NotAscending { what: "ends" }));
        }
        before = this;
    }
    if u64::from(before) == length {
        return Ok(());
    }
    Err(rows.fault(0, Problem::Unexpected { what: "last end", found: before.into(), expected: length }))
}
