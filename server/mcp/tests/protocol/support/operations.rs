//! Operations that need no bundle and answer in the documented shapes.

use openmind_pack_engine::ops::{Arguments, CallError, Context, Operation, TextLimit};
use serde_json::{Value, json};

const QUERY: TextLimit = TextLimit::Characters(4096);
const CLAIM: TextLimit = TextLimit::Characters(2000);
const NAME: TextLimit = TextLimit::Bytes(8192);

pub(crate) static FAKES: [Operation; 5] = [
    Operation::new("list_available_artifacts", "artifacts", "List", "Lists.", artifacts),
    Operation::new("search_codebase_context", "search", "Search", "Searches.", search),
    Operation::new("get_symbol_evidence", "symbol", "Symbol", "Looks up.", symbol),
    Operation::new("explain_architecture_component", "explain", "Explain", "Explains.", explain),
    Operation::new("validate_claim_against_sources", "claim", "Claim", "Checks.", claim),
];

fn artifacts(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    arguments.finish()?;
    let mut answer = json!({
        "status": "ok",
        "artifacts": [
            {"type": "glossary", "file": "glossary.json", "entryCount": 10},
            {"type": "source-index", "file": "source-index.json", "entryCount": 12}
        ],
        "repository": {"name": "sample-repo", "commit": null},
        "bundle": {
            "contentHash": "00", "knowledgeHash": "11", "formatVersion": 0, "schemaVersion": "1.1.0",
            "generator": {"name": "openmind", "version": "1.7.0"}, "generatedAt": "2026-01-01T00:00:00Z",
            "citations": null
        }
    });
    if let Some(reason) = context.replacement_error {
        answer["bundle"]["replacementError"] = reason.into();
    }
    Ok(answer)
}

/// Finds the query itself, `limit` times. Two queries misbehave.
fn search(context: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let query = arguments.required_text("query", QUERY)?;
    let limit = arguments.optional_integer("limit", 1..=50)?.unwrap_or(context.max_results);
    arguments.finish()?;
    match query.as_str() {
        "panic" => panic!("secret words of an artifact"),
        "damage" => return Err(CallError::Damaged { reason: "group 3 at offset 196608".into() }),
        "nothing" => return Ok(json!({"status": "no_results", "query": query, "results": []})),
        _ => {}
    }
    let hit = json!({
        "type": "glossary", "name": query, "kind": "concept", "description": "Zeilen\n\"quoted\" \u{1F600} \u{7}",
        "evidence": [evidence()], "confidence": "high", "score": 12
    });
    Ok(json!({"status": "ok", "query": query, "results": vec![hit; limit as usize]}))
}

fn symbol(_: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let symbol = arguments.required_text("symbol", NAME)?;
    arguments.optional_integer("limit", 1..=50)?;
    arguments.optional_text("cursor", NAME)?;
    arguments.finish()?;
    Ok(match symbol.as_str() {
        "RetryPolicy" => json!({
            "status": "supported", "symbol": symbol, "evidence": [evidence()], "confidence": "high"
        }),
        _ => json!({
            "status": "insufficient_evidence", "symbol": symbol, "evidence": [],
            "reason": "No place has this name.", "suggestions": ["RetryPolicy"]
        }),
    })
}

fn explain(_: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let component = arguments.required_text("component", NAME)?;
    arguments.finish()?;
    Ok(match component.as_str() {
        "src/events" => json!({
            "status": "supported", "component": component, "kind": "module", "description": "Sends events.",
            "responsibilities": ["Retry", "Park"], "evidence": [evidence()], "confidence": "medium"
        }),
        _ => json!({
            "status": "insufficient_evidence", "component": component, "evidence": [],
            "reason": "No component has this name.", "availableComponents": ["src/events"], "total": 1
        }),
    })
}

fn claim(_: &Context<'_>, arguments: &mut Arguments) -> Result<Value, CallError> {
    let claim = arguments.required_text("claim", CLAIM)?;
    arguments.finish()?;
    Ok(json!({
        "status": "unsupported", "claim": claim, "matchedTerms": ["PaymentGateway"], "evidence": [],
        "reason": "The artifacts never mention: Postgres.", "confidence": "medium"
    }))
}

fn evidence() -> Value {
    json!({"file": "docs/GLOSSARY.md", "line": 11, "snippet": "- **RetryPolicy**: five attempts."})
}
