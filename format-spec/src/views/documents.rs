//! Documents: what search finds. Ids run through all glossary entries, components, flows and symbols.

use super::{Component, Evidence, Flow, Symbol, Term};
use crate::bundle::{Bundle, Verification};
use crate::error::{Area, Problem, ReadError};
use crate::rows::{ComponentRow, FileRow, FlowRow, Row, SymbolRow, TermRow};
use crate::section::SectionKind;

/// The kind of a document, in the order of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A glossary entry.
    Glossary,
    /// An architecture component.
    Component,
    /// A flow.
    Flow,
    /// A symbol of the source index.
    Symbol,
}

/// A document.
#[derive(Clone, Copy)]
pub enum Document<'a> {
    /// A glossary entry.
    Glossary(Term<'a>),
    /// An architecture component.
    Component(Component<'a>),
    /// A flow.
    Flow(Flow<'a>),
    /// A symbol and its row number.
    Symbol(Symbol<'a>, u32),
}

impl<'a> Document<'a> {
    /// Its name.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the text is damaged.
    pub fn name(&self) -> Result<&'a str, ReadError> {
        match self {
            Self::Glossary(term) => term.term(),
            Self::Component(component) => component.name(),
            Self::Flow(flow) => flow.name(),
            Self::Symbol(symbol, _) => symbol.name(),
        }
    }
}

impl<V: Verification> Bundle<V> {
    /// Number of rows of each kind of document, in the order of ids.
    fn document_counts(&self) -> Result<[u32; 4], ReadError> {
        Ok([
            self.rows::<TermRow>()?.len(),
            self.rows::<ComponentRow>()?.len(),
            self.rows::<FlowRow>()?.len(),
            self.rows::<SymbolRow>()?.len(),
        ])
    }

    /// Number of documents.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a table can't be read.
    pub fn document_count(&self) -> Result<u32, ReadError> {
        let total: u64 = self.document_counts()?.into_iter().map(u64::from).sum();
        u32::try_from(total).map_err(|_| {
            let problem =
                Problem::TooLarge { what: "number of documents", found: total, limit: u32::MAX.into() };
            ReadError::malformed(
                Area::Section(SectionKind::Symbols),
                self.offset_in(SectionKind::Symbols, 0),
                problem,
            )
        })
    }

    /// Id of the first symbol.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a table can't be read.
    pub fn first_symbol(&self) -> Result<u32, ReadError> {
        let [terms, components, flows, _] = self.document_counts()?;
        Ok(terms.saturating_add(components).saturating_add(flows))
    }

    /// The kind of a document and its row number among its kind.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a table can't be read. An id past the last document gives a row number past the last symbol.
    pub fn locate(&self, document: u32) -> Result<(DocumentKind, u32), ReadError> {
        let [terms, components, flows, _] = self.document_counts()?;
        let mut row = document;
        for (kind, count) in [
            (DocumentKind::Glossary, terms),
            (DocumentKind::Component, components),
            (DocumentKind::Flow, flows),
        ] {
            if row < count {
                return Ok((kind, row));
            }
            row -= count;
        }
        Ok((DocumentKind::Symbol, row))
    }

    /// Row number of the file that holds a symbol, by binary search.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where no file holds it or a row is damaged.
    pub fn file_of_symbol(&self, symbol: u32) -> Result<u32, ReadError> {
        let files = self.rows::<FileRow>()?;
        let after = files.partition_point(|file| file.symbols_first <= symbol)?;
        let holds = |file: &FileRow| symbol - file.symbols_first < file.symbols_count;
        match after.checked_sub(1) {
            // The last file that begins at or before the symbol; files without symbols share a beginning.
            Some(index) if files.get(index).is_ok_and(|file| holds(&file)) => Ok(index),
            _ => {
                let problem =
                    Problem::Unexpected { what: "files that hold the symbol", found: 0, expected: 1 };
                Err(self.rows::<SymbolRow>()?.fault(symbol, problem))
            }
        }
    }

    /// The cited line of a symbol.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a row or text is damaged.
    pub fn symbol_evidence(&self, symbol: u32) -> Result<Evidence<'_>, ReadError> {
        let row = self.rows::<SymbolRow>()?.get(symbol)?;
        let file = self.rows::<FileRow>()?.get(self.file_of_symbol(symbol)?)?;
        Ok(Evidence { file: self.string(file.path)?, line: row.line, snippet: self.string(row.snippet)? })
    }
}

impl Bundle {
    /// A document by id.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such document or its row is damaged.
    pub fn document(&self, id: u32) -> Result<Document<'_>, ReadError> {
        Ok(match self.locate(id)? {
            (DocumentKind::Glossary, row) => Document::Glossary(self.term(row)?),
            (DocumentKind::Component, row) => Document::Component(self.component(row)?),
            (DocumentKind::Flow, row) => Document::Flow(self.flow(row)?),
            (DocumentKind::Symbol, row) => Document::Symbol(self.symbol(row)?, row),
        })
    }
}

const _: () = assert!(<SymbolRow as Row>::SIZE == 16);
