//! Findings of one file while it is being read: pointers now, lines and columns when all of them are known.

use std::collections::HashMap;

use super::locate::{Target, lines_and_columns, locate};
use super::path::{Path, pointer};
use crate::findings::{Code, Finding, Severity};

/// What was found in one file.
#[derive(Clone)]
pub(super) struct Report {
    file: String,
    pending: Vec<Pending>,
    /// How many findings of each code there are, listed or not.
    counts: HashMap<Code, u64>,
    /// How many of each code are listed.
    most: usize,
}

#[derive(Clone)]
struct Pending {
    code: Code,
    place: Place,
    message: String,
}

#[derive(Clone)]
enum Place {
    File,
    Offset(usize),
    Pointer(Target),
}

impl Report {
    pub(super) fn new(file: impl Into<String>, most: usize) -> Report {
        Report { file: file.into(), pending: Vec::new(), counts: HashMap::new(), most }
    }

    /// Something about the file as a whole.
    pub(super) fn file(&mut self, code: Code, message: impl Into<String>) {
        self.push(code, || (Place::File, message.into()));
    }

    /// Something about the text at a byte offset.
    pub(super) fn offset(&mut self, code: Code, offset: usize, message: impl Into<String>) {
        self.push(code, || (Place::Offset(offset), message.into()));
    }

    /// Something about the value at `at`.
    pub(super) fn value(&mut self, code: Code, at: &Path<'_>, message: impl FnOnce() -> String) {
        self.push(code, || (Place::Pointer(Target { legs: at.steps(), key: false }), message()));
    }

    /// Something about the key that leads to `at`.
    pub(super) fn key(&mut self, code: Code, at: &Path<'_>, message: impl FnOnce() -> String) {
        self.push(code, || (Place::Pointer(Target { legs: at.steps(), key: true }), message()));
    }

    fn push(&mut self, code: Code, make: impl FnOnce() -> (Place, String)) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= self.most as u64 {
            let (place, message) = make();
            self.pending.push(Pending { code, place, message });
        }
    }

    /// Whether anything found stops a build.
    pub(super) fn has_error(&self) -> bool {
        self.counts.keys().any(|code| code.severity() == Severity::Error)
    }

    /// The findings in order of their places, those about the whole file first. `text` is what was parsed, `bytes` the file; they differ where
    /// a byte order mark was passed over or the file isn't text.
    pub(super) fn finish(self, text: &str, bytes: &[u8]) -> Vec<Finding> {
        let Report { file, pending, counts, most } = self;
        let targets: Vec<Target> = pending.iter().filter_map(|found| found.place.target().cloned()).collect();
        let mut located = locate(text, &targets).into_iter();
        let mut offsets: Vec<Option<usize>> = Vec::with_capacity(pending.len());
        for found in &pending {
            offsets.push(match &found.place {
                Place::File => None,
                Place::Offset(offset) => Some(*offset),
                Place::Pointer(_) => located.next().flatten(),
            });
        }
        let seen = if text.is_empty() { bytes } else { text.as_bytes() };
        let mut distinct: Vec<usize> = offsets.iter().copied().flatten().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let places: HashMap<usize, (u32, u32)> =
            distinct.iter().copied().zip(lines_and_columns(seen, &distinct)).collect();

        let mut findings: Vec<(Option<usize>, Finding)> = Vec::with_capacity(pending.len());
        for (found, offset) in pending.into_iter().zip(offsets) {
            let place = offset.and_then(|offset| places.get(&offset).copied());
            findings.push((
                offset,
                Finding {
                    code: found.code,
                    severity: found.code.severity(),
                    file: file.clone(),
                    pointer: found.place.target().map(|target| pointer(&target.legs)),
                    line: place.map(|(line, _)| line),
                    column: place.map(|(_, column)| column),
                    message: found.message,
                    hint: found.code.hint().to_owned(),
                },
            ));
        }
        findings.sort_by(|(a_at, a), (b_at, b)| {
            (a_at, a.code, &a.pointer, &a.message).cmp(&(b_at, b.code, &b.pointer, &b.message))
        });
        let mut findings: Vec<Finding> = findings.into_iter().map(|(_, finding)| finding).collect();
        findings.extend(unlisted(&file, &counts, most));
        findings
    }
}

/// Says how many findings of a code aren't listed, code by code.
fn unlisted(file: &str, counts: &HashMap<Code, u64>, most: usize) -> Vec<Finding> {
    let mut over: Vec<(Code, u64)> =
        counts.iter().map(|(code, count)| (*code, count.saturating_sub(most as u64))).collect();
    over.retain(|(_, count)| *count > 0);
    over.sort_unstable();
    let finding = |(code, count): (Code, u64)| Finding {
        code: Code::MoreFindings,
        severity: Code::MoreFindings.severity(),
        file: file.to_owned(),
        pointer: None,
        line: None,
        column: None,
        message: format!("{count} more {code} in this file, beside the {most} listed"),
        hint: Code::MoreFindings.hint().to_owned(),
    };
    over.into_iter().map(finding).collect()
}

impl Place {
    fn target(&self) -> Option<&Target> {
        match self {
            Place::Pointer(target) => Some(target),
            Place::File | Place::Offset(_) => None,
        }
    }
}
