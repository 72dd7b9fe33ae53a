//! Null, where the spec describes it: as an element, and as an optional property.

use std::collections::BTreeMap;

use openapi_bindings_runtime::{DriftKind, Model, Secret, Timestamp, UnknownProperties, internal};
use serde_json::json;

use crate::models::{Source, User};
use crate::{decode, drift, encode, retained};

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

/// A model with optional properties of which some may be null.
#[derive(Clone, Default)]
struct Pet {
    name: String,
    owner: Option<User>,
    age: Option<i64>,
    code: Option<Secret<String>>,
    chip: Option<i64>,
    note: Option<String>,
    weight: Option<f64>,
    unknown: UnknownProperties,
}

internal::object! {
    Pet {
        name!: "name",
        owner: "owner" null,
        age: "age" as text null,
        code: "code" null,
        chip: "chip" null readonly,
        note: "note" nullable,
        weight: "weight",
    }
    unknown
}

#[test]
fn a_described_null_is_sent_back_until_its_field_is_set() {
    let body = json!({
        "name": "a", "owner": null, "age": null, "code": null, "chip": null, "note": null,
    });
    assert_eq!(drift::<Pet>(&body), []);
    let mut pet: Pet = decode(&body);
    let kept = json!({"name": "a", "owner": null, "age": null, "code": null, "chip": null});
    assert_eq!(encode(&pet), kept);
    assert!(pet.owner.is_none() && pet == decode(&json!({"name": "a"})));
    pet.owner = Some(User::default());
    pet.age = Some(7);
    let changed = json!({"name": "a", "owner": {}, "age": "7", "code": null, "chip": null});
    assert_eq!(encode(&pet), changed);
    pet.set_unknown("code", "text");
    assert_eq!(encode(&pet)["code"], "text");
}

#[test]
fn an_undescribed_null_is_drift_and_sent_back_until_its_field_is_set() {
    let body = json!({"name": "a", "weight": null});
    let null = DriftKind::WrongType { expected: "a number", found: "null" };
    assert_eq!(drift::<Pet>(&body), [("weight".to_owned(), null)]);
    let mut pet: Pet = retained(&body);
    assert_eq!(pet.weight, None);
    pet.weight = Some(1.5);
    assert_eq!(encode(&pet), json!({"name": "a", "weight": 1.5}));
}

#[test]
fn the_last_of_nulls_and_values_with_the_same_name_counts() {
    let pet = Pet::from_json(br#"{"name":"a","age":null,"age":"1","owner":{},"owner":null}"#);
    assert_eq!(encode(&pet.unwrap()), json!({"name": "a", "age": "1", "owner": null}));
}

/// A model whose union has one of its properties, too.
#[derive(Clone, Default)]
struct Paid {
    digits: Option<i64>,
    source: Option<Source>,
    unknown: UnknownProperties,
}

internal::object! { Paid { digits: "digits" null, source: .. } unknown }

#[test]
fn a_property_that_a_union_shares_is_written_once() {
    let paid: Paid = decode(&json!({"object": "card", "digits": null}));
    let text = String::from_utf8(paid.to_json()).unwrap();
    assert!(text.matches("digits").count() <= 1, "{text}");
    let mut paid: Paid = decode(&json!({"object": "bank", "digits": null, "iban": "x"}));
    paid.digits = Some(1);
    assert_eq!(encode(&paid), json!({"object": "bank", "digits": 1, "iban": "x"}));
}

#[test]
fn a_null_is_set_in_place_of_any_value() {
    let body = json!({"name": "a", "owner": {}, "age": "today", "chip": 1});
    let mut pet: Pet = decode(&body);
    pet.chip = pet.unknown.integer("chip", i128::MAX);
    for property in ["owner", "age", "chip"] {
        internal::set_null(&mut pet, property);
    }
    let nulls = json!({"name": "a", "owner": null, "age": null, "chip": null});
    assert_eq!(encode(&pet), nulls);
    assert_eq!(serde_json::to_value(&pet).unwrap(), nulls);
    assert_eq!(serde_json::to_value(pet.clone()).unwrap(), nulls);
    pet.owner = Some(User::default());
    pet.age = pet.unknown.integer("age", 2);
    assert_eq!(encode(&pet), json!({"name": "a", "owner": {}, "age": "2", "chip": null}));
}

#[test]
fn a_null_is_set_once_where_a_union_shares_the_property() {
    let mut paid: Paid = decode(&json!({"object": "card", "digits": 4}));
    internal::set_null(&mut paid, "digits");
    let text = String::from_utf8(paid.to_json()).unwrap();
    assert_eq!(text.matches("digits").count(), 1, "{text}");
    assert_eq!(encode(&paid)["digits"], json!(null));
}

/// A model with a required property that may be null.
#[derive(Clone, Default)]
struct Tag {
    owner: Option<User>,
    unknown: UnknownProperties,
}

internal::object! { Tag { owner!: "owner" } unknown }

#[test]
fn a_required_property_that_may_be_null_is_sent_as_null() {
    assert_eq!(encode(&Tag::default()), json!({"owner": null}));
    assert_eq!(drift::<Tag>(&json!({"owner": null})), []);
    let tag: Tag = retained(&json!({"owner": null}));
    assert!(tag.owner.is_none());
}

#[test]
fn an_optional_property_is_sent_as_null_on_request() {
    let mut pet = Pet::default();
    assert_eq!(encode(&pet), json!({"name": ""}));
    assert!(pet.set_unknown("owner", serde_json::Value::Null));
    assert_eq!(encode(&pet), json!({"name": "", "owner": null}));
}
