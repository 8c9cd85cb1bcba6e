use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn key(key: &str) -> Leg {
    Leg::Key { key: key.into(), occurrence: 0 }
}

fn value(legs: &[Leg]) -> Target {
    Target { legs: legs.to_vec(), key: false }
}

#[test]
fn values_and_keys_are_found() {
    let text = r#" {"a" : [1, {"b\u0063": "x]"}], "d": {}}"#;
    let targets = [
        value(&[]),
        value(&[key("a")]),
        value(&[key("a"), Leg::Index(1), key("bc")]),
        Target { legs: vec![key("a"), Leg::Index(1), key("bc")], key: true },
        value(&[key("d")]),
    ];
    let expected = [
        " ",
        " {\"a\" : ",
        " {\"a\" : [1, {\"b\\u0063\": ",
        " {\"a\" : [1, {",
        " {\"a\" : [1, {\"b\\u0063\": \"x]\"}], \"d\": ",
    ];
    assert_eq!(locate(text, &targets), expected.map(|before| Some(before.len())));
}

#[test]
fn what_is_not_there_is_not_found() {
    let text = r#"{"a": [1], "b": 2}"#;
    let targets = [value(&[key("c")]), value(&[key("a"), Leg::Index(1)]), value(&[key("b"), key("x")])];
    assert_eq!(locate(text, &targets), [None, None, None]);
}

#[test]
fn of_equal_keys_the_occurrence_counts() {
    let text = r#"{"a": 1, "b": 0, "a": 2, "a": 3}"#;
    let third = Target { legs: vec![Leg::Key { key: "a".into(), occurrence: 2 }], key: true };
    assert_eq!(locate(text, &[value(&[key("a")]), third]), [Some(6), Some(25)]);
}

#[test]
fn what_comes_before_a_mistake_is_found() {
    for text in ["[1, {\"a\": tru", "[1, {\"a\": ]", "[1, {\"a\": \"x", "[1, {\"a\": 1} 2"] {
        assert_eq!(
            locate(text, &[value(&[Leg::Index(1)]), value(&[Leg::Index(7)])]),
            [Some(4), None],
            "{text}"
        );
    }
}

#[test]
fn a_deep_value_is_passed_without_recursion() {
    let text = format!("[{}{}, 7]", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(locate(&text, &[value(&[Leg::Index(1)])]), [Some(400_003)]);
}

#[test]
fn lines_end_with_lf_and_columns_are_code_points() {
    let text = "a\r\né😀x\n\ny";
    let offsets = [0, 1, 3, 5, 9, 11, 12, 13];
    let places = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (4, 2)];
    assert_eq!(lines_and_columns(text.as_bytes(), &offsets), places);
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-c\\\\\"\\]{,:é\n]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(("[a-c\\\\\"\\]{]{0,2}", inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Every value of the tree with its pointer.
fn all_values(value: &Value, legs: &mut Vec<Leg>, out: &mut Vec<(Vec<Leg>, Value)>) {
    out.push((legs.clone(), value.clone()));
    let children: Vec<(Leg, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (Leg::Index(index), item)).collect()
        }
        Value::Object(pairs) => pairs.iter().map(|(name, item)| (key(name), item)).collect(),
        _ => Vec::new(),
    };
    for (leg, child) in children {
        legs.push(leg);
        all_values(child, legs, out);
        legs.pop();
    }
}

proptest! {
    #[test]
    fn at_each_place_stands_the_value_that_was_looked_for(tree in json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&tree) } else { serde_json::to_string(&tree) }.unwrap();
        let mut values = Vec::new();
        all_values(&tree, &mut Vec::new(), &mut values);
        let targets: Vec<Target> = values.iter().map(|(legs, _)| value(legs)).collect();
        for (offset, (_, expected)) in locate(&text, &targets).into_iter().zip(values) {
            let rest = &text[offset.unwrap()..];
            prop_assert!(!rest.starts_with([' ', '\n']));
            let found = serde_json::Deserializer::from_str(rest).into_iter::<Value>().next().unwrap().unwrap();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn any_text_is_walked_to_an_end(text in "[\\[\\]{}\",:\\\\ a1é]{0,40}", index in 0usize..3) {
        locate(&text, &[value(&[Leg::Index(index), key("a")]), value(&[key("a")]), value(&[key("zz")])]);
    }
}
