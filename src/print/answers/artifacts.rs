//! What the bundle holds.

use serde::Deserialize;
use serde_json::Value;

use super::read;
use crate::print::number::counted;
use crate::print::page::{Cell, Page};
use crate::print::style::{FAINT, NAME, PLAIN, Styled};
use crate::print::text::shown;

#[derive(Deserialize)]
struct Artifacts<'a> {
    #[serde(borrow)]
    artifacts: Vec<Listed<'a>>,
    repository: Repository<'a>,
    bundle: About<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    r#type: &'a str,
    file: &'a str,
    entry_count: u64,
}

#[derive(Deserialize)]
struct Repository<'a> {
    name: &'a str,
    commit: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct About<'a> {
    content_hash: &'a str,
    knowledge_hash: &'a str,
    format_version: u64,
    schema_version: &'a str,
    #[serde(borrow)]
    generator: Generator<'a>,
    generated_at: &'a str,
    citations: Option<serde_json::Map<String, Value>>,
}

#[derive(Deserialize)]
struct Generator<'a> {
    name: &'a str,
    version: &'a str,
}

pub(super) fn lay_out(page: &mut Page, answer: &Value) -> Option<()> {
    let Artifacts { artifacts, repository, bundle } = read(answer)?;
    let name = if repository.name.is_empty() { "(a repository without a name)" } else { repository.name };
    let commit = repository.commit.map_or("no commit recorded".into(), |commit| format!("commit {commit}"));
    page.line(format_args!("{}  {}", Styled(NAME, shown(name)), shown(&commit)));
    page.gap();
    let rows: Vec<Vec<Cell>> = artifacts
        .iter()
        .map(|listed| {
            let (one, many) =
                if listed.r#type == "source-index" { ("file", "files") } else { ("entry", "entries") };
            vec![
                Cell::left(PLAIN, listed.r#type),
                Cell::right(PLAIN, counted(listed.entry_count, one, many)),
                Cell::left(FAINT, listed.file),
            ]
        })
        .collect();
    page.table(2, &rows);
    page.gap();
    let generator = format!("{} {}", bundle.generator.name, bundle.generator.version);
    let format = format!("{}, schema {}", bundle.format_version, bundle.schema_version);
    let mut facts = vec![
        ("content hash", bundle.content_hash.to_owned()),
        ("knowledge hash", bundle.knowledge_hash.to_owned()),
        ("bundle format", format),
        ("generated", format!("{} by {generator}", bundle.generated_at)),
    ];
    if let Some(citations) = bundle.citations {
        let states: Vec<String> = citations.iter().map(|(state, count)| format!("{count} {state}")).collect();
        facts.push(("citations", states.join(", ")));
    }
    let rows: Vec<Vec<Cell>> =
        facts.iter().map(|(label, fact)| vec![Cell::left(FAINT, label), Cell::left(PLAIN, fact)]).collect();
    page.table(2, &rows);
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::plain;

    #[test]
    fn artifacts_are_listed_with_what_they_count() {
        let answer = json!({
            "status": "ok",
            "artifacts": [
                {"type": "glossary", "file": "glossary.json", "entryCount": 1},
                {"type": "source-index", "file": "source-index.json", "entryCount": 1200},
            ],
            "repository": {"name": "orders", "commit": null},
            "bundle": {
                "contentHash": "c0", "knowledgeHash": "f0", "formatVersion": 0, "schemaVersion": "1.1.0",
                "generator": {"name": "open-mind", "version": "2"}, "generatedAt": "2026-01-01T00:00:00Z",
                "citations": {"ok": 5, "gone": 1},
            },
        });
        assert_eq!(
            plain("artifacts", &answer),
            "orders  no commit recorded\n\
             \n\
             \x20 glossary          1 entry  glossary.json\n\
             \x20 source-index  1,200 files  source-index.json\n\
             \n\
             \x20 content hash    c0\n\
             \x20 knowledge hash  f0\n\
             \x20 bundle format   0, schema 1.1.0\n\
             \x20 generated       2026-01-01T00:00:00Z by open-mind 2\n\
             \x20 citations       5 ok, 1 gone\n"
        );
    }
}
