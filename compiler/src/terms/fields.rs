//! Documents as the index sees them: the texts of their fields.

use std::ops::Range;

use openmind_pack_format::scoring::{Field, is_low_priority};

use crate::intern::StringId;
use crate::tables::Tables;

/// The texts of every document.
pub(super) struct FieldTexts<'t> {
    tables: &'t Tables,
    /// For each file, whether its path is of low priority.
    low_priority: Vec<bool>,
}

/// The texts of one document.
#[derive(Default)]
pub(super) struct Fields {
    /// Fields and the ids of their texts.
    pub(super) texts: Vec<(Field, u32)>,
    /// Whether the document counts for less.
    pub(super) low_priority: bool,
}

impl Fields {
    fn evidence(&mut self, tables: &Tables, first: u32, count: u32) {
        let evidence = &tables.evidence[first as usize..][..count as usize];
        self.texts.extend(evidence.iter().map(|row| (Field::Snippet, row.snippet)));
    }
}

impl<'t> FieldTexts<'t> {
    pub(super) fn new(tables: &'t Tables) -> Self {
        let path = |id| tables.strings.get(StringId(id));
        let low_priority = tables.files.iter().map(|file| is_low_priority(path(file.path))).collect();
        Self { tables, low_priority }
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        let tables = self.tables;
        tables.glossary.len() + tables.components.len() + tables.flows.len() + tables.symbols.len()
    }

    /// For each text, whether a document has it in a field.
    pub(super) fn searched(&self) -> Vec<bool> {
        let mut searched = vec![false; self.tables.strings.len()];
        self.each(0..self.len(), |_, fields| {
            for (_, text) in &fields.texts {
                searched[*text as usize] = true;
            }
        });
        searched
    }

    /// Visits the documents of a range with the texts of their fields.
    pub(super) fn each(&self, range: Range<usize>, mut visit: impl FnMut(u32, &Fields)) {
        let tables = self.tables;
        let mut fields = Fields::default();
        let mut file = usize::MAX;
        for document in range {
            fields.texts.clear();
            fields.low_priority = false;
            let mut row = document;
            if let Some(term) = take(&tables.glossary, &mut row) {
                fields.texts.extend([(Field::TermName, term.term), (Field::Prose, term.description)]);
                fields.evidence(tables, term.evidence_first, term.evidence_count);
            } else if let Some(component) = take(&tables.components, &mut row) {
                fields
                    .texts
                    .extend([(Field::NamePart, component.name), (Field::Prose, component.description)]);
                let first = component.responsibilities_first as usize;
                let responsibilities =
                    &tables.string_lists[first..first + component.responsibilities_count as usize];
                fields.texts.extend(responsibilities.iter().map(|row| (Field::Prose, row.string)));
                fields.evidence(tables, component.evidence_first, component.evidence_count);
            } else if let Some(flow) = take(&tables.flows, &mut row) {
                fields.texts.extend([(Field::NamePart, flow.name), (Field::Prose, flow.description)]);
                for step in &tables.steps[flow.steps_first as usize..][..flow.steps_count as usize] {
                    fields.texts.push((Field::Prose, step.description));
                    fields.evidence(tables, step.evidence_first, step.evidence_count);
                }
            } else if let Some(symbol) = tables.symbols.get(row) {
                let holds = |file: usize| {
                    tables.files.get(file).is_some_and(|file| {
                        row.checked_sub(file.symbols_first as usize)
                            .is_some_and(|at| at < file.symbols_count as usize)
                    })
                };
                if !holds(file) {
                    file = tables
                        .files
                        .partition_point(|file| file.symbols_first as usize <= row)
                        .saturating_sub(1);
                }
                fields.texts.extend([
                    (Field::NamePart, symbol.name),
                    (Field::Path, tables.files[file].path),
                    (Field::Snippet, symbol.snippet),
                ]);
                fields.low_priority = self.low_priority[file];
            }
            visit(document as u32, &fields);
        }
    }
}

/// The row where `index` lies in the table; else `index` less the table's length.
fn take<'r, R>(rows: &'r [R], index: &mut usize) -> Option<&'r R> {
    let row = rows.get(*index);
    if row.is_none() {
        *index -= rows.len();
    }
    row
}
