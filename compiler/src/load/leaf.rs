//! Reading a leaf from its raw text. Whatever doesn't fit is reported, and the absent value stands for it.

use std::borrow::Cow;

use super::context::Context;
use super::found;
use super::path::Path;
use crate::findings::Code;
use crate::intern::StringId;
use crate::model::Confidence;

/// The text of a string; `None`, reported, where it is something else.
pub(super) fn string<'r>(
    cx: &mut Context<'_>,
    at: &Path<'_>,
    raw: &'r str,
    expected: &str,
) -> Option<Cow<'r, str>> {
    let Some(inner) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        cx.wrong_type(at, expected, &found::value(raw));
        cx.unread_container(at, raw);
        return None;
    };
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    // The grammar has been checked; half a surrogate pair is all that can be wrong with it.
    let text = serde_json::from_str(raw).ok().map(Cow::Owned);
    if text.is_none() {
        cx.lone_surrogate(at, raw);
    }
    text
}

/// Any text.
pub(super) fn text(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    match string(cx, at, raw, "a string") {
        Some(text) => cx.intern(at, &text),
        None => StringId::ABSENT,
    }
}

/// Any text, or null.
pub(super) fn nullable_text(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> Option<StringId> {
    if raw == "null" {
        return None;
    }
    let text = string(cx, at, raw, "a string or null")?;
    Some(cx.intern(at, &text))
}

/// A text that an entry is found by: not empty, and short enough to be asked for.
pub(super) fn name(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    match string(cx, at, raw, "a string") {
        Some(text) => key_name(cx, at, &text),
        None => StringId::ABSENT,
    }
}

/// A name that is a key.
pub(super) fn key_name(cx: &mut Context<'_>, at: &Path<'_>, key: &str) -> StringId {
    // One that is too long is told of once, and kept nowhere.
    if fits(cx, at, key) { cx.intern(at, key) } else { StringId::ABSENT }
}

/// Whether a name is no longer than the limit. An empty one is told of too.
pub(super) fn fits(cx: &mut Context<'_>, at: &Path<'_>, name: &str) -> bool {
    let (bytes, most) = (name.len(), cx.limits.name_bytes);
    if bytes == 0 {
        cx.report.value(Code::EmptyName, at, || "expected a name, found the empty string".to_owned());
    } else if bytes > most {
        let message = || format!("the name has {bytes} bytes; at most {most} are allowed");
        cx.report.value(Code::NameTooLong, at, message);
    }
    bytes <= most
}

/// A count, from 0; `None`, reported, where it is none.
pub(super) fn count(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> Option<u32> {
    whole_number(cx, at, raw, "a whole number")
}

/// A count or null.
pub(super) fn nullable_count(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> Option<u32> {
    if raw == "null" { None } else { whole_number(cx, at, raw, "a whole number or null") }
}

/// A line, from 1.
pub(super) fn line(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> u32 {
    let line = whole_number(cx, at, raw, "a line number");
    if line == Some(0) {
        cx.report.value(Code::LineZero, at, || "expected a line number from 1, found 0".to_owned());
    }
    line.unwrap_or(0)
}

/// Judges the spelling, since that is where `1`, `1.0` and `1e0` differ.
fn whole_number(cx: &mut Context<'_>, at: &Path<'_>, raw: &str, expected: &str) -> Option<u32> {
    match raw.as_bytes().first() {
        Some(b'0'..=b'9' | b'-') => {}
        _ => {
            cx.wrong_type(at, expected, &found::value(raw));
            cx.unread_container(at, raw);
            return None;
        }
    }
    if !raw.bytes().all(|byte| byte.is_ascii_digit()) {
        let message = || format!("expected {expected} in plain digits, found {}", found::excerpt(raw));
        cx.report.value(Code::NotAWholeNumber, at, message);
        return None;
    }
    let most = cx.limits.number;
    // Plain digits that don't fit are larger than any limit.
    let number = raw.parse().ok().filter(|number| *number <= most);
    if number.is_none() {
        let message = || format!("the number is {}; at most {most} is allowed", found::excerpt(raw));
        cx.report.value(Code::NumberTooLarge, at, message);
    }
    number
}

/// One of the closed set.
pub(super) fn confidence(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> Confidence {
    const EXPECTED: &str = "\"high\", \"medium\" or \"low\"";
    match string(cx, at, raw, EXPECTED).as_deref() {
        Some("high") => Confidence::High,
        Some("medium") => Confidence::Medium,
        Some("low") | None => Confidence::Low,
        Some(other) => {
            let message = || format!("expected {EXPECTED}, found {}", found::quoted(other));
            cx.report.value(Code::UnknownConfidence, at, message);
            Confidence::Low
        }
    }
}

/// A schema version that this program reads; absent, reported, where it is another.
pub(super) fn schema_version(cx: &mut Context<'_>, at: &Path<'_>, raw: &str) -> StringId {
    let Some(version) = string(cx, at, raw, "a string") else { return StringId::ABSENT };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match version.split_once('.') {
        Some(("1", minor)) if minor.split('.').all(digits) => cx.intern(at, &version),
        Some((major, _)) if digits(major) && major != "1" => {
            let message =
                || format!("the schema version is {}; versions 1.x are read", found::quoted(&version));
            cx.report.value(Code::UnsupportedVersion, at, message);
            StringId::ABSENT
        }
        _ => {
            let message = || format!("expected a schema version 1.x, found {}", found::quoted(&version));
            cx.report.value(Code::MalformedVersion, at, message);
            StringId::ABSENT
        }
    }
}
