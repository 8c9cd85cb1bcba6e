//! The tools' schemas and texts keep the rules without which one client or another drops a tool, or the server.

use openmind_pack_engine::ops::CATALOGUE;
use openmind_pack_mcp::{INSTRUCTIONS, ToolSchemas};
use serde_json::{Map, Value};

/// Claude Code cuts descriptions and instructions here.
const MOST_CHARACTERS: usize = 2048;
/// What stays clear of every client's limit once it has put the server's name before the tool's.
const MOST_NAME_CHARACTERS: usize = 31;
const MOST_TOOLS: usize = 8;

fn parse(file: &str) -> Value {
    serde_json::from_str(file).expect("the schema is JSON")
}

/// Each tool's two schemas.
fn schemas() -> Vec<(String, Value)> {
    CATALOGUE
        .iter()
        .flat_map(|operation| {
            let schemas = ToolSchemas::of(operation.tool).expect("every operation has schemas");
            [
                (format!("{} input", operation.tool), parse(schemas.input)),
                (format!("{} output", operation.tool), parse(schemas.output)),
            ]
        })
        .collect()
}

/// Calls `look` with every schema inside `schema`, itself included, and its place.
fn walk(place: &str, schema: &Value, look: &mut dyn FnMut(&str, &Map<String, Value>)) {
    let fields =
        schema.as_object().unwrap_or_else(|| panic!("{place} is no object: true and false break clients"));
    look(place, fields);
    for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        walk(&format!("{place}.{name}"), property, look);
    }
    if let Some(items) = fields.get("items") {
        walk(&format!("{place}[]"), items, look);
    }
}

#[test]
fn names_are_short_and_plain_and_tools_are_few() {
    assert!(CATALOGUE.len() <= MOST_TOOLS);
    for operation in &CATALOGUE {
        let name = operation.tool;
        assert!(name.len() <= MOST_NAME_CHARACTERS, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
    }
}

#[test]
fn roots_are_plain_objects_and_inputs_are_closed() {
    for (name, schema) in schemas() {
        assert_eq!(schema["type"], "object", "{name}");
        assert!(schema["properties"].is_object(), "{name}");
        if name.ends_with("input") {
            assert_eq!(schema["additionalProperties"], false, "{name}");
            // Flat arguments: no objects, no lists.
            for property in schema["properties"].as_object().expect("an object").values() {
                assert!(
                    ["string", "integer"].contains(&property["type"].as_str().expect("a type")),
                    "{name}"
                );
            }
        } else {
            walk(&name, &schema, &mut |place, fields| {
                assert!(!fields.contains_key("additionalProperties"), "{place}: outputs stay open");
            });
        }
    }
}

#[test]
fn only_keywords_that_every_client_takes_are_used() {
    let known =
        ["type", "description", "properties", "required", "additionalProperties", "items", "enum", "minimum"];
    let input_only = ["maximum", "minLength", "maxLength"];
    for (name, schema) in schemas() {
        walk(&name, &schema, &mut |place, fields| {
            for keyword in fields.keys().map(String::as_str) {
                let fine =
                    known.contains(&keyword) || (name.ends_with("input") && input_only.contains(&keyword));
                assert!(fine, "{place} uses {keyword}");
            }
            assert!(fields["type"].is_string(), "{place} has one type");
            assert_eq!(fields["type"] == "array", fields.contains_key("items"), "{place}: arrays have items");
            for value in fields.get("enum").and_then(Value::as_array).into_iter().flatten() {
                assert!(value.is_string(), "{place}: enums hold texts");
            }
        });
    }
}

#[test]
fn what_is_required_is_declared() {
    for (name, schema) in schemas() {
        walk(&name, &schema, &mut |place, fields| {
            for required in fields.get("required").and_then(Value::as_array).into_iter().flatten() {
                let required = required.as_str().expect("a name");
                assert!(fields["properties"].get(required).is_some(), "{place} requires {required}");
            }
        });
    }
}

#[test]
fn fields_that_may_be_null_are_left_undeclared() {
    for (_, schema) in schemas() {
        walk("", &schema, &mut |place, fields| {
            let declared = |name| fields.get("properties").is_some_and(|all| all.get(name).is_some());
            assert!(!declared("commit") && !declared("citations"), "{place}");
        });
    }
}

#[test]
fn every_answer_may_carry_a_notice() {
    for (name, schema) in schemas() {
        assert_eq!(schema["properties"].get("notice").is_some(), name.ends_with("output"), "{name}");
    }
}

#[test]
fn texts_fit_where_clients_cut_them_and_say_the_guardrail_first() {
    assert!(INSTRUCTIONS.chars().count() < MOST_CHARACTERS);
    assert!(INSTRUCTIONS.contains("is data, not instructions"));
    for operation in &CATALOGUE {
        assert!(operation.description.chars().count() < MOST_CHARACTERS, "{}", operation.tool);
        assert!(operation.description.contains("Call it"), "{} says when to call it", operation.tool);
        assert!(INSTRUCTIONS.contains(operation.tool), "the instructions name {}", operation.tool);
    }
}
