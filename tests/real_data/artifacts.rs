//! The input, read as plain JSON values.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

/// A `.openmind` directory.
pub(crate) struct Artifacts {
    pub(crate) manifest: Value,
    glossary: Value,
    architecture: Value,
    flows: Value,
    source_index: Value,
}

impl Artifacts {
    pub(crate) fn read(directory: &Path) -> Self {
        let manifest = read(directory, "manifest.json");
        let of = |role: &str| read(directory, text(&manifest["artifacts"], role));
        Self {
            glossary: of("glossary"),
            architecture: of("architecture"),
            flows: of("flows"),
            source_index: of("sourceIndex"),
            manifest,
        }
    }

    pub(crate) fn terms(&self) -> &[Value] {
        list(&self.glossary, "entries")
    }

    pub(crate) fn components(&self) -> &[Value] {
        list(&self.architecture, "components")
    }

    pub(crate) fn flows(&self) -> &[Value] {
        list(&self.flows, "flows")
    }

    pub(crate) fn files(&self) -> &[Value] {
        list(&self.source_index, "files")
    }

    pub(crate) fn symbol_count(&self) -> usize {
        self.files().iter().map(|file| list(file, "symbols").len()).sum()
    }

    /// What the listing has to say: everything but the two hashes and the format's version, which are the bundle's.
    pub(crate) fn listing(&self) -> Value {
        let names = &self.manifest["artifacts"];
        let count = |kind: &str, role: &str, list: &[Value]| json!({"type": kind, "file": names[role], "entryCount": list.len()});
        json!({
            "status": "ok",
            "artifacts": [
                count("glossary", "glossary", self.terms()),
                count("architecture", "architecture", self.components()),
                count("flows", "flows", self.flows()),
                count("source-index", "sourceIndex", self.files()),
            ],
            "repository": {
                "name": self.manifest["repository"]["name"],
                "commit": self.manifest["repository"]["commit"],
            },
            "bundle": {
                "contentHash": null,
                "knowledgeHash": null,
                "formatVersion": null,
                "schemaVersion": self.manifest["schemaVersion"],
                "generator": self.manifest["generator"],
                "generatedAt": self.manifest["generatedAt"],
                "citations": null,
            },
        })
    }

    /// A digest of what the knowledge hash is about: repository name and the four lists, without commit, root, times and
    /// versions. Good for one process only; real directories have no unknown fields to leave out.
    pub(crate) fn facts(&self) -> u64 {
        let mut facts = Facts(DefaultHasher::new());
        let lists = [self.terms(), self.components(), self.flows(), self.files()];
        let layers = self.architecture.get("layers");
        serde_json::to_writer(&mut facts, &(&self.manifest["repository"]["name"], lists, layers))
            .expect("hashing can't fail");
        facts.0.finish()
    }
}

/// A required text.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key:?} is no text in {value}"))
}

/// A list under its key, or a bare array of the same entries.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = if value.is_array() { value } else { &value[key] };
    list.as_array().unwrap_or_else(|| panic!("no list {key:?}"))
}

fn read(directory: &Path, name: &str) -> Value {
    let bytes = fs::read(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

struct Facts(DefaultHasher);

impl io::Write for Facts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
