//! The published table of codes, and how a finding is written.

use std::collections::HashSet;
use std::path::PathBuf;

use openmind_pack_compiler::Severity;
use openmind_pack_compiler::findings::{Code, codes_as_markdown};

use crate::base::Directory;

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md")
}

#[test]
fn the_published_table_is_current() {
    let page = page();
    let text = std::fs::read_to_string(&page).unwrap();
    let start = text.find("| code |").unwrap();
    let current = format!("{}{}", &text[..start], codes_as_markdown());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&page, current).unwrap();
        return;
    }
    assert_eq!(text, current, "docs/findings.md is stale: run this test with UPDATE_DOCS=1");
}

#[test]
fn every_code_has_one_number_and_one_line() {
    let ids: HashSet<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    assert_eq!(ids.len(), Code::ALL.len());
    for code in Code::ALL {
        let digits = code.id().strip_prefix("OMP").unwrap();
        assert!(digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
        for text in [code.meaning(), code.hint()] {
            assert!(!text.is_empty() && !text.contains(['\n', '|']), "{code}: {text}");
        }
    }
    assert!(Code::ALL.is_sorted_by_key(|code| code.id()));
}

#[test]
fn strict_raises_every_warning_but_the_absolute_root() {
    for code in Code::ALL {
        let expected = code.severity() == Severity::Warning && code.id() != "OMP072";
        assert_eq!(code.raised_by_strict(), expected, "{code}");
    }
}

#[test]
fn a_finding_is_written_with_its_keys_in_order_and_without_what_it_lacks() {
    let loaded = Directory::sound().edit("glossary.json", "\"high\"", "1").put("flows.json", "").load();
    let written: Vec<String> =
        loaded.findings.iter().map(|finding| serde_json::to_string(finding).unwrap()).collect();
    let expected = [
        r#"{"code":"OMP030","severity":"error","file":"glossary.json","pointer":"/entries/0/confidence","line":9,"column":21,"message":"expected \"high\", \"medium\" or \"low\", found the number 1","hint":"Write the value in the expected type."}"#,
        r#"{"code":"OMP002","severity":"error","file":"flows.json","message":"the file holds 0 bytes","hint":"The generator stopped while it wrote this file; run it again until it ends without an error."}"#,
    ];
    assert_eq!(written, expected);
}
