//! Reads a directory's files into one [`Model`] and checks them: all findings of a run, not the first.
//!
//! Each list file is read in one pass, straight into rows. The source index comes first, so that whatever is cited later can be looked up at once.

mod agree;
mod architecture;
mod array;
mod careful;
mod citation;
mod context;
mod cursor;
mod depth;
mod directory;
mod flows;
mod found;
mod glossary;
mod leaf;
mod locate;
mod pairs;
mod path;
mod record;
mod report;
mod run;
mod source_index;
mod text;
mod unread;

use std::collections::BTreeMap;

use context::{Context, Seen};
use record::Record;
use report::Report;

use crate::findings::Finding;
use crate::input::{ArtifactKind, Input, MANIFEST};
use crate::intern::{Interner, StringId};
use crate::limits::Limits;
use crate::model::{Model, Run};

/// What came of a load.
#[derive(Debug)]
pub struct Loaded {
    /// What the directory says; `None` where a finding is an error.
    pub model: Option<Model>,
    /// All findings: by file in the order manifest, metadata, glossary, architecture, flows, source index, others by name; in a file by place, those about
    /// the whole file first.
    pub findings: Vec<Finding>,
}

/// Reads and checks a directory.
#[must_use]
pub fn load(input: &Input) -> Loaded {
    load_within(input, &Limits::default())
}

/// [`load`] with a caller's limits.
#[must_use]
pub fn load_within(input: &Input, limits: &Limits) -> Loaded {
    let strings = Interner::with_limit(limits.string_bytes);
    let mut loader = Loader {
        input,
        limits,
        model: Model { strings, ..Model::default() },
        seen: Seen::default(),
        read: BTreeMap::new(),
    };
    let manifest: Option<run::Manifest> = loader.read(ArtifactKind::Manifest);
    let metadata: Option<run::Metadata> = loader.read(ArtifactKind::Metadata);
    let index: Option<source_index::SourceIndex> = loader.read(ArtifactKind::SourceIndex);
    loader.seen.paths_complete = index.as_ref().is_some_and(|index| index.files.is_some());
    let glossary: Option<glossary::Glossary> = loader.read(ArtifactKind::Glossary);
    let architecture: Option<architecture::Architecture> = loader.read(ArtifactKind::Architecture);
    let flows: Option<flows::Flows> = loader.read(ArtifactKind::Flows);

    if let Some(manifest) = &manifest {
        let versions = [
            (ArtifactKind::Metadata, metadata.as_ref().map(|file| file.schema_version)),
            (ArtifactKind::Glossary, glossary.map(|file| file.schema_version)),
            (ArtifactKind::Architecture, architecture.map(|file| file.schema_version)),
            (ArtifactKind::Flows, flows.map(|file| file.schema_version)),
            (ArtifactKind::SourceIndex, index.as_ref().map(|file| file.schema_version)),
        ];
        loader.compare_versions(manifest.schema_version, &versions);
        loader.compare_run(manifest, metadata.as_ref());
    }
    if let (Some(metadata), Some(index)) = (&metadata, &index)
        && let Some(read) = loader.read.get_mut(&ArtifactKind::Metadata)
    {
        agree::same_counts(&mut read.report, metadata, index);
    }
    if let (Some(manifest), Some(metadata)) = (&manifest, &metadata) {
        loader.model.run = Run {
            schema_version: manifest.schema_version,
            generator: manifest.generator,
            generated_at: manifest.generated_at,
            repository: manifest.repository,
            template: metadata.template,
            summary: metadata.summary.summary(),
        };
    }
    let named = manifest.map(|manifest| manifest.artifacts.named).unwrap_or_default();
    let others = directory::check(input, &named, limits);
    loader.finish(others, &named)
}

/// A file that was read.
struct Read<'i> {
    name: &'i str,
    bytes: &'i [u8],
    /// What was parsed; empty where the bytes aren't text.
    text: &'i str,
    report: Report,
}

struct Loader<'i> {
    input: &'i Input,
    limits: &'i Limits,
    model: Model,
    seen: Seen,
    read: BTreeMap<ArtifactKind, Read<'i>>,
}

impl<'i> Loader<'i> {
    /// Reads the file of this kind, if there is one.
    fn read<R: Record>(&mut self, kind: ArtifactKind) -> Option<R> {
        let file = self.input.artifact(kind)?;
        let mut report = Report::new(&file.name, self.limits.findings_per_code);
        let text = text::decode(&file.bytes, &mut report);
        let Loader { limits, model, seen, .. } = self;
        let mut cx = Context { model, seen, limits, report: &mut report };
        let record = text.and_then(|text| text::parse(&mut cx, text));
        let text = text.unwrap_or_default();
        self.read.insert(kind, Read { name: &file.name, bytes: &file.bytes, text, report });
        record
    }

    fn compare_versions(&mut self, manifest: StringId, versions: &[(ArtifactKind, Option<StringId>)]) {
        for (kind, version) in versions {
            if let (Some(read), Some(version)) = (self.read.get_mut(kind), version) {
                agree::same_version(&mut read.report, &self.model.strings, manifest, *version);
            }
        }
    }

    fn compare_run(&mut self, manifest: &run::Manifest, metadata: Option<&run::Metadata>) {
        if let Some(read) = self.read.get_mut(&ArtifactKind::Manifest) {
            agree::root_is_relative(&mut read.report, &self.model.strings, manifest);
        }
        if let (Some(read), Some(metadata)) = (self.read.get_mut(&ArtifactKind::Metadata), metadata) {
            agree::same_run(&mut read.report, &self.model.strings, manifest, metadata);
            agree::same_artifacts(&mut read.report, metadata, manifest);
        }
    }

    /// Places and sorts what was found.
    fn finish(self, others: Vec<(String, Report)>, named: &[run::Named]) -> Loaded {
        let mut reports =
            self.read.values().map(|read| &read.report).chain(others.iter().map(|(_, report)| report));
        let stopped = reports.any(Report::has_error);
        let mut files: Vec<(Option<ArtifactKind>, String, Vec<Finding>)> = Vec::new();
        for (kind, read) in self.read {
            files.push((Some(kind), read.name.to_owned(), read.report.finish(read.text, read.bytes)));
        }
        for (name, report) in others {
            let kind = if name == MANIFEST {
                Some(ArtifactKind::Manifest)
            } else {
                named.iter().find(|named| named.file == name).and_then(|named| named.kind)
            };
            files.push((kind, name, report.finish("", b"")));
        }
        // Files without a kind come last.
        files.sort_by(|(a, a_name, _), (b, b_name, _)| {
            (a.is_none(), a, a_name.as_bytes()).cmp(&(b.is_none(), b, b_name.as_bytes()))
        });
        let findings: Vec<Finding> = files.into_iter().flat_map(|(_, _, findings)| findings).collect();
        Loaded { model: (!stopped).then_some(self.model), findings }
    }
}

/// Which file of a directory is which artifact: the manifest's names, and the usual name where it gives none that could be in the directory and
/// doesn't give that one to another.
pub(crate) fn artifact_names(manifest: Option<&[u8]>) -> Vec<(ArtifactKind, String)> {
    let limits = Limits::default();
    let mut report = Report::new(MANIFEST, 0);
    let text = text::decode(manifest.unwrap_or_default(), &mut report);
    let (mut model, mut seen) = (Model::default(), Seen::default());
    let mut cx = Context { model: &mut model, seen: &mut seen, limits: &limits, report: &mut report };
    let manifest: Option<run::Manifest> = text.and_then(|text| text::parse(&mut cx, text));
    let named = manifest.map(|manifest| manifest.artifacts.named).unwrap_or_default();
    let mut names = vec![(ArtifactKind::Manifest, MANIFEST.to_owned())];
    for kind in ArtifactKind::NAMED {
        let usual = kind.usual_file();
        match named.iter().find(|named| named.kind == Some(kind)) {
            Some(given) => names.push((kind, given.file.clone())),
            // Not what the manifest names for something else.
            None if named.iter().any(|named| named.file == usual) => {}
            None => names.push((kind, usual.to_owned())),
        }
    }
    names
}
