//! Entries of the lists.

use std::ops::Range;

use super::{ArtifactKind, Confidence, Evidence};
use crate::bundle::Bundle;
use crate::error::ReadError;
use crate::rows::{
    ABSENT, ArtifactRow, ComponentRow, FacetRow, FacetValueRow, FileRow, FlowRow, InfoRow, LayerRow, RoleRow,
    Row, StepRow, StringRow, SymbolRow, TermRow,
};

macro_rules! views {
    ($($(#[$doc:meta])* $name:ident of $row:ident, $get:ident, $count:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub struct $name<'a> {
                bundle: &'a Bundle,
                row: $row,
            }

            impl<'a> $name<'a> {
                /// The row behind the view.
                #[must_use]
                pub const fn row(&self) -> &$row {
                    &self.row
                }
            }

            impl Bundle {
                #[doc = concat!("One [`", stringify!($name), "`], by row number.")]
                ///
                /// # Errors
                ///
                /// [`ReadError`] where there is no such row or it is damaged.
                pub fn $get(&self, index: u32) -> Result<$name<'_>, ReadError> {
                    Ok($name { bundle: self, row: self.rows::<$row>()?.get(index)? })
                }

                #[doc = concat!("Number of [`", stringify!($name), "`] rows.")]
                ///
                /// # Errors
                ///
                /// [`ReadError`] where the table can't be read.
                pub fn $count(&self) -> Result<u32, ReadError> {
                    Ok(self.rows::<$row>()?.len())
                }
            }
        )*
    };
}

views! {
    /// A glossary entry.
    Term of TermRow, term, term_count;
    /// An architecture component.
    Component of ComponentRow, component, component_count;
    /// An architecture layer.
    Layer of LayerRow, layer, layer_count;
    /// A flow.
    Flow of FlowRow, flow, flow_count;
    /// A step of a flow.
    Step of StepRow, step, step_count;
    /// A facet of a flow.
    Facet of FacetRow, facet, facet_count;
    /// A file of the source index.
    File of FileRow, file, file_count;
    /// A symbol of the source index.
    Symbol of SymbolRow, symbol, symbol_count;
    /// An original file.
    Artifact of ArtifactRow, artifact, artifact_count;
    /// Where the bundle comes from.
    Info of InfoRow, info_row, info_count;
}

/// Text getters: each reads one text of the row.
macro_rules! texts {
    ($read:ident: $($view:ident { $($(#[$doc:meta])* $field:ident,)* })*) => {
        $(impl<'a> $view<'a> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// [`ReadError`] where the text is damaged or too long.
                pub fn $field(&self) -> Result<&'a str, ReadError> {
                    self.bundle.$read(self.row.$field)
                }
            )*
        })*
    };
}

texts! { name:
    Term {
        /// The term.
        term,
    }
    Component {
        /// Name.
        name,
    }
    Flow {
        /// Name.
        name,
    }
    Symbol {
        /// Name.
        name,
    }
}

texts! { string:
    Term {
        /// Its kind.
        kind,
        /// Its definition.
        description,
    }
    Component {
        /// Kind.
        kind,
        /// Description.
        description,
    }
    Layer {
        /// The role that makes the layer.
        role,
        /// Title.
        title,
    }
    Flow {
        /// Description.
        description,
    }
    Step {
        /// Description.
        description,
        /// Component that it happens in.
        component,
    }
    Facet {
        /// Facet name.
        facet,
        /// Path.
        file,
        /// The trimmed line.
        snippet,
    }
    File {
        /// Path.
        path,
    }
    Symbol {
        /// Kind.
        kind,
        /// The trimmed line.
        snippet,
    }
    Artifact {
        /// File name.
        name,
    }
    Info {
        /// Repository name, may be empty.
        repository_name,
        /// Repository root.
        repository_root,
        /// When the generator says it ran.
        generated_at,
        /// Generator's name.
        generator_name,
        /// Generator's version.
        generator_version,
        /// Schema version.
        schema_version,
    }
}

/// Entries that say how sure the generator is.
macro_rules! graded {
    ($($view:ident)*) => {
        $(impl $view<'_> {
            /// How sure the generator is.
            #[must_use]
            pub const fn confidence(&self) -> Confidence {
                Confidence::from_code(self.row.confidence)
            }
        })*
    };
}

graded! { Term Component Layer Flow }

/// Entries that cite lines.
macro_rules! grounded {
    ($($view:ident)*) => {
        $(impl<'a> $view<'a> {
            /// Cited lines, in the order of the artifact, read as they are asked for.
            ///
            /// # Errors
            ///
            /// [`ReadError`] where the range leaves the table; an item is one where a row or text is damaged.
            pub fn evidence(
                &self,
            ) -> Result<impl Iterator<Item = Result<Evidence<'a>, ReadError>> + use<'a>, ReadError> {
                self.bundle.evidence_range(self.row.evidence_first, self.row.evidence_count)
            }
        })*
    };
}

grounded! { Term Component Layer Step }

impl Bundle {
    /// Where the bundle comes from.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the row is damaged.
    pub fn info(&self) -> Result<Info<'_>, ReadError> {
        self.info_row(0)
    }

    fn list(
        &self,
        first: u32,
        count: u32,
    ) -> Result<impl Iterator<Item = Result<&str, ReadError>>, ReadError> {
        let rows = self.rows::<StringRow>()?;
        Ok(rows.range(first, count)?.map(move |index| self.string(rows.get(index)?.string)))
    }

    fn child_rows<R: Row>(&self, first: u32, count: u32) -> Result<Range<u32>, ReadError> {
        self.rows::<R>()?.range(first, count)
    }
}

impl<'a> Info<'a> {
    /// Commit, where the generator knew it.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the text is damaged.
    pub fn commit(&self) -> Result<Option<&'a str>, ReadError> {
        self.bundle.optional_string(self.row.commit)
    }

    /// Template name, where one was applied.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the text is damaged.
    pub fn template_name(&self) -> Result<Option<&'a str>, ReadError> {
        self.bundle.optional_string(self.row.template_name)
    }
}

impl<'a> Component<'a> {
    /// Responsibilities, in the order of the artifact, read as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table; an item is one where a row or text is damaged.
    pub fn responsibilities(
        &self,
    ) -> Result<impl Iterator<Item = Result<&'a str, ReadError>> + use<'a>, ReadError> {
        self.bundle.list(self.row.responsibilities_first, self.row.responsibilities_count)
    }

    /// Roles and how many files play them, read as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table; an item is one where a row or text is damaged.
    pub fn roles(
        &self,
    ) -> Result<impl Iterator<Item = Result<(&'a str, u32), ReadError>> + use<'a>, ReadError> {
        let bundle = self.bundle;
        let rows = bundle.rows::<RoleRow>()?;
        Ok(rows.range(self.row.roles_first, self.row.roles_count)?.map(move |index| {
            let row = rows.get(index)?;
            Ok((bundle.string(row.role)?, row.count))
        }))
    }
}

impl<'a> Layer<'a> {
    /// Layer number, where the template gives one.
    #[must_use]
    pub fn layer(&self) -> Option<u32> {
        (self.row.layer != ABSENT).then_some(self.row.layer)
    }

    /// Listed files, read as they are asked for; the generator lists at most 50 of them.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table; an item is one where a row or text is damaged.
    pub fn files(&self) -> Result<impl Iterator<Item = Result<&'a str, ReadError>> + use<'a>, ReadError> {
        self.bundle.list(self.row.files_first, self.row.files_count)
    }
}

impl<'a> Flow<'a> {
    /// Steps, in the order of the artifact.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a row is damaged.
    pub fn steps(&self) -> Result<impl Iterator<Item = Result<Step<'a>, ReadError>> + use<'a>, ReadError> {
        let bundle = self.bundle;
        let rows = bundle.child_rows::<StepRow>(self.row.steps_first, self.row.steps_count)?;
        Ok(rows.map(move |index| bundle.step(index)))
    }

    /// Facets, in the order of the artifact.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a row is damaged.
    pub fn facets(&self) -> Result<impl Iterator<Item = Result<Facet<'a>, ReadError>> + use<'a>, ReadError> {
        let bundle = self.bundle;
        let rows = bundle.child_rows::<FacetRow>(self.row.facets_first, self.row.facets_count)?;
        Ok(rows.map(move |index| bundle.facet(index)))
    }
}

impl<'a> Facet<'a> {
    /// Captured names and texts, read as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table; an item is one where a row or text is damaged.
    pub fn values(
        &self,
    ) -> Result<impl Iterator<Item = Result<(&'a str, &'a str), ReadError>> + use<'a>, ReadError> {
        let bundle = self.bundle;
        let rows = bundle.rows::<FacetValueRow>()?;
        Ok(rows.range(self.row.values_first, self.row.values_count)?.map(move |index| {
            let row = rows.get(index)?;
            Ok((bundle.string(row.name)?, bundle.string(row.value)?))
        }))
    }
}

impl<'a> File<'a> {
    /// Language, where the generator knew it.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the text is damaged.
    pub fn language(&self) -> Result<Option<&'a str>, ReadError> {
        self.bundle.optional_string(self.row.language)
    }

    /// Row numbers of its symbols.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table.
    pub fn symbols(&self) -> Result<Range<u32>, ReadError> {
        self.bundle.child_rows::<SymbolRow>(self.row.symbols_first, self.row.symbols_count)
    }
}

impl Artifact<'_> {
    /// What the file is to the directory.
    #[must_use]
    pub const fn kind(&self) -> ArtifactKind {
        ArtifactKind::from_code(self.row.kind)
    }

    /// Entries in the list that it holds, where it holds one.
    #[must_use]
    pub fn entries(&self) -> Option<u32> {
        (self.row.entries != ABSENT).then_some(self.row.entries)
    }
}
