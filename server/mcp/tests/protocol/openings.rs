//! How clients of both eras open a connection. The client's lines are as real clients send them.

use crate::support::{initialize, initialized, request, stateless, talk};
use serde_json::{Value, json};

const TOOLS: [&str; 5] = [
    "list_available_artifacts",
    "search_codebase_context",
    "get_symbol_evidence",
    "explain_architecture_component",
    "validate_claim_against_sources",
];

fn tool_names(answer: &Value) -> Vec<&str> {
    let tools = answer["result"]["tools"].as_array().expect("a list of tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn claude_code_discovers_and_lists_without_a_handshake() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"2.1.332"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}"#;
    let talk = talk(&[
        format!(r#"{{"jsonrpc":"2.0","id":"discover-1","method":"server/discover","params":{{{meta}}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":"1","method":"tools/list","params":{{{meta}}}}}"#),
    ])
    .await;

    let discovered = talk.answer("discover-1");
    let result = &discovered["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"], json!(["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"]));
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert!(result["instructions"].as_str().is_some_and(|text| text.len() > 100));
    assert!(result["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0));
    assert_eq!(result["cacheScope"], "public");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "openmind-pack");

    let listed = talk.answer("1");
    assert_eq!(tool_names(&listed), TOOLS);
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(listed["result"]["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0));
    assert_eq!(listed["result"]["cacheScope"], "public");
    assert_eq!(listed["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "openmind-pack");
    assert_eq!(listed["result"].get("nextCursor"), None);
}

#[tokio::test]
async fn codex_and_gemini_shake_hands_then_list() {
    let talk = talk(&[
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"codex-mcp-client","title":"Codex","version":"0.171.0"}}}"#.into(),
        initialized(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":0}}}"#.into(),
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#.into(),
    ])
    .await;

    let opened = talk.answer(0);
    assert_eq!(opened["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(opened["result"]["serverInfo"]["name"], "openmind-pack");
    assert!(opened["result"]["instructions"].is_string());
    let listed = talk.answer(1);
    assert_eq!(tool_names(&listed), TOOLS);
    for unknown_to_this_era in ["resultType", "ttlMs", "cacheScope", "_meta"] {
        assert_eq!(listed["result"].get(unknown_to_this_era), None);
    }
    assert_eq!(talk.answer(2), json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
    assert_eq!(talk.lines.len(), 3);
}

#[tokio::test]
async fn a_session_agrees_on_a_version_that_both_know() {
    for (asked, agreed) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-06-18"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let talk = talk(&[initialize(1, asked), request(2, "tools/list", json!({}))]).await;
        assert_eq!(talk.answer(1)["result"]["protocolVersion"], agreed, "asked for {asked}");
        assert_eq!(tool_names(&talk.answer(2)), TOOLS);
    }
}

#[tokio::test]
async fn a_client_may_discover_and_then_fall_back_to_a_session() {
    let talk = talk(&[
        stateless("d", "server/discover", json!({})),
        initialize(1, "2025-11-25"),
        initialized(),
        request(2, "tools/list", json!({})),
    ])
    .await;
    assert!(talk.answer("d")["result"].is_object());
    assert_eq!(talk.answer(1)["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(tool_names(&talk.answer(2)), TOOLS);
}

#[tokio::test]
async fn stateless_requests_are_served_within_a_session_too() {
    let talk = talk(&[
        initialize(1, "2025-06-18"),
        request(2, "tools/list", json!({})),
        stateless(3, "tools/list", json!({})),
        stateless(4, "server/discover", json!({})),
    ])
    .await;
    assert_eq!(talk.answer(2)["result"].get("resultType"), None);
    assert_eq!(talk.answer(3)["result"]["resultType"], "complete");
    assert_eq!(talk.answer(4)["result"]["resultType"], "complete");
}

#[tokio::test]
async fn an_unsupported_stateless_version_is_refused_with_the_supported_ones() {
    let line = stateless(1, "tools/list", json!({})).replace("2026-07-28", "2027-01-01");
    let talk =
        talk(&[line.clone(), line.replace("\"id\":1", "\"id\":2"), stateless(3, "tools/list", json!({}))])
            .await;
    for id in [1, 2] {
        let error = &talk.answer(id)["error"];
        assert_eq!(error["code"], -32022);
        assert_eq!(error["data"]["requested"], "2027-01-01");
        assert_eq!(error["data"]["supported"].as_array().map(Vec::len), Some(4));
    }
    assert_eq!(tool_names(&talk.answer(3)), TOOLS);
}

#[tokio::test]
async fn metadata_must_be_complete() {
    let line = stateless(1, "tools/list", json!({})).replace("clientCapabilities", "clientCapability");
    let talk = talk(&[line, initialized(), stateless(2, "tools/list", json!({}))]).await;
    assert_eq!(talk.answer(1)["error"]["code"], -32602);
    assert_eq!(tool_names(&talk.answer(2)), TOOLS);
}

#[tokio::test]
async fn tools_are_listed_whole_and_read_only() {
    let talk = talk(&[initialize(1, "2025-11-25"), request(2, "tools/list", json!({}))]).await;
    let listed = talk.answer(2);
    for tool in listed["result"]["tools"].as_array().expect("a list") {
        let keys: Vec<&String> = tool.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);
        assert_eq!(tool["annotations"]["title"], tool["title"]);
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["destructiveHint"], false);
        assert_eq!(tool["annotations"]["idempotentHint"], true);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        let schemas = openmind_pack_mcp::ToolSchemas::of(tool["name"].as_str().expect("a name"));
        let schemas = schemas.expect("a tool has schemas");
        // Compact, but with every key in the file's order.
        let compact = |file: &str| serde_json::from_str::<Value>(file).expect("JSON").to_string();
        assert_eq!(tool["inputSchema"].to_string(), compact(schemas.input));
        assert_eq!(tool["outputSchema"].to_string(), compact(schemas.output));
    }
}

#[tokio::test]
async fn a_tool_list_has_no_second_page() {
    let talk = talk(&[
        initialize(1, "2025-11-25"),
        request(2, "tools/list", json!({"cursor": "x"})),
        request(3, "tools/list", json!({"cursor": ""})),
        request(4, "tools/list", json!({"cursor": 5})),
        request(5, "tools/list", json!({"cursor": null})),
    ])
    .await;
    for id in [2, 3, 4] {
        assert_eq!(talk.answer(id)["error"]["code"], -32602, "{id}");
    }
    assert_eq!(tool_names(&talk.answer(5)), TOOLS);
}
