//! A checked directory in, a bundle out.

use std::io::Write;

use openmind_pack_format::{
    ABSENT, ArtifactKind, ArtifactRow, BundleWriter, KnowledgeHash, SectionKind, StringEnd, Written,
    knowledge_hash,
};
use rayon::ThreadPoolBuilder;

use crate::error::{BuildError, CompileError};
use crate::findings::{Finding, Severity};
use crate::input::{Input, InputFile};
use crate::load::{Loaded, load};
use crate::model::Model;
use crate::names::Names;
use crate::originals::Originals;
use crate::progress::{Progress, Stage};
use crate::tables::Tables;
use crate::terms::Terms;

/// How to build.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Warnings stop the build too, but for those that say they don't.
    pub strict: bool,
    /// Empty `repository.root`, in rows and originals.
    pub redact_root: bool,
    /// Worker threads; all cores where absent. The bytes don't depend on it.
    pub threads: Option<usize>,
}

/// How much a bundle holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Glossary entries.
    pub terms: u32,
    /// Architecture components.
    pub components: u32,
    /// Flows.
    pub flows: u32,
    /// Files of the source index.
    pub files: u32,
    /// Symbols of the source index.
    pub symbols: u32,
    /// Original files kept.
    pub artifacts: u32,
    /// Their bytes.
    pub input_bytes: u64,
}

/// A bundle ready to be written.
pub struct Compiled {
    writer: BundleWriter,
    /// The name of the facts.
    pub knowledge_hash: KnowledgeHash,
    /// The repository's name, may be empty.
    pub repository_name: String,
    /// What it holds.
    pub counts: Counts,
    /// What was found on the way; no errors among them.
    pub findings: Vec<Finding>,
}

impl Compiled {
    /// Writes the bundle, front to back.
    ///
    /// # Errors
    ///
    /// [`openmind_pack_format::WriteError`] where the output fails or a section is too large.
    pub fn write_to(self, output: &mut impl Write) -> Result<Written, openmind_pack_format::WriteError> {
        self.writer.write_to(self.knowledge_hash, output)
    }
}

/// Checks a directory and makes its bundle.
///
/// Memory: the input, its distinct texts, 16 bytes a symbol and, once the input was compressed and dropped, about 10
/// bytes for each term of each document.
///
/// # Errors
///
/// [`BuildError::Refused`] with every finding of the run where errors (or, if strict, warnings) stop it;
/// [`BuildError::Compile`] where the content doesn't fit a bundle.
pub fn compile(mut input: Input, options: Options, progress: &dyn Progress) -> Result<Compiled, BuildError> {
    if options.redact_root {
        crate::redact::redact_root(&mut input);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .map_err(|error| CompileError::Threads(error.to_string()))?;
    pool.install(|| compile_here(input, options, progress))
}

fn compile_here(input: Input, options: Options, progress: &dyn Progress) -> Result<Compiled, BuildError> {
    let (loaded, originals) = rayon::join(
        || {
            progress.start(Stage::Load, 0);
            load(&input)
        },
        || Originals::compress(&input.files, progress),
    );
    let Loaded { model, findings } = loaded;
    let stops = |finding: &Finding| match finding.severity {
        Severity::Error => true,
        Severity::Warning => options.strict && finding.code.raised_by_strict(),
        Severity::Note => false,
    };
    let model = match model {
        Some(model) if !findings.iter().any(stops) => model,
        _ => return Err(BuildError::Refused(findings)),
    };
    let originals = originals?;
    check_documents(&model)?;
    progress.start(Stage::Index, 0);
    let files: Vec<FileFacts> = input.files.iter().map(FileFacts::of).collect();
    drop(input);

    let mut tables = Tables::lower(model);
    let (knowledge, index) = rayon::join(
        || knowledge_hash(&tables),
        || rayon::join(|| Names::build(&tables), || Terms::build(&tables)),
    );
    // Tables in memory can't be damaged; the type allows for it because bundles are read through the same function.
    let knowledge_hash = knowledge.map_err(|error| CompileError::Facts(error.to_string()))?;
    let (names, terms) = (index.0?, index.1?);
    let repository_name = repository_name(&tables);
    let counts = counts(&tables, &files);
    let artifacts = artifact_rows(&mut tables, &files, &originals)?;
    let writer = assemble(tables, artifacts, originals, names, terms)?;
    Ok(Compiled { writer, knowledge_hash, repository_name, counts, findings })
}

/// Document ids are 32-bit numbers, and the last means "none".
fn check_documents(model: &Model) -> Result<(), CompileError> {
    let found = [model.terms.len(), model.components.len(), model.flows.len(), model.symbols.len()];
    let found = found.into_iter().map(|count| count as u64).sum();
    let limit = u64::from(ABSENT) - 1;
    if found > limit { Err(CompileError::TooManyDocuments { found, limit }) } else { Ok(()) }
}

/// What stays of an input file once its bytes are compressed.
struct FileFacts {
    name: String,
    kind: ArtifactKind,
    length: u64,
}

impl InputFile {
    /// What the file is to the directory, as a bundle records it.
    pub(crate) fn kind(&self) -> ArtifactKind {
        self.role.map_or(ArtifactKind::Other, |role| match role {
            crate::input::ArtifactKind::Manifest => ArtifactKind::Manifest,
            crate::input::ArtifactKind::Metadata => ArtifactKind::Metadata,
            crate::input::ArtifactKind::Glossary => ArtifactKind::Glossary,
            crate::input::ArtifactKind::Architecture => ArtifactKind::Architecture,
            crate::input::ArtifactKind::Flows => ArtifactKind::Flows,
            crate::input::ArtifactKind::SourceIndex => ArtifactKind::SourceIndex,
        })
    }
}

impl FileFacts {
    fn of(file: &InputFile) -> Self {
        Self { name: file.name.clone(), kind: file.kind(), length: file.bytes.len() as u64 }
    }
}

fn repository_name(tables: &Tables) -> String {
    let name = tables.info.first().map_or(ABSENT, |info| info.repository_name);
    tables.strings.get(crate::intern::StringId(name)).to_owned()
}

fn counts(tables: &Tables, files: &[FileFacts]) -> Counts {
    Counts {
        terms: tables.glossary.len() as u32,
        components: tables.components.len() as u32,
        flows: tables.flows.len() as u32,
        files: tables.files.len() as u32,
        symbols: tables.symbols.len() as u32,
        artifacts: files.len() as u32,
        input_bytes: files.iter().map(|file| file.length).sum(),
    }
}

fn artifact_rows(
    tables: &mut Tables,
    files: &[FileFacts],
    originals: &Originals,
) -> Result<Vec<ArtifactRow>, CompileError> {
    let entries = |kind| match kind {
        ArtifactKind::Glossary => tables.glossary.len() as u32,
        ArtifactKind::Architecture => tables.components.len() as u32,
        ArtifactKind::Flows => tables.flows.len() as u32,
        ArtifactKind::SourceIndex => tables.files.len() as u32,
        ArtifactKind::Manifest | ArtifactKind::Metadata | ArtifactKind::Other => ABSENT,
    };
    let entries: Vec<u32> = files.iter().map(|file| entries(file.kind)).collect();
    files
        .iter()
        .zip(entries)
        .zip(&originals.files)
        .map(|((file, entries), (frames_first, frames_count))| {
            Ok(ArtifactRow {
                name: tables.strings.intern(&file.name)?.0,
                kind: file.kind.code(),
                entries,
                length: file.length as u32,
                frames_first: *frames_first,
                frames_count: *frames_count,
            })
        })
        .collect()
}

fn assemble(
    tables: Tables,
    artifacts: Vec<ArtifactRow>,
    originals: Originals,
    names: Names,
    terms: Terms,
) -> Result<BundleWriter, CompileError> {
    let mut writer = BundleWriter::new();
    writer.rows(tables.info)?;
    let (texts, ends) = tables.strings.into_parts();
    writer.bytes(SectionKind::StringBytes, texts.into_bytes())?;
    writer.rows(ends.into_iter().map(|end| StringEnd { end }).collect())?;
    writer.rows(tables.evidence)?;
    writer.rows(tables.string_lists)?;
    writer.rows(tables.glossary)?;
    writer.rows(tables.components)?;
    writer.rows(tables.roles)?;
    writer.rows(tables.layers)?;
    writer.rows(tables.flows)?;
    writer.rows(tables.steps)?;
    writer.rows(tables.facets)?;
    writer.rows(tables.facet_values)?;
    writer.rows(tables.files)?;
    writer.rows(tables.symbols)?;
    writer.rows(artifacts)?;
    writer.rows(originals.frames)?;
    writer.bytes(SectionKind::FrameBytes, originals.bytes)?;
    writer.names(names.exact)?;
    writer.rows(names.ends)?;
    writer.rows(names.places)?;
    writer.folded_names(names.folded)?;
    writer.rows(names.folded_ends)?;
    writer.rows(names.spellings)?;
    writer.terms(terms.dictionary)?;
    writer.rows(terms.postings.lists)?;
    writer.rows(terms.postings.blocks)?;
    writer.bytes(SectionKind::BlockBytes, terms.postings.bytes)?;
    Ok(writer)
}
