//! JSON lines on stderr, one per event. Stdout belongs to the protocol.
//!
//! A line holds what an operator needs and no more: no argument of a call and no text from artifacts, but for the
//! repository's name and the `file:line` of a citation.

mod clock;

use std::io::Write;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use serde::Serialize;

/// How much is logged: a level lets its own events and all graver ones through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Everything.
    Debug,
    /// Each tool call, and what was loaded.
    #[default]
    Info,
    /// What a user should know: fallbacks, doubtful citations, wrong arguments.
    Warn,
    /// What failed.
    Error,
}

/// A text that names no log level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log level must be debug, info, warn or error, but {0:?} came")]
pub struct UnknownLogLevel(String);

impl FromStr for LogLevel {
    type Err = UnknownLogLevel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "debug" => Ok(Self::Debug),
            "info" => Ok(Self::Info),
            "warn" => Ok(Self::Warn),
            "error" => Ok(Self::Error),
            _ => Err(UnknownLogLevel(text.into())),
        }
    }
}

/// Writes the events at or above one level.
pub struct Telemetry {
    level: LogLevel,
    sink: Mutex<Box<dyn Write + Send>>,
}

/// One line, with its keys in the order in which they are documented.
#[derive(Serialize)]
struct Line<'a> {
    time: String,
    level: LogLevel,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifacts_dir: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository_name: Option<&'a str>,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

impl<'a> Line<'a> {
    fn now(level: LogLevel, event: &'static str, status: &'a str) -> Self {
        Self {
            time: clock::rfc3339(SystemTime::now()),
            level,
            event,
            tool_name: None,
            artifacts_dir: None,
            repository_name: None,
            status,
            failure_reason: None,
            file: None,
            line: None,
        }
    }
}

/// What the log says of one tool call.
pub(crate) struct ToolCall<'a> {
    pub(crate) level: LogLevel,
    pub(crate) tool_name: &'a str,
    pub(crate) artifacts_dir: Option<&'a str>,
    pub(crate) repository_name: Option<&'a str>,
    pub(crate) status: &'a str,
    pub(crate) failure_reason: Option<&'a str>,
}

impl Telemetry {
    /// Logs to stderr.
    pub fn to_stderr(level: LogLevel) -> Self {
        Self::to_writer(level, Box::new(std::io::stderr()))
    }

    /// Logs to `sink`, each line in one write.
    pub fn to_writer(level: LogLevel, sink: Box<dyn Write + Send>) -> Self {
        Self { level, sink: Mutex::new(sink) }
    }

    /// A bundle or directory was loaded and will be served.
    pub fn artifacts_loaded(&self, artifacts_dir: &str, repository_name: &str) {
        self.write(&Line {
            artifacts_dir: Some(artifacts_dir),
            repository_name: Some(repository_name),
            ..Line::now(LogLevel::Info, "artifacts_loaded", "ok")
        });
    }

    /// What was configured can't be loaded, so the built-in sample, `repository_name`, is served in its place.
    /// `failure_reason` says why, without quoting artifacts.
    pub fn artifacts_fallback_to_samples(
        &self,
        artifacts_dir: &str,
        repository_name: &str,
        failure_reason: &str,
    ) {
        self.write(&Line {
            artifacts_dir: Some(artifacts_dir),
            repository_name: Some(repository_name),
            failure_reason: Some(failure_reason),
            ..Line::now(LogLevel::Warn, "artifacts_fallback_to_samples", "fallback")
        });
    }

    /// A bundle that was put in the place of the one that `artifacts_dir` names wasn't taken, and the former one, of
    /// `repository_name`, goes on answering. `failure_reason` says why, without quoting artifacts.
    pub fn artifacts_replacement_refused(
        &self,
        artifacts_dir: &str,
        repository_name: &str,
        failure_reason: &str,
    ) {
        self.write(&Line {
            artifacts_dir: Some(artifacts_dir),
            repository_name: Some(repository_name),
            failure_reason: Some(failure_reason),
            ..Line::now(LogLevel::Warn, "artifacts_replacement_refused", "refused")
        });
    }

    /// A citation doesn't hold, or not as it stands. `state` is its short state or finding, such as `moved`.
    pub fn artifact_citation_warning(
        &self,
        artifacts_dir: &str,
        repository_name: &str,
        file: &str,
        line: u32,
        state: &str,
    ) {
        self.write(&Line {
            artifacts_dir: Some(artifacts_dir),
            repository_name: Some(repository_name),
            file: Some(file),
            line: Some(line),
            ..Line::now(LogLevel::Warn, "artifact_citation_warning", state)
        });
    }

    /// A setting of the environment can't be used, and its default holds. `failure_reason` names both.
    pub fn setting_ignored(&self, failure_reason: &str) {
        self.write(&Line {
            failure_reason: Some(failure_reason),
            ..Line::now(LogLevel::Warn, "setting_ignored", "ignored")
        });
    }

    pub(crate) fn tool_call(&self, call: &ToolCall<'_>) {
        self.write(&Line {
            tool_name: Some(call.tool_name),
            artifacts_dir: call.artifacts_dir,
            repository_name: call.repository_name,
            failure_reason: call.failure_reason,
            ..Line::now(call.level, "tool_call", call.status)
        });
    }

    /// The program panicked at `place` in its own source. The panic's message isn't logged: it may quote artifacts.
    pub(crate) fn panicked(&self, place: &str) {
        self.write(&Line { failure_reason: Some(place), ..Line::now(LogLevel::Error, "panic", "error") });
    }

    /// Writes one line. A log that can't be written must not stop the server, so failures are let go.
    fn write(&self, line: &Line<'_>) {
        if line.level < self.level {
            return;
        }
        let Ok(mut bytes) = serde_json::to_vec(line) else { return };
        bytes.push(b'\n');
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sink.write_all(&bytes).and_then(|()| sink.flush());
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic while locked").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The lines logged, each checked for a plausible time, which is then cut off.
    fn logged(level: LogLevel, events: impl FnOnce(&Telemetry)) -> Vec<String> {
        let sink = Sink::default();
        events(&Telemetry::to_writer(level, Box::new(sink.clone())));
        let bytes = sink.0.lock().expect("no panic while locked").clone();
        let text = String::from_utf8(bytes).expect("logs are UTF-8");
        text.lines()
            .map(|line| {
                let mut fields: serde_json::Map<String, Value> =
                    serde_json::from_str(line).expect("a JSON object");
                let time = fields.shift_remove("time").expect("a time");
                assert!(time.as_str().is_some_and(|time| time.len() == 24 && time.ends_with('Z')), "{time}");
                assert!(line.starts_with("{\"time\":"), "{line}");
                Value::Object(fields).to_string()
            })
            .collect()
    }

    #[test]
    fn keys_stand_in_the_documented_order() {
        let lines = logged(LogLevel::Debug, |log| {
            log.tool_call(&ToolCall {
                level: LogLevel::Info,
                tool_name: "get_symbol_evidence",
                artifacts_dir: Some("a/.openmind"),
                repository_name: Some("orders"),
                status: "supported",
                failure_reason: None,
            });
            log.tool_call(&ToolCall {
                level: LogLevel::Error,
                tool_name: "get_symbol_evidence",
                artifacts_dir: None,
                repository_name: None,
                status: "error",
                failure_reason: Some("bundle_changed"),
            });
            log.artifacts_loaded("a.ompack", "orders");
            log.artifacts_fallback_to_samples("b", "sample", "manifest.json is missing");
            log.artifact_citation_warning("a.ompack", "orders", "src/a.rs", 7, "moved");
            log.artifacts_replacement_refused("a.ompack", "orders", "it is empty");
        });
        assert_eq!(
            lines,
            [
                r#"{"level":"info","event":"tool_call","tool_name":"get_symbol_evidence","artifacts_dir":"a/.openmind","repository_name":"orders","status":"supported"}"#,
                r#"{"level":"error","event":"tool_call","tool_name":"get_symbol_evidence","status":"error","failure_reason":"bundle_changed"}"#,
                r#"{"level":"info","event":"artifacts_loaded","artifacts_dir":"a.ompack","repository_name":"orders","status":"ok"}"#,
                r#"{"level":"warn","event":"artifacts_fallback_to_samples","artifacts_dir":"b","repository_name":"sample","status":"fallback","failure_reason":"manifest.json is missing"}"#,
                r#"{"level":"warn","event":"artifact_citation_warning","artifacts_dir":"a.ompack","repository_name":"orders","status":"moved","file":"src/a.rs","line":7}"#,
                r#"{"level":"warn","event":"artifacts_replacement_refused","artifacts_dir":"a.ompack","repository_name":"orders","status":"refused","failure_reason":"it is empty"}"#,
            ]
        );
    }

    #[test]
    fn a_level_lets_graver_events_through_only() {
        let lines = |level| {
            logged(level, |log| {
                log.artifacts_loaded("a", "r");
                log.artifacts_fallback_to_samples("a", "r", "why");
                log.panicked("src/x.rs:1");
            })
            .len()
        };
        assert_eq!(lines(LogLevel::Debug), 3);
        assert_eq!(lines(LogLevel::Info), 3);
        assert_eq!(lines(LogLevel::Warn), 2);
        assert_eq!(lines(LogLevel::Error), 1);
    }

    #[test]
    fn a_text_with_line_breaks_stays_on_one_line() {
        let lines = logged(LogLevel::Info, |log| log.artifacts_loaded("a\nb", "r\r\n"));
        assert_eq!(lines.len(), 1);
    }

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error] {
            let name = json!(level);
            assert_eq!(name.as_str().expect("a text").parse(), Ok(level));
        }
        assert_eq!(
            "verbose".parse::<LogLevel>().map_err(|error| error.to_string()),
            Err("the log level must be debug, info, warn or error, but \"verbose\" came".into())
        );
    }
}
