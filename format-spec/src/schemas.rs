//! The tools' JSON Schemas: hand-kept files, because clients choke on generated ones.

/// The schemas of one tool, as the files have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolSchemas {
    /// The tool.
    pub tool: &'static str,
    /// What its arguments must look like.
    pub input: &'static str,
    /// What its answers look like.
    pub output: &'static str,
}

macro_rules! tool_schemas {
    ($($tool:literal),* $(,)?) => {
        [$(ToolSchemas {
            tool: $tool,
            input: include_str!(concat!("../schemas/tools/", $tool, ".input.json")),
            output: include_str!(concat!("../schemas/tools/", $tool, ".output.json")),
        }),*]
    };
}

static ALL: [ToolSchemas; 5] = tool_schemas![
    "list_available_artifacts",
    "search_codebase_context",
    "get_symbol_evidence",
    "explain_architecture_component",
    "validate_claim_against_sources",
];

impl ToolSchemas {
    /// The schemas of `tool`, if it has any.
    #[must_use]
    pub fn of(tool: &str) -> Option<&'static Self> {
        ALL.iter().find(|schemas| schemas.tool == tool)
    }
}
