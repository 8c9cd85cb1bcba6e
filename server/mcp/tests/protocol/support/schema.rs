//! The part of JSON Schema that the tools' schemas use.

use serde_json::Value;

/// What of `value` doesn't fit `schema`, each with its place.
pub(crate) fn misfits(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let wanted = schema["type"].as_str().unwrap_or_else(|| panic!("{place} has no type in the schema"));
    let fits = match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("{place}: the check doesn't know the type {other}"),
    };
    if !fits {
        found.push(format!("{place} is no {wanted}: {value}"));
        return;
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        found.push(format!("{place} is none of {allowed:?}: {value}"));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        found.push(format!("{place} is below {least}: {number}"));
    }
    for item in value.as_array().into_iter().flatten() {
        check(&schema["items"], item, &format!("{place}[]"), found);
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        let name = required.as_str().expect("required holds names");
        if value.get(name).is_none() {
            found.push(format!("{place}.{name} is missing"));
        }
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(declared) => check(declared, field, &format!("{place}.{name}"), found),
            None if schema["additionalProperties"] == false => {
                found.push(format!("{place}.{name} is unknown"))
            }
            None => {}
        }
    }
}

/// The places of `value` that `schema` doesn't declare.
pub(crate) fn undeclared(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(schema, value, "", &mut found);
    found
}

fn compare(schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    for item in value.as_array().into_iter().flatten() {
        compare(&schema["items"], item, &format!("{place}[]"), found);
    }
    for (name, field) in value.as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        match schema["properties"].get(name) {
            Some(declared) => compare(declared, field, &place, found),
            None => found.push(place),
        }
    }
}
