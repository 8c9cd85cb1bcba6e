//! The engine's own operations, asked about the sample bundle: what they answer is what the schemas promise.

use std::path::Path;

use openmind_pack_engine::ops::{CATALOGUE, Context, by_tool};
use openmind_pack_format::{Bundle, OpenOptions};
use openmind_pack_mcp::ToolSchemas;
use serde_json::{Value, json};

use crate::support::{Conversation, call, initialize, schema, talk_about};

fn sample() -> Bundle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sample.ompack");
    Bundle::open(&path, OpenOptions::default()).expect("the sample opens")
}

/// One call for each form that an answer may take, with its status.
fn questions() -> Vec<(&'static str, Value, &'static str)> {
    let search = "search_codebase_context";
    let symbol = "get_symbol_evidence";
    let explain = "explain_architecture_component";
    let claim = "validate_claim_against_sources";
    vec![
        ("list_available_artifacts", json!({}), "ok"),
        (search, json!({"query": "bed"}), "ok"),
        (search, json!({"query": "valve leak lockout pulse heartbeat planner panel", "limit": 50}), "ok"),
        (search, json!({"query": "zzzzqqqq"}), "no_results"),
        (symbol, json!({"symbol": "Bed"}), "supported"),
        (symbol, json!({"symbol": "Pulse"}), "supported"),
        (symbol, json!({"symbol": "Pulse", "limit": 1}), "supported"),
        (symbol, json!({"symbol": "pULSE"}), "supported"),
        (symbol, json!({"symbol": "Pulze"}), "insufficient_evidence"),
        (explain, json!({"component": "planner"}), "supported"),
        (explain, json!({"component": "PLANNER"}), "supported"),
        (explain, json!({"component": "planet"}), "insufficient_evidence"),
        (claim, json!({"claim": "A Bed has one valve."}), "supported"),
        (claim, json!({"claim": "A Bed writes cardholder data to Postgres."}), "unsupported"),
        (claim, json!({"claim": "The EventPublisher parks events."}), "insufficient_evidence"),
    ]
}

async fn ask(questions: &[(&'static str, Value, &'static str)]) -> Conversation {
    let mut lines = vec![initialize("open", "2025-11-25")];
    let calls = questions.iter().enumerate();
    lines.extend(calls.map(|(at, (tool, arguments, _))| call(at, tool, arguments.clone())));
    talk_about(sample(), &lines).await
}

#[tokio::test]
async fn answers_have_their_status_and_fit_their_schema() {
    let questions = questions();
    let talk = ask(&questions).await;
    for (at, (tool, arguments, status)) in questions.iter().enumerate() {
        let answer = &talk.answer(at)["result"]["structuredContent"];
        assert_eq!(answer["status"], *status, "{tool} {arguments}: {answer}");
        let schemas = ToolSchemas::of(tool).expect("the tool has schemas");
        let output: Value = serde_json::from_str(schemas.output).expect("JSON");
        assert_eq!(schema::misfits(&output, answer), [""; 0], "{tool} {arguments}");
        let input: Value = serde_json::from_str(schemas.input).expect("JSON");
        assert_eq!(schema::misfits(&input, arguments), [""; 0], "{tool} {arguments}");
    }
}

/// What an answer holds is declared, but for the fields that may be null: else clients' models never hear of it.
#[tokio::test]
async fn answers_hold_nothing_that_their_schema_leaves_out() {
    let questions = questions();
    let talk = ask(&questions).await;
    for (at, (tool, ..)) in questions.iter().enumerate() {
        let output: Value =
            serde_json::from_str(ToolSchemas::of(tool).expect("the tool has schemas").output).expect("JSON");
        let answer = &talk.answer(at)["result"]["structuredContent"];
        let undeclared = schema::undeclared(&output, answer);
        let may_be_null = [".repository.commit", ".bundle.citations"];
        assert!(
            undeclared.iter().all(|place| may_be_null.contains(&place.as_str())),
            "{tool}: {undeclared:?}"
        );
    }
}

#[tokio::test]
async fn what_is_sent_is_what_the_operation_answers() {
    let questions = questions();
    let talk = ask(&questions).await;
    let bundle = sample();
    let context = Context { bundle: &bundle, max_results: 5, notice: None, replacement_error: None };
    for (at, (tool, arguments, _)) in questions.iter().enumerate() {
        let operation = by_tool(tool).expect("an operation");
        let answer = operation.call(&context, arguments.clone()).expect("an answer").to_json();
        let line = &talk.lines[at + 1];
        assert!(line.contains(&format!("\"structuredContent\":{answer}")), "{tool} {arguments}");
        assert!(line.contains(&format!("\"text\":{}", Value::from(answer))), "{tool} {arguments}");
    }
}

#[tokio::test]
async fn a_cursor_leads_through_all_pages_and_a_made_up_one_is_a_tool_error() {
    let symbol = |arguments| ("get_symbol_evidence", arguments, "supported");
    let whole = ask(&[symbol(json!({"symbol": "Pulse", "limit": 50}))]).await.answer(0);
    let whole = whole["result"]["structuredContent"]["evidence"].as_array().expect("a list").clone();
    assert!(whole.len() > 2, "the sample has a name with several places");
    let mut pages = Vec::new();
    let mut arguments = json!({"symbol": "Pulse", "limit": 2});
    loop {
        let answer = ask(&[symbol(arguments.clone())]).await.answer(0);
        let page = &answer["result"]["structuredContent"];
        pages.extend(page["evidence"].as_array().expect("a list").iter().cloned());
        assert_eq!(page["total"], whole.len());
        match page.get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(pages, whole);

    let made_up = ask(&[symbol(json!({"symbol": "Pulse", "cursor": "2"}))]).await.answer(0);
    assert_eq!(made_up["result"]["isError"], true);
    assert!(made_up["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("\"cursor\"")));
}

#[test]
fn every_operation_refuses_an_unknown_argument() {
    let bundle = sample();
    let context = Context { bundle: &bundle, max_results: 5, notice: None, replacement_error: None };
    for operation in &CATALOGUE {
        let valid = questions().into_iter().find(|(tool, ..)| *tool == operation.tool).expect("a question");
        let mut arguments = valid.1;
        arguments["no_such_argument"] = json!(1);
        let error = operation.call(&context, arguments).expect_err("must be refused").to_string();
        assert!(error.starts_with("unknown argument \"no_such_argument\"; "), "{}: {error}", operation.tool);
    }
}
