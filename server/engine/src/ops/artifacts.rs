//! `list_available_artifacts`: what is there to ask about.

use openmind_pack_format::{Artifact, ArtifactKind, Bundle, ReadError};
use serde::Serialize;
use serde_json::Value;

use super::{Arguments, CallError, Context, report};

/// The lists that answers come from, in the order in which they are told.
const LISTED: [ArtifactKind; 4] =
    [ArtifactKind::Glossary, ArtifactKind::Architecture, ArtifactKind::Flows, ArtifactKind::SourceIndex];

#[derive(Serialize)]
struct Report<'a> {
    status: &'static str,
    artifacts: Vec<ArtifactRecord<'a>>,
    repository: RepositoryRecord<'a>,
    bundle: BundleRecord<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactRecord<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    file: &'a str,
    entry_count: u32,
}

#[derive(Serialize)]
struct RepositoryRecord<'a> {
    name: &'a str,
    commit: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BundleRecord<'a> {
    content_hash: String,
    knowledge_hash: String,
    format_version: u32,
    schema_version: &'a str,
    generator: GeneratorRecord<'a>,
    generated_at: &'a str,
    citations: Option<CitationsRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement_error: Option<&'a str>,
}

#[derive(Serialize)]
struct GeneratorRecord<'a> {
    name: &'a str,
    version: &'a str,
}

/// How many citations were found as they are, moved, changed or gone, where they were compared with the sources. No
/// bundle of this format version holds such counts.
#[derive(Serialize)]
enum CitationsRecord {}

pub(crate) fn run(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    arguments.finish()?;

    let bundle = context.bundle;
    let info = bundle.info()?;
    report(&Report {
        status: "ok",
        artifacts: artifacts(bundle)?,
        repository: RepositoryRecord { name: info.repository_name()?, commit: info.commit()? },
        bundle: BundleRecord {
            content_hash: bundle.content_hash().to_string(),
            knowledge_hash: bundle.header().knowledge_hash.to_string(),
            format_version: bundle.header().format_version,
            schema_version: info.schema_version()?,
            generator: GeneratorRecord { name: info.generator_name()?, version: info.generator_version()? },
            generated_at: info.generated_at()?,
            citations: None,
            replacement_error: context.replacement_error,
        },
    })
}

/// The files that hold the listed kinds, by kind.
fn artifacts(bundle: &Bundle) -> Result<Vec<ArtifactRecord<'_>>, ReadError> {
    let all: Vec<Artifact<'_>> =
        (0..bundle.artifact_count()?).map(|row| bundle.artifact(row)).collect::<Result<_, _>>()?;
    let record = |artifact: &Artifact<'_>| {
        let entry_count = artifact.entries().unwrap_or(0);
        Ok(ArtifactRecord {
            kind: artifact.kind().as_str(),
            file: bundle.name(artifact.row().name)?,
            entry_count,
        })
    };
    LISTED
        .into_iter()
        .flat_map(|kind| all.iter().filter(move |artifact| artifact.kind() == kind))
        .map(record)
        .collect()
}

#[cfg(test)]
mod tests {
    use openmind_pack_format::{Confidence, FORMAT_VERSION};
    use serde_json::json;

    use super::*;
    use crate::testing::TestBundle;

    fn answer(bundle: &Bundle) -> Value {
        let context = Context { bundle, max_results: 5, notice: None, replacement_error: None };
        run(&context, &mut Arguments::new(json!({})).expect("an object")).expect("an answer")
    }

    #[test]
    fn kinds_come_in_their_order_with_their_files_and_numbers_of_entries() {
        let bundle = TestBundle::default()
            .term("Bell", "Rings.", Confidence::High, &[("a.md", 1, "Bell")])
            .component("src", "Code.", Confidence::Medium, &[], &[("src/a.py", 1, "a")])
            .component("web", "Code.", Confidence::Medium, &[], &[("web/a.ts", 1, "a")])
            .file("src/a.py", &[("a", "a = 1", 1), ("b", "b = 1", 2)])
            .file("src/b.py", &[])
            .file("web/a.ts", &[])
            .open();
        // The repository, dates and versions are those that the test bundle is made with.
        let expected = json!({
            "status": "ok",
            "artifacts": [
                {"type": "glossary", "file": "glossary.json", "entryCount": 1},
                {"type": "architecture", "file": "architecture.json", "entryCount": 2},
                {"type": "flows", "file": "flows.json", "entryCount": 0},
                {"type": "source-index", "file": "symbols.json", "entryCount": 3},
            ],
            "repository": {"name": "tiny-repo", "commit": null},
            "bundle": {
                "contentHash": bundle.content_hash().to_string(),
                "knowledgeHash": "07".repeat(32),
                "formatVersion": FORMAT_VERSION,
                "schemaVersion": "1.1.0",
                "generator": {"name": "by-hand", "version": "9.9"},
                "generatedAt": "2024-05-06T07:08:09Z",
                "citations": null,
            },
        });
        // As text: the order of keys counts.
        assert_eq!(answer(&bundle).to_string(), expected.to_string());
    }

    #[test]
    fn a_recorded_commit_is_told() {
        let bundle = TestBundle::default().commit("0a1b2c").open();
        assert_eq!(answer(&bundle)["repository"]["commit"], "0a1b2c");
    }

    #[test]
    fn a_refused_replacement_is_told_last_of_the_bundle() {
        let bundle = TestBundle::default().open();
        let reason = Some("it is empty");
        let context = Context { bundle: &bundle, max_results: 5, notice: None, replacement_error: reason };
        let answer = run(&context, &mut Arguments::new(json!({})).expect("an object")).expect("an answer");
        assert!(
            answer.to_string().ends_with(r#""citations":null,"replacementError":"it is empty"}}"#),
            "{answer}"
        );
    }
}
