//! No code without a case.

use std::collections::BTreeSet;

use openmind_pack_compiler::findings::Code;

use crate::cases::folders;
use crate::expected::Expected;
use crate::{large, made};

/// Codes that no directory of a sensible size can show, and the test that shrinks the limit for them.
const WITH_A_SMALLER_LIMIT: &[(&str, &str)] = &[
    ("OMP006", "load/directory.rs: a file of more than 2 GiB"),
    ("OMP037", "load/values.rs: a list of more than 1,073,741,823 entries"),
    ("OMP038", "load/values.rs: more than 2 GiB of distinct strings"),
];

#[test]
fn every_code_has_a_case() {
    let mut shown: BTreeSet<String> =
        folders().iter().flat_map(|folder| Expected::of(folder).findings).map(|found| found.code).collect();
    shown.extend(made::CODES.iter().chain(large::CODES).map(|code| (*code).to_owned()));
    for (code, test) in WITH_A_SMALLER_LIMIT {
        assert!(shown.insert((*code).to_owned()), "{code} has a case beside {test}");
    }
    let all: BTreeSet<String> = Code::ALL.iter().map(|code| code.id().to_owned()).collect();
    assert_eq!(shown, all);
}
