//! Emptying `repository.root`, where a directory was made on somebody's machine.

use std::collections::BTreeMap;

use openmind_pack_format::ArtifactKind;
use serde_json::value::RawValue;

use crate::input::Input;

/// Empties `repository.root` in manifest and metadata; every other byte stays. What can't be read that far is left for
/// the loader to report.
pub(crate) fn redact_root(input: &mut Input) {
    for file in &mut input.files {
        if !matches!(file.kind(), ArtifactKind::Manifest | ArtifactKind::Metadata) {
            continue;
        }
        while let Some((start, end)) = std::str::from_utf8(&file.bytes).ok().and_then(unredacted_root) {
            file.bytes.splice(start..end, *b"\"\"");
        }
    }
}

/// Byte range of a `repository.root` that isn't empty yet.
fn unredacted_root(text: &str) -> Option<(usize, usize)> {
    // Owned keys: one that is written with an escape can't be borrowed, and the loader knows it all the same.
    let document: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
    let repository: BTreeMap<String, &RawValue> =
        serde_json::from_str(document.get("repository")?.get()).ok()?;
    let root = repository.get("root")?.get();
    if !root.starts_with('"') || root == "\"\"" {
        return None;
    }
    // A raw value borrows from the text, so the distance between the two is its place.
    let start = (root.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some((start, start + root.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_emptied_and_nothing_else_changes() {
        let text = "{ \"root\": \"/keep\",\n  \"repository\": {\"name\": \"r\", \"root\" : \"/home/\\u0061nn\", \"commit\": null}}\n";
        let wanted = "{ \"root\": \"/keep\",\n  \"repository\": {\"name\": \"r\", \"root\" : \"\", \"commit\": null}}\n";
        let files = vec![
            ("manifest.json".to_owned(), text.as_bytes().to_vec()),
            ("notes.json".to_owned(), text.into()),
        ];
        let mut input = Input::from_files("d", files);
        redact_root(&mut input);
        let bytes = |name: &str| input.files.iter().find(|file| file.name == name).unwrap().bytes.clone();
        assert_eq!(String::from_utf8(bytes("manifest.json")).unwrap(), wanted);
        assert_eq!(String::from_utf8(bytes("notes.json")).unwrap(), text);
    }

    #[test]
    fn keys_written_with_escapes_are_the_same_keys() {
        let text = r#"{"rep\u006fsitory": {"r\u006fot": "/home/ann"}}"#;
        let (start, end) = unredacted_root(text).unwrap();
        assert_eq!(&text[start..end], "\"/home/ann\"");
    }

    #[test]
    fn what_is_not_json_is_left_alone() {
        assert_eq!(unredacted_root("{"), None);
        assert_eq!(unredacted_root("{\"repository\": {\"root\": 5}}"), None);
    }
}
