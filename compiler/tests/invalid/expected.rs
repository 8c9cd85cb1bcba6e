//! `expected.json` of a case: what has to be found, all of it and in this order.

use std::fs;
use std::path::Path;

use openmind_pack_compiler::Finding;
use serde::Deserialize;

/// One case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// What happened to the directory.
    pub(crate) story: String,
    /// Files of the base that the case lacks.
    #[serde(default)]
    pub(crate) remove: Vec<String>,
    /// What has to be found.
    pub(crate) findings: Vec<Found>,
}

/// A finding but for its message, which may be reworded.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) file: String,
    pub(crate) pointer: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) hint: String,
}

impl Expected {
    /// Reads the expectation of a case.
    pub(crate) fn of(case: &Path) -> Expected {
        let path = case.join("expected.json");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

impl From<&Finding> for Found {
    fn from(finding: &Finding) -> Found {
        Found {
            code: finding.code.id().to_owned(),
            severity: finding.severity.as_str().to_owned(),
            file: finding.file.clone(),
            pointer: finding.pointer.clone(),
            line: finding.line,
            column: finding.column,
            hint: finding.hint.clone(),
        }
    }
}

/// What is wrong with what was found; nothing where it is what was expected.
pub(crate) fn difference(case: &str, found: &[Finding], expected: &[Found]) -> Option<String> {
    let seen: Vec<Found> = found.iter().map(Found::from).collect();
    if seen == expected {
        return None;
    }
    let place = seen.iter().zip(expected).take_while(|(seen, expected)| seen == expected).count();
    Some(format!(
        "{case}: {} findings for {}; the first that differs is number {place}:\n  found    {:?}\n  expected {:?}",
        seen.len(),
        expected.len(),
        found.get(place),
        expected.get(place),
    ))
}
