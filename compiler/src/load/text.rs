//! From bytes to a record: text, then JSON, each mistake in its place.

use serde_json::error::Category;

use super::context::Context;
use super::record::{Record, read_file};
use super::report::Report;
use crate::findings::Code;

/// The file as text without a byte order mark; `None`, reported, where it isn't text.
pub(super) fn decode<'b>(bytes: &'b [u8], report: &mut Report) -> Option<&'b str> {
    if bytes.is_empty() {
        report.file(Code::FileEmpty, "the file holds 0 bytes");
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or_default();
            let encoding = match bytes {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "; the file looks like UTF-16",
                _ => "",
            };
            let message = format!("byte {at} of the file is 0x{byte:02x}, which isn't UTF-8 here{encoding}");
            report.offset(Code::InvalidUtf8, at, message);
            return None;
        }
    };
    let Some(rest) = text.strip_prefix('\u{feff}') else { return Some(text) };
    report.offset(Code::ByteOrderMark, 0, "expected `{` or `[`, found a byte order mark (EF BB BF)");
    Some(rest)
}

/// The record that the text is; `None`, reported, where it isn't JSON or not an object.
pub(super) fn parse<R: Record>(cx: &mut Context<'_>, text: &str) -> Option<R> {
    match read_file(cx, text) {
        Ok(record) => record,
        Err(error) => {
            cx.not_json(&error, text);
            None
        }
    }
}

impl Context<'_> {
    /// The text stops being JSON.
    fn not_json(&mut self, error: &serde_json::Error, text: &str) {
        let whole = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = whole.strip_suffix(&place).unwrap_or(&whole);
        if error.classify() == Category::Eof {
            self.report.offset(Code::TruncatedJson, text.len(), message);
        } else {
            self.report.offset(Code::MalformedJson, offset(error, text), message);
        }
    }

    /// The value is whole, and something follows it.
    pub(super) fn trailing(&mut self, error: &serde_json::Error, text: &str) {
        let offset = offset(error, text);
        let rest = text.get(offset..).unwrap_or_default();
        let message = format!("expected the end of the file, found {}", super::found::quoted(rest));
        self.report.offset(Code::TrailingData, offset, message);
    }
}

/// Where serde_json stopped. It counts lines from 1 and columns in bytes from 1; column 0 is the LF itself.
fn offset(error: &serde_json::Error, text: &str) -> usize {
    let before = error.line().saturating_sub(1);
    let start = match before.checked_sub(1) {
        Some(last) => text.match_indices('\n').nth(last).map_or(text.len(), |(at, _)| at + 1),
        None => 0,
    };
    let mut offset = (start + error.column()).saturating_sub(1).min(text.len());
    // It stops before a control character, and after any other mistake.
    if error.to_string().starts_with("control character") {
        let rest = text.get(offset..).unwrap_or_default();
        offset += rest.find(|c| c < ' ').unwrap_or(0);
    }
    // In the middle of a character only where that character is the mistake.
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
