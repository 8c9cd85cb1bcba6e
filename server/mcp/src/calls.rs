//! One tool call from its arguments to its answer, and the line about it in the log.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use openmind_pack_engine::ops::{Answer, CallError, Context, Operation};
use serde_json::Value;

use crate::source::{BundleSource, Served, SourceError};
use crate::telemetry::{LogLevel, Telemetry, ToolCall};

/// Why a call has no answer. The text goes to the model and stands by itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("no knowledge can be served: {0}")]
    Source(#[from] SourceError),
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("the bundle file changed while it was read, so this answer was dropped; ask again")]
    Changed,
}

impl Failure {
    /// The reason as the log has it: no argument and no text from artifacts.
    fn log_reason(&self) -> String {
        match self {
            Self::Source(error) => format!("source: {error}"),
            Self::Call(error) => error.log_reason(),
            Self::Changed => "bundle_changed".into(),
        }
    }

    /// A caller's mistake is a warning; everything else is for whoever runs the server.
    fn level(&self) -> LogLevel {
        match self {
            Self::Call(CallError::Arguments(_)) => LogLevel::Warn,
            _ => LogLevel::Error,
        }
    }
}

/// Calls operations and logs each call.
pub(crate) struct Caller {
    pub(crate) source: Arc<dyn BundleSource>,
    pub(crate) max_results: u32,
    pub(crate) telemetry: Arc<Telemetry>,
}

impl Caller {
    /// Answers one call. Nothing that the source or the operation does may end the process or leave the client
    /// without an answer, so a panic becomes a failure like any other.
    pub(crate) fn call(&self, operation: &Operation, arguments: Value) -> Result<Answer, Failure> {
        let mut served = None;
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let current = served.insert(self.source.current()?);
            self.ask(operation, arguments, current)
        }))
        .unwrap_or(Err(Failure::Call(CallError::Panicked)));
        self.log(operation, served.as_deref(), &answer);
        answer
    }

    fn ask(&self, operation: &Operation, arguments: Value, served: &Served) -> Result<Answer, Failure> {
        let context = Context {
            bundle: &served.bundle,
            max_results: self.max_results,
            notice: served.notice.as_deref(),
        };
        let answer = operation.call(&context, arguments);
        if matches!(answer, Err(CallError::Panicked)) {
            self.source.distrust(served);
        }
        let answer = answer?;
        if self.source.unchanged(served) { Ok(answer) } else { Err(Failure::Changed) }
    }

    fn log(&self, operation: &Operation, served: Option<&Served>, answer: &Result<Answer, Failure>) {
        let (level, status, failure_reason) = match answer {
            Ok(answer) => (LogLevel::Info, answer.status(), None),
            Err(failure) => (failure.level(), "error", Some(failure.log_reason())),
        };
        self.telemetry.tool_call(&ToolCall {
            level,
            tool_name: operation.tool,
            artifacts_dir: served.map(|served| served.label.as_str()),
            repository_name: served.map(|served| served.repository_name.as_str()),
            status,
            failure_reason: failure_reason.as_deref(),
        });
    }
}
