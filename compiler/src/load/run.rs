//! `manifest.json` and `metadata.json`: what directory this is, and of which run.

use serde::de::MapAccess;

use super::context::Context;
use super::found;
use super::leaf;
use super::path::Path;
use super::record::{Field, Record, Value, key_text, optional, required};
use crate::findings::Code;
use crate::input::{ArtifactKind, MANIFEST};
use crate::intern::StringId;
use crate::model::{Generator, Repository, Summary, Template};

/// `manifest.json`.
#[derive(Default)]
pub(super) struct Manifest {
    pub(super) schema_version: StringId,
    pub(super) generator: Generator,
    pub(super) generated_at: StringId,
    pub(super) repository: Repository,
    pub(super) artifacts: Artifacts,
}

/// The files that the manifest names, those with a name that can be in the directory.
#[derive(Default)]
pub(super) struct Artifacts {
    pub(super) named: Vec<Named>,
    /// Whether a name was reported, and so isn't in `named`.
    faulty: bool,
}

impl Artifacts {
    /// How many files there must be beside the manifest; `None` where a name is missing or faulty.
    pub(super) fn count(&self) -> Option<usize> {
        let known = self.named.iter().filter(|named| named.kind.is_some()).count();
        (known == ArtifactKind::NAMED.len() && !self.faulty).then_some(self.named.len())
    }
}

/// One file that the manifest names.
pub(super) struct Named {
    /// What for; `None` for a key that this program doesn't know.
    pub(super) kind: Option<ArtifactKind>,
    /// The key.
    pub(super) key: String,
    /// The file's name.
    pub(super) file: String,
}

impl Named {
    /// The manifest gives the file to `other` as well. It is read as what it is usually called for, or as nothing: read as something else it would only
    /// be found wrong all over.
    fn share(&mut self, other: Option<ArtifactKind>) {
        let usual = |kind: &ArtifactKind| kind.usual_file() == self.file;
        self.kind = self.kind.filter(usual).or(other.filter(usual));
    }
}

/// `metadata.json`.
#[derive(Default)]
pub(super) struct Metadata {
    pub(super) schema_version: StringId,
    pub(super) repository: Repository,
    pub(super) generated_at: StringId,
    pub(super) template: Option<Template>,
    pub(super) summary: Counts,
}

/// What metadata counts; `None` where a count can't be compared with anything.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) files: Option<u32>,
    pub(super) symbols: Option<u32>,
    pub(super) artifacts: Option<u32>,
}

impl Counts {
    /// The row of the model.
    pub(super) fn summary(&self) -> Summary {
        let known = |count: Option<u32>| count.unwrap_or_default();
        Summary { files: known(self.files), symbols: known(self.symbols), artifacts: known(self.artifacts) }
    }
}

impl Record for Manifest {
    const FIELDS: &'static [Field] = &[
        required("schemaVersion"),
        required("generator"),
        required("generatedAt"),
        required("repository"),
        required("artifacts"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            1 => self.generator = value.record()?.unwrap_or_default(),
            2 => self.generated_at = value.leaf(leaf::text)?,
            3 => self.repository = value.record()?.unwrap_or_default(),
            _ => self.artifacts = value.record()?.unwrap_or_default(),
        }
        Ok(())
    }
}

impl Record for Generator {
    const FIELDS: &'static [Field] = &[required("name"), required("version")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        let text = value.leaf(leaf::text)?;
        match field {
            0 => self.name = text,
            _ => self.version = text,
        }
        Ok(())
    }
}

impl Record for Repository {
    // The name may be empty: a run on `.` has no last path segment to take it from.
    const FIELDS: &'static [Field] = &[required("name"), required("root"), optional("commit")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.name = value.leaf(leaf::text)?,
            1 => self.root = value.leaf(leaf::text)?,
            _ => self.commit = value.leaf(leaf::nullable_text)?,
        }
        Ok(())
    }
}

impl Record for Artifacts {
    // In the order of `ArtifactKind::NAMED`.
    const FIELDS: &'static [Field] = &[
        required("metadata"),
        required("glossary"),
        required("architecture"),
        required("flows"),
        required("sourceIndex"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        let name = value.leaf(|cx, at, raw| leaf::string(cx, at, raw, "a file name").map(Into::into))?;
        match (name, ArtifactKind::NAMED.get(field)) {
            (Some(name), Some(kind)) => self.add(value.cx, &value.at, Some(*kind), kind.key(), name),
            _ => self.faulty = true,
        }
        Ok(())
    }

    /// A later schema may name more files; they are kept like the others, and must be there like the others.
    fn unknown(&mut self, cx: &mut Context<'_>, at: &Path<'_>, raw: &str) {
        if raw.starts_with('"') {
            let key = at.last_key().unwrap_or_default();
            match key_text(raw) {
                Some(name) => self.add(cx, at, None, key, name.into_owned()),
                None => self.faulty = true,
            }
        }
    }
}

impl Artifacts {
    /// Notes a file if it can be in the directory. The name is compared with the directory's own names and never opened.
    fn add(
        &mut self,
        cx: &mut Context<'_>,
        at: &Path<'_>,
        kind: Option<ArtifactKind>,
        key: &str,
        file: String,
    ) {
        let outside = matches!(file.as_str(), "" | "." | "..") || file.contains(['/', '\\', '\0']);
        let before = self.named.iter_mut().find(|named| named.file == file);
        let taken = match &before {
            _ if file == MANIFEST => Some("the manifest"),
            before => before.as_ref().map(|named| named.key.as_str()),
        };
        self.faulty |= outside || taken.is_some();
        if outside {
            let message =
                || format!("expected the name of a file in this directory, found {}", found::quoted(&file));
            cx.report.value(Code::FileOutside, at, message);
        } else if !leaf::fits(cx, at, &file) {
            self.faulty = true;
        } else if let Some(taken) = taken {
            let message = || format!("{} is {} already", found::quoted(&file), found::excerpt(taken));
            cx.report.value(Code::FileNamedTwice, at, message);
            if let Some(before) = before {
                before.share(kind);
            }
        } else {
            self.named.push(Named { kind, key: key.to_owned(), file });
        }
    }
}

impl Record for Metadata {
    const FIELDS: &'static [Field] = &[
        required("schemaVersion"),
        required("repository"),
        required("generatedAt"),
        optional("template"),
        required("summary"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            1 => self.repository = value.record()?.unwrap_or_default(),
            2 => self.generated_at = value.leaf(leaf::text)?,
            3 => self.template = value.nullable_record()?,
            _ => self.summary = value.record()?.unwrap_or_default(),
        }
        Ok(())
    }
}

impl Record for Template {
    const FIELDS: &'static [Field] = &[required("name"), required("source"), required("schemaVersion")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        let text = value.leaf(leaf::text)?;
        match field {
            0 => self.name = text,
            1 => self.source = text,
            _ => self.schema_version = text,
        }
        Ok(())
    }
}

impl Record for Counts {
    const FIELDS: &'static [Field] =
        &[required("filesIndexed"), required("symbolsIndexed"), required("artifactsGenerated")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        let count = value.leaf(leaf::count)?;
        match field {
            0 => self.files = count,
            1 => self.symbols = count,
            _ => self.artifacts = count,
        }
        Ok(())
    }
}
