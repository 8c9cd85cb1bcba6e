//! Tiny bundles for tests, made with the format's writer alone.

use std::collections::{BTreeMap, BTreeSet};

use openmind_pack_format::analyzer::{Analyzer, fold};
use openmind_pack_format::dictionary::{BuiltShard, build_shards};
use openmind_pack_format::postings::PostingsEncoder;
use openmind_pack_format::{
    ABSENT, ArtifactKind, ArtifactRow, BlockRow, Bundle, BundleWriter, ComponentRow, Confidence, EvidenceRow,
    FacetRow, FacetValueRow, FileRow, FlowRow, FoldedEnd, FoldedName, FrameRow, InfoRow, KnowledgeHash,
    LayerRow, NameEnd, PlaceRow, PostingsRow, RoleRow, Row, SectionKind, StepRow, StringEnd, StringRow,
    SymbolRow, TermRow,
};

/// The impact of every term on every document.
const IMPACT: u8 = 100;

/// A cited line: path, line, snippet.
pub(crate) type Cited<'t> = (&'t str, u32, &'t str);

/// A symbol: name, snippet, line.
pub(crate) type TestSymbol<'t> = (&'t str, &'t str, u32);

/// A component: name, description, confidence, responsibilities, cited lines.
type TestComponent<'t> = (&'t str, &'t str, Confidence, Vec<&'t str>, Vec<Cited<'t>>);

/// Collects entries, in any order but that of files' symbols, and makes a bundle of them.
#[derive(Default)]
pub(crate) struct TestBundle<'t> {
    terms: Vec<(&'t str, &'t str, Confidence, Vec<Cited<'t>>)>,
    components: Vec<TestComponent<'t>>,
    flows: Vec<(&'t str, &'t str, Confidence, Vec<Cited<'t>>)>,
    files: Vec<(&'t str, Vec<TestSymbol<'t>>)>,
    commit: Option<&'t str>,
}

impl<'t> TestBundle<'t> {
    pub(crate) fn commit(mut self, commit: &'t str) -> Self {
        self.commit = Some(commit);
        self
    }

    /// A glossary entry.
    pub(crate) fn term(
        mut self,
        term: &'t str,
        description: &'t str,
        confidence: Confidence,
        evidence: &[Cited<'t>],
    ) -> Self {
        self.terms.push((term, description, confidence, evidence.to_vec()));
        self
    }

    /// A component.
    pub(crate) fn component(
        mut self,
        name: &'t str,
        description: &'t str,
        confidence: Confidence,
        responsibilities: &[&'t str],
        evidence: &[Cited<'t>],
    ) -> Self {
        self.components.push((name, description, confidence, responsibilities.to_vec(), evidence.to_vec()));
        self
    }

    /// A flow, whose steps are described by the lines that they cite.
    pub(crate) fn flow(
        mut self,
        name: &'t str,
        description: &'t str,
        confidence: Confidence,
        steps: &[Cited<'t>],
    ) -> Self {
        self.flows.push((name, description, confidence, steps.to_vec()));
        self
    }

    /// A file with its symbols, by line. Their kind is `function`.
    pub(crate) fn file(mut self, path: &'t str, symbols: &[TestSymbol<'t>]) -> Self {
        self.files.push((path, symbols.to_vec()));
        self
    }

    pub(crate) fn open(mut self) -> Bundle {
        self.terms.sort_by_key(|entry| entry.0);
        self.components.sort_by_key(|entry| entry.0);
        self.flows.sort_by_key(|entry| entry.0);
        self.files.sort_by_key(|entry| entry.0);
        let mut lowering = Lowering::default();
        lowering.info(self.commit);
        for (term, description, confidence, evidence) in &self.terms {
            lowering.term(term, description, *confidence, evidence);
        }
        for (name, description, confidence, responsibilities, evidence) in &self.components {
            lowering.component(name, description, *confidence, responsibilities, evidence);
        }
        for (name, description, confidence, steps) in &self.flows {
            lowering.flow(name, description, *confidence, steps);
        }
        for (path, symbols) in &self.files {
            lowering.file(path, symbols);
        }
        lowering.artifacts();
        let mut bytes = Vec::new();
        lowering.assemble().write_to(KnowledgeHash::from([7; 32]), &mut bytes).expect("a bundle fits memory");
        Bundle::from_slice(&bytes, None).expect("what the writer wrote can be opened")
    }
}

/// Rows in the making.
#[derive(Default)]
struct Lowering {
    texts: Vec<u8>,
    ends: Vec<StringEnd>,
    ids: BTreeMap<String, u32>,
    info: Vec<InfoRow>,
    evidence: Vec<EvidenceRow>,
    lists: Vec<StringRow>,
    glossary: Vec<TermRow>,
    components: Vec<ComponentRow>,
    flows: Vec<FlowRow>,
    steps: Vec<StepRow>,
    files: Vec<FileRow>,
    symbols: Vec<SymbolRow>,
    artifacts: Vec<ArtifactRow>,
    /// For each name its documents, and for each term its documents.
    names: BTreeMap<String, Vec<u32>>,
    terms: BTreeMap<String, BTreeSet<u32>>,
    documents: u32,
}

impl Lowering {
    fn text(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = self.ends.len() as u32;
        self.texts.extend(text.as_bytes());
        self.ends.push(StringEnd { end: self.texts.len() as u32 });
        self.ids.insert(text.to_owned(), id);
        id
    }

    fn info(&mut self, commit: Option<&str>) {
        let commit = commit.map_or(ABSENT, |commit| self.text(commit));
        let row = InfoRow {
            repository_name: self.text("tiny-repo"),
            repository_root: self.text(""),
            commit,
            generated_at: self.text("2024-05-06T07:08:09Z"),
            generator_name: self.text("by-hand"),
            generator_version: self.text("9.9"),
            schema_version: self.text("1.1.0"),
            template_name: ABSENT,
            template_source: ABSENT,
            template_schema_version: ABSENT,
        };
        self.info.push(row);
    }

    /// The next document, found by its name and texts.
    fn document(&mut self, name: &str, texts: &[&str]) {
        let document = self.documents;
        self.documents += 1;
        self.names.entry(name.to_owned()).or_default().push(document);
        let mut analyzer = Analyzer::default();
        for text in std::iter::once(&name).chain(texts) {
            analyzer.analyze(text, |token| {
                self.terms.entry(token.term.to_owned()).or_default().insert(document);
            });
        }
    }

    fn cite(&mut self, cited: &[Cited<'_>]) -> (u32, u32) {
        let first = self.evidence.len() as u32;
        for (file, line, snippet) in cited {
            let row = EvidenceRow { file: self.text(file), line: *line, snippet: self.text(snippet) };
            self.evidence.push(row);
        }
        (first, cited.len() as u32)
    }

    fn term(&mut self, term: &str, description: &str, confidence: Confidence, cited: &[Cited<'_>]) {
        let (evidence_first, evidence_count) = self.cite(cited);
        let row = TermRow {
            term: self.text(term),
            kind: self.text("concept"),
            description: self.text(description),
            confidence: confidence.code(),
            evidence_first,
            evidence_count,
        };
        self.glossary.push(row);
        self.document(term, &[&[description], snippets(cited).as_slice()].concat());
    }

    fn component(
        &mut self,
        name: &str,
        description: &str,
        confidence: Confidence,
        responsibilities: &[&str],
        cited: &[Cited<'_>],
    ) {
        let (evidence_first, evidence_count) = self.cite(cited);
        let responsibilities_first = self.lists.len() as u32;
        for responsibility in responsibilities {
            let string = self.text(responsibility);
            self.lists.push(StringRow { string });
        }
        let row = ComponentRow {
            name: self.text(name),
            kind: self.text("module"),
            description: self.text(description),
            confidence: confidence.code(),
            responsibilities_first,
            responsibilities_count: responsibilities.len() as u32,
            evidence_first,
            evidence_count,
            roles_first: 0,
            roles_count: 0,
        };
        self.components.push(row);
        self.document(name, &[&[description], responsibilities, snippets(cited).as_slice()].concat());
    }

    fn flow(&mut self, name: &str, description: &str, confidence: Confidence, steps: &[Cited<'_>]) {
        let steps_first = self.steps.len() as u32;
        for (order, step) in (1..).zip(steps) {
            let (evidence_first, evidence_count) = self.cite(&[*step]);
            let row = StepRow {
                order,
                description: self.text(step.2),
                component: self.text(""),
                evidence_first,
                evidence_count,
            };
            self.steps.push(row);
        }
        let row = FlowRow {
            name: self.text(name),
            description: self.text(description),
            confidence: confidence.code(),
            steps_first,
            steps_count: steps.len() as u32,
            facets_first: 0,
            facets_count: 0,
        };
        self.flows.push(row);
        self.document(name, &[&[description], snippets(steps).as_slice()].concat());
    }

    fn file(&mut self, path: &str, symbols: &[TestSymbol<'_>]) {
        let row = FileRow {
            path: self.text(path),
            language: ABSENT,
            symbols_first: self.symbols.len() as u32,
            symbols_count: symbols.len() as u32,
        };
        self.files.push(row);
        for (name, snippet, line) in symbols {
            let row = SymbolRow {
                name: self.text(name),
                kind: self.text("function"),
                line: *line,
                snippet: self.text(snippet),
            };
            self.symbols.push(row);
            self.document(name, &[path, snippet]);
        }
    }

    /// The files of the directory, in the order of their names.
    fn artifacts(&mut self) {
        let (glossary, components) = (self.glossary.len() as u32, self.components.len() as u32);
        let (flows, files) = (self.flows.len() as u32, self.files.len() as u32);
        for (name, kind, entries) in [
            ("architecture.json", ArtifactKind::Architecture, components),
            ("flows.json", ArtifactKind::Flows, flows),
            ("glossary.json", ArtifactKind::Glossary, glossary),
            ("manifest.json", ArtifactKind::Manifest, ABSENT),
            ("notes.txt", ArtifactKind::Other, ABSENT),
            ("symbols.json", ArtifactKind::SourceIndex, files),
        ] {
            let name = self.text(name);
            self.artifacts.push(ArtifactRow {
                name,
                kind: kind.code(),
                entries,
                length: 0,
                frames_first: 0,
                frames_count: 0,
            });
        }
    }

    fn assemble(self) -> BundleWriter {
        let mut writer = BundleWriter::new();
        writer.bytes(SectionKind::StringBytes, self.texts).expect("small");
        let mut postings = PostingsEncoder::default();
        for documents in self.terms.values() {
            let documents: Vec<u32> = documents.iter().copied().collect();
            postings.push(&documents, &vec![IMPACT; documents.len()]);
        }
        let postings = postings.finish();
        writer.bytes(SectionKind::BlockBytes, postings.bytes).expect("small");
        writer.terms(shards(self.terms.keys())).expect("small");
        writer.names(shards(self.names.keys())).expect("small");
        let mut by_folded: BTreeMap<String, Vec<FoldedName>> = BTreeMap::new();
        for (name, text) in (0..).zip(self.names.keys()) {
            by_folded.entry(fold(text).into_owned()).or_default().push(FoldedName { name });
        }
        writer.folded_names(shards(by_folded.keys())).expect("small");
        let (name_ends, places) = grouped(self.names.into_values());
        let (folded_ends, spellings) = grouped(by_folded.into_values());
        rows(&mut writer, name_ends.into_iter().map(|end| NameEnd { end }).collect());
        rows(&mut writer, places.into_iter().map(|document| PlaceRow { document }).collect());
        rows(&mut writer, folded_ends.into_iter().map(|end| FoldedEnd { end }).collect());
        rows(&mut writer, spellings);
        rows::<PostingsRow>(&mut writer, postings.lists);
        rows::<BlockRow>(&mut writer, postings.blocks);
        rows(&mut writer, self.ends);
        rows(&mut writer, self.info);
        rows(&mut writer, self.evidence);
        rows(&mut writer, self.lists);
        rows(&mut writer, self.glossary);
        rows(&mut writer, self.components);
        rows(&mut writer, self.flows);
        rows(&mut writer, self.steps);
        rows(&mut writer, self.files);
        rows(&mut writer, self.symbols);
        rows(&mut writer, self.artifacts);
        // What no question asks for.
        rows::<RoleRow>(&mut writer, Vec::new());
        rows::<LayerRow>(&mut writer, Vec::new());
        rows::<FacetRow>(&mut writer, Vec::new());
        rows::<FacetValueRow>(&mut writer, Vec::new());
        rows::<FrameRow>(&mut writer, Vec::new());
        writer.bytes(SectionKind::FrameBytes, Vec::new()).expect("small");
        writer
    }
}

fn snippets<'t>(cited: &[Cited<'t>]) -> Vec<&'t str> {
    cited.iter().map(|(_, _, snippet)| *snippet).collect()
}

fn rows<R: Row>(writer: &mut BundleWriter, rows: Vec<R>) {
    writer.rows(rows).expect("small");
}

fn shards<'k>(keys: impl Iterator<Item = &'k String>) -> Vec<BuiltShard> {
    build_shards(keys.map(String::as_bytes)).expect("a map's keys ascend")
}

/// Lists back to back, and where each ends.
fn grouped<T>(lists: impl Iterator<Item = Vec<T>>) -> (Vec<u32>, Vec<T>) {
    let (mut ends, mut all) = (Vec::new(), Vec::new());
    for list in lists {
        all.extend(list);
        ends.push(all.len() as u32);
    }
    (ends, all)
}
