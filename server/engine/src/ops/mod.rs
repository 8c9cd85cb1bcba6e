//! The catalogue of operations: each question once, for the command line and the MCP server alike.

mod allowance;
mod argument_error;
mod arguments;
mod artifacts;
mod claim;
mod cursor;
mod evidence;
mod explain;
mod search;
mod symbol;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

pub use argument_error::ArgumentError;
pub use arguments::{Arguments, TextLimit};

use openmind_pack_format::ReadError;

use crate::Bundle;

/// Everything an operation answers from, besides its arguments.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The bundle asked.
    pub bundle: &'a Bundle,
    /// How many search results to give where the caller sets no limit, 1 to 50.
    pub max_results: u32,
    /// A sentence that every answer must carry, such as that these data are only a sample.
    pub notice: Option<&'a str>,
    /// Why another bundle that lies in this one's place wasn't taken, where there is one: a server that goes on with the
    /// former bundle tells so where it describes it.
    pub replacement_error: Option<&'a str>,
}

/// The function behind an operation: takes its arguments apart, then answers with a JSON object whose keys are in
/// the documented order.
pub type Run = fn(&Context<'_>, &mut Arguments) -> Result<Value, CallError>;

/// One question that can be put to a bundle.
#[derive(Debug)]
pub struct Operation {
    /// Its name as an MCP tool.
    pub tool: &'static str,
    /// Its name on the command line.
    pub command: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// What it answers and when to ask it, in words for a model.
    pub description: &'static str,
    run: Run,
}

impl Operation {
    /// Describes an operation.
    pub const fn new(
        tool: &'static str,
        command: &'static str,
        title: &'static str,
        description: &'static str,
        run: Run,
    ) -> Self {
        Self { tool, command, title, description, run }
    }

    /// Answers one question. This is the only place where operations are run, so it is also where a panic (a bug,
    /// perhaps woken by bytes that no check foresaw) is turned into an error; the caller should then drop the
    /// bundle.
    ///
    /// # Errors
    ///
    /// [`CallError::Arguments`] if the arguments don't fit, [`CallError::Damaged`] if the bundle can't be
    /// trusted, [`CallError::Panicked`] as above.
    pub fn call(&self, context: &Context<'_>, arguments: Value) -> Result<Answer, CallError> {
        let mut arguments = Arguments::new(arguments)?;
        let run = AssertUnwindSafe(|| (self.run)(context, &mut arguments));
        let mut value = catch_unwind(run).unwrap_or(Err(CallError::Panicked))?;
        // Operations finish their arguments before they work; one that forgot must not take more than it says.
        arguments.finish()?;
        if let (Some(notice), Some(fields)) = (context.notice, value.as_object_mut()) {
            fields.insert("notice".into(), notice.into());
        }
        Ok(Answer { value })
    }
}

/// What an operation answered: a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    value: Value,
}

impl Answer {
    /// The object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The object itself.
    pub fn into_value(self) -> Value {
        self.value
    }

    /// Its `status`, such as `ok`, `supported` or `insufficient_evidence`.
    pub fn status(&self) -> &str {
        self.value.get("status").and_then(Value::as_str).unwrap_or_default()
    }

    /// The compact form: one line, keys in their order. Whoever shows or sends an answer sends these bytes.
    pub fn to_json(&self) -> String {
        self.value.to_string()
    }
}

/// Why a question got no answer. Each text stands by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments don't fit the operation.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// The bundle is damaged where the answer would have come from.
    #[error("the bundle is damaged: {reason}; nothing was answered from it; rebuild it or fetch it again")]
    Damaged {
        /// What was found and where, by section and offset, never by quoting the bundle's text: it is logged.
        reason: String,
    },
    /// The answer would be too long to be of use, or to be safe.
    #[error(
        "the answer would hold more than {limit} bytes of text, so none was given; ask for fewer results, or rebuild the \
         bundle with a trusted openmind-pack"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// This program can't answer the question from this bundle.
    #[error("this question can't be answered from this bundle: {reason}")]
    Unsupported {
        /// What is missing, and what to do.
        reason: String,
    },
    /// The operation panicked.
    #[error("an internal error stopped the operation, so nothing was answered; please report it")]
    Panicked,
}

impl CallError {
    /// The reason as a log may hold it: without a word of the caller's.
    pub fn log_reason(&self) -> String {
        match self {
            Self::Arguments(_) => "invalid_arguments".into(),
            Self::Damaged { reason } => format!("damaged_bundle: {reason}"),
            Self::TooLarge { limit } => format!("answer_too_large: more than {limit} bytes"),
            Self::Unsupported { reason } => format!("unsupported: {reason}"),
            Self::Panicked => "internal_error".into(),
        }
    }
}

impl From<ReadError> for CallError {
    fn from(error: ReadError) -> Self {
        Self::Damaged { reason: error.to_string() }
    }
}

/// Every operation, in the order in which they are listed.
pub static CATALOGUE: [Operation; 5] = [
    Operation {
        tool: "list_available_artifacts",
        command: "artifacts",
        title: "List available artifacts",
        description: "Tells which repository and commit this server knows and how many glossary terms, \
            architecture components, flows and source files it holds. Call it first, once, when you don't know \
            yet whether the loaded knowledge covers the repository you are working in, or when you must name the \
            exact version (content hash) behind a citation. Takes no arguments.",
        run: artifacts::run,
    },
    Operation {
        tool: "search_codebase_context",
        command: "search",
        title: "Search codebase context",
        description: "Searches glossary terms, architecture components, flows and source symbols, and returns the \
            best matches, each with file:line evidence and the quoted line. Call it before grepping or opening \
            files, when you look for the place where something is done or defined and don't know its exact name: \
            ask with the words of the question or with parts of identifiers (camelCase and snake_case are split). \
            For an exact name call get_symbol_evidence. Matching is by words, not by meaning: after no_results \
            try other words.",
        run: search::run,
    },
    Operation {
        tool: "get_symbol_evidence",
        command: "symbol",
        title: "Get symbol evidence",
        description: "Returns every recorded place (file, line, quoted line) where a name is defined: function, \
            class, type, constant or glossary term. Call it when you have the name and need its definition to cite \
            or to open. An exact-case match wins, else case is ignored. Unknown names give insufficient_evidence \
            with similar names under suggestions, which are not evidence: call again with one of them. For more \
            places than limit, pass nextCursor back as cursor.",
        run: symbol::run,
    },
    Operation {
        tool: "explain_architecture_component",
        command: "explain",
        title: "Explain architecture component",
        description: "Returns what one architecture component is for: its kind, description and responsibilities, \
            word for word from the artifacts, with file:line evidence. Call it when asked how the system is \
            structured or what a module, service or layer does. An unknown name gives insufficient_evidence and \
            lists the nearest component names under availableComponents: call again with one of them.",
        run: explain::run,
    },
    Operation {
        tool: "validate_claim_against_sources",
        command: "claim",
        title: "Validate claim against sources",
        description: "Checks one sentence about the codebase against the recorded sources and answers supported \
            (with file:line evidence), unsupported (the subject is described, but not so) or \
            insufficient_evidence (the subject isn't covered). Call it before you state something about this \
            codebase as a fact in an answer, a review or documentation; state as fact only what is supported. \
            Give one claim a call, a full sentence that names its subject.",
        run: claim::run,
    },
];

/// Refuses questions whose words were cut by another analyzer than the bundle's terms.
pub(crate) fn require_analyzer(bundle: &Bundle) -> Result<(), CallError> {
    if bundle.analyzer_matches() {
        return Ok(());
    }
    let reason = format!(
        "its terms were cut by analyzer {}, this program has analyzer {}; look names up instead, or use the release that \
         built the bundle",
        bundle.header().analyzer_id,
        openmind_pack_format::analyzer::ANALYZER_ID
    );
    Err(CallError::Unsupported { reason })
}

/// A typed report as the value that answers carry. Keys keep the order of the type's fields.
pub(crate) fn report(report: &impl serde::Serialize) -> Result<Value, CallError> {
    serde_json::to_value(report).map_err(|error| CallError::Unsupported { reason: error.to_string() })
}

/// The operation behind an MCP tool name.
pub fn by_tool(tool: &str) -> Option<&'static Operation> {
    CATALOGUE.iter().find(|operation| operation.tool == tool)
}

/// The operation behind a command of the command line.
pub fn by_command(command: &str) -> Option<&'static Operation> {
    CATALOGUE.iter().find(|operation| operation.command == command)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use serde_json::json;

    use super::*;
    use crate::testing::TestBundle;

    fn operation(run: Run) -> Operation {
        Operation::new("tool", "command", "Title", "Description.", run)
    }

    fn context(notice: Option<&str>) -> Context<'_> {
        static BUNDLE: LazyLock<Bundle> = LazyLock::new(|| TestBundle::default().open());
        Context { bundle: &BUNDLE, max_results: 5, notice, replacement_error: None }
    }

    #[test]
    fn an_answer_keeps_its_key_order_and_ends_with_the_notice() {
        let asked = operation(|_, _| Ok(json!({"status": "ok", "zebra": 1, "apple": 2})));
        let answer = asked.call(&context(Some("sample data")), json!({})).expect("an answer");
        assert_eq!(answer.to_json(), r#"{"status":"ok","zebra":1,"apple":2,"notice":"sample data"}"#);
        assert_eq!(answer.status(), "ok");
        let answer = asked.call(&context(None), Value::Null).expect("an answer");
        assert_eq!(answer.to_json(), r#"{"status":"ok","zebra":1,"apple":2}"#);
    }

    #[test]
    fn an_operation_that_forgets_to_finish_is_strict_all_the_same() {
        let forgetful = operation(|_, _| Ok(json!({"status": "ok"})));
        let error = forgetful.call(&context(None), json!({"extra": 1})).expect_err("must be refused");
        assert_eq!(error.to_string(), "unknown argument \"extra\"; no arguments are taken");
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let broken = operation(|_, _| panic!("deliberate"));
        assert_eq!(broken.call(&context(None), json!({})), Err(CallError::Panicked));
    }

    #[test]
    fn names_lead_to_their_operation() {
        let tools: Vec<_> = CATALOGUE.iter().map(|operation| operation.tool).collect();
        assert_eq!(
            tools,
            [
                "list_available_artifacts",
                "search_codebase_context",
                "get_symbol_evidence",
                "explain_architecture_component",
                "validate_claim_against_sources"
            ]
        );
        for (command, tool) in ["artifacts", "search", "symbol", "explain", "claim"].iter().zip(tools) {
            assert_eq!(by_command(command).map(|operation| operation.tool), Some(tool));
            assert_eq!(by_tool(tool).map(|operation| operation.command), Some(*command));
        }
        assert!(by_tool("artifacts").is_none());
        assert!(by_command("list_available_artifacts").is_none());
    }
}
