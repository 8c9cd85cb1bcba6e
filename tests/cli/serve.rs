//! `serve`: the program as an agent's client starts it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::{Desk, sample};

/// A client over the program's pipes.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Self { child, input, output, id: 0 };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        client.request("initialize", hello);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{message}").expect("sent");
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], self.id);
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    fn repository(&mut self) -> String {
        let result = self.call("list_available_artifacts", json!({}));
        result["structuredContent"]["repository"]["name"].as_str().expect("a name").to_owned()
    }

    /// Ends the input; gives the exit code and the log.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().expect("ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    }
}

fn events(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).expect("the log is JSON lines")).collect()
}

#[test]
fn an_envelopes_result_is_the_structured_content_byte_for_byte() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let mut client = Client::start(&mut desk.program(["serve", "x.ompack"]));
    for (tool, arguments, typed) in [
        ("list_available_artifacts", json!({}), &["artifacts"][..]),
        ("search_codebase_context", json!({"query": "leak closed valve"}), &["search", "leak closed valve"]),
        ("search_codebase_context", json!({"query": "θ", "limit": 50}), &["search", "θ", "--limit", "50"]),
        ("get_symbol_evidence", json!({"symbol": "Pulse", "limit": 2}), &["symbol", "Pulse", "--limit", "2"]),
        ("get_symbol_evidence", json!({"symbol": "lockout"}), &["symbol", "lockout"]),
        ("get_symbol_evidence", json!({"symbol": "plan_wattering"}), &["symbol", "plan_wattering"]),
        (
            "explain_architecture_component",
            json!({"component": "valved/safety"}),
            &["explain", "valved/safety"],
        ),
        ("explain_architecture_component", json!({"component": "nothing"}), &["explain", "nothing"]),
        (
            "validate_claim_against_sources",
            json!({"claim": "The LeakRule closes the main valve first."}),
            &["claim", "The LeakRule closes the main valve first."],
        ),
        (
            "validate_claim_against_sources",
            json!({"claim": "The InvoiceMailer archives receipts."}),
            &["claim", "The InvoiceMailer archives receipts."],
        ),
    ] {
        let result = client.call(tool, arguments);
        let run = desk.run([typed, &["--json", "--bundle", "x.ompack"]].concat()).expect(0);
        assert_eq!(result["structuredContent"].to_string(), run.result_bytes(), "{typed:?}");
        assert_eq!(result["content"][0]["text"], run.result_bytes(), "{typed:?}");
    }
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn without_configuration_the_sample_is_served_and_carries_no_notice() {
    let desk = Desk::new();
    let mut client = Client::start(&mut desk.program(["serve"]));
    let result = client.call("get_symbol_evidence", json!({"symbol": "Pulse"}));
    assert_eq!(result["structuredContent"]["status"], "supported");
    assert_eq!(result["structuredContent"].get("notice"), None);
    let (code, log) = client.end();
    assert_eq!(code, Some(0));
    let events = events(&log);
    assert_eq!(
        (&events[0]["event"], &events[0]["repository_name"]),
        (&json!("artifacts_loaded"), &json!("fernhouse"))
    );
    assert_eq!(events[0]["artifacts_dir"], "built-in sample");
    assert_eq!(
        (&events[1]["event"], &events[1]["tool_name"]),
        (&json!("tool_call"), &json!("get_symbol_evidence"))
    );
}

#[test]
fn a_fallback_is_logged_and_every_answer_says_so() {
    let desk = Desk::new();
    let mut client = Client::start(desk.program(["serve"]).env("OPEN_MIND_ARTIFACTS_DIR", "missing"));
    for (tool, arguments) in [
        ("list_available_artifacts", json!({})),
        ("search_codebase_context", json!({"query": "xylophone"})),
        ("validate_claim_against_sources", json!({"claim": "The InvoiceMailer archives receipts."})),
    ] {
        let result = client.call(tool, arguments);
        let notice = result["structuredContent"]["notice"].as_str().expect("a notice");
        assert!(notice.contains("not your repository"), "{notice}");
    }
    let (_, log) = client.end();
    assert_eq!(events(&log)[0]["event"], "artifacts_fallback_to_samples");
    desk.run_with(&[("OPEN_MIND_ARTIFACTS_DIR", "missing")], ["serve", "--no-fallback"]).expect(3);
}

#[test]
fn a_directory_is_served_without_a_bundle_on_disk() {
    let desk = Desk::new();
    desk.copy_sample("dir");
    let mut client = Client::start(&mut desk.program(["serve", "dir"]));
    assert_eq!(client.repository(), "fernhouse");
    assert_eq!(client.end().0, Some(0));
    assert_eq!(desk.list("."), ["dir"]);
}

#[test]
fn a_rebuild_onto_the_same_path_is_followed_and_a_broken_file_is_not() {
    let desk = Desk::new();
    desk.copy_sample("one");
    desk.copy_sample("two");
    for file in ["two/manifest.json", "two/metadata.json"] {
        desk.edit(file, "\"fernhouse\"", "\"glasshouse\"");
    }
    desk.run(["build", "one", "-o", "x.ompack"]).expect(0);
    let mut client = Client::start(&mut desk.program(["serve", "x.ompack"]));
    assert_eq!(client.repository(), "fernhouse");

    desk.write("broken", &desk.read("x.ompack")[..40_000]);
    fs::rename(desk.path("broken"), desk.path("x.ompack")).expect("renamed");
    assert_eq!(client.repository(), "fernhouse", "the open bundle goes on answering");

    desk.run(["build", "two", "-o", "x.ompack"]).expect(0);
    assert_eq!(client.repository(), "glasshouse");
    fs::remove_file(desk.path("x.ompack")).expect("removed");
    assert_eq!(client.repository(), "glasshouse");
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn a_bundle_written_to_in_place_is_not_answered_from() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let good = desk.read("x.ompack");
    let mut client = Client::start(&mut desk.program(["serve", "x.ompack"]));
    let mut copy = Client::start(&mut desk.program(["serve", "x.ompack", "--no-mmap"]));
    assert_eq!(client.repository(), "fernhouse");
    std::thread::sleep(std::time::Duration::from_millis(25));
    let mut bad = good.clone();
    bad[30_000] ^= 1;
    fs::write(desk.path("x.ompack"), bad).expect("overwritten");
    let result = client.call("list_available_artifacts", json!({}));
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("changed in place"), "{text}");
    assert_eq!(copy.repository(), "fernhouse", "what was read into memory is nobody else's");
    fs::write(desk.path("x.ompack"), good).expect("restored");
    assert_eq!(client.repository(), "fernhouse");
    assert_eq!((client.end().0, copy.end().0), (Some(0), Some(0)));
}

#[test]
fn only_the_expected_bundle_is_served() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let hash =
        desk.run(["verify", "x.ompack", "--json"]).expect(0).envelope()["result"]["contentHash"].clone();
    let hash = hash.as_str().expect("a hash");
    let mut client = Client::start(&mut desk.program(["serve", "x.ompack", "--expect", hash]));
    assert_eq!(client.repository(), "fernhouse");
    assert_eq!(client.end().0, Some(0));
    let other = "1".repeat(64);
    desk.run(["serve", "x.ompack", "--expect", &other]).expect(1).complains(&[&other]);
    desk.run(["serve", "--expect", &other]).expect(1);
    let dir = sample();
    desk.run([Path::new("serve"), &dir, Path::new("--expect"), Path::new(&other)])
        .expect(1)
        .complains(&[&other]);
}

#[test]
fn an_argument_that_cannot_be_loaded_is_an_error() {
    let desk = Desk::new();
    desk.write("notes.txt", "no bundle");
    desk.run(["serve", "missing"]).expect(3);
    let run = desk.run(["serve", "notes.txt"]).expect(1);
    assert_eq!(run.stdout, "", "standard output is the protocol's");
}

#[test]
fn an_input_that_ends_at_once_ends_the_server_well() {
    let run = Desk::new().run(["serve"]).expect(0);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_setting_that_cannot_be_used_is_an_event_and_the_log_stays_json() {
    let desk = Desk::new();
    let mut command = desk.program(["serve"]);
    command.env("OPEN_MIND_MAX_RESULTS", "many").env("LOG_LEVEL", "loud");
    let mut client = Client::start(&mut command);
    client.repository();
    let (code, log) = client.end();
    assert_eq!(code, Some(0));
    let ignored: Vec<String> = events(&log)
        .iter()
        .filter(|event| event["event"] == "setting_ignored")
        .map(|event| event["failure_reason"].as_str().expect("a reason").to_owned())
        .collect();
    assert_eq!(ignored.len(), 2, "{log}");
    assert!(ignored.iter().any(|reason| reason.contains("OPEN_MIND_MAX_RESULTS") && reason.contains("many")));
    assert!(ignored.iter().any(|reason| reason.contains("LOG_LEVEL") && reason.contains("loud")));
}
