//! Null: as an element that the spec describes.

use std::collections::BTreeMap;

use openapi_bindings_runtime::{Secret, Timestamp, UnknownProperties, internal};
use serde_json::json;

use crate::models::{Source, User};
use crate::{drift, encode, retained};

/// A model whose elements may all be null.
#[derive(Clone, Default)]
struct Elements {
    numbers: Vec<Option<f64>>,
    texts: Option<Vec<Option<String>>>,
    counts: Option<Vec<Option<i64>>>,
    times: Option<Vec<Option<Timestamp>>>,
    users: Option<Vec<Option<User>>>,
    sources: Option<Vec<Option<Source>>>,
    secrets: Option<Vec<Option<Secret<String>>>>,
    grid: Option<Vec<Option<Vec<Option<bool>>>>>,
    ages: Option<BTreeMap<String, Option<u32>>>,
    others: BTreeMap<String, Option<User>>,
    unknown: UnknownProperties,
}

internal::object! {
    Elements {
        numbers!: "numbers",
        texts: "texts",
        counts: "counts" as text,
        times: "times",
        users: "users",
        sources: "sources",
        secrets: "secrets",
        grid: "grid",
        ages: "ages",
    }
    additional: others
}

#[test]
fn described_null_elements_are_values_and_no_drift() {
    let body = json!({
        "numbers": [1.5, null, 3.5], "texts": [null, "a"], "counts": ["1", null],
        "times": [null, "2026-01-01T00:00:00Z"], "users": [{"name": "a"}, null],
        "sources": [null, "text", {"object": "bank"}], "secrets": ["s", null],
        "grid": [null, [true, null], []], "ages": {"a": null, "b": 1}, "x": null, "y": {"name": "b"},
    });
    assert_eq!(drift::<Elements>(&body), []);
    let elements: Elements = retained(&body);
    assert_eq!(elements.numbers, [Some(1.5), None, Some(3.5)]);
    assert_eq!(elements.counts, Some(vec![Some(1), None]));
    assert_eq!(elements.ages.unwrap()["a"], None);
    assert_eq!(elements.others["x"], None);
    assert!(elements.unknown == UnknownProperties::default());
}

#[test]
fn null_elements_are_sent() {
    let elements = Elements {
        numbers: vec![None, Some(2.0)],
        secrets: Some(vec![None]),
        ages: Some(BTreeMap::from([("a".to_owned(), None)])),
        ..Elements::default()
    };
    assert_eq!(
        encode(&elements),
        json!({"numbers": [null, 2], "secrets": [null], "ages": {"a": null}})
    );
}
