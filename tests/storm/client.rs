//! A client that talks to a server of its own over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::common::Desk;
use crate::knowledge::Question;

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The text of an answer, which its structured content says as well.
    Answer(String),
    /// The text of an `isError`.
    Error(String),
}

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    /// Starts `serve` with these arguments on a file.
    pub(crate) fn start(desk: &Desk, arguments: &[&str], bundle: &Path) -> Self {
        let mut command = desk.program(["serve"]);
        command.args(arguments).arg(bundle).env("LOG_LEVEL", "error");
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Self { child, input, output, id: 0 };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        client.request("initialize", &hello);
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().expect("open"), "{message}").expect("the server is there");
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("an answer");
        assert!(read > 0, "the server is gone: {:?}", self.child.wait());
        let mut answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], self.id, "each request has its answer: {line}");
        answer["result"].take()
    }

    pub(crate) fn ask(&mut self, (tool, arguments): &Question) -> Reply {
        let result = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        if result["isError"] == true {
            return Reply::Error(text);
        }
        assert_eq!(result["structuredContent"].to_string(), text);
        Reply::Answer(text)
    }

    /// The answers to questions that nothing disturbs.
    pub(crate) fn answers(&mut self, questions: &[Question]) -> Vec<String> {
        let answer = |question| match self.ask(question) {
            Reply::Answer(text) => text,
            Reply::Error(text) => panic!("{question:?}: {text}"),
        };
        questions.iter().map(answer).collect()
    }

    /// Ends the input, and so the server, which ends well.
    pub(crate) fn end(mut self) {
        drop(self.input.take());
        assert_eq!(self.child.wait().expect("ends").code(), Some(0));
    }
}
