//! One MCP session over the built program's standard input and output.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::questions::Question;

/// Far longer than any answer takes: a debug build on a busy machine gets there too.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Session {
    server: Child,
    input: Option<ChildStdin>,
    /// Lines of standard output, read by a thread of their own so that a server that hangs fails the test.
    lines: Receiver<String>,
    log: PathBuf,
    last_id: u64,
}

/// An answer whose text and structured content are the same bytes, and compact.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) value: Value,
}

impl Session {
    /// Starts `serve` and opens a session as a client of the 2025-06-18 revision does. `log` takes standard error.
    pub(crate) fn open(mut program: Command, options: &[&str], bundle: &Path, log: &Path) -> Self {
        let stderr = File::create(log).expect("a log file");
        program.arg("serve").args(options).arg(bundle);
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut server = program.spawn().expect("the server starts");
        let input = server.stdin.take().expect("piped");
        let mut output = BufReader::new(server.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            while output.read_line(&mut line).expect("lines of UTF-8") > 0
                && sender.send(line.clone()).is_ok()
            {
                line.clear();
            }
        });

        let mut session = Self { server, input: Some(input), lines, log: log.to_owned(), last_id: 0 };
        let opened = session.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "real-data", "version": "1"},
            }),
        );
        let opened: Value = serde_json::from_str(&opened).expect("JSON");
        assert_eq!(opened["result"]["protocolVersion"], "2025-06-18", "{opened}");
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    /// Asks and takes the answer apart; the error says what is wrong with its shape.
    pub(crate) fn ask(&mut self, question: &Question) -> Result<Answer, String> {
        answer(&self.ask_raw(question), self.last_id)
    }

    /// The answer's line as it came, without its end.
    pub(crate) fn ask_raw(&mut self, question: &Question) -> String {
        self.request("tools/call", json!({"name": question.tool, "arguments": question.arguments}))
    }

    /// Ends standard input, on which the server has to end by itself, with 0 and nothing more to say.
    pub(crate) fn close(mut self) {
        drop(self.input.take());
        assert!(self.lines.recv_timeout(PATIENCE).is_err(), "a line that answers nothing");
        let status = self.server.wait().expect("the server ends");
        assert!(status.success(), "{status}; {}", self.log_text());
    }

    fn request(&mut self, method: &str, params: Value) -> String {
        self.last_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}));
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => line.strip_suffix('\n').expect("a line ends").to_owned(),
            Err(error) => panic!("no answer to {method} {params}: {error}; {}", self.log_text()),
        }
    }

    fn send(&mut self, message: &Value) {
        let sent = self.input.as_mut().expect("open").write_all(format!("{message}\n").as_bytes());
        sent.unwrap_or_else(|error| panic!("the server takes no line: {error}; {}", self.log_text()));
    }

    fn log_text(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // A test that failed leaves no server behind; after `close` there is none.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Takes a line apart without losing the bytes of its parts.
fn answer(line: &str, id: u64) -> Result<Answer, String> {
    let parse = |error: serde_json::Error| format!("{error} in {line}");
    let message: BTreeMap<String, &RawValue> = serde_json::from_str(line).map_err(parse)?;
    if message.get("id").map(|id| id.get()) != Some(&id.to_string()) {
        return Err(format!("expected id {id} in {line}"));
    }
    let result = message.get("result").ok_or_else(|| format!("no result in {line}"))?;
    let result: BTreeMap<String, &RawValue> = serde_json::from_str(result.get()).map_err(parse)?;
    if result.get("isError").is_some_and(|flag| flag.get() != "false") {
        return Err(format!("an error: {line}"));
    }
    let content = result.get("content").ok_or_else(|| format!("no content in {line}"))?;
    let content: Value = serde_json::from_str(content.get()).map_err(parse)?;
    let text = content[0]["text"].as_str().ok_or_else(|| format!("no text in {line}"))?.to_owned();
    if content != json!([{"type": "text", "text": text}]) {
        return Err(format!("expected one text block in {line}"));
    }
    let structured = result.get("structuredContent").map(|raw| raw.get());
    if structured != Some(&text) {
        return Err(format!("text and structuredContent aren't the same bytes in {line}"));
    }
    let value: Value = serde_json::from_str(&text).map_err(parse)?;
    let compact = value.to_string();
    if compact != text {
        return Err(format!("not the compact form: {text}"));
    }
    Ok(Answer { text, value })
}
