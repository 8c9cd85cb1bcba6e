//! Nothing that a client sends ends the server, goes unanswered, or is answered out of order.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{
    Connection, call, connect, converse_bytes, initialize, initialized, request, stateless, talk,
};
use openmind_pack_mcp::MAX_MESSAGE_BYTES;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

/// Lines that get an error whatever the state of the connection, its code, and the id that comes back.
fn refused() -> Vec<(Vec<u8>, i32, Option<Value>)> {
    let text = |line: &str| line.as_bytes().to_vec();
    let bad_id = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#).into_bytes();
    vec![
        (text("{not json"), -32700, None),
        (text("hello"), -32700, None),
        (text(r#"{"jsonrpc":"2.0","id":9,"method":"ping""#), -32700, None),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"\xc3\x28\"}".to_vec(), -32700, None),
        (b"\x00\x01\x02".to_vec(), -32700, None),
        (format!("{}1{}", "[".repeat(500), "]".repeat(500)).into_bytes(), -32700, None),
        (format!(r#"{{"a":{}"#, "{\"a\":".repeat(500)).into_bytes(), -32700, None),
        (text("[]"), -32600, None),
        (text(r#"[{"jsonrpc":"2.0","id":9,"method":"ping"}]"#), -32600, None),
        (text("null"), -32600, None),
        (text("42"), -32600, None),
        (text("\"ping\""), -32600, None),
        (text("{}"), -32600, None),
        (bad_id("null"), -32600, None),
        (bad_id("1.5"), -32600, None),
        (bad_id("7.0"), -32600, None),
        (bad_id("true"), -32600, None),
        (bad_id("{}"), -32600, None),
        (bad_id("[1]"), -32600, None),
        (bad_id("99999999999999999999"), -32600, None),
        (text(r#"{"id":9,"method":"ping"}"#), -32600, Some(json!(9))),
        (text(r#"{"jsonrpc":"1.0","id":9,"method":"ping"}"#), -32600, Some(json!(9))),
        (text(r#"{"jsonrpc":2.0,"id":"x","method":"ping"}"#), -32600, Some(json!("x"))),
        (text(r#"{"jsonrpc":"2.0","id":9}"#), -32600, Some(json!(9))),
        (text(r#"{"jsonrpc":"2.0","id":9,"method":null}"#), -32600, Some(json!(9))),
        (text(r#"{"jsonrpc":"2.0","id":9,"method":"ping","result":{}}"#), -32600, Some(json!(9))),
        (text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":[]}"#), -32602, Some(json!(9))),
        (text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":"x"}"#), -32602, Some(json!(9))),
        (
            text(r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":5}}"#),
            -32602,
            Some(json!(9)),
        ),
        (vec![b'x'; MAX_MESSAGE_BYTES + 1], -32600, None),
    ]
}

/// Lines that nothing answers.
fn unanswered() -> Vec<Vec<u8>> {
    [
        "",
        "   ",
        "\r",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":123}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/no_such_thing","params":{"a":[1,2,{}]}}"#,
        r#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#,
        r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[1]}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"77","result":{"roots":[]}}"#,
        r#"{"jsonrpc":"2.0","id":77,"error":{"code":-32601,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":"x"}}"#,
        r#"{"result":5}"#,
    ]
    .map(|line| line.as_bytes().to_vec())
    .to_vec()
}

/// Each way to open a connection, and a request that works on it.
fn openings() -> Vec<(Vec<String>, String)> {
    vec![
        (vec![], stateless("after", "tools/list", json!({}))),
        (vec![stateless("d", "server/discover", json!({}))], stateless("after", "tools/list", json!({}))),
        (vec![stateless("o", "tools/list", json!({}))], stateless("after", "tools/list", json!({}))),
        (vec![initialize("o", "2025-06-18"), initialized()], request("after", "tools/list", json!({}))),
        (vec![initialize("o", "2024-11-05")], request("after", "tools/list", json!({}))),
    ]
}

fn joined(opening: &[String], lines: &[Vec<u8>], after: &str) -> Vec<u8> {
    let mut sent = Vec::new();
    for line in
        opening.iter().map(String::as_bytes).chain(lines.iter().map(Vec::as_slice)).chain([after.as_bytes()])
    {
        sent.extend_from_slice(line);
        sent.push(b'\n');
    }
    sent
}

#[tokio::test]
async fn bad_lines_get_their_error_and_the_next_line_its_answer() {
    for (opening, after) in openings() {
        for (line, code, id) in refused() {
            let shown = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            let talk = converse_bytes(Arc::default(), joined(&opening, &[line], &after)).await;
            let answers = talk.answers();
            assert_eq!(
                answers.len(),
                opening_answers(&opening) + 2,
                "{shown} after {opening:?}: {answers:?}"
            );
            let error = &answers[answers.len() - 2];
            assert_eq!(error["error"]["code"], code, "{shown} after {opening:?}: {error}");
            assert_eq!(error.get("id"), id.as_ref(), "{shown} after {opening:?}");
            assert!(answers[answers.len() - 1]["result"]["tools"].is_array(), "{shown}");
        }
    }
}

fn opening_answers(opening: &[String]) -> usize {
    opening.iter().filter(|line| line.contains("\"id\"")).count()
}

#[tokio::test]
async fn what_wants_no_answer_gets_none_and_does_no_harm() {
    for (opening, after) in openings() {
        for line in unanswered() {
            let shown = String::from_utf8_lossy(&line).into_owned();
            let talk = converse_bytes(Arc::default(), joined(&opening, &[line], &after)).await;
            assert_eq!(talk.lines.len(), opening_answers(&opening) + 1, "{shown} after {opening:?}");
            assert!(talk.answer("after")["result"]["tools"].is_array(), "{shown} after {opening:?}");
        }
        let talk = converse_bytes(Arc::default(), joined(&opening, &unanswered(), &after)).await;
        assert!(talk.answer("after")["result"]["tools"].is_array(), "all of them after {opening:?}");
    }
}

#[tokio::test]
async fn the_lifecycle_is_kept() {
    let talk = talk(&[
        request(1, "tools/list", json!({})),
        request(2, "ping", json!({})),
        request(3, "initialize", json!({})),
        request(4, "server/discover", json!({})),
        call(5, "list_available_artifacts", json!({})),
        initialize(6, "2025-11-25"),
        initialize(7, "2025-11-25"),
        request(8, "initialize", json!({})),
        request(9, "tools/list", json!({})),
    ])
    .await;
    let code = |id: i32| talk.answer(id)["error"]["code"].clone();
    assert_eq!(code(1), -32602, "before the opening");
    assert_eq!(talk.answer(2)["result"], json!({}));
    assert_eq!(code(3), -32602, "initialize without what it needs");
    assert_eq!(code(4), -32602, "discover without metadata");
    assert_eq!(code(5), -32602, "before the opening");
    assert_eq!(talk.answer(6)["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(code(7), -32600, "a second initialize");
    assert_eq!(code(8), -32600, "a second initialize");
    assert!(talk.answer(9)["result"]["tools"].is_array());
}

#[tokio::test]
async fn answers_come_in_the_order_of_their_requests() {
    let mut lines = vec![initialize(0, "2025-11-25")];
    for id in 1..=800_u32 {
        lines.push(match id % 8 {
            0 => request(id, "ping", json!({})),
            1 => call(id, "search_codebase_context", json!({"query": "a", "limit": 50})),
            2 => call(id, "search_codebase_context", json!({"query": 5})),
            3 => call(id, "no_such_tool", json!({})),
            4 => request(id, "tools/list", json!({})),
            5 => format!(r#"{{"jsonrpc":"1.0","id":{id},"method":"ping"}}"#),
            6 => request(id, "no/such/method", json!({})),
            _ => request(id, "tools/list", json!([])),
        });
    }
    let talk = talk(&lines).await;
    let ids: Vec<u64> = talk.answers().iter().map(|answer| answer["id"].as_u64().expect("an id")).collect();
    assert_eq!(ids, (0..=800).collect::<Vec<u64>>());
}

#[tokio::test]
async fn one_id_used_twice_is_answered_twice() {
    let talk = talk(&[
        initialize(0, "2025-11-25"),
        request(1, "tools/list", json!({})),
        request(1, "ping", json!({})),
    ])
    .await;
    let answers = talk.answers();
    assert_eq!(answers.len(), 3);
    assert!(answers[1]["result"]["tools"].is_array());
    assert_eq!(answers[2]["result"], json!({}));
}

#[tokio::test]
async fn a_cancelled_request_holds_nothing_up() {
    let mut lines = vec![initialize(0, "2025-11-25")];
    for id in 1..=200 {
        lines.push(call(id, "list_available_artifacts", json!({})));
        let cancelled = json!({"requestId": id, "reason": "changed my mind"});
        lines.push(
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}).to_string(),
        );
    }
    lines.push(request("last", "ping", json!({})));
    let talk = talk(&lines).await;
    assert_eq!(talk.answer("last")["result"], json!({}));
    let ids: Vec<i64> = talk.answers().iter().filter_map(|answer| answer["id"].as_i64()).collect();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[tokio::test]
async fn the_longest_message_is_read_and_a_longer_one_refused() {
    let padded = |id: u32, length: usize| {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"x":""}}}}"#);
        let fill = "y".repeat(length - line.len());
        line.replace(r#""x":"""#, &format!(r#""x":"{fill}""#))
    };
    let fits = padded(1, MAX_MESSAGE_BYTES);
    assert_eq!(fits.len(), MAX_MESSAGE_BYTES);
    let talk = talk(&[fits, padded(2, MAX_MESSAGE_BYTES + 1), request(3, "ping", json!({}))]).await;
    assert_eq!(talk.answer(1)["result"], json!({}));
    assert_eq!(talk.answers()[1]["error"]["code"], -32600);
    assert_eq!(talk.answers()[1].get("id"), None);
    assert_eq!(talk.answer(3)["result"], json!({}));
}

#[tokio::test]
async fn the_input_may_end_at_any_byte() {
    let conversations = [
        format!(
            "{}\n{}\n{}",
            initialize(1, "2025-06-18"),
            initialized(),
            call(2, "list_available_artifacts", json!({}))
        ),
        format!(
            "{}\n{}",
            stateless("a", "server/discover", json!({})),
            stateless("b", "tools/list", json!({}))
        ),
    ];
    for whole in conversations {
        for end in 0..=whole.len() {
            let sent = whole.as_bytes()[..end].to_vec();
            let lines = sent.split(|&byte| byte == b'\n').filter(|line| line.contains(&b'{'));
            let wanted =
                lines.filter(|line| !line.starts_with(b"{\"jsonrpc\":\"2.0\",\"method\":\"noti")).count();
            let talk = converse_bytes(Arc::default(), sent).await;
            // A whole message is answered though its line end is missing; a cut one gets a parse error.
            assert!(
                talk.lines.len() >= wanted.saturating_sub(1) && talk.lines.len() <= wanted + 1,
                "cut at {end}"
            );
            talk.answers();
        }
        let talk = converse_bytes(Arc::default(), whole.into_bytes()).await;
        assert_eq!(talk.answers().len(), 2);
        assert!(talk.answers().iter().all(|answer| answer["result"].is_object()), "all was answered");
    }
}

#[tokio::test]
async fn everything_read_is_answered_before_the_end() {
    let mut lines = vec![initialize(0, "2025-11-25")];
    lines.extend((1..=200).map(|id| call(id, "search_codebase_context", json!({"query": "a", "limit": 50}))));
    let talk = talk(&lines).await;
    assert_eq!(talk.lines.len(), 201);
}

#[tokio::test]
async fn a_client_that_closes_its_end_ends_the_server_quietly() {
    // In the middle of a session, with the input still open.
    let Connection { mut input, output, ended, .. } = connect(Arc::default());
    let mut answers = BufReader::new(output);
    input.write_all(format!("{}\n", initialize(1, "2025-11-25")).as_bytes()).await.expect("the server reads");
    let mut line = String::new();
    answers.read_line(&mut line).await.expect("an answer");
    drop(answers);
    let ping = format!("{}\n", request(2, "ping", json!({})));
    input.write_all(ping.as_bytes()).await.expect("the server reads");
    let outcome = tokio::time::timeout(Duration::from_secs(20), ended).await.expect("the server ends");
    outcome.expect("no panic").expect("no error");

    // Before anything was said.
    let Connection { mut input, output, ended, .. } = connect(Arc::default());
    drop(output);
    input.write_all(format!("{}\n", initialize(1, "2025-11-25")).as_bytes()).await.expect("the server reads");
    let outcome = tokio::time::timeout(Duration::from_secs(20), ended).await.expect("the server ends");
    outcome.expect("no panic").expect("no error");
}

#[tokio::test]
async fn a_client_that_reads_late_gets_everything() {
    let Connection { mut input, mut output, ended, .. } = connect(Arc::default());
    let writing = tokio::spawn(async move {
        input.write_all(format!("{}\n", initialize(0, "2025-11-25")).as_bytes()).await.expect("writes");
        for id in 1..=300 {
            let line = call(id, "search_codebase_context", json!({"query": "a", "limit": 50}));
            input.write_all(format!("{line}\n").as_bytes()).await.expect("writes");
        }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!writing.is_finished(), "a server that isn't read stops reading");
    let mut received = String::new();
    output.read_to_string(&mut received).await.expect("reads");
    assert_eq!(received.lines().count(), 301);
    writing.await.expect("no panic");
    ended.await.expect("no panic").expect("no error");
}
