//! The reference server's published outputs on its own sample repository, from the command line and over MCP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// `sample-repo/.openmind` of the real directories, or nothing, said loudly.
fn directory() -> Option<PathBuf> {
    let data = std::env::var_os("OPENMIND_PACK_DATA");
    if data.is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "*** SKIPPED: the published outputs. They need OPENMIND_PACK_DATA=DIR, where DIR holds sample-repo/.openmind"
        );
    }
    Some(PathBuf::from(data?).join("sample-repo/.openmind"))
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_openmind-pack"));
    for name in ["OPEN_MIND_ARTIFACTS_DIR", "OPEN_MIND_MAX_RESULTS", "LOG_LEVEL"] {
        command.env_remove(name);
    }
    command
}

/// The answer to a question, the same bytes from the command line and over MCP.
fn ask(command: &[&str], tool: &str, arguments: &Value) -> Option<Value> {
    let directory = directory()?;
    let output = program().args(command).arg("--bundle").arg(&directory).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let line = String::from_utf8(output.stdout).unwrap();
    let (_, result) = line.trim_end().split_once(r#","result":"#).unwrap();
    let result = result.strip_suffix('}').unwrap();

    let mut server = program()
        .arg("serve")
        .arg(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let open = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    write!(server.stdin.take().unwrap(), "{open}\n{ready}\n{call}\n").unwrap();
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    let answer: Value = serde_json::from_str(answers.lines().nth(1).unwrap()).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], result);
    assert!(answers.contains(&format!(r#""structuredContent":{result}"#)), "{answers}");
    Some(serde_json::from_str(result).unwrap())
}

#[test]
fn the_listing_counts_what_the_repository_has() {
    let Some(answer) = ask(&["artifacts"], "list_available_artifacts", &json!({})) else { return };
    let counts = json!([
        {"type": "glossary", "file": "glossary.json", "entryCount": 10},
        {"type": "architecture", "file": "architecture.json", "entryCount": 4},
        {"type": "flows", "file": "flows.json", "entryCount": 2},
        {"type": "source-index", "file": "source-index.json", "entryCount": 12},
    ]);
    assert_eq!(answer["artifacts"], counts);
    assert_eq!(answer["repository"], json!({"name": "sample-repo", "commit": null}));
}

#[test]
fn the_retry_policy_has_one_place() {
    let arguments = json!({"symbol": "RetryPolicy"});
    let Some(answer) = ask(&["symbol", "RetryPolicy"], "get_symbol_evidence", &arguments) else { return };
    assert_eq!(answer["status"], "supported");
    assert_eq!(answer["confidence"], "high");
    let evidence = answer["evidence"].as_array().unwrap();
    assert_eq!(evidence.len(), 1);
    assert_eq!((&evidence[0]["file"], &evidence[0]["line"]), (&json!("docs/GLOSSARY.md"), &json!(11)));
}

#[test]
fn a_claim_that_the_sources_back_is_supported() {
    let claim =
        "The EventPublisher retries failed deliveries and parks exhausted events in the dead letter queue.";
    let Some(answer) = ask(&["claim", claim], "validate_claim_against_sources", &json!({"claim": claim}))
    else {
        return;
    };
    assert_eq!((&answer["status"], &answer["confidence"]), (&json!("supported"), &json!("high")));
    let terms = [
        "EventPublisher",
        "retries",
        "failed",
        "deliveries",
        "parks",
        "exhausted",
        "events",
        "dead",
        "letter",
        "queue",
    ];
    assert_eq!(answer["matchedTerms"], json!(terms));
    assert_eq!(answer["evidence"][0]["file"], "docs/GLOSSARY.md");
    assert_eq!(answer["evidence"][0]["line"], 8);
    let reason = answer["reason"].as_str().unwrap();
    for part in ["10 of 10", "EventPublisher", "RetryPolicy", "parkInDeadLetterQueue"] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn a_claim_that_they_do_not_back_names_what_is_missing() {
    let claim = "The PaymentGateway writes cardholder data to Postgres.";
    let Some(answer) = ask(&["claim", claim], "validate_claim_against_sources", &json!({"claim": claim}))
    else {
        return;
    };
    assert_eq!((&answer["status"], &answer["confidence"]), (&json!("unsupported"), &json!("medium")));
    assert_eq!((&answer["matchedTerms"], &answer["evidence"]), (&json!(["PaymentGateway"]), &json!([])));
    let reason = answer["reason"].as_str().unwrap();
    for part in ["writes", "cardholder", "data", "Postgres"] {
        assert!(reason.contains(part), "{reason}");
    }
}
