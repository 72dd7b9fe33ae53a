//! Whole runs against programs that live in this process: one that gives back what it gets, and some with a fault.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::campaign::{self, Outcome, Root};
use crate::compare::compare;
use crate::document::Document;
use crate::oneof;
use crate::schema::Schema;
use crate::schemas::Schemas;
use crate::spelling::spell;
use crate::subject::{Answer, Failure, Program, Subject};
use crate::tape::Tape;

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
    fn send(&mut self, _: usize, _: usize, json: &str) -> Result<Answer, Failure> {
        let mut value = serde_json::from_str(json)?;
        Ok(match (self.0)(&mut value) {
            Ok(()) => Answer::Encoded(value.to_string()),
            Err(message) => Answer::Refused(message),
        })
    }
}

fn run(seed: u64, act: impl FnMut(&mut Value) -> Result<(), String>) -> Outcome {
    let tree: Value = serde_yaml::from_str(THING).unwrap();
    let document = Document::of(&tree);
    let schema = Schema::at(document.at("").unwrap());
    let roots = [Root { rust: "Thing".to_owned(), name: "Thing".to_owned(), schema }];
    campaign::run(&Schemas::of(&document), &roots, &mut Fake(act), (500, seed)).unwrap()
}

/// Changes every object in a value.
fn each_object(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            change(object);
            object.values_mut().for_each(|value| each_object(value, change));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, change)),
        _ => {}
    }
}

/// Returns the causes of the failures of a program, and the smallest example of the first.
fn failures(act: impl FnMut(&mut Value) -> Result<(), String>) -> (Vec<String>, String) {
    let failures = run(7, act).failures;
    let first = failures.values().next().map(|failed| failed.sent.clone());
    (failures.into_keys().collect(), first.unwrap_or_default())
}

fn failures_of_objects(mut change: impl FnMut(&mut Map<String, Value>)) -> (Vec<String>, String) {
    failures(|value| {
        each_object(value, &mut change);
        Ok(())
    })
}

#[test]
fn everything_described_is_met_and_a_mirror_loses_nothing() {
    let outcome = run(7, |_| Ok(()));
    assert_eq!(outcome.coverage.missing().count(), 0);
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    let unused: Vec<_> = outcome.mutations.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unused.is_empty(), "{unused:?}");
    // `note` is nullable, `any` can be anything; `choice` has a branch for null.
    let [present, absent, null, branches, values, bounds] =
        outcome.coverage.tally().map(|(_, met, _)| met);
    assert_eq!((present, absent, null, branches, values), (14, 10, 2, 3, 2));
    assert!(bounds > 50, "{bounds}");
}

#[test]
fn the_same_seed_makes_the_same_run() {
    let sent = |seed| {
        let mut sent = Vec::new();
        run(seed, |value| {
            sent.push(value.to_string());
            Ok(())
        });
        sent
    };
    assert_eq!(sent(1), sent(1));
    assert_ne!(sent(1), sent(2));
}

#[test]
fn a_dropped_property_is_found_and_its_example_is_small() {
    for name in ["state", "lives", "any"] {
        let (causes, sent) = failures_of_objects(|object| drop(object.remove(name)));
        assert!(causes.contains(&"a property was left out".to_owned()), "{name}: {causes:?}");
        assert!(sent.contains(&format!("\"{name}\"")) && sent.len() < 250, "{name}: {sent}");
    }
}

#[test]
fn dropped_nulls_are_found() {
    let (causes, _) = failures_of_objects(|object| object.retain(|_, value| !value.is_null()));
    let expected = [
        "a null was left out that is not described",
        "a null was left out that is required",
        "a null was left out that is required, and allowed",
    ];
    assert_eq!(causes, expected);
}

#[test]
fn forgotten_unknown_properties_are_found() {
    let known = "id note state amount count when tags labels any choice kind cat dog lives";
    let known: BTreeSet<_> = known.split(' ').collect();
    let (causes, _) = failures(|value| {
        if let Value::Object(object) = value {
            object.retain(|name, _| known.contains(name.as_str()));
        }
        Ok(())
    });
    assert_eq!(causes, ["a null was left out that is not described", "a property was left out"]);
}

#[test]
fn refused_enum_values_are_found() {
    let (causes, _) = failures(|value| {
        let state = value.get("state").and_then(Value::as_str);
        if state.is_none_or(|state| ["ON", "OFF"].contains(&state)) {
            return Ok(());
        }
        Err("state: expected ON or OFF (line 1, column 9)".to_owned())
    });
    assert_eq!(causes, ["refused: expected ON or OFF"]);
}

#[test]
fn values_of_another_type_may_be_refused_only_with_their_path() {
    let refusal = |place: &'static str| {
        failures(move |value| match value.get("count") {
            Some(Value::Number(_) | Value::Null) | None => Ok(()),
            Some(_) => Err(format!("{place}: expected an integer")),
        })
    };
    assert_eq!(refusal("count").0, [""; 0]);
    assert_eq!(refusal("amount").0, ["refused: expected an integer"]);
}

#[test]
fn comparison_is_exact() {
    let tree = json!({"properties": {"free": {}, "map": {"additionalProperties": {}}}});
    let document = Document::of(&tree);
    let schema = Schema::at(document.at("").unwrap());
    let schemas = Schemas::of(&document);
    let differs = |one: &Value, other: &Value| {
        let path = |back: &Value| Some(compare(&schemas, &schema, one, back).err()?.path);
        path(other)
    };
    assert_eq!(differs(&json!({"free": 1, "map": null}), &json!({"free": 1.0})), None);
    for (sent, back, path) in [
        (
            json!({"free": 9_007_199_254_740_993_u64}),
            json!({"free": 9_007_199_254_740_992_f64}),
            "free",
        ),
        (json!({"free": i64::MAX}), json!({"free": 9.223_372_036_854_776e18}), "free"),
        (json!({"free": 0.1}), json!({"free": 0.100_000_000_000_000_02}), "free"),
        (json!({"free": 1}), json!({"free": "1"}), "free"),
        (json!({"free": {"a": [null]}}), json!({"free": {"a": []}}), "free.a"),
        (json!({"map": {"a": null}}), json!({"map": {}}), "map.a"),
        (json!({"more": null}), json!({}), "more"),
        (json!({}), json!({"map": null}), "map"),
    ] {
        assert_eq!(differs(&sent, &back).as_deref(), Some(path), "{sent} {back}");
    }
}

#[test]
fn every_spelling_means_the_same() {
    let value = json!({
        "a\"\u{0}\u{1f600}": [null, true, -1.5, 7, i64::MIN, 5e-324, 0.1],
        "b/": {"c": {}, "d": [], "e": ""},
    });
    assert_eq!(spell(&value, &mut Tape::of(&[])), (value.to_string(), false));
    let mut spellings = BTreeSet::new();
    for seed in 0..500_u32 {
        let mix = |step: u32| (seed * 31 + step).wrapping_mul(0x9e37_79b1) >> 16;
        let tape: Vec<u16> = (0..80).filter_map(|step| mix(step).try_into().ok()).collect();
        let (text, _) = spell(&value, &mut Tape::of(&tape));
        let read: Value = serde_json::from_str(&text).unwrap();
        // Whole numbers may come back as fractions: `7` is spelled `7.0`.
        let same = |value: &Value| value.to_string().replace("7.0", "7");
        let of_last = |value: &Value| same(value) == same(&read);
        assert!(of_last(&value) && !text.contains('\n'), "{text}");
        spellings.insert(text);
    }
    assert!(spellings.len() > 200, "{}", spellings.len());
}

#[test]
fn a_comment_lists_the_members_of_a_oneof() {
    let list = "Only a single field of the following list may be set at a time:";
    let text = format!(
        "X.\ncontains a oneof named kind. {list}\n  - a\n  - b\n\ncontains a oneof named _c. {list}\n  - c\n"
    );
    let schema = json!({"description": text, "properties": {"a": {}, "b": {}, "c": {}}});
    let [oneof] = oneof::in_comment(&schema).try_into().unwrap();
    let names: Vec<_> = oneof.properties.iter().map(|(name, _)| *name).collect();
    assert_eq!((names.as_slice(), oneof.required), (["a", "b"].as_slice(), false));
}

#[cfg(unix)]
#[test]
fn a_program_that_ends_is_reported_and_started_again() {
    use std::os::unix::fs::PermissionsExt;

    let script = "#!/bin/sh\nwhile read -r root route json; do case $json in *die*) exit 3 ;; *no*) echo \"refused $root\" ;; *) echo \"encoded $json\" ;; esac; done\n";
    let path = std::env::temp_dir().join(format!("roundtrip-{}", std::process::id()));
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut program = Program::of(path.clone());
    let mut send = |json| program.send(7, 0, json).unwrap();
    assert_eq!(send("{}"), Answer::Encoded("{}".to_owned()));
    assert_eq!(send("\"no\""), Answer::Refused("7".to_owned()));
    let ended = "the program ended: exit status: 3";
    assert_eq!(send("\"die\""), Answer::Crashed(ended.to_owned()));
    assert_eq!(send("[1]"), Answer::Encoded("[1]".to_owned()));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn schemas_without_an_instance_are_left_out_and_reported() {
    let tree = serde_yaml::from_str::<Value>(
        "properties:
          never: {allOf: [{type: string}, {type: integer}]}
          endless: {type: object, required: [more], properties: {more: {$ref: '#/properties/endless'}}}
          both: {enum: [1, 2], oneOf: [{const: 2}, {const: 3}]}",
    );
    let tree = tree.unwrap();
    let document = Document::of(&tree);
    let schemas = Schemas::of(&document);
    let schema = Schema::at(document.at("").unwrap());
    let roots = [Root { rust: "T".to_owned(), name: "T".to_owned(), schema }];
    let mirror = &mut Fake(|_: &mut Value| Ok(()));
    let outcome = campaign::run(&schemas, &roots, mirror, (10, 1)).unwrap();
    assert_eq!(outcome.coverage.missing().count(), 0);
    assert_eq!(outcome.coverage.tally()[0].1, 1, "only `both` can be present");
    assert_eq!(schemas.impossible(), ["/properties/endless", "/properties/never"]);
}
