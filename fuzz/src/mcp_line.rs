//! Any bytes as what a client sends to the server: each request gets one answer, in turn, and nothing else is sent.
//!
//! The first byte of an input chooses how the connection opens and in what pieces the rest arrives.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex};
use std::task::{Context, Poll};

use openmind_pack_format::Bundle;
use openmind_pack_mcp::{BundleSource, LogLevel, Served, Server, Settings, SourceError, Telemetry, serve_on};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::{Builder, Runtime};

use crate::base;

const INITIALIZED: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"opening","method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

struct Constant(Arc<Served>);

impl BundleSource for Constant {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        Ok(Arc::clone(&self.0))
    }

    fn unchanged(&self, _: &Served) -> bool {
        true
    }
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let bundle = Bundle::from_slice(&base::small(), None).unwrap();
    let served =
        Served { bundle, label: "small.ompack".into(), repository_name: "orchard".into(), notice: None };
    let telemetry = Arc::new(Telemetry::to_writer(LogLevel::Info, Box::new(io::sink())));
    Server::new(Arc::new(Constant(Arc::new(served))), Settings { max_results: 5, telemetry })
});

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().enable_time().build().unwrap();
}

/// Holds a conversation with what a client sends.
pub fn run(data: &[u8]) {
    let Some((flags, sent)) = data.split_first() else { return };
    let sent = if flags & 1 == 0 { sent.to_vec() } else { [INITIALIZED.as_bytes(), sent].concat() };
    let expected = Expected::of(&sent);
    let piece = [usize::MAX, 1, 7, 64][usize::from(flags >> 1) % 4];
    let received = Received::default();
    let client = Sent { bytes: sent, at: 0, piece };
    RUNTIME.with(|runtime| runtime.block_on(serve_on(SERVER.clone(), client, received.clone()))).unwrap();
    let received = std::mem::take(&mut *received.0.lock().unwrap());
    expected.check(&received);
}

/// The answers that the lines sent ask for: their ids in order, `None` where none can be told.
struct Expected {
    ids: Vec<Option<Value>>,
    /// A request that is cancelled in time gets no answer.
    cancelled: bool,
}

impl Expected {
    fn of(sent: &[u8]) -> Self {
        let mut expected = Self { ids: Vec::new(), cancelled: false };
        for line in sent.split(|byte| *byte == b'\n') {
            let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
            if !line.trim_ascii().is_empty() {
                expected.line(line);
            }
        }
        expected
    }

    fn line(&mut self, line: &[u8]) {
        let Ok(Value::Object(message)) = serde_json::from_slice(line) else {
            return self.ids.push(None);
        };
        let is_response = message.contains_key("result") || message.contains_key("error");
        let method = message.get("method");
        if is_response && method.is_none() {
            return;
        }
        let is_sound = message.get("jsonrpc").is_some_and(|version| version == "2.0")
            && method.is_some_and(Value::is_string)
            && !is_response;
        match message.get("id") {
            Some(id) => self.ids.push((id.is_string() || id.is_i64()).then(|| id.clone())),
            None if !is_sound => self.ids.push(None),
            None => self.cancelled |= method.is_some_and(|method| method == "notifications/cancelled"),
        }
    }

    fn check(self, received: &[u8]) {
        let text = std::str::from_utf8(received).expect("answers are UTF-8");
        assert!(text.is_empty() || text.ends_with('\n'), "the last answer is a whole line");
        let mut expected = self.ids.into_iter();
        for line in text.lines() {
            let answer: Value = serde_json::from_str(line).expect("an answer is JSON");
            assert_eq!(answer["jsonrpc"], "2.0");
            let result = answer.get("result").is_some();
            assert!(result != answer.get("error").is_some(), "{line} has a result or an error");
            let text = answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default();
            assert!(!text.starts_with("an internal error stopped"), "{line} tells of a panic");
            let id = answer.get("id").cloned();
            let found = if self.cancelled {
                expected.any(|expected| expected == id)
            } else {
                expected.next() == Some(id)
            };
            assert!(found, "{line} answers no request, or not in turn");
        }
        assert!(self.cancelled || expected.next().is_none(), "each request is answered: {text}");
    }
}

/// What the client sends, in pieces.
struct Sent {
    bytes: Vec<u8>,
    at: usize,
    piece: usize,
}

impl AsyncRead for Sent {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let length = self.piece.min(self.bytes.len() - self.at).min(into.remaining());
        into.put_slice(&self.bytes[self.at..self.at + length]);
        self.at += length;
        Poll::Ready(Ok(()))
    }
}

/// What the client receives.
#[derive(Clone, Default)]
struct Received(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Received {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
