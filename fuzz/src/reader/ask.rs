//! Questions to a spoiled bundle: all five operations, about what the sound one holds, near to it, or anything.

use openmind_pack_engine::Bundle;
use openmind_pack_engine::ops::{CATALOGUE, CallError, Context};
use openmind_pack_format::analyzer::fold;
use serde_json::{Value, json};

use super::pristine::Pristine;
use crate::script::Script;

/// Each question with its answer's bytes.
pub type Answers = Vec<(String, Result<String, CallError>)>;

/// A question to each operation, by their names on the command line.
pub struct Questions(Vec<(&'static str, Value)>);

impl Questions {
    /// Makes questions of the script's next words.
    pub fn read(script: &mut Script<'_>, pristine: &Pristine) -> Self {
        let own = String::from_utf8_lossy(script.piece());
        let mut ask = |texts: &[String], most: usize| {
            let how = script.u8();
            let mut text = near(script, texts, how, &own);
            for _ in 0..how >> 4 & 3 {
                text.push(' ');
                text.push_str(&near(script, texts, how, &own));
            }
            let text: String = text.chars().take(most).collect();
            (if text.is_empty() { "x".to_owned() } else { text }, how >> 6)
        };
        let (query, many) = ask(&pristine.words, 4000);
        let (symbol, few) = ask(&pristine.names, 2000);
        let (component, _) = ask(&pristine.names, 2000);
        let (claim, _) = ask(&pristine.words, 2000);
        let mut symbol = json!({"symbol": symbol});
        if few > 0 {
            symbol["limit"] = few.into();
        }
        Self(vec![
            ("artifacts", json!({})),
            ("search", json!({"query": query, "limit": if many > 0 { 50 } else { 5 }})),
            ("symbol", symbol),
            ("explain", json!({"component": component})),
            ("claim", json!({"claim": claim})),
        ])
    }

    /// Asks a bundle, and the second page of what has one.
    pub fn ask(&self, bundle: &Bundle) -> Answers {
        let mut answers = Answers::new();
        for (command, arguments) in &self.0 {
            answers.extend(ask(bundle, command, arguments.clone()));
        }
        answers
    }
}

fn ask(bundle: &Bundle, command: &str, arguments: Value) -> Answers {
    let context = Context { bundle, max_results: 5, notice: None, replacement_error: None };
    let operation = CATALOGUE.iter().find(|operation| operation.command == command).unwrap();
    let question = format!("{command} {arguments}");
    let answer = operation.call(&context, arguments.clone());
    let cursor = answer.as_ref().ok().and_then(|answer| answer.value().get("nextCursor").cloned());
    let mut answers = vec![(question, answer.map(|answer| answer.to_json()))];
    if let (Some(cursor), Value::Object(mut again)) = (cursor, arguments)
        && again.insert("cursor".into(), cursor).is_none()
    {
        answers.extend(ask(bundle, command, again.into()));
    }
    answers
}

/// One of the sound bundle's texts, most often as it is, or one near it, or the script's own.
fn near(script: &mut Script<'_>, texts: &[String], how: u8, own: &str) -> String {
    let text = &texts[script.index(texts.len())];
    let without_last = || text.chars().take(text.chars().count().max(2) - 1).collect::<String>();
    match how & 15 {
        8 | 9 => text.to_ascii_uppercase(),
        10 => fold(text).into_owned(),
        11 | 12 => without_last(),
        13 => without_last() + "q",
        14 => text.chars().take(1).collect(),
        15 => own.to_owned(),
        _ => text.clone(),
    }
}
