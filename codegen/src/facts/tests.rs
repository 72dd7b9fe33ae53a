//! The laws of `meet` and `join`, for all pairs and triples of the schemas in `schemas.yaml`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::values::Null;
use super::{Facts, Known, Listing, Values};
use crate::diagnostics::Diagnostics;
use crate::document::{self, Document, Source};

/// A schema of the table.
struct Row<'d> {
    text: String,
    facts: Facts<'d>,
    /// The names of the samples that it allows.
    allowed: HashSet<&'d str>,
}

/// Calls a function with the schemas of the table, and the samples.
fn with_rows(check: impl FnOnce(&[Row<'_>], &Map<String, Value>)) {
    let table: Value = serde_yaml::from_str(include_str!("schemas.yaml")).unwrap();
    let rows = table["schemas"].as_array().unwrap();
    let name = |index: usize| format!("S{index}");
    let schemas: Map<String, Value> =
        rows.iter().enumerate().map(|(index, row)| (name(index), row["schema"].clone())).collect();
    let text = serde_json::json!({
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "components": {"schemas": schemas},
    });
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: "api.json".to_owned(), text: text.to_string() };
    let tree = document::load(&(&source).into(), &mut diagnostics).unwrap();
    let document: Document = document::read(tree, &mut diagnostics).unwrap();
    let rows: Vec<Row<'_>> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let key = name(index);
            let (_, schema) = document.schemas().find(|(known, _)| *known == key).unwrap();
            Row {
                text: row["schema"].to_string(),
                facts: Known::default().facts(&schema),
                allowed: row["allows"].as_str().unwrap().split(' ').collect(),
            }
        })
        .collect();
    check(&rows, table["samples"].as_object().unwrap());
}

/// Returns whether a value is allowed.
fn allows(facts: &Facts<'_>, value: &Value) -> bool {
    let Facts { values, properties, required, is_closed, .. } = facts;
    let has = |object: &Map<String, Value>| {
        required.iter().all(|name| object.contains_key(*name))
            && object.iter().all(|(name, value)| match properties.get(name.as_str()) {
                Some(property) => allows_value(&property.values, value),
                None => !is_closed,
            })
    };
    allows_value(values, value) && value.as_object().is_none_or(has)
}

fn allows_value(values: &Values<'_>, value: &Value) -> bool {
    let lists = |listing: &Listing<'_>, text: &str| {
        listing.is_open || listing.values.iter().any(|value| value.text == text)
    };
    match value {
        Value::Null => values.null != Null::Excluded,
        Value::Bool(flag) => {
            values.booleans.as_ref().is_some_and(|it| lists(it, &flag.to_string()))
        }
        Value::Number(number) => values.numbers.as_ref().is_some_and(|it| {
            let integer = number.as_i128();
            let is_in_range = integer.is_some_and(|it_is| {
                it.range.is_default || it.range.min <= it_is && it_is <= it.range.max
            });
            lists(&it.listing, &number.to_string()) && (is_in_range || !it.is_integer)
        }),
        Value::String(text) => values.texts.as_ref().is_some_and(|it| lists(&it.listing, text)),
        Value::Array(_) => values.lists.is_some(),
        Value::Object(_) => values.objects.is_some(),
    }
}

#[test]
fn schemas_allow_their_values() {
    with_rows(|rows, samples| {
        for row in rows {
            for name in &row.allowed {
                assert!(allows(&row.facts, &samples[*name]), "{} excludes {name}", row.text);
            }
        }
    });
}

#[test]
fn values_of_both_schemas_are_in_their_meet_and_those_of_one_in_their_join() {
    with_rows(|rows, samples| {
        for one in rows {
            for other in rows {
                let meet = one.facts.clone().meet(other.facts.clone());
                let join = one.facts.clone().join(other.facts.clone());
                for (name, value) in samples {
                    let is_of = [one, other].map(|row| row.allowed.contains(name.as_str()));
                    let context = format!("{name} for {} and {}", one.text, other.text);
                    if is_of == [true; 2] {
                        assert!(allows(&meet, value), "meet: {context}");
                    }
                    if is_of != [false; 2] {
                        assert!(allows(&join, value), "join: {context}");
                    }
                }
            }
        }
    });
}

#[test]
fn meet_and_join_are_idempotent_commutative_and_associative() {
    type Operation = for<'d> fn(Facts<'d>, Facts<'d>) -> Facts<'d>;
    let operations: [Operation; 2] = [|one, other| one.meet(other), |one, other| one.join(other)];
    with_rows(|rows, _| {
        for of in operations {
            for one in rows {
                let twice = of(one.facts.clone(), one.facts.clone());
                assert!(twice.equals(&one.facts), "{}", one.text);
                for other in rows {
                    let both = of(one.facts.clone(), other.facts.clone());
                    let reverse = of(other.facts.clone(), one.facts.clone());
                    assert!(both.equals(&reverse), "{} {}", one.text, other.text);
                    for third in rows {
                        let inner = of(other.facts.clone(), third.facts.clone());
                        let left = of(both.clone(), third.facts.clone());
                        let right = of(one.facts.clone(), inner);
                        let texts = [one, other, third].map(|row| &row.text);
                        assert!(left.equals(&right), "{texts:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn meet_and_join_absorb_each_other() {
    with_rows(|rows, samples| {
        for one in rows {
            for other in rows {
                let met = one.facts.clone().meet(other.facts.clone()).join(one.facts.clone());
                let joined = one.facts.clone().join(other.facts.clone()).meet(one.facts.clone());
                for (name, value) in samples {
                    let is_allowed = allows(&one.facts, value);
                    let context = format!("{name} for {} and {}", one.text, other.text);
                    assert_eq!(allows(&met, value), is_allowed, "meet, then join: {context}");
                    assert_eq!(allows(&joined, value), is_allowed, "join, then meet: {context}");
                }
            }
        }
    });
}
