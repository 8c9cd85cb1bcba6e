//! Findings of a build: by file, aligned, with what to do.

use openmind_pack_compiler::{Finding, Severity};

use super::number::counted;
use super::page::{Cell, Page};
use super::style::{BAD, FAINT, NAME, PLACE, PLAIN, Styled, WARN};
use super::text::shown;

/// How many findings there are of each severity that occurs: `2 errors, 1 note`.
pub(crate) fn severities(findings: &[Finding]) -> String {
    let names = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ];
    let of = |(severity, one, many): (Severity, &str, &str)| {
        let count = findings.iter().filter(|finding| finding.severity == severity).count();
        (count > 0).then(|| counted(count as u64, one, many))
    };
    let text: Vec<String> = names.into_iter().filter_map(of).collect();
    if text.is_empty() { "none".into() } else { text.join(", ") }
}

/// All findings, grouped by file in the order that they come in. `dir` stands before each file, so that terminals and
/// editors can open the place.
pub(crate) fn findings(page: &mut Page, dir: &str, findings: &[Finding]) {
    for (index, of_file) in findings.chunk_by(|a, b| a.file == b.file).enumerate() {
        if index > 0 {
            page.gap();
        }
        let file = of_file.first().map_or("", |finding| &finding.file);
        let path = format!("{}/{file}", dir.trim_end_matches('/'));
        page.line(format_args!("{}", Styled(NAME, shown(&path))));
        // One hint stands below a run of findings that share it.
        for run in of_file.chunk_by(|a, b| a.hint == b.hint) {
            let rows: Vec<Vec<Cell>> = run.iter().map(row).collect();
            page.table(2, &rows);
            if let Some(finding) = run.first().filter(|finding| !finding.hint.is_empty()) {
                page.hanging(4, "hint: ", FAINT, &finding.hint);
            }
        }
    }
}

/// Place, severity, code, message.
fn row(finding: &Finding) -> Vec<Cell> {
    let style = match finding.severity {
        Severity::Error => BAD,
        Severity::Warning => WARN,
        Severity::Note => FAINT,
    };
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!("{line}:{column}"),
        (Some(line), None) => line.to_string(),
        _ => "-".into(),
    };
    let message = match finding.pointer.as_deref() {
        Some(pointer) if !pointer.is_empty() => format!("{} ({pointer})", finding.message),
        _ => finding.message.clone(),
    };
    vec![
        Cell::right(PLACE, place),
        Cell::left(style, finding.severity.as_str()),
        Cell::left(FAINT, finding.code.id()),
        Cell::left(PLAIN, &message),
    ]
}

#[cfg(test)]
mod tests {
    use openmind_pack_compiler::findings::Code;

    use super::*;

    fn finding(code: Code, file: &str, place: Option<(u32, u32)>, hint: &str) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            file: file.into(),
            pointer: None,
            line: place.map(|place| place.0),
            column: place.map(|place| place.1),
            message: format!("message of {}", code.id()),
            hint: hint.into(),
        }
    }

    #[test]
    fn findings_are_grouped_by_file_aligned_and_share_a_hint() {
        let all = [
            finding(Code::LineZero, "flows.json", Some((9, 15)), "Count from 1."),
            finding(Code::LineZero, "flows.json", Some((120, 3)), "Count from 1."),
            Finding {
                pointer: Some("/a".into()),
                ..finding(Code::LeftOut, "x\u{1b}", None, "Nothing to do.")
            },
        ];
        let mut page = Page::new(None);
        findings(&mut page, "a/.openmind/", &all);
        assert_eq!(
            anstream::adapter::strip_str(page.text()).to_string(),
            "a/.openmind/flows.json\n\
             \x20  9:15  error  OMP056  message of OMP056\n\
             \x20 120:3  error  OMP056  message of OMP056\n\
             \x20   hint: Count from 1.\n\
             \n\
             a/.openmind/x\\u{1b}\n\
             \x20 -  note  OMP008  message of OMP008 (/a)\n\
             \x20   hint: Nothing to do.\n"
        );
    }

    #[test]
    fn severities_are_counted_gravest_first() {
        let all = [
            finding(Code::LeftOut, "x", None, ""),
            finding(Code::LineZero, "a", None, ""),
            finding(Code::LineZero, "a", None, ""),
            finding(Code::PathTwice, "a", None, ""),
        ];
        assert_eq!(severities(&all), "2 errors, 1 warning, 1 note");
        assert_eq!(severities(&[]), "none");
    }
}
