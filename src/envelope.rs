//! The one line that `--json` prints: which program answered what from which bundle.

use openmind_pack_format::ContentHash;
use serde_json::{Value, json};

/// Which bundle a report is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The path as it was given; the built-in sample has a name instead.
    pub(crate) path: String,
    /// Its content hash.
    pub(crate) content_hash: ContentHash,
}

/// Wraps a result. `result` is one compact JSON value and is copied as it is: for a question these are the bytes that
/// the MCP server sends as `structuredContent`.
pub(crate) fn envelope(command: &str, bundle: Option<&Named>, result: &str) -> String {
    let bundle = bundle.map_or(
        Value::Null,
        |named| json!({"path": named.path, "contentHash": named.content_hash.to_string()}),
    );
    format!(
        r#"{{"tool":"openmind-pack/{version}","command":"{command}","schema":"openmind-pack.report/v1","bundle":{bundle},"result":{result}}}"#,
        version = env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_documented_order_and_the_result_is_untouched() {
        let named = Named { path: "a\"b.ompack".into(), content_hash: ContentHash::from([0xab; 32]) };
        let hash = "ab".repeat(32);
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            envelope("symbol", Some(&named), r#"{"b":1,"a":1.0}"#),
            format!(
                r#"{{"tool":"openmind-pack/{version}","command":"symbol","schema":"openmind-pack.report/v1","bundle":{{"path":"a\"b.ompack","contentHash":"{hash}"}},"result":{{"b":1,"a":1.0}}}}"#
            )
        );
    }

    #[test]
    fn without_a_bundle_the_key_stays_and_is_null() {
        let line = envelope("build", None, "{}");
        assert!(line.contains(r#","bundle":null,"result":{}}"#), "{line}");
    }
}
