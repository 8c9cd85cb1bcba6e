//! One tool call from its arguments to its answer, and the line about it in the log.

use std::sync::{Arc, Mutex, PoisonError, Weak};

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
    #[error("the bundle file was changed while it was read, so this answer was dropped; ask again")]
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
    source: Arc<dyn BundleSource>,
    max_results: u32,
    pub(crate) telemetry: Arc<Telemetry>,
    told: Mutex<Told>,
}

/// What the log was told of the source, so that it is told once.
#[derive(Default)]
struct Told {
    served: Option<Weak<Served>>,
    replacement_error: Option<String>,
}

impl Caller {
    pub(crate) fn new(source: Arc<dyn BundleSource>, max_results: u32, telemetry: Arc<Telemetry>) -> Self {
        Self { source, max_results, telemetry, told: Mutex::default() }
    }

    /// Answers one call. Where no bundle can be had or its bytes changed meanwhile, that is the answer.
    pub(crate) fn call(&self, operation: &Operation, arguments: Value) -> Result<Answer, Failure> {
        let current = self.source.current();
        let replacement_error = self.source.replacement_error();
        if let Ok(served) = &current {
            self.tell(served, replacement_error.as_deref());
        }
        let answer = match &current {
            Ok(served) => self.ask(operation, arguments, served, replacement_error.as_deref()),
            Err(error) => Err(error.clone().into()),
        };
        self.log(operation, current.ok().as_deref(), &answer);
        answer
    }

    fn ask(
        &self,
        operation: &Operation,
        arguments: Value,
        served: &Served,
        replacement_error: Option<&str>,
    ) -> Result<Answer, Failure> {
        let context = Context {
            bundle: &served.bundle,
            max_results: self.max_results,
            notice: served.notice.as_deref(),
            replacement_error,
        };
        let answer = operation.call(&context, arguments);
        match &answer {
            // The bundle has no part in it.
            Err(CallError::Arguments(_)) => return Ok(answer?),
            Err(CallError::Panicked) => self.source.distrust(served),
            _ => {}
        }
        // Where bytes changed, they are why the answer is what it is, be it an error.
        if self.source.unchanged(served) { Ok(answer?) } else { Err(Failure::Changed) }
    }

    /// Remembers the present bundle as one that the log knows of.
    pub(crate) fn begin(&self) {
        if let Ok(served) = self.source.current() {
            self.told().served = Some(Arc::downgrade(&served));
        }
    }

    fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs that another bundle is served than at the last call, or that one was refused.
    fn tell(&self, served: &Arc<Served>, replacement_error: Option<&str>) {
        let mut told = self.told();
        let present = Arc::downgrade(served);
        let former = told.served.replace(present.clone());
        if former.is_some_and(|former| !former.ptr_eq(&present)) {
            self.telemetry.artifacts_loaded(&served.label, &served.repository_name);
        }
        if told.replacement_error.as_deref() != replacement_error {
            if let Some(reason) = replacement_error {
                self.telemetry.artifacts_replacement_refused(&served.label, &served.repository_name, reason);
            }
            told.replacement_error = replacement_error.map(str::to_owned);
        }
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
