//! Lowering: the model's rows in canonical order, as the bundle's tables.
//!
//! Terms, components and flows are sorted by name, files by path, symbols by line and name. The sorts are stable, so
//! that of two entries with one name the first of its file comes first. Everything that hangs on an entry keeps the
//! order of its file.

use openmind_pack_format::{
    ABSENT, ComponentRow, EvidenceRow, FacetRow, FacetValueRow, Facts, FileRow, FlowRow, InfoRow, LayerRow,
    ReadError, RoleRow, StepRow, StringRow, SymbolRow, Table, TermRow,
};

use crate::intern::{Interner, StringId};
use crate::model::{self, Model, Span};

macro_rules! tables {
    ($($field:ident: $row:ident,)*) => {
        /// The tables of facts, and the texts that they name.
        #[derive(Debug, Default)]
        pub(crate) struct Tables {
            pub(crate) strings: Interner,
            $(pub(crate) $field: Vec<$row>,)*
        }

        $(impl Table<$row> for Tables {
            fn count(&self) -> Result<u32, ReadError> {
                Ok(self.$field.len() as u32)
            }

            fn row(&self, index: u32) -> Result<$row, ReadError> {
                // Lowering made every index that a row holds.
                Ok(self.$field[index as usize])
            }
        })*
    };
}

tables! {
    info: InfoRow,
    evidence: EvidenceRow,
    string_lists: StringRow,
    glossary: TermRow,
    components: ComponentRow,
    roles: RoleRow,
    layers: LayerRow,
    flows: FlowRow,
    steps: StepRow,
    facets: FacetRow,
    facet_values: FacetValueRow,
    files: FileRow,
    symbols: SymbolRow,
}

impl Facts for Tables {
    fn text(&self, id: u32) -> Result<&str, ReadError> {
        Ok(self.strings.get(StringId(id)))
    }
}

/// Row numbers of `rows` by key, keeping the order of equal keys.
fn order<T, K: Ord>(rows: &[T], key: impl Fn(&T) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if !rows.is_sorted_by_key(&key) {
        order.sort_by_key(|index| rows.get(*index).map(&key));
    }
    order
}

fn optional(id: Option<StringId>) -> u32 {
    id.map_or(ABSENT, |id| id.0)
}

impl Tables {
    /// Lowers a model that was loaded without errors, so that every required field is there.
    pub(crate) fn lower(model: Model) -> Self {
        let mut tables = Self::default();
        tables.lower_info(&model);
        tables.lower_glossary(&model);
        tables.lower_components(&model);
        tables.lower_layers(&model);
        tables.lower_flows(&model);
        tables.lower_files(&model);
        tables.strings = model.strings;
        tables
    }

    fn lower_info(&mut self, model: &Model) {
        let run = &model.run;
        self.info.push(InfoRow {
            repository_name: run.repository.name.0,
            repository_root: run.repository.root.0,
            commit: optional(run.repository.commit),
            generated_at: run.generated_at.0,
            generator_name: run.generator.name.0,
            generator_version: run.generator.version.0,
            schema_version: run.schema_version.0,
            template_name: optional(run.template.map(|template| template.name)),
            template_source: optional(run.template.map(|template| template.source)),
            template_schema_version: optional(run.template.map(|template| template.schema_version)),
        });
    }

    fn lower_evidence(&mut self, model: &Model, span: Span) -> (u32, u32) {
        let first = self.evidence.len() as u32;
        let row = |evidence: &model::Evidence| EvidenceRow {
            file: evidence.file.0,
            line: evidence.line,
            snippet: evidence.snippet.0,
        };
        self.evidence.extend(span.of(&model.evidence).iter().map(row));
        (first, span.len)
    }

    fn lower_strings(&mut self, texts: &[StringId]) -> (u32, u32) {
        let first = self.string_lists.len() as u32;
        self.string_lists.extend(texts.iter().map(|text| StringRow { string: text.0 }));
        (first, texts.len() as u32)
    }

    fn lower_glossary(&mut self, model: &Model) {
        for index in order(&model.terms, |term| model.strings.get(term.term)) {
            let term = model.terms[index];
            let (evidence_first, evidence_count) = self.lower_evidence(model, term.evidence);
            self.glossary.push(TermRow {
                term: term.term.0,
                kind: term.kind.0,
                description: term.description.0,
                confidence: term.confidence.code(),
                evidence_first,
                evidence_count,
            });
        }
    }

    fn lower_components(&mut self, model: &Model) {
        for index in order(&model.components, |component| model.strings.get(component.name)) {
            let component = model.components[index];
            let (evidence_first, evidence_count) = self.lower_evidence(model, component.evidence);
            let (responsibilities_first, responsibilities_count) =
                self.lower_strings(component.responsibilities.of(&model.responsibilities));
            let roles_first = self.roles.len() as u32;
            let role = |role: &model::Role| RoleRow { role: role.role.0, count: role.count };
            self.roles.extend(component.roles.of(&model.roles).iter().map(role));
            self.components.push(ComponentRow {
                name: component.name.0,
                kind: component.kind.0,
                description: component.description.0,
                confidence: component.confidence.code(),
                responsibilities_first,
                responsibilities_count,
                evidence_first,
                evidence_count,
                roles_first,
                roles_count: component.roles.len,
            });
        }
    }

    fn lower_layers(&mut self, model: &Model) {
        for layer in &model.layers {
            let (evidence_first, evidence_count) = self.lower_evidence(model, layer.evidence);
            let (files_first, files_count) = self.lower_strings(layer.files.of(&model.layer_files));
            self.layers.push(LayerRow {
                role: layer.role.0,
                title: layer.title.0,
                layer: layer.layer.unwrap_or(ABSENT),
                file_count: layer.file_count,
                files_first,
                files_count,
                evidence_first,
                evidence_count,
                confidence: layer.confidence.code(),
            });
        }
    }

    fn lower_flows(&mut self, model: &Model) {
        for index in order(&model.flows, |flow| model.strings.get(flow.name)) {
            let flow = model.flows[index];
            let steps_first = self.steps.len() as u32;
            for step in flow.steps.of(&model.steps) {
                let (evidence_first, evidence_count) = self.lower_evidence(model, step.evidence);
                self.steps.push(StepRow {
                    order: step.order,
                    description: step.description.0,
                    component: step.component.0,
                    evidence_first,
                    evidence_count,
                });
            }
            let facets_first = self.facets.len() as u32;
            for facet in flow.facets.of(&model.facets) {
                let values_first = self.facet_values.len() as u32;
                let value =
                    |value: &model::FacetValue| FacetValueRow { name: value.name.0, value: value.value.0 };
                self.facet_values.extend(facet.values.of(&model.facet_values).iter().map(value));
                self.facets.push(FacetRow {
                    facet: facet.facet.0,
                    file: facet.place.file.0,
                    line: facet.place.line,
                    snippet: facet.place.snippet.0,
                    values_first,
                    values_count: facet.values.len,
                });
            }
            self.flows.push(FlowRow {
                name: flow.name.0,
                description: flow.description.0,
                confidence: flow.confidence.code(),
                steps_first,
                steps_count: flow.steps.len,
                facets_first,
                facets_count: flow.facets.len,
            });
        }
    }

    /// Symbols of a path that is listed twice stand together in its first row, so that symbols are in the order of path
    /// and line throughout.
    fn lower_files(&mut self, model: &Model) {
        self.symbols.reserve_exact(model.symbols.len());
        let path = |file: &model::File| model.strings.get(file.path);
        let order: Vec<model::File> = order(&model.files, path)
            .into_iter()
            .filter_map(|index| model.files.get(index))
            .copied()
            .collect();
        for same_path in order.chunk_by(|a, b| path(a) == path(b)) {
            let first = self.symbols.len();
            for file in same_path {
                self.symbols.extend(file.symbols.of(&model.symbols).iter().map(|symbol| SymbolRow {
                    name: symbol.name.0,
                    kind: symbol.kind.0,
                    line: symbol.line,
                    snippet: symbol.snippet.0,
                }));
            }
            let name = |symbol: &SymbolRow| model.strings.get(StringId(symbol.name));
            let by_line_and_name =
                |a: &SymbolRow, b: &SymbolRow| a.line.cmp(&b.line).then_with(|| name(a).cmp(name(b)));
            let symbols = &mut self.symbols[first..];
            if !symbols.is_sorted_by(|a, b| by_line_and_name(a, b).is_le()) {
                symbols.sort_by(by_line_and_name);
            }
            let mut range = (first as u32, symbols.len() as u32);
            for file in same_path {
                let (symbols_first, symbols_count) = range;
                let language = optional(file.language);
                self.files.push(FileRow { path: file.path.0, language, symbols_first, symbols_count });
                range = (symbols_first + symbols_count, 0);
            }
        }
    }

    /// Name of each document, in the order of ids.
    pub(crate) fn document_names(&self) -> impl Iterator<Item = StringId> + '_ {
        let terms = self.glossary.iter().map(|row| row.term);
        let components = self.components.iter().map(|row| row.name);
        let flows = self.flows.iter().map(|row| row.name);
        let symbols = self.symbols.iter().map(|row| row.name);
        terms.chain(components).chain(flows).chain(symbols).map(StringId)
    }
}
