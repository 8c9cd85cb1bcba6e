//! `source-index.json`: files and symbols, nearly all bytes of a directory.

use serde::de::MapAccess;

use super::citation::indexed_path;
use super::leaf;
use super::record::{Field, Record, Value, optional, required};
use crate::intern::StringId;
use crate::model::{File, Span, Symbol};

/// `source-index.json`; its files go straight to the model.
#[derive(Default)]
pub(super) struct SourceIndex {
    pub(super) schema_version: StringId,
    /// Files in the list; `None` where there is no list to count.
    pub(super) files: Option<usize>,
    /// Symbols in all lists; `None` where one can't be counted.
    pub(super) symbols: Option<usize>,
}

impl Record for SourceIndex {
    const FIELDS: &'static [Field] = &[required("schemaVersion"), required("files")];
    const BARE: Option<usize> = Some(1);

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            _ => {
                let (mut read, mut symbols) = (0, Some(0usize));
                self.files = value.records(|cx, file: FileRecord| {
                    read += 1;
                    symbols = symbols.zip(file.symbols).map(|(sum, count)| sum + count);
                    cx.model.files.push(file.row);
                })?;
                self.symbols = symbols.filter(|_| self.files == Some(read));
            }
        }
        Ok(())
    }
}

/// A file while it is read.
#[derive(Default)]
struct FileRecord {
    row: File,
    symbols: Option<usize>,
}

impl Record for FileRecord {
    const FIELDS: &'static [Field] = &[required("path"), optional("language"), required("symbols")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.row.path = value.leaf(indexed_path)?,
            1 => self.row.language = value.leaf(leaf::nullable_text)?,
            _ => {
                let start = value.cx.model.symbols.len();
                self.symbols = value.records(|cx, symbol: Symbol| cx.model.symbols.push(symbol))?;
                self.row.symbols = Span::since(start, &value.cx.model.symbols);
            }
        }
        Ok(())
    }
}

impl Record for Symbol {
    const FIELDS: &'static [Field] =
        &[required("name"), required("kind"), required("line"), required("snippet")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.name = value.leaf(leaf::name)?,
            1 => self.kind = value.leaf(leaf::text)?,
            2 => self.line = value.leaf(leaf::line)?,
            _ => self.snippet = value.leaf(leaf::text)?,
        }
        Ok(())
    }
}
