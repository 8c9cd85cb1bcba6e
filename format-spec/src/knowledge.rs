//! The knowledge hash: a name for the facts alone.
//!
//! BLAKE3 over the repository's name and the known fields of the four lists in row order, every text behind its length
//! and every list behind its count. Commit, root, time, generator, schema version and unknown fields are left out, so
//! that equal hashes mean: nothing was learned since.

use crate::bundle::Bundle;
use crate::error::ReadError;
use crate::hash::KnowledgeHash;
use crate::rows::{
    ABSENT, ComponentRow, EvidenceRow, FacetRow, FacetValueRow, FileRow, FlowRow, InfoRow, LayerRow, RoleRow,
    Row, StepRow, StringRow, SymbolRow, TermRow,
};
use crate::views::Confidence;

/// First text of the hashed stream. Its number changes with the rules of the hash.
const DOMAIN: &str = "openmind-pack knowledge 0";
/// Hash input is gathered to this many bytes: hashing texts one by one would cost several times more.
const BUFFER_BYTES: usize = 64 * 1024;

/// A table of facts, in a bundle or on its way into one.
pub trait Table<R> {
    /// Number of rows.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the table can't be read.
    fn count(&self) -> Result<u32, ReadError>;

    /// One row.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such row.
    fn row(&self, index: u32) -> Result<R, ReadError>;
}

impl<R: Row> Table<R> for Bundle {
    fn count(&self) -> Result<u32, ReadError> {
        Ok(self.rows::<R>()?.len())
    }

    fn row(&self, index: u32) -> Result<R, ReadError> {
        self.rows::<R>()?.get(index)
    }
}

/// Everything that the hash covers.
pub trait Facts:
    Table<InfoRow>
    + Table<TermRow>
    + Table<ComponentRow>
    + Table<LayerRow>
    + Table<FlowRow>
    + Table<StepRow>
    + Table<FacetRow>
    + Table<FacetValueRow>
    + Table<FileRow>
    + Table<SymbolRow>
    + Table<EvidenceRow>
    + Table<StringRow>
    + Table<RoleRow>
{
    /// A text.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such text.
    fn text(&self, id: u32) -> Result<&str, ReadError>;
}

impl Facts for Bundle {
    fn text(&self, id: u32) -> Result<&str, ReadError> {
        self.string(id)
    }
}

/// The knowledge hash of a set of facts, in time linear in their size.
///
/// # Errors
///
/// [`ReadError`] where a fact can't be read.
pub fn knowledge_hash(facts: &impl Facts) -> Result<KnowledgeHash, ReadError> {
    let mut stream =
        Stream { facts, hasher: blake3::Hasher::new(), buffer: Vec::with_capacity(BUFFER_BYTES) };
    stream.bytes(DOMAIN);
    let info: InfoRow = facts.row(0)?;
    stream.text(info.repository_name)?;
    stream.all(Stream::term)?;
    stream.all(Stream::component)?;
    stream.all(Stream::layer)?;
    stream.all(Stream::flow)?;
    stream.all(Stream::file)?;
    stream.hasher.update(&stream.buffer);
    Ok(KnowledgeHash::from(*stream.hasher.finalize().as_bytes()))
}

struct Stream<'f, F> {
    facts: &'f F,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

type Done = Result<(), ReadError>;

impl<F: Facts> Stream<'_, F> {
    fn number(&mut self, number: u32) {
        self.buffer.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, text: &str) {
        if self.buffer.len() + text.len() > BUFFER_BYTES {
            self.hasher.update(&self.buffer);
            self.buffer.clear();
        }
        self.number(text.len() as u32);
        self.buffer.extend(text.as_bytes());
    }

    fn text(&mut self, id: u32) -> Done {
        let text = self.facts.text(id)?;
        self.bytes(text);
        Ok(())
    }

    /// 0 where absent, else 1 and the text.
    fn optional_text(&mut self, id: u32) -> Done {
        self.number(u32::from(id != ABSENT));
        if id == ABSENT { Ok(()) } else { self.text(id) }
    }

    fn confidence(&mut self, code: u32) {
        self.bytes(Confidence::from_code(code).as_str());
    }

    fn list<R>(&mut self, first: u32, count: u32, write: impl Fn(&mut Self, R) -> Done) -> Done
    where
        F: Table<R>,
    {
        self.number(count);
        (0..count).try_for_each(|index| {
            let row = self.facts.row(first.saturating_add(index))?;
            write(self, row)
        })
    }

    fn all<R>(&mut self, write: impl Fn(&mut Self, R) -> Done) -> Done
    where
        F: Table<R>,
    {
        let count = Table::<R>::count(self.facts)?;
        self.list(0, count, write)
    }

    fn evidence(&mut self, first: u32, count: u32) -> Done {
        self.list(first, count, |stream, row: EvidenceRow| {
            stream.text(row.file)?;
            stream.number(row.line);
            stream.text(row.snippet)
        })
    }

    fn strings(&mut self, first: u32, count: u32) -> Done {
        self.list(first, count, |stream, row: StringRow| stream.text(row.string))
    }

    fn term(&mut self, row: TermRow) -> Done {
        self.text(row.term)?;
        self.text(row.kind)?;
        self.text(row.description)?;
        self.evidence(row.evidence_first, row.evidence_count)?;
        self.confidence(row.confidence);
        Ok(())
    }

    fn component(&mut self, row: ComponentRow) -> Done {
        self.text(row.name)?;
        self.text(row.kind)?;
        self.text(row.description)?;
        self.strings(row.responsibilities_first, row.responsibilities_count)?;
        self.evidence(row.evidence_first, row.evidence_count)?;
        self.confidence(row.confidence);
        self.list(row.roles_first, row.roles_count, |stream, role: RoleRow| {
            stream.text(role.role)?;
            stream.number(role.count);
            Ok(())
        })
    }

    fn layer(&mut self, row: LayerRow) -> Done {
        self.text(row.role)?;
        self.text(row.title)?;
        self.number(u32::from(row.layer != ABSENT));
        if row.layer != ABSENT {
            self.number(row.layer);
        }
        self.number(row.file_count);
        self.strings(row.files_first, row.files_count)?;
        self.evidence(row.evidence_first, row.evidence_count)?;
        self.confidence(row.confidence);
        Ok(())
    }

    fn flow(&mut self, row: FlowRow) -> Done {
        self.text(row.name)?;
        self.text(row.description)?;
        self.list(row.steps_first, row.steps_count, |stream, step: StepRow| {
            stream.number(step.order);
            stream.text(step.description)?;
            stream.text(step.component)?;
            stream.evidence(step.evidence_first, step.evidence_count)
        })?;
        self.confidence(row.confidence);
        self.list(row.facets_first, row.facets_count, |stream, facet: FacetRow| {
            stream.text(facet.facet)?;
            stream.text(facet.file)?;
            stream.number(facet.line);
            stream.text(facet.snippet)?;
            stream.list(facet.values_first, facet.values_count, |stream, value: FacetValueRow| {
                stream.text(value.name)?;
                stream.text(value.value)
            })
        })
    }

    fn file(&mut self, row: FileRow) -> Done {
        self.text(row.path)?;
        self.optional_text(row.language)?;
        self.list(row.symbols_first, row.symbols_count, |stream, symbol: SymbolRow| {
            stream.text(symbol.name)?;
            stream.text(symbol.kind)?;
            stream.number(symbol.line);
            stream.text(symbol.snippet)
        })
    }
}
