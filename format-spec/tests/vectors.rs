//! Scoring gives the figures that were computed apart, from the words of SPEC.md.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use openmind_pack_format::scoring::{Field, impact, inverse_document_frequency, weighted_frequency};
use serde_json::Value;

fn vectors(name: &str) -> Vec<Value> {
    let text = include_str!("../../fixtures/vectors/format.json");
    let all: Value = serde_json::from_str(text).unwrap();
    let vectors = all[name].as_array().unwrap().clone();
    assert!(!vectors.is_empty());
    vectors
}

fn number(vector: &Value, key: &str) -> u64 {
    vector[key].as_u64().unwrap()
}

#[test]
fn inverse_document_frequencies_are_the_ones_of_the_vectors() {
    for vector in vectors("inverseDocumentFrequency") {
        let (documents, holding) = (number(&vector, "documents") as u32, number(&vector, "holding") as u32);
        assert_eq!(
            u64::from(inverse_document_frequency(documents, holding)),
            number(&vector, "value"),
            "{vector}"
        );
    }
}

#[test]
fn weighted_frequencies_are_the_ones_of_the_vectors() {
    for vector in vectors("weightedFrequency") {
        let field = Field::ALL.into_iter().find(|field| vector["field"] == format!("{field:?}")).unwrap();
        let [count, length, total, documents] =
            ["count", "length", "total", "documents"].map(|key| number(&vector, key));
        let found = weighted_frequency(field, count, length, total, documents);
        assert_eq!(found, number(&vector, "value"), "{vector}");
    }
}

#[test]
fn impacts_are_the_ones_of_the_vectors() {
    for vector in vectors("impact") {
        let found = impact(number(&vector, "frequency"), vector["lowPriority"].as_bool().unwrap());
        assert_eq!(u64::from(found), number(&vector, "value"), "{vector}");
    }
}
