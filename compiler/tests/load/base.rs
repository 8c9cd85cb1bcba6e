//! A small sound directory, and how a case spoils it.

use openmind_pack_compiler::findings::Finding;
use openmind_pack_compiler::input::Input;
use openmind_pack_compiler::limits::Limits;
use openmind_pack_compiler::{Loaded, load_within};

pub(crate) const MANIFEST: &str = r#"{
  "schemaVersion": "1.1.0",
  "generator": {"name": "open-mind", "version": "1.7.0"},
  "generatedAt": "2026-01-01T00:00:00Z",
  "repository": {"name": "shop", "root": ".", "commit": null},
  "artifacts": {
    "metadata": "metadata.json",
    "glossary": "glossary.json",
    "architecture": "architecture.json",
    "flows": "flows.json",
    "sourceIndex": "source-index.json"
  }
}
"#;

pub(crate) const METADATA: &str = r#"{
  "schemaVersion": "1.1.0",
  "repository": {"name": "shop", "root": ".", "commit": null},
  "generatedAt": "2026-01-01T00:00:00Z",
  "template": {"name": "spring-boot", "source": "builtin", "schemaVersion": "1.2.0"},
  "summary": {"filesIndexed": 2, "symbolsIndexed": 3, "artifactsGenerated": 5}
}
"#;

pub(crate) const GLOSSARY: &str = r#"{
  "schemaVersion": "1.1.0",
  "entries": [
    {
      "term": "Order",
      "kind": "concept",
      "description": "What a customer asked for.",
      "evidence": [{"file": "docs/terms.md", "line": 3, "snippet": "Order: what a customer asked for."}],
      "confidence": "high"
    },
    {
      "term": "Cart",
      "kind": "class",
      "description": "",
      "evidence": [{"file": "src/cart.py", "line": 1, "snippet": "class Cart:"}],
      "confidence": "low"
    }
  ]
}
"#;

pub(crate) const ARCHITECTURE: &str = r#"{
  "schemaVersion": "1.1.0",
  "components": [
    {
      "name": "src",
      "kind": "module",
      "description": "Directory module",
      "responsibilities": ["Defines Cart", "Defines total"],
      "evidence": [{"file": "src/cart.py", "line": 1, "snippet": "class Cart:"}],
      "confidence": "medium",
      "roles": {"service": 1, "model": 0}
    }
  ],
  "layers": [
    {
      "role": "service",
      "title": "Services",
      "layer": 2,
      "fileCount": 1,
      "files": ["src/cart.py"],
      "evidence": [{"file": "src/cart.py", "line": 1, "snippet": "class Cart:"}],
      "confidence": "medium"
    }
  ]
}
"#;

pub(crate) const FLOWS: &str = r#"{
  "schemaVersion": "1.1.0",
  "flows": [
    {
      "facets": [
        {"facet": "route", "values": {"method": "post", "path": ""}, "file": "src/cart.py", "line": 5, "snippet": "@post()"}
      ],
      "name": "Entry flow: src/cart.py",
      "description": "What happens first.",
      "steps": [
        {
          "order": 1,
          "description": "Entry point",
          "component": "src",
          "evidence": [{"file": "src/cart.py", "line": 2, "snippet": "def total(self):"}]
        }
      ],
      "confidence": "medium"
    }
  ]
}
"#;

pub(crate) const SOURCE_INDEX: &str = r#"{
  "schemaVersion": "1.1.0",
  "files": [
    {"path": "docs/terms.md", "language": null, "symbols": []},
    {
      "path": "src/cart.py",
      "language": "Python",
      "symbols": [
        {"name": "Cart", "kind": "class", "line": 1, "snippet": "class Cart:"},
        {"name": "total", "kind": "function", "line": 2, "snippet": "def total(self):"},
        {"name": "total", "kind": "function", "line": 9, "snippet": "def total(self):"}
      ]
    }
  ]
}
"#;

/// A directory in memory, and the limits that it is read with.
pub(crate) struct Directory {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) limits: Limits,
}

impl Directory {
    /// The sound one.
    pub(crate) fn sound() -> Directory {
        let files = [
            ("manifest.json", MANIFEST),
            ("metadata.json", METADATA),
            ("glossary.json", GLOSSARY),
            ("architecture.json", ARCHITECTURE),
            ("flows.json", FLOWS),
            ("source-index.json", SOURCE_INDEX),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into();
        Directory { files, limits: Limits::default() }
    }

    /// Replaces the first `from` of a file, which must be there.
    pub(crate) fn edit(mut self, name: &str, from: &str, to: &str) -> Directory {
        let bytes = self.bytes(name);
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        *bytes = text.replacen(from, to, 1).into_bytes();
        self
    }

    /// Replaces a whole file, or adds it.
    pub(crate) fn put(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Directory {
        self.files.retain(|(other, _)| other != name);
        self.files.push((name.to_owned(), bytes.into()));
        self
    }

    /// Takes a file away.
    pub(crate) fn without(mut self, name: &str) -> Directory {
        let before = self.files.len();
        self.files.retain(|(other, _)| other != name);
        assert_eq!(self.files.len(), before - 1, "there is no {name}");
        self
    }

    /// Reads with other limits.
    pub(crate) fn within(mut self, change: impl FnOnce(&mut Limits)) -> Directory {
        change(&mut self.limits);
        self
    }

    pub(crate) fn load(self) -> Loaded {
        load_within(&Input::from_files("test", self.files), &self.limits)
    }

    fn bytes(&mut self, name: &str) -> &mut Vec<u8> {
        let file = self.files.iter_mut().find(|(other, _)| other == name);
        &mut file.unwrap_or_else(|| panic!("there is no {name}")).1
    }
}

/// What a case must find: code, file, pointer, line and column, and a part of the message.
pub(crate) type Expected =
    (&'static str, &'static str, Option<&'static str>, Option<(u32, u32)>, &'static str);

/// About a value.
pub(crate) const fn at(
    code: &'static str,
    file: &'static str,
    pointer: &'static str,
    line: u32,
    column: u32,
    says: &'static str,
) -> Expected {
    (code, file, Some(pointer), Some((line, column)), says)
}

/// About a place in the text.
pub(crate) const fn text_at(
    code: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    says: &'static str,
) -> Expected {
    (code, file, None, Some((line, column)), says)
}

/// About a file.
pub(crate) const fn file(code: &'static str, file: &'static str, says: &'static str) -> Expected {
    (code, file, None, None, says)
}

/// Compares what was found with what must be found, in order and to the last one.
pub(crate) fn compare(case: &str, found: &[Finding], expected: &[Expected]) {
    let seen: Vec<String> = found.iter().map(describe).collect();
    assert_eq!(found.len(), expected.len(), "{case}: {seen:#?}");
    for (finding, (code, file, pointer, place, says)) in found.iter().zip(expected) {
        let place_found = finding.line.zip(finding.column);
        let found = (finding.code.id(), finding.file.as_str(), finding.pointer.as_deref(), place_found);
        assert_eq!(found, (*code, *file, *pointer, *place), "{case}: {}", describe(finding));
        assert!(finding.message.contains(says), "{case}: {} doesn't say {says}", describe(finding));
        assert_eq!(finding.severity, finding.code.severity(), "{case}");
        assert_eq!(finding.hint, finding.code.hint(), "{case}");
    }
}

fn describe(finding: &Finding) -> String {
    serde_json::to_string(finding).unwrap()
}

/// Loads a directory, compares what was found, and that there is a model exactly where nothing is an error.
pub(crate) fn check(case: &str, directory: Directory, expected: &[Expected]) {
    let loaded = directory.load();
    compare(case, &loaded.findings, expected);
    let stopped = loaded.findings.iter().any(|finding| finding.severity.as_str() == "error");
    assert_eq!(loaded.model.is_none(), stopped, "{case}");
}

/// File, what is replaced, by what, and what is found.
pub(crate) type Case = (&'static str, &'static str, &'static str, Option<Expected>);

/// Spoils the sound directory once for each case.
pub(crate) fn check_all(cases: &[Case]) {
    for (file, from, to, expected) in cases {
        check(
            &format!("{file}: {from} -> {to}"),
            Directory::sound().edit(file, from, to),
            expected.as_slice(),
        );
    }
}
