//! The directory against its manifest: what is missing, and what was left out.

use super::report::Report;
use super::run::Named;
use crate::findings::Code;
use crate::input::{Input, LeftOut, MANIFEST, Reason};
use crate::limits::Limits;

/// What is to say about files that weren't read: a report for each, by name.
pub(super) fn check(input: &Input, named: &[Named], limits: &Limits) -> Vec<(String, Report)> {
    let mut reports = Vec::new();
    let is_needed = |name: &str| name == MANIFEST || named.iter().any(|named| named.file == name);
    for left_out in &input.left_out {
        let (code, message) = judge(left_out, is_needed(&left_out.name), limits);
        let mut report = Report::new(&left_out.name, limits.findings_per_code);
        report.file(code, message);
        reports.push((left_out.name.clone(), report));
    }
    let mut missing = |name: &str, message: String| {
        let is_there = input.files.iter().any(|file| file.name == name)
            || input.left_out.iter().any(|left_out| left_out.name == name);
        if !is_there {
            let mut report = Report::new(name, limits.findings_per_code);
            report.file(Code::FileMissing, message);
            reports.push((name.to_owned(), report));
        }
    };
    missing(MANIFEST, format!("the directory has no {MANIFEST}, which names its files"));
    for Named { key, file, .. } in named {
        let key = super::found::excerpt(key);
        missing(
            file,
            format!(
                "the manifest names this file as `artifacts.{key}`, and the directory has none of this name"
            ),
        );
    }
    reports
}

fn judge(left_out: &LeftOut, needed: bool, limits: &Limits) -> (Code, String) {
    let what = match left_out.reason {
        Reason::TooLarge { bytes } => {
            let most = limits.file_bytes;
            return (Code::FileTooLarge, format!("the file has {bytes} bytes; at most {most} are read"));
        }
        Reason::Name => {
            return (Code::FileName, "expected a name in UTF-8 without a backslash".to_owned());
        }
        Reason::Unfinished => "the output of a build that did not finish",
        Reason::Directory => "a directory",
        Reason::Link => "a symbolic link",
        Reason::Special => "a device, a pipe or a socket",
    };
    if needed {
        (Code::FileNotRegular, format!("expected a regular file, found {what}"))
    } else {
        (Code::LeftOut, format!("{what} isn't kept"))
    }
}
