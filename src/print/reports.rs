//! What the commands on files report, for people.

use std::path::Path;

use super::findings::severities;
use super::number::{counted, grouped, size};
use super::page::{Cell, Page};
use super::style::{FAINT, GOOD, NAME, PLAIN, Styled, WARN};
use super::text::shown;
use crate::commands::{Built, Inspected, Unpacked, Verified};
use crate::envelope::Named;

/// Digits of a content hash that tell bundles apart to an eye.
const SHORT_HASH: usize = 16;

/// Labels and what they label, aligned.
fn facts(page: &mut Page, facts: &[(&str, String)]) {
    let rows: Vec<Vec<Cell>> =
        facts.iter().map(|(label, fact)| vec![Cell::left(FAINT, label), Cell::left(PLAIN, fact)]).collect();
    page.table(2, &rows);
}

/// Exact bytes, and the size as people say it.
fn bytes(length: u64) -> String {
    format!("{} bytes ({})", grouped(length), size(length))
}

/// `build`.
pub(crate) fn built(page: &mut Page, path: &Path, built: &Built<'_>) {
    let path = path.display().to_string();
    page.line(format_args!("{} {}", Styled(GOOD, "built"), Styled(NAME, shown(&path))));
    page.gap();
    let counts = &built.counts;
    let held = [
        counted(counts.terms.into(), "term", "terms"),
        counted(counts.components.into(), "component", "components"),
        counted(counts.flows.into(), "flow", "flows"),
        counted(counts.files.into(), "file", "files"),
        counted(counts.symbols.into(), "symbol", "symbols"),
    ];
    let artifacts = counted(counts.artifacts.into(), "file", "files");
    facts(
        page,
        &[
            ("size", bytes(built.file_length)),
            ("built from", format!("{artifacts}, {}", bytes(counts.input_bytes))),
            ("content hash", built.content_hash.clone()),
            ("knowledge hash", built.knowledge_hash.clone()),
            ("repository", if built.repository.is_empty() { "(no name)" } else { built.repository }.into()),
            ("holds", held.join(", ")),
            ("findings", severities(built.findings)),
        ],
    );
}

/// `verify`.
pub(crate) fn verified(page: &mut Page, path: &Path, verified: &Verified) {
    let path = path.display().to_string();
    page.line(format_args!("{} {}", Styled(GOOD, "verified"), Styled(NAME, shown(&path))));
    page.gap();
    let checked = if verified.deep {
        "every byte, row, dictionary, posting and text; the original files give the same knowledge"
    } else {
        "every byte"
    };
    let mut rows = vec![
        ("content hash", verified.content_hash.clone()),
        ("knowledge hash", verified.knowledge_hash.clone()),
        ("size", bytes(verified.file_length)),
        ("checked", checked.into()),
    ];
    if let Some(signature) = &verified.signature {
        rows.push(("signed by", format!("key {}", signature.key_id)));
        rows.push(("trusted comment", signature.trusted_comment.clone()));
    }
    facts(page, &rows);
}

/// `inspect`.
pub(crate) fn inspected(page: &mut Page, path: &Path, inspected: &Inspected<'_>) {
    let path = path.display().to_string();
    page.line(format_args!("{}", Styled(NAME, shown(&path))));
    page.gap();
    let repository = &inspected.repository;
    let generator = &inspected.generator;
    let or_none = |text: Option<&str>| text.unwrap_or("(none)").to_owned();
    let named = |text: &str| if text.is_empty() { "(empty)".to_owned() } else { text.to_owned() };
    let format = format!(
        "{} (readers from {}), text analysis {}",
        inspected.format_version, inspected.min_reader_version, inspected.analyzer_id
    );
    facts(
        page,
        &[
            ("repository", named(repository.name)),
            ("root", named(repository.root)),
            ("commit", or_none(repository.commit)),
            ("generated", format!("{} by {} {}", inspected.generated_at, generator.name, generator.version)),
            ("template", or_none(generator.template)),
            ("schema", inspected.schema_version.to_owned()),
            ("content hash", inspected.content_hash.clone()),
            ("knowledge hash", inspected.knowledge_hash.clone()),
            ("size", bytes(inspected.file_length)),
            ("body", format!("{} bytes", grouped(inspected.body_length))),
            ("bundle format", format),
        ],
    );
    if !inspected.analyzer_known {
        let text = "this program cuts text otherwise than the one that built the bundle: look-ups hold, search and \
                    claims don't";
        page.hanging(2, "warning: ", WARN, text);
    }
    page.gap();
    let counts = &inspected.counts;
    let held = [
        ("terms", counts.terms),
        ("components", counts.components),
        ("layers", counts.layers),
        ("flows", counts.flows),
        ("files", counts.files),
        ("symbols", counts.symbols),
    ];
    let row = |(label, count): (&str, u32)| vec![number(count), Cell::left(PLAIN, label)];
    page.table(2, &held.map(row));
    page.gap();
    let rows: Vec<Vec<Cell>> = inspected
        .artifacts
        .iter()
        .map(|artifact| {
            vec![number(artifact.length), Cell::left(PLAIN, artifact.name), Cell::left(FAINT, artifact.kind)]
        })
        .collect();
    titled(page, "original files, in bytes", &rows);
    let rows: Vec<Vec<Cell>> = inspected
        .sections
        .iter()
        .map(|section| {
            let length = Cell::right(PLAIN, grouped(section.length));
            // A section of plain bytes has a row a byte, which tells nothing.
            let rows = Some(counted(section.rows.into(), "row", "rows"))
                .filter(|_| u64::from(section.rows) != section.length);
            vec![length, Cell::left(PLAIN, section.kind), Cell::left(FAINT, &rows.unwrap_or_default())]
        })
        .collect();
    titled(page, "sections, in bytes", &rows);
    let hint = "Nothing but what is shown was checked; `openmind-pack verify` checks every byte.";
    page.line(format_args!("{}", Styled(FAINT, hint)));
}

fn number(number: u32) -> Cell {
    Cell::right(PLAIN, grouped(number.into()))
}

/// A table below its title.
fn titled(page: &mut Page, title: &str, rows: &[Vec<Cell>]) {
    page.line(format_args!("  {}", Styled(FAINT, title)));
    page.table(2, rows);
    page.gap();
}

/// `unpack`.
pub(crate) fn unpacked(page: &mut Page, dir: &Path, files: &[Unpacked]) {
    let dir = dir.display().to_string();
    let count = counted(files.len() as u64, "file", "files");
    page.line(format_args!("{} {count} into {}", Styled(GOOD, "unpacked"), Styled(NAME, shown(&dir))));
    page.gap();
    let rows: Vec<Vec<Cell>> = files
        .iter()
        .map(|file| {
            let length = Cell::right(PLAIN, grouped(file.length));
            vec![length, Cell::left(PLAIN, &file.name), Cell::left(FAINT, file.kind)]
        })
        .collect();
    page.table(2, &rows);
}

/// The last line of an answer: which bundle it comes from.
pub(crate) fn origin(page: &mut Page, named: &Named) {
    let hash: String = named.content_hash.to_string().chars().take(SHORT_HASH).collect();
    page.line(format_args!("{}", Styled(FAINT, format!("from {}, content {hash}", shown(&named.path)))));
}

/// The head of a step of the demo: what it shows, and what to type for it.
pub(crate) fn demo_step(page: &mut Page, about: &str, typed: &str) {
    page.line(format_args!("{}", Styled(FAINT, format!("# {about}"))));
    page.line(format_args!("{} {}", Styled(FAINT, "$"), Styled(NAME, shown(typed))));
    page.gap();
}
