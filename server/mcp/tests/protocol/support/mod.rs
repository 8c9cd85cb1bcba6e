//! A server over made-up operations, and a client that talks to it in raw lines.

pub(crate) mod operations;
pub(crate) mod schema;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use openmind_pack_engine::ops::{CATALOGUE, Operation};
use openmind_pack_format::{Bundle, BundleWriter, KnowledgeHash};
use openmind_pack_mcp::{
    BundleSource, LogLevel, ServeError, Served, Server, Settings, SourceError, Telemetry, serve_on,
};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;

/// Far longer than anything here takes; a test that waits so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A source whose bundle is never looked into, and which does what a test tells it to.
#[derive(Default)]
pub(crate) struct FakeSource {
    /// Whether bundles change while they are read.
    pub(crate) changes: AtomicBool,
    /// Whether no bundle can be had.
    pub(crate) fails: AtomicBool,
    /// Whether each call gets another bundle.
    pub(crate) replaces: AtomicBool,
    /// Why a replacement was refused.
    replacement_error: Option<String>,
    /// How often a bundle was distrusted.
    pub(crate) distrusted: AtomicUsize,
    notice: Option<String>,
    served: OnceLock<Arc<Served>>,
}

impl FakeSource {
    /// A source whose answers carry a notice.
    pub(crate) fn with_notice(notice: &str) -> Self {
        Self { notice: Some(notice.into()), ..Self::default() }
    }

    /// A source that refused a replacement.
    pub(crate) fn refusing(reason: &str) -> Self {
        Self { replacement_error: Some(reason.into()), ..Self::default() }
    }

    fn serve(&self, bundle: Bundle) -> Arc<Served> {
        Arc::new(Served {
            bundle,
            label: "fixtures/.openmind".into(),
            repository_name: "sample-repo".into(),
            notice: self.notice.clone(),
        })
    }
}

impl BundleSource for FakeSource {
    fn current(&self) -> Result<Arc<Served>, SourceError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(SourceError::new("knowledge.ompack is gone; build it again"));
        }
        if self.replaces.load(Ordering::Relaxed) {
            return Ok(self.serve(empty_bundle()));
        }
        Ok(Arc::clone(self.served.get_or_init(|| self.serve(empty_bundle()))))
    }

    fn unchanged(&self, _: &Served) -> bool {
        !self.changes.load(Ordering::Relaxed)
    }

    fn replacement_error(&self) -> Option<String> {
        self.replacement_error.clone()
    }

    fn distrust(&self, _: &Served) {
        self.distrusted.fetch_add(1, Ordering::Relaxed);
    }
}

/// A bundle without a section: what is served has to be one, but no made-up operation looks into it.
fn empty_bundle() -> Bundle {
    let mut bytes = Vec::new();
    let written = BundleWriter::new().write_to(KnowledgeHash::from([0; 32]), &mut bytes);
    written.expect("writing to memory can't fail");
    Bundle::from_slice(&bytes, None).expect("what was written opens")
}

/// What was logged.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// The events, in order.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect("a log line is JSON")).collect()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic while locked").clone()).expect("logs are UTF-8")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic while locked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A running server and its client's ends of the streams.
pub(crate) struct Connection {
    pub(crate) input: DuplexStream,
    pub(crate) output: DuplexStream,
    pub(crate) ended: JoinHandle<Result<(), ServeError>>,
    pub(crate) log: Log,
}

/// A server of the made-up operations.
pub(crate) fn connect(source: Arc<FakeSource>) -> Connection {
    connect_to(&operations::FAKES, source)
}

fn connect_to(operations: &'static [Operation], source: Arc<FakeSource>) -> Connection {
    let log = Log::default();
    let telemetry = Arc::new(Telemetry::to_writer(LogLevel::Debug, Box::new(log.clone())));
    let server = Server::with_operations(operations, source, Settings { max_results: 5, telemetry });
    let (input, server_input) = tokio::io::duplex(4096);
    let (server_output, output) = tokio::io::duplex(4096);
    let ended = tokio::spawn(serve_on(server, server_input, server_output));
    Connection { input, output, ended, log }
}

/// What came of a conversation.
pub(crate) struct Conversation {
    /// The lines answered, as they were sent.
    pub(crate) lines: Vec<String>,
    pub(crate) log: Log,
}

impl Conversation {
    pub(crate) fn answers(&self) -> Vec<Value> {
        self.lines.iter().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// The only answer with this id.
    pub(crate) fn answer(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        let mut found = self.answers().into_iter().filter(|answer| answer.get("id") == Some(&id));
        let answer = found.next().unwrap_or_else(|| panic!("no answer to {id} in {:?}", self.lines));
        assert!(found.next().is_none(), "{id} was answered twice");
        answer
    }
}

/// Sends `sent`, ends the input, and reads until the server ends, which must be without an error.
pub(crate) async fn converse_bytes(source: Arc<FakeSource>, sent: Vec<u8>) -> Conversation {
    finish(connect(source), sent).await
}

async fn finish(connection: Connection, sent: Vec<u8>) -> Conversation {
    let Connection { mut input, mut output, ended, log } = connection;
    let sending = tokio::spawn(async move {
        input.write_all(&sent).await.expect("the server reads");
    });
    let mut received = Vec::new();
    tokio::time::timeout(PATIENCE, output.read_to_end(&mut received)).await.expect("ends").expect("reads");
    sending.await.expect("no panic");
    ended.await.expect("no panic").expect("the end of the input is no error");
    let text = String::from_utf8(received).expect("answers are UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
    Conversation { lines: text.lines().map(str::to_owned).collect(), log }
}

/// As [`converse_bytes`], with lines.
pub(crate) async fn converse(source: Arc<FakeSource>, lines: &[String]) -> Conversation {
    converse_bytes(source, join(lines)).await
}

/// A conversation with the engine's own operations about a real bundle.
pub(crate) async fn talk_about(bundle: Bundle, lines: &[String]) -> Conversation {
    let source = Arc::new(FakeSource::default());
    assert!(source.served.set(source.serve(bundle)).is_ok(), "nothing was served yet");
    finish(connect_to(&CATALOGUE, source), join(lines)).await
}

fn join(lines: &[String]) -> Vec<u8> {
    let mut joined = lines.join("\n").into_bytes();
    joined.push(b'\n');
    joined
}

/// A conversation with a source that does nothing special.
pub(crate) async fn talk(lines: &[String]) -> Conversation {
    converse(Arc::default(), lines).await
}

/// A request without metadata.
pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    serde_json::json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}).to_string()
}

/// A request of the stateless revision.
pub(crate) fn stateless(id: impl Into<Value>, method: &str, mut params: Value) -> String {
    params["_meta"] = serde_json::json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    request(id, method, params)
}

/// The opening of a session.
pub(crate) fn initialize(id: impl Into<Value>, version: &str) -> String {
    let client = serde_json::json!({"name": "test", "version": "1"});
    let params = serde_json::json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    request(id, "initialize", params)
}

pub(crate) fn initialized() -> String {
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into()
}

pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> String {
    request(id, "tools/call", serde_json::json!({"name": tool, "arguments": arguments}))
}
