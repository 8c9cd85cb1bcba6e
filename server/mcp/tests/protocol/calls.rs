//! What comes back from a tool call, good or bad, and what the log keeps of it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::support::{FakeSource, call, converse, initialize, request, stateless, talk};
use openmind_pack_mcp::ToolSchemas;
use serde_json::{Value, json};

/// Calls that get an answer, with the status of each.
fn good_calls() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("list_available_artifacts", json!({}), "ok"),
        ("search_codebase_context", json!({"query": "retry", "limit": 2}), "ok"),
        ("search_codebase_context", json!({"query": " nothing", "limit": ""}), "ok"),
        ("search_codebase_context", json!({"query": "nothing", "limit": null}), "no_results"),
        ("get_symbol_evidence", json!({"symbol": "RetryPolicy"}), "supported"),
        ("get_symbol_evidence", json!({"symbol": "Retry", "cursor": ""}), "insufficient_evidence"),
        ("explain_architecture_component", json!({"component": "src/events"}), "supported"),
        ("explain_architecture_component", json!({"component": "src"}), "insufficient_evidence"),
        ("validate_claim_against_sources", json!({"claim": "It writes to Postgres."}), "unsupported"),
    ]
}

fn is_error_with(answer: &Value, text: &str) {
    assert_eq!(
        answer["result"],
        json!({"content": [{"type": "text", "text": text}], "isError": true}),
        "an error is its text and nothing else"
    );
}

#[tokio::test]
async fn the_text_is_the_structured_content_byte_for_byte() {
    let calls = good_calls();
    let mut lines = vec![initialize(0, "2025-11-25")];
    lines.extend(
        calls.iter().enumerate().map(|(at, (tool, arguments, _))| call(at + 1, tool, arguments.clone())),
    );
    let talk = talk(&lines).await;
    for (at, (tool, _, status)) in calls.iter().enumerate() {
        let line = &talk.lines[at + 1];
        let answer = talk.answer(at + 1);
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert_eq!(answer["result"]["content"].as_array().map(Vec::len), Some(1));
        assert_eq!(answer["result"]["isError"], false);
        assert!(line.contains(&format!("\"structuredContent\":{text}")), "{tool}: {line}");
        assert_eq!(answer["result"]["structuredContent"]["status"], *status);

        let schema: Value =
            serde_json::from_str(ToolSchemas::of(tool).expect("schemas").output).expect("JSON");
        let misfits = crate::support::schema::misfits(&schema, &answer["result"]["structuredContent"]);
        assert!(misfits.is_empty(), "{tool}: {misfits:?}");
    }
}

#[tokio::test]
async fn the_default_limit_is_the_servers() {
    let talk =
        talk(&[initialize(0, "2025-11-25"), call(1, "search_codebase_context", json!({"query": "a"}))]).await;
    let results = &talk.answer(1)["result"]["structuredContent"]["results"];
    assert_eq!(results.as_array().map(Vec::len), Some(5));
}

#[tokio::test]
async fn every_stateless_result_says_that_it_is_complete_and_whose_it_is() {
    let params = json!({"name": "list_available_artifacts", "arguments": {}});
    let bad = json!({"name": "list_available_artifacts", "arguments": {"x": 1}});
    let talk = talk(&[stateless(1, "tools/call", params), stateless(2, "tools/call", bad)]).await;
    for id in [1, 2] {
        let answer = talk.answer(id);
        assert_eq!(answer["result"]["resultType"], "complete");
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "openmind-pack");
    }
}

#[tokio::test]
async fn a_notice_ends_every_answer() {
    let source = Arc::new(FakeSource::with_notice("This is sample data."));
    let calls = good_calls();
    let mut lines = vec![initialize(0, "2025-11-25")];
    lines.extend(
        calls.iter().enumerate().map(|(at, (tool, arguments, _))| call(at + 1, tool, arguments.clone())),
    );
    let talk = converse(source, &lines).await;
    for at in 1..=calls.len() {
        let answer = talk.answer(at);
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.ends_with(r#","notice":"This is sample data."}"#), "{text}");
    }
}

#[tokio::test]
async fn bad_arguments_are_errors_that_a_model_can_mend() {
    let cases = [
        (call(1, "search_codebase_context", json!({})), "argument \"query\" is required, but it is missing"),
        (
            call(1, "search_codebase_context", json!({"q": "a"})),
            "argument \"query\" is required, but it is missing (given: \"q\")",
        ),
        (
            call(1, "search_codebase_context", json!({"query": ""})),
            "argument \"query\" must be a text that is not empty, but an empty text came",
        ),
        (
            call(1, "search_codebase_context", json!({"query": "a", "limit": "10"})),
            "argument \"limit\" must be an integer from 1 to 50, but the text \"10\" came",
        ),
        (
            call(1, "search_codebase_context", json!({"query": "a", "limit": 51})),
            "argument \"limit\" must be an integer from 1 to 50, but 51 came",
        ),
        (
            call(1, "search_codebase_context", json!({"query": "a", "max": 5})),
            "unknown argument \"max\"; the arguments are \"query\", \"limit\"",
        ),
        (
            call(1, "validate_claim_against_sources", json!({"claim": "x".repeat(2001)})),
            "argument \"claim\" must be a text of at most 2000 characters, but one of 2001 characters came",
        ),
        (
            call(1, "list_available_artifacts", json!({"all": true})),
            "unknown argument \"all\"; no arguments are taken",
        ),
    ];
    for (line, text) in cases {
        let talk = talk(&[initialize(0, "2025-11-25"), line]).await;
        is_error_with(&talk.answer(1), text);
        let events = talk.log.events();
        assert_eq!(events[0]["level"], "warn");
        assert_eq!(events[0]["status"], "error");
        assert_eq!(events[0]["failure_reason"], "invalid_arguments");
    }
}

#[tokio::test]
async fn absent_and_null_arguments_mean_none() {
    let talk = talk(&[
        initialize(0, "2025-11-25"),
        request(1, "tools/call", json!({"name": "list_available_artifacts"})),
        request(2, "tools/call", json!({"name": "list_available_artifacts", "arguments": null})),
    ])
    .await;
    for id in [1, 2] {
        assert_eq!(talk.answer(id)["result"]["structuredContent"]["status"], "ok");
    }
}

#[tokio::test]
async fn a_malformed_call_is_a_protocol_error() {
    let talk = talk(&[
        initialize(0, "2025-11-25"),
        call(1, "no_such_tool", json!({})),
        call(2, &"x".repeat(10_000), json!({})),
        request(3, "tools/call", json!({})),
        request(4, "tools/call", json!({"name": 5})),
        request(5, "tools/call", json!({"name": "list_available_artifacts", "arguments": [1]})),
        request(6, "tools/call", json!({"name": "list_available_artifacts", "arguments": "x"})),
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#.into(),
        request(8, "resources/list", json!({})),
        request(9, "prompts/get", json!({"name": "x"})),
        request(10, "no/such/method", json!({})),
        request(11, "completion/complete", json!({})),
        request(12, "logging/setLevel", json!({"level": "debug"})),
        request(13, "subscriptions/listen", json!({})),
    ])
    .await;
    for id in 1..=7 {
        assert_eq!(talk.answer(id)["error"]["code"], -32602, "{id}");
    }
    for id in 8..=13 {
        assert_eq!(talk.answer(id)["error"]["code"], -32601, "{id}");
    }
    assert_eq!(
        talk.answer(1)["error"]["message"],
        "unknown tool \"no_such_tool\"; the tools are list_available_artifacts, search_codebase_context, \
         get_symbol_evidence, explain_architecture_component, validate_claim_against_sources"
    );
    assert!(talk.lines[2].len() < 1000, "a long name isn't repeated");
    assert_eq!(talk.log.text(), "", "no tool was called");
}

#[tokio::test]
async fn an_answer_from_changed_bytes_is_dropped() {
    let source = Arc::new(FakeSource::default());
    source.changes.store(true, Ordering::Relaxed);
    let lines = [initialize(0, "2025-11-25"), call(1, "list_available_artifacts", json!({}))];
    let talk = converse(source, &lines).await;
    is_error_with(
        &talk.answer(1),
        "the bundle file was changed while it was read, so this answer was dropped; ask again",
    );
    assert_eq!(talk.log.events()[0]["failure_reason"], "bundle_changed");
}

#[tokio::test]
async fn bytes_that_changed_are_the_reason_for_damage_and_no_reason_for_wrong_arguments() {
    let source = Arc::new(FakeSource::default());
    source.changes.store(true, Ordering::Relaxed);
    let lines = [
        initialize(0, "2025-11-25"),
        call(1, "search_codebase_context", json!({"query": "damage"})),
        call(2, "search_codebase_context", json!({})),
    ];
    let talk = converse(source, &lines).await;
    let text = |id| talk.answer(id)["result"]["content"][0]["text"].to_string();
    assert!(text(1).contains("was changed while it was read"), "{}", text(1));
    assert!(text(2).contains("query"), "{}", text(2));
}

#[tokio::test]
async fn a_refused_replacement_is_told_where_the_bundle_is_described_and_logged_once() {
    let reason = "the file was refused: it is empty";
    let source = Arc::new(FakeSource::refusing(reason));
    let lines = [
        initialize(0, "2025-11-25"),
        call(1, "list_available_artifacts", json!({})),
        call(2, "get_symbol_evidence", json!({"symbol": "RetryPolicy"})),
        call(3, "list_available_artifacts", json!({})),
    ];
    let talk = converse(source, &lines).await;
    let content = |id| talk.answer(id)["result"]["structuredContent"].clone();
    assert_eq!(content(1)["bundle"]["replacementError"], reason);
    assert_eq!(content(1), content(3));
    assert!(!content(2).to_string().contains(reason));
    let events = talk.log.events();
    let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(names, ["artifacts_replacement_refused", "tool_call", "tool_call", "tool_call"]);
    assert_eq!(events[0]["failure_reason"], reason);
}

#[tokio::test]
async fn a_bundle_that_took_anothers_place_is_logged_as_loaded() {
    let source = Arc::new(FakeSource::default());
    source.replaces.store(true, Ordering::Relaxed);
    let lines = [
        initialize(0, "2025-11-25"),
        call(1, "list_available_artifacts", json!({})),
        call(2, "list_available_artifacts", json!({})),
    ];
    let talk = converse(source, &lines).await;
    let events = talk.log.events();
    let names: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(names, ["tool_call", "artifacts_loaded", "tool_call"]);
}

#[tokio::test]
async fn without_a_bundle_every_call_says_why() {
    let source = Arc::new(FakeSource::default());
    source.fails.store(true, Ordering::Relaxed);
    let lines = [initialize(0, "2025-11-25"), call(1, "list_available_artifacts", json!({}))];
    let talk = converse(source, &lines).await;
    is_error_with(&talk.answer(1), "no knowledge can be served: knowledge.ompack is gone; build it again");
    let event = &talk.log.events()[0];
    assert_eq!(event["level"], "error");
    assert_eq!(event["failure_reason"], "source: knowledge.ompack is gone; build it again");
}

#[tokio::test]
async fn damage_is_an_error_that_names_the_place() {
    let talk = talk(&[
        initialize(0, "2025-11-25"),
        call(1, "search_codebase_context", json!({"query": "damage"})),
        call(2, "list_available_artifacts", json!({})),
    ])
    .await;
    let text = talk.answer(1)["result"]["content"][0]["text"].as_str().map(str::to_owned);
    assert!(text.is_some_and(|text| text.contains("group 3 at offset 196608")));
    assert_eq!(talk.answer(2)["result"]["isError"], false);
}

#[tokio::test]
async fn a_panic_is_answered_and_the_bundle_distrusted() {
    let source = Arc::new(FakeSource::default());
    let lines = [
        initialize(0, "2025-11-25"),
        call(1, "search_codebase_context", json!({"query": "panic"})),
        call(2, "list_available_artifacts", json!({})),
    ];
    let talk = converse(Arc::clone(&source), &lines).await;
    is_error_with(
        &talk.answer(1),
        "an internal error stopped the operation, so nothing was answered; please report it",
    );
    assert_eq!(source.distrusted.load(Ordering::Relaxed), 1);
    assert_eq!(talk.answer(2)["result"]["isError"], false);
}

#[tokio::test]
async fn each_call_is_one_line_in_the_log_and_arguments_are_never_in_it() {
    let talk = talk(&[
        initialize(0, "2025-11-25"),
        call(1, "get_symbol_evidence", json!({"symbol": "RetryPolicy"})),
        call(2, "get_symbol_evidence", json!({"symbol": "TopSecretName"})),
        call(3, "get_symbol_evidence", json!({"symbol": "a", "TopSecretName": "TopSecretName"})),
        call(4, "search_codebase_context", json!({"query": "panic"})),
        call(5, "TopSecretName", json!({})),
    ])
    .await;
    let events = talk.log.events();
    let statuses: Vec<&str> =
        events.iter().map(|event| event["status"].as_str().expect("a status")).collect();
    assert_eq!(statuses, ["supported", "insufficient_evidence", "error", "error"]);
    for event in &events {
        assert_eq!(event["event"], "tool_call");
        assert_eq!(event["artifacts_dir"], "fixtures/.openmind");
        assert_eq!(event["repository_name"], "sample-repo");
    }
    assert_eq!(events[0]["level"], "info");
    assert_eq!(events[1]["level"], "info", "to find nothing is no failure");
    assert_eq!(events[1].get("failure_reason"), None);
    for private in ["TopSecretName", "RetryPolicy", "secret words", "five attempts"] {
        assert!(!talk.log.text().contains(private), "{private} was logged");
    }
}
