//! Names near an unknown one. Suggestions, never evidence.

use std::ops::ControlFlow;

use openmind_pack_format::analyzer::fold;
use openmind_pack_format::dictionary::{NearQuery, StepBudget};
use openmind_pack_format::{Bundle, DocumentKind, ReadError};

/// Transitions that a search for near names may look at.
const STEPS: u64 = 20_000_000;
/// Near names looked at.
const MAX_NEAR: usize = 1_000;
/// Names longer than a prefix that are looked at.
const MAX_COMPLETIONS: u32 = 100;
/// Shorter names are too near to everything.
const MIN_PREFIX_CHARACTERS: usize = 3;

/// Up to `limit` names of symbols or glossary entries: within one edit (two from five characters on) without regard to
/// case, nearest first, then those that `name` begins.
pub(crate) fn suggest(bundle: &Bundle, name: &str, limit: usize) -> Result<Vec<String>, ReadError> {
    let folded = fold(name);
    let characters = folded.chars().count();
    let dictionary = bundle.folded_names()?;
    let mut found: Vec<(u8, u32)> = Vec::new();
    if let Ok(query) = NearQuery::new(&folded, if characters < 5 { 1 } else { 2 }) {
        // Where the budget ends the search, what was found in key order is a beginning, the same on every machine.
        let _ = dictionary.near(&query, &mut StepBudget::new(STEPS), |_, ordinal, distance| {
            found.push((distance, ordinal));
            if found.len() < MAX_NEAR { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    // Ordinals are in byte order.
    found.sort_unstable();
    if characters >= MIN_PREFIX_CHARACTERS {
        let longer = dictionary.prefix(folded.as_bytes())?;
        let longer = longer.start..longer.end.min(longer.start.saturating_add(MAX_COMPLETIONS));
        found.extend(longer.map(|ordinal| (u8::MAX, ordinal)));
    }
    let mut suggestions = Vec::new();
    let mut spelling = Vec::new();
    for (_, ordinal) in found {
        for name in bundle.spellings(ordinal)? {
            if suggestions.len() == limit {
                return Ok(suggestions);
            }
            let name = name?;
            if !bundle.names()?.key(name, &mut spelling)? || !is_symbol(bundle, name)? {
                continue;
            }
            let text = String::from_utf8_lossy(&spelling).into_owned();
            if !suggestions.contains(&text) {
                suggestions.push(text);
            }
        }
    }
    Ok(suggestions)
}

/// Whether a glossary entry or symbol bears the name. Those are the first and the last documents, so that few are read:
/// components and flows of one name stand between.
fn is_symbol(bundle: &Bundle, name: u32) -> Result<bool, ReadError> {
    for document in bundle.places(name)? {
        if matches!(bundle.locate(document?)?.0, DocumentKind::Glossary | DocumentKind::Symbol) {
            return Ok(true);
        }
    }
    Ok(false)
}
