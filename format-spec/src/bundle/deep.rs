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
    ABSENT, BlockRow, FileRow, FoldedEnd, FoldedName, NameEnd, PlaceRow, PostingsRow, Row, StringEnd,
    SymbolRow,
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

    /// Hashes every byte, then checks every text, file, symbol, dictionary, postings list and frame, and that the facts
    /// hash to the header's knowledge hash, which follows every range and text of the four lists.
    ///
    /// It doesn't check that a postings list is the one that its term deserves, nor the order of glossary, components and
    /// flows: only a rebuild from the originals can tell. Takes constant memory, and time in proportion to the bundle
    /// where ranges don't overlap, as a writer's don't.
    ///
    /// # Errors
    ///
    /// The first [`ReadError`] found.
    pub fn verify_deep(&self) -> Result<(), ReadError> {
        self.verify()?;
        self.check_padding()?;
        self.check_strings()?;
        self.check_files()?;
        self.check_names()?;
        self.check_folded_names()?;
        self.check_postings()?;
        for artifact in 0..self.artifact_count()? {
            self.artifact(artifact)?.name()?;
            self.read_original(artifact, |_| ())?;
        }
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
            let mut line = 0;
            for index in file.symbols_first..next {
                let symbol = symbols.get(index)?;
                if symbol.line < line || symbol.line == 0 {
                    return Err(symbols.fault(index, Problem::NotAscending { what: "symbol lines" }));
                }
                line = symbol.line;
            }
        }
        if next == symbols.len() {
            return Ok(());
        }
        let (found, expected) = (next.into(), symbols.len().into());
        Err(files.fault(0, Problem::Unexpected { what: "symbols in files", found, expected }))
    }

    /// Each key of the dictionary is the name of exactly its places, and every document is a place.
    fn check_names(&self) -> Done {
        let ends = self.rows::<NameEnd>()?;
        let places = self.rows::<PlaceRow>()?;
        check_ends(&ends, |row| row.end, places.len().into())?;
        let (found, expected) = (places.len().into(), self.document_count()?.into());
        if found != expected {
            return Err(places.fault(0, Problem::Unexpected { what: "places of names", found, expected }));
        }
        let mut first = 0;
        self.each_key(DictionarySections::NAMES, ends.len(), |ordinal, key| {
            let end = ends.get(ordinal)?.end;
            let mut before = None;
            for index in first..end {
                let document = places.get(index)?.document;
                if before >= Some(document) {
                    return Err(places.fault(index, Problem::NotAscending { what: "places of a name" }));
                }
                before = Some(document);
                if self.document(document)?.name()?.as_bytes() != key {
                    return Err(
                        places.fault(index, Problem::Dictionary("a place bears another name than its key"))
                    );
                }
            }
            first = end;
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
        let mut first = 0;
        let mut spelling = Vec::new();
        self.each_key(DictionarySections::FOLDED, ends.len(), |ordinal, key| {
            let end = ends.get(ordinal)?.end;
            let mut before = None;
            for index in first..end {
                let name = spellings.get(index)?.name;
                if before >= Some(name) {
                    return Err(spellings.fault(index, Problem::NotAscending { what: "spellings of a name" }));
                }
                before = Some(name);
                let known = names.key(name, &mut spelling)?;
                let text = std::str::from_utf8(&spelling).unwrap_or_default();
                if !known || fold(text).as_bytes() != key {
                    return Err(
                        spellings.fault(index, Problem::Dictionary("a spelling folds to another key"))
                    );
                }
            }
            first = end;
            Ok(())
        })
    }

    fn check_postings(&self) -> Done {
        let lists = self.rows::<PostingsRow>()?;
        let mut blocks = 0;
        let mut block = Block::default();
        self.each_key(DictionarySections::TERMS, lists.len(), |ordinal, _| {
            let list = self.postings(ordinal)?;
            if list.document_frequency() > 1 {
                let (found, expected) = (lists.get(ordinal)?.first.into(), u64::from(blocks));
                if found != expected {
                    let problem = Problem::Unexpected { what: "first block of a list", found, expected };
                    return Err(lists.fault(ordinal, problem));
                }
                blocks += list.block_count();
            }
            (0..list.block_count()).try_for_each(|index| list.decode(index, &mut block))
        })?;
        let rows = self.rows::<BlockRow>()?;
        if blocks == rows.len() {
            return Ok(());
        }
        let (found, expected) = (rows.len().into(), blocks.into());
        Err(rows.fault(0, Problem::Unexpected { what: "number of postings blocks", found, expected }))
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
        for index in 0..dictionary.shard_count() {
            let (row, shard) = dictionary.shard(index)?;
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
