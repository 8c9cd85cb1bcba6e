//! Paths and evidence records: what every answer is cited by.

use serde::de::MapAccess;

use super::context::Context;
use super::found;
use super::leaf;
use super::path::Path;
use super::record::{Field, Record, Value, required};
use crate::findings::Code;
use crate::intern::StringId;
use crate::model::{Evidence, Span};

/// A path of the source index.
pub(super) fn indexed_path(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    let id = path(cx, at, raw);
    cx.duplicate_name(Code::PathTwice, at, id, |seen| &mut seen.paths);
    id
}

/// A path that something cites.
pub(super) fn cited_path(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    let id = path(cx, at, raw);
    if !id.is_absent() && cx.seen.paths_complete && !cx.seen.paths.contains_key(&id) {
        let path = found::quoted(cx.model.strings.get(id));
        cx.report.value(Code::PathNotIndexed, at, || format!("the source index has no file {path}"));
    }
    id
}

/// A path by the rules; absent where it breaks one, so that it isn't looked up anywhere.
fn path(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    let Some(path) = leaf::string(cx, at, raw, "a path") else { return StringId::ABSENT };
    let mut sound = true;
    for (code, broken, rule) in RULES {
        if broken(&path) {
            sound &= *code == Code::PathDrive;
            cx.report.value(*code, at, || format!("{rule}, found {}", found::quoted(&path)));
        }
    }
    if sound { cx.intern(at, &path) } else { StringId::ABSENT }
}

/// Code, whether a path breaks the rule, and the rule.
type Rule = (Code, fn(&str) -> bool, &'static str);

/// A path names a file of the repository on every system and can lead nowhere else. `..a.py` is a name like any other.
const RULES: &[Rule] = &[
    (Code::PathEmpty, |path| path.is_empty(), "expected a path relative to the repository's root"),
    (Code::PathAbsolute, |path| path.starts_with('/'), "expected a path without a leading `/`"),
    (Code::PathBackslash, |path| path.contains('\\'), "expected a path separated by `/`"),
    (
        Code::PathDotSegment,
        |path| path.split('/').any(|segment| segment == "." || segment == ".."),
        "expected a path without `.` and `..` segments",
    ),
    (Code::PathNul, |path| path.contains('\0'), "expected a path without NUL"),
    (Code::PathDrive, |path| has_drive(path), "expected a path relative to the repository's root"),
];

/// Whether the text starts with an ASCII letter and a colon.
pub(super) fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

impl Record for Evidence {
    const FIELDS: &'static [Field] = &[required("file"), required("line"), required("snippet")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.file = value.leaf(cited_path)?,
            1 => self.line = value.leaf(leaf::line)?,
            _ => self.snippet = value.leaf(leaf::text)?,
        }
        Ok(())
    }
}

/// The evidence of an entry: a list that isn't empty.
pub(super) fn evidence<'de, A: MapAccess<'de>>(value: &mut Value<'_, '_, A>) -> Result<Span, A::Error> {
    let start = value.cx.model.evidence.len();
    let count = value.records(|cx, record: Evidence| cx.model.evidence.push(record))?;
    if count == Some(0) {
        let message = || "expected at least one evidence record, found none".to_owned();
        value.cx.report.value(Code::NoEvidence, &value.at, message);
    }
    Ok(Span::since(start, &value.cx.model.evidence))
}
