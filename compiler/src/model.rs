//! What a directory says, as integers and string ids: the one shape that every input front-end fills and that nothing after it looks behind.
//!
//! Rows are in the order of their file. Lists inside a row are spans of one shared column, so that three million symbols are one allocation of 16
//! bytes each. Where a field is a [`StringId`] it names a string of [`Model::strings`]; an optional one is an `Option`.

use std::ops::Range;

pub use openmind_pack_format::Confidence;

use crate::intern::{Interner, StringId};

/// Everything that was read from one directory.
#[derive(Debug, Default)]
pub struct Model {
    /// Every distinct string of the rows.
    pub strings: Interner,
    /// What manifest and metadata say about the run.
    pub run: Run,
    /// Glossary entries.
    pub terms: Vec<Term>,
    /// Architecture components.
    pub components: Vec<Component>,
    /// Architecture layers; none where the file has no `layers`.
    pub layers: Vec<Layer>,
    /// Execution flows.
    pub flows: Vec<Flow>,
    /// Files of the source index.
    pub files: Vec<File>,
    /// Symbols, each file's together.
    pub symbols: Vec<Symbol>,
    /// Responsibilities, each component's together.
    pub responsibilities: Vec<StringId>,
    /// Roles, each component's together.
    pub roles: Vec<Role>,
    /// Listed files, each layer's together.
    pub layer_files: Vec<StringId>,
    /// Steps, each flow's together.
    pub steps: Vec<Step>,
    /// Facets, each flow's together.
    pub facets: Vec<Facet>,
    /// Captured values, each facet's together.
    pub facet_values: Vec<FacetValue>,
    /// Evidence records, each entry's together.
    pub evidence: Vec<Evidence>,
}

/// The facts of one generator run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The manifest's `schemaVersion`.
    pub schema_version: StringId,
    /// The program that wrote the directory.
    pub generator: Generator,
    /// Free text; a time as the generator wrote it.
    pub generated_at: StringId,
    /// The repository described.
    pub repository: Repository,
    /// The template that shaped the architecture, if any.
    pub template: Option<Template>,
    /// What metadata counts.
    pub summary: Summary,
}

/// A program and its version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generator {
    /// Name of the program.
    pub name: StringId,
    /// Version of the program, not of the schema.
    pub version: StringId,
}

/// The repository that a directory describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// Name; may be empty.
    pub name: StringId,
    /// Root as the generator was given it; often absolute.
    pub root: StringId,
    /// Commit, where the root was a git repository.
    pub commit: Option<StringId>,
}

/// A template of the generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// Name of the template.
    pub name: StringId,
    /// Where it comes from, such as `builtin`.
    pub source: StringId,
    /// Version of the template's own schema.
    pub schema_version: StringId,
}

/// What metadata counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files in the source index.
    pub files: u32,
    /// Symbols in the source index.
    pub symbols: u32,
    /// Artifact files beside the manifest.
    pub artifacts: u32,
}

/// A glossary entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// The term itself; not empty.
    pub term: StringId,
    /// Open set, such as `concept`.
    pub kind: StringId,
    /// What it means.
    pub description: StringId,
    /// Where that is said; at least one.
    pub evidence: Span,
    /// How sure the generator was.
    pub confidence: Confidence,
}

/// An architecture component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// Name; not empty.
    pub name: StringId,
    /// Open set, such as `module`.
    pub kind: StringId,
    /// What it is.
    pub description: StringId,
    /// What it does, in [`Model::responsibilities`].
    pub responsibilities: Span,
    /// Where that shows; at least one.
    pub evidence: Span,
    /// How sure the generator was.
    pub confidence: Confidence,
    /// Roles of its files, in [`Model::roles`].
    pub roles: Span,
}

/// How many files of a component play a role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Role {
    /// The role; not empty.
    pub role: StringId,
    /// Files that play it.
    pub count: u32,
}

/// A layer of the architecture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The role that makes the layer; not empty.
    pub role: StringId,
    /// What people call it.
    pub title: StringId,
    /// Its place, from the outside in.
    pub layer: Option<u32>,
    /// How many files it has; the list may be cut.
    pub file_count: u32,
    /// The first of its files, in [`Model::layer_files`].
    pub files: Span,
    /// Where it shows; at least one.
    pub evidence: Span,
    /// How sure the generator was.
    pub confidence: Confidence,
}

/// An execution flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Name; not empty, and not unique.
    pub name: StringId,
    /// What it is.
    pub description: StringId,
    /// Its steps in [`Model::steps`]; at least one.
    pub steps: Span,
    /// How sure the generator was.
    pub confidence: Confidence,
    /// What a template captured at its entry, in [`Model::facets`].
    pub facets: Span,
}

/// A step of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its number in the flow.
    pub order: u32,
    /// What happens.
    pub description: StringId,
    /// Name of the component where it happens; not necessarily a listed one.
    pub component: StringId,
    /// Where it shows; at least one.
    pub evidence: Span,
}

/// What a template captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Name of the facet; not empty.
    pub facet: StringId,
    /// The captures, in [`Model::facet_values`].
    pub values: Span,
    /// Where.
    pub place: Evidence,
}

/// One capture of a facet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FacetValue {
    /// Name of the capture; not empty.
    pub name: StringId,
    /// The captured text; may be empty.
    pub value: StringId,
}

/// A cited line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Path of the file, relative to the repository's root.
    pub file: StringId,
    /// Line, from 1.
    pub line: u32,
    /// The line's text, trimmed and cut.
    pub snippet: StringId,
}

/// A file of the source index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Path, relative to the repository's root.
    pub path: StringId,
    /// Open set, such as `Go`.
    pub language: Option<StringId>,
    /// Its symbols, in [`Model::symbols`].
    pub symbols: Span,
}

/// A definition in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Name; not empty, and often not unique in its file.
    pub name: StringId,
    /// Open set, such as `function`.
    pub kind: StringId,
    /// Line, from 1.
    pub line: u32,
    /// The line's text, trimmed and cut.
    pub snippet: StringId,
}

/// Rows of one column that belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Index of the first.
    pub start: u32,
    /// How many.
    pub len: u32,
}

impl Span {
    /// The rows from `start` to the column's present end. A column has fewer than 2^32 rows: each takes at least two bytes of a file, and files have a
    /// limit of 2^31.
    pub(crate) fn since<T>(start: usize, column: &[T]) -> Span {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { start: clip(start), len: clip(column.len().saturating_sub(start)) }
    }

    /// As indexes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start.saturating_add(self.len as usize)
    }

    /// The rows; none where the span isn't of this column.
    #[must_use]
    pub fn of<T>(self, column: &[T]) -> &[T] {
        column.get(self.range()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_takes_sixteen_bytes() {
        assert_eq!(size_of::<Symbol>(), 16);
    }

    #[test]
    fn a_span_of_another_column_is_empty() {
        assert_eq!(Span { start: 1, len: 2 }.of(&[7, 8, 9]), [8, 9]);
        assert!(Span { start: 2, len: 2 }.of(&[7, 8, 9]).is_empty());
        assert!(Span { start: u32::MAX, len: u32::MAX }.of(&[7]).is_empty());
    }
}
