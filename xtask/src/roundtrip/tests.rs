//! Whole runs against programs that live in this process: one that gives back what it gets, and some with a fault.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::campaign::{self, Outcome, Plan};
use super::coverage::Class;
use super::description::Description;
use super::roots::Root;
use super::schema::{Reader, Schema};
use super::subject::{Answer, Route, Subject};
use super::testing::node;
use crate::exit::Failure;

/// An object with something of everything.
const THING: &str = r"
  type: object
  required: [id, note]
  properties:
    id: {type: string, format: int64}
    note: {type: [string, 'null']}
    state: {type: string, enum: [ON, OFF]}
    amount: {type: number}
    count: {type: integer}
    when: {type: string, format: date-time}
    tags: {type: array, items: {type: string}}
    labels: {type: object, additionalProperties: {type: string}}
    any: {}
    choice: {anyOf: [{type: integer}, {type: array, items: {$ref: '#'}}, {type: 'null'}]}
    kind:
      oneOf:
        - {required: [cat], properties: {cat: {type: object, properties: {lives: {type: integer}}}}}
        - {required: [dog], properties: {dog: {type: object}}}
";

/// A program that parses JSON and does something to it before it answers.
struct Fake<F>(F);

impl<F: FnMut(&mut Value) -> Result<(), String>> Subject for Fake<F> {
    fn send(&mut self, _: usize, _: Route, json: &str) -> Result<Answer, Failure> {
        let mut value = serde_json::from_str(json).unwrap();
        Ok(match (self.0)(&mut value) {
            Ok(()) => Answer::Encoded(value.to_string()),
            Err(message) => Answer::Refused(message),
        })
    }
}

fn run(schema: &str, seed: u64, does: impl FnMut(&mut Value) -> Result<(), String>) -> Outcome {
    let root = node(schema);
    let description = Description::of(&root);
    let reader = Reader::of(&description);
    let roots = [Root {
        rust: "Thing".to_owned(),
        name: "Thing".to_owned(),
        schema: Schema::at(description.at("").unwrap()),
    }];
    let plan = Plan { instances: 300, mutants: 3, seed };
    campaign::run(&reader, &roots, &mut Fake(does), plan).unwrap()
}

/// Does something to every object in a value.
fn each_object(value: &mut Value, does: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            does(members);
            members.values_mut().for_each(|value| each_object(value, does));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, does)),
        _ => {}
    }
}

/// Returns the causes of the failures of a program, and the smallest example of the first.
fn failures(does: impl FnMut(&mut Value) -> Result<(), String>) -> (Vec<String>, String) {
    let outcome = run(THING, 7, does);
    let causes = outcome.failures.keys().cloned().collect();
    let first = outcome.failures.into_values().next();
    (causes, first.map(|failed| failed.sent).unwrap_or_default())
}

fn drops(member: &str) -> (Vec<String>, String) {
    failures(|value| {
        each_object(value, &mut |members| drop(members.remove(member)));
        Ok(())
    })
}

#[test]
fn all_that_is_described_is_met_and_nothing_is_wrong_with_a_mirror() {
    let outcome = run(THING, 7, |_| Ok(()));
    assert_eq!(outcome.coverage.missing().count(), 0);
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    let unused: Vec<_> = outcome.mutations.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unused.is_empty(), "{unused:?}");
    let tally = outcome.coverage.tally();
    assert_eq!(tally["enum values"], (2, 2));
    assert_eq!(tally["branches"], (3, 3));
    // `note` is nullable, `any` can be anything; `choice` has a branch for null.
    assert_eq!(tally["members null"], (2, 2));
    assert_eq!(tally["members present"], (14, 14));
}

#[test]
fn the_same_seed_makes_the_same_run() {
    let sent = |seed| {
        let mut sent = Vec::new();
        run(THING, seed, |value| {
            sent.push(value.to_string());
            Ok(())
        });
        sent
    };
    assert_eq!(sent(1), sent(1));
    assert_ne!(sent(1), sent(2));
}

#[test]
fn a_program_that_drops_a_member_is_found_out() {
    for member in ["id", "state", "when", "lives", "dog", "any"] {
        let (causes, sent) = drops(member);
        assert!(causes.contains(&"a member was left out".to_owned()), "{member}: {causes:?}");
        assert!(sent.contains(&format!("{{\"{member}\":")), "{member}: {sent}");
    }
}

#[test]
fn a_program_that_drops_nulls_is_found_out() {
    let (causes, sent) = failures(|value| {
        each_object(value, &mut |members| {
            members.retain(|_, value| !value.is_null());
        });
        Ok(())
    });
    let expected = [
        "a null was left out that is not described",
        "a null was left out that is required",
        "a null was left out that is required, and allowed",
    ];
    assert_eq!(causes, expected, "{sent}");
}

#[test]
fn a_program_that_forgets_unknown_members_is_found_out() {
    let known = "id note state amount count when tags labels any choice kind cat dog lives";
    let known: BTreeSet<_> = known.split(' ').collect();
    let (causes, _) = failures(|value| {
        if let Value::Object(members) = value {
            members.retain(|name, _| known.contains(name.as_str()));
        }
        Ok(())
    });
    assert!(causes.contains(&"a member was left out".to_owned()), "{causes:?}");
}

#[test]
fn a_program_that_refuses_unknown_enum_values_is_found_out() {
    let (causes, sent) = failures(|value| {
        let state = value.get("state").and_then(Value::as_str);
        if state.is_none_or(|state| ["ON", "OFF"].contains(&state)) {
            return Ok(());
        }
        Err("state: expected ON or OFF (line 1, column 9)".to_owned())
    });
    assert_eq!(causes, ["refused: expected ON or OFF"]);
    assert!(sent.starts_with("{\"state\":"), "{sent}");
}

#[test]
fn a_program_that_computes_with_floats_is_found_out() {
    let (causes, sent) = failures(|value| {
        each_object(value, &mut |members| {
            for value in members.values_mut().filter(|value| value.is_i64()) {
                *value = Value::from(value.as_f64().unwrap());
            }
        });
        Ok(())
    });
    assert_eq!(causes, ["a number has another value"], "{sent}");
}

#[test]
fn a_program_that_writes_defaults_is_found_out() {
    let (causes, sent) = failures(|value| {
        if let Value::Object(members) = value {
            members.entry("tags").or_insert(Value::Array(Vec::new()));
        }
        Ok(())
    });
    assert_eq!(causes, ["a member was added"]);
    assert_eq!(sent, "{}");
}

#[test]
fn what_no_value_can_meet_is_left_out_and_told() {
    let schema = r"
      type: object
      properties:
        never: {allOf: [{type: string}, {type: integer}]}
        endless: {type: object, required: [more], properties: {more: {$ref: '#/properties/endless'}}}
        both: {enum: [1, 2], oneOf: [{const: 2}, {const: 3}]}
    ";
    let root = node(schema);
    let description = Description::of(&root);
    let reader = Reader::of(&description);
    let schema = Schema::at(description.at("").unwrap());
    assert!(reader.is_possible(&schema));
    let outcome = run(
        "{type: object, properties: {never: {allOf: [{type: string}, {type: integer}]}}}",
        1,
        |_| Ok(()),
    );
    assert_eq!(outcome.coverage.missing().count(), 0);
    let coverage = super::coverage::Coverage::of(&reader, &[schema]);
    let present = coverage.targets.iter().filter(|target| target.item.class() == Class::Present);
    assert_eq!(present.count(), 1);
    let told: Vec<_> =
        reader.impossible().into_iter().map(|place| description.pointer(place)).collect();
    assert!(told.contains(&"/properties/never"), "{told:?}");
    assert!(told.contains(&"/properties/endless"), "{told:?}");
}
