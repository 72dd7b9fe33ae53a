//! The laws of `meet` and `join`, for all pairs and triples of schemas that differ in one keyword.

use serde_json::{Value, json};

use super::{Listing, Values};
use crate::diagnostics::Diagnostics;
use crate::document::{self, Document, Source};

/// Schemas, each with the values among [`samples`] that it allows, by JSON Schema and the meaning of formats.
const SCHEMAS: [(&str, &str); 24] = [
    ("{}", "null true 0 -1 1.5 1099511627776 18446744073709551615 a b '' time 1s [] {}"),
    ("{type: string}", "a b '' time 1s"),
    ("{type: string, format: date-time}", "time"),
    ("{type: string, format: int64}", "1s"),
    ("{type: string, format: password}", "a b '' time 1s"),
    ("{type: [string, 'null']}", "null a b '' time 1s"),
    ("{type: integer}", "0 -1 1099511627776 18446744073709551615"),
    ("{type: integer, format: int32}", "0 -1"),
    ("{type: integer, format: int64}", "0 -1 1099511627776"),
    ("{type: integer, format: uint32}", "0"),
    ("{type: integer, format: uint64}", "0 1099511627776 18446744073709551615"),
    ("{type: number}", "0 -1 1.5 1099511627776 18446744073709551615"),
    ("{type: boolean}", "true"),
    ("{type: array}", "[]"),
    ("{type: object}", "{}"),
    ("{type: [boolean, integer, 'null']}", "null true 0 -1 1099511627776 18446744073709551615"),
    ("{enum: [a, b]}", "a b"),
    ("{enum: [b, 0]}", "b 0"),
    ("{const: a}", "a"),
    ("{enum: [true, null]}", "null true"),
    ("{type: string, enum: ['', b]}", "b ''"),
    ("{anyOf: [{enum: [a]}, {type: string}]}", "a b '' time 1s"),
    ("{oneOf: [{type: integer, format: int32}, {enum: [b]}]}", "0 -1 b"),
    ("{$ref: '#/components/schemas/S16'}", "a b"),
];

fn samples() -> Vec<(&'static str, Value)> {
    vec![
        ("null", Value::Null),
        ("true", json!(true)),
        ("0", json!(0)),
        ("-1", json!(-1)),
        ("1.5", json!(1.5)),
        ("1099511627776", json!(1_u64 << 40)),
        ("18446744073709551615", json!(u64::MAX)),
        ("a", json!("a")),
        ("b", json!("b")),
        ("''", json!("")),
        ("time", json!("2026-01-01T00:00:00Z")),
        ("1s", json!("1")),
        ("[]", json!([])),
        ("{}", json!({})),
    ]
}

/// Calls a function with the values of all schemas.
fn with_values(check: impl FnOnce(&[Values<'_>])) {
    let mut text =
        String::from("openapi: 3.1.0\ninfo: {title: t, version: '1'}\ncomponents:\n  schemas:\n");
    for (index, (schema, _)) in SCHEMAS.iter().enumerate() {
        text.extend(["    S", &index.to_string(), ": ", schema, "\n"]);
    }
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: "api.yaml".to_owned(), text };
    let tree = document::load(&(&source).into(), &mut diagnostics).unwrap();
    let document: Document = document::read(tree, &mut diagnostics).unwrap();
    let values: Vec<Values<'_>> =
        document.schemas().map(|(_, schema)| Values::of(&schema)).collect();
    assert_eq!(values.len(), SCHEMAS.len());
    check(&values);
}

/// Returns a text that is equal for equal values, in whatever order they are listed.
fn form(values: &Values<'_>) -> String {
    let listing = |listing: &Listing<'_>| {
        let mut texts: Vec<&str> = listing.values.iter().map(|value| value.text.as_ref()).collect();
        texts.sort_unstable();
        (texts.join(" "), listing.is_open)
    };
    let numbers = values.numbers.as_ref().map(|it| (listing(&it.listing), it.is_integer, it.range));
    let texts = values.texts.as_ref().map(|it| (listing(&it.listing), it.formats.clone()));
    let booleans = values.booleans.as_ref().map(listing);
    let containers = (values.has_lists, values.has_objects);
    format!(
        "{booleans:?} {numbers:?} {texts:?} {containers:?} {:?} {}",
        values.null, values.is_secret
    )
}

/// Returns whether a value is allowed.
fn allows(values: &Values<'_>, value: &Value) -> bool {
    let lists = |listing: &Listing<'_>, text: &str| {
        listing.is_open || listing.values.iter().any(|value| value.text == text)
    };
    match value {
        Value::Null => values.null.is_allowed || values.null.is_asked,
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
        Value::Array(_) => values.has_lists,
        Value::Object(_) => values.has_objects,
    }
}

#[test]
fn schemas_allow_their_values() {
    with_values(|all| {
        for (values, (schema, allowed)) in all.iter().zip(SCHEMAS) {
            for name in allowed.split(' ') {
                let value = samples().into_iter().find(|(sample, _)| *sample == name).unwrap().1;
                assert!(allows(values, &value), "{schema} excludes {name}: {values:?}");
            }
        }
    });
}

#[test]
fn values_of_both_schemas_are_in_their_meet_and_those_of_one_in_their_join() {
    with_values(|all| {
        for (one, (schema, allowed)) in all.iter().zip(SCHEMAS) {
            for (other, (other_schema, also_allowed)) in all.iter().zip(SCHEMAS) {
                let meet = one.clone().meet(other.clone());
                let join = one.clone().join(other.clone());
                for (name, value) in samples() {
                    let is_of = |allowed: &str| allowed.split(' ').any(|allowed| allowed == name);
                    let context = format!("{name} for {schema} and {other_schema}");
                    if is_of(allowed) && is_of(also_allowed) {
                        assert!(allows(&meet, &value), "meet: {context}: {meet:?}");
                    }
                    if is_of(allowed) || is_of(also_allowed) {
                        assert!(allows(&join, &value), "join: {context}: {join:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn meet_and_join_are_idempotent_commutative_and_associative() {
    type Operation = for<'d> fn(Values<'d>, Values<'d>) -> Values<'d>;
    let operations: [Operation; 2] = [|one, other| one.meet(other), |one, other| one.join(other)];
    with_values(|all| {
        for of in operations {
            for one in all {
                assert_eq!(form(&of(one.clone(), one.clone())), form(one));
                for other in all {
                    let both = of(one.clone(), other.clone());
                    assert_eq!(
                        form(&both),
                        form(&of(other.clone(), one.clone())),
                        "{one:?} {other:?}"
                    );
                    for third in all {
                        let left = of(both.clone(), third.clone());
                        let right = of(one.clone(), of(other.clone(), third.clone()));
                        assert_eq!(form(&left), form(&right), "{one:?} {other:?} {third:?}");
                    }
                }
            }
        }
    });
}
