//! A sound directory becomes a model that says what the files say.

use openmind_pack_compiler::intern::StringId;
use openmind_pack_compiler::model::{Confidence, Model};

use crate::base::{ARCHITECTURE, Directory, FLOWS, GLOSSARY, SOURCE_INDEX, check};

fn model(directory: Directory) -> Model {
    let loaded = directory.load();
    assert_eq!(loaded.findings, []);
    loaded.model.unwrap()
}

/// The whole model as text, with every string written out: what may be compared between models whose ids differ.
pub(crate) fn written(model: &Model) -> String {
    let text = |id: StringId| format!("{:?}", model.strings.get(id));
    let optional = |id: Option<StringId>| id.map_or("null".to_owned(), text);
    let mut out = Vec::new();
    let run = &model.run;
    out.push(format!(
        "run {} {} {}",
        text(run.schema_version),
        text(run.generator.name),
        text(run.generator.version)
    ));
    let repository = run.repository;
    out.push(format!("at {} of {} {}", text(run.generated_at), text(repository.name), text(repository.root)));
    out.push(format!("commit {}", optional(repository.commit)));
    let template =
        run.template.map(|template| [template.name, template.source, template.schema_version].map(text));
    out.push(format!("template {template:?}"));
    out.push(format!("counts {} {} {}", run.summary.files, run.summary.symbols, run.summary.artifacts));
    let evidence = |span: openmind_pack_compiler::model::Span| {
        let of = span.of(&model.evidence).iter();
        of.map(|record| format!("{}:{} {}", text(record.file), record.line, text(record.snippet)))
            .collect::<Vec<_>>()
    };
    for term in &model.terms {
        let head = format!("term {} {} {}", text(term.term), text(term.kind), text(term.description));
        out.push(format!("{head} {:?} {:?}", evidence(term.evidence), term.confidence));
    }
    for component in &model.components {
        let head = format!("component {} {}", text(component.name), text(component.kind));
        let listed = component.responsibilities.of(&model.responsibilities);
        let listed: Vec<String> = listed.iter().map(|id| text(*id)).collect();
        let mut roles: Vec<String> = component
            .roles
            .of(&model.roles)
            .iter()
            .map(|role| format!("{}={}", text(role.role), role.count))
            .collect();
        roles.sort();
        out.push(format!("{head} {} {listed:?} {roles:?}", text(component.description)));
        out.push(format!("  {:?} {:?}", evidence(component.evidence), component.confidence));
    }
    for layer in &model.layers {
        let files: Vec<String> = layer.files.of(&model.layer_files).iter().map(|id| text(*id)).collect();
        out.push(format!("layer {} {} {:?}", text(layer.role), text(layer.title), layer.layer));
        out.push(format!(
            "  {} {files:?} {:?} {:?}",
            layer.file_count,
            evidence(layer.evidence),
            layer.confidence
        ));
    }
    for flow in &model.flows {
        out.push(format!("flow {} {} {:?}", text(flow.name), text(flow.description), flow.confidence));
        for step in flow.steps.of(&model.steps) {
            let head = format!("  {} {} {}", step.order, text(step.description), text(step.component));
            out.push(format!("{head} {:?}", evidence(step.evidence)));
        }
        for facet in flow.facets.of(&model.facets) {
            let values = facet.values.of(&model.facet_values).iter();
            let mut values: Vec<String> =
                values.map(|value| format!("{}={}", text(value.name), text(value.value))).collect();
            values.sort();
            let place = facet.place;
            out.push(format!("  {} {values:?} {}:{}", text(facet.facet), text(place.file), place.line));
            out.push(format!("    {}", text(place.snippet)));
        }
    }
    for file in &model.files {
        out.push(format!("file {} {}", text(file.path), optional(file.language)));
        for symbol in file.symbols.of(&model.symbols) {
            let head = format!("  {} {}", text(symbol.name), text(symbol.kind));
            out.push(format!("{head} {} {}", symbol.line, text(symbol.snippet)));
        }
    }
    out.join("\n")
}

/// What the sound directory says, written by hand.
const SAYS: &str = r#"run "1.1.0" "open-mind" "1.7.0"
at "2026-01-01T00:00:00Z" of "shop" "."
commit null
template Some(["\"spring-boot\"", "\"builtin\"", "\"1.2.0\""])
counts 2 3 5
term "Order" "concept" "What a customer asked for." ["\"docs/terms.md\":3 \"Order: what a customer asked for.\""] High
term "Cart" "class" "" ["\"src/cart.py\":1 \"class Cart:\""] Low
component "src" "module" "Directory module" ["\"Defines Cart\"", "\"Defines total\""] ["\"model\"=0", "\"service\"=1"]
  ["\"src/cart.py\":1 \"class Cart:\""] Medium
layer "service" "Services" Some(2)
  1 ["\"src/cart.py\""] ["\"src/cart.py\":1 \"class Cart:\""] Medium
flow "Entry flow: src/cart.py" "What happens first." Medium
  1 "Entry point" "src" ["\"src/cart.py\":2 \"def total(self):\""]
  "route" ["\"method\"=\"post\"", "\"path\"=\"\""] "src/cart.py":5
    "@post()"
file "docs/terms.md" null
file "src/cart.py" "Python"
  "Cart" "class" 1 "class Cart:"
  "total" "function" 2 "def total(self):"
  "total" "function" 9 "def total(self):""#;

#[test]
fn a_sound_directory_has_no_findings_and_says_what_its_files_say() {
    assert_eq!(written(&model(Directory::sound())), SAYS);
}

#[test]
fn a_string_is_kept_once() {
    let model = model(Directory::sound());
    let (first, second) = (model.symbols[1], model.symbols[2]);
    assert_eq!((first.name, first.kind, first.snippet), (second.name, second.kind, second.snippet));
    assert_eq!(model.terms[1].evidence.of(&model.evidence)[0].file, model.files[1].path);
    assert_eq!(model.terms[0].confidence, Confidence::High);
}

#[test]
fn lists_may_be_bare_arrays() {
    let bare = |text: &str, key: &str| {
        let object: serde_json::Value = serde_json::from_str(text).unwrap();
        serde_json::to_vec(&object[key]).unwrap()
    };
    let directory = Directory::sound()
        .put("glossary.json", bare(GLOSSARY, "entries"))
        .put("architecture.json", bare(ARCHITECTURE, "components"))
        .put("flows.json", bare(FLOWS, "flows"))
        .put("source-index.json", bare(SOURCE_INDEX, "files"));
    // A bare array of components has no room for layers.
    let expected: Vec<&str> =
        SAYS.lines().filter(|line| !line.starts_with("layer") && !line.starts_with("  1 [")).collect();
    assert_eq!(written(&model(directory)), expected.join("\n"));
}

#[test]
fn empty_lists_are_valid() {
    let directory = Directory::sound()
        .put("glossary.json", r#"{"schemaVersion": "1.1.0", "entries": []}"#)
        .put("architecture.json", r#"{"schemaVersion": "1.1.0", "components": [], "layers": []}"#)
        .put("flows.json", r#"{"schemaVersion": "1.1.0", "flows": []}"#)
        .put("source-index.json", r#"{"schemaVersion": "1.1.0", "files": []}"#)
        .edit(
            "metadata.json",
            "\"filesIndexed\": 2, \"symbolsIndexed\": 3",
            "\"filesIndexed\": 0, \"symbolsIndexed\": 0",
        );
    let model = model(directory);
    assert!(
        model.terms.is_empty()
            && model.components.is_empty()
            && model.flows.is_empty()
            && model.files.is_empty()
    );
}

#[test]
fn an_empty_repository_name_is_valid() {
    let directory = Directory::sound().edit("manifest.json", "\"shop\"", "\"\"").edit(
        "metadata.json",
        "\"shop\"",
        "\"\"",
    );
    check("a run on the working directory", directory, &[]);
}

#[test]
fn unknown_fields_change_nothing() {
    let unknown = r#"{"x": [1e999, {"term": "no"}, "\ud83d\ude00", null], "#;
    let mut directory = Directory::sound();
    for (_, bytes) in &mut directory.files {
        let text = String::from_utf8(std::mem::take(bytes)).unwrap();
        *bytes = text.replacen('{', unknown, 1).into_bytes();
    }
    assert_eq!(written(&model(directory)), SAYS);
}

#[test]
fn escapes_are_read() {
    let directory =
        Directory::sound().edit("glossary.json", "What a customer asked for.", r"a\tb\u00e9\ud83d\ude00\/");
    assert!(written(&model(directory)).contains(&format!("{:?}", "a\tbé😀/")));
}
