//! A question, as an agent asks it and as it is typed.

use serde_json::{Value, json};

pub(crate) struct Question {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    /// The command and its options.
    pub(crate) command: Vec<String>,
    /// What follows them and might begin with a dash.
    pub(crate) text: Option<String>,
}

impl Question {
    pub(crate) fn artifacts() -> Self {
        Self {
            tool: "list_available_artifacts",
            arguments: json!({}),
            command: vec!["artifacts".into()],
            text: None,
        }
    }

    pub(crate) fn symbol(name: &str, limit: Option<usize>, cursor: Option<&str>) -> Self {
        let mut question = Self::about("get_symbol_evidence", "symbol", "symbol", name);
        question.limit(limit);
        if let Some(cursor) = cursor {
            question.arguments["cursor"] = json!(cursor);
            question.command.extend(["--cursor".into(), cursor.into()]);
        }
        question
    }

    pub(crate) fn search(query: &str, limit: Option<usize>) -> Self {
        let mut question = Self::about("search_codebase_context", "search", "query", query);
        question.limit(limit);
        question
    }

    pub(crate) fn explain(component: &str) -> Self {
        Self::about("explain_architecture_component", "explain", "component", component)
    }

    pub(crate) fn claim(claim: &str) -> Self {
        Self::about("validate_claim_against_sources", "claim", "claim", claim)
    }

    fn about(tool: &'static str, command: &str, argument: &str, text: &str) -> Self {
        Self {
            tool,
            arguments: json!({argument: text}),
            command: vec![command.into()],
            text: Some(text.into()),
        }
    }

    fn limit(&mut self, limit: Option<usize>) {
        if let Some(limit) = limit {
            self.arguments["limit"] = json!(limit);
            self.command.extend(["--limit".into(), limit.to_string()]);
        }
    }

    /// Whether it can be given as an argument: the operating system takes no NUL there.
    pub(crate) fn can_be_typed(&self) -> bool {
        self.text.as_ref().is_none_or(|text| !text.contains('\0'))
    }

    /// For messages: `symbol {"symbol":"RetryPolicy","limit":50}`.
    pub(crate) fn shown(&self) -> String {
        format!("{} {}", self.command[0], self.arguments)
    }
}
