//! Whole runs against programs in this process: one that returns each value unchanged, and some with a fault.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::campaign::{self, Outcome, Root};
use crate::compare::{compare, compare_maps};
use crate::document::Document;
use crate::schema::oneofs_in_comment;
use crate::shape::Shapes;
use crate::subject::{Answer, Failure, Program, ROUTES, Subject};

/// An object with all kinds of values.
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
      - {required: [dog], properties: {dog: {$ref: 'animals/dog.yaml#/Dog'}}}
";

/// A program that parses JSON and changes it before it answers.
struct Fake<F>(F);

impl<F: FnMut(&mut Value) -> Result<(), String>> Subject for Fake<F> {
    fn send(&mut self, _: usize, json: &str) -> Result<Vec<Answer>, Failure> {
        let mut value = serde_json::from_str(json)?;
        let answer = match (self.0)(&mut value) {
            Ok(()) => Answer::Encoded(value.to_string()),
            Err(message) => Answer::Refused(message),
        };
        Ok(vec![answer; ROUTES.len()])
    }
}

/// Reads a YAML schema as the root of a document, next to another file.
fn files(root: &str) -> Map<String, Value> {
    let dog = json!({"Dog": {"type": "object", "additionalProperties": false}});
    let root = serde_yaml::from_str(root).unwrap();
    Map::from_iter([(String::new(), root), ("animals/dog.yaml".to_owned(), dog)])
}

/// Runs the schema of a document; also returns the schemas without an instance.
fn run(
    root: &str,
    seed: u64,
    act: impl FnMut(&mut Value) -> Result<(), String>,
) -> (Outcome, Vec<String>) {
    run_with(root, seed, &mut Fake(act))
}

/// Runs the schema of a document with another program.
fn outcome_of(root: &str, subject: &mut dyn Subject) -> Outcome {
    run_with(root, 1, subject).0
}

fn run_with(root: &str, seed: u64, subject: &mut dyn Subject) -> (Outcome, Vec<String>) {
    let files = files(root);
    let document = Document::new(&files);
    let place = document.at("").unwrap();
    let shapes = Shapes::new(&document, [place]);
    let rust = "Thing".to_owned();
    let name = "Thing".to_owned();
    let id = shapes.at(place).unwrap();
    let roots = [Root { rust, name, id, keeps_nulls: false, has_fields: true }];
    let outcome =
        campaign::run(&shapes, &roots, (subject, &mut |_, _| None), (false, (500, seed))).unwrap();
    (outcome, shapes.impossible().into_iter().map(str::to_owned).collect())
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
    let failures = run(THING, 7, act).0.failures;
    let first = failures.values().next().map(|failed| failed.smallest.sent.clone());
    (failures.into_keys().collect(), first.unwrap_or_default())
}

fn failures_of_objects(mut change: impl FnMut(&mut Map<String, Value>)) -> (Vec<String>, String) {
    failures(|value| {
        each_object(value, &mut change);
        Ok(())
    })
}

#[test]
fn everything_described_is_covered_and_an_echo_loses_nothing() {
    let (outcome, impossible) = run(THING, 7, |_| Ok(()));
    assert_eq!(outcome.coverage.missing().count(), 0);
    assert!(outcome.failures.is_empty() && impossible.is_empty(), "{:?}", outcome.failures);
    let unused: Vec<_> = outcome.mutations.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unused.is_empty(), "{unused:?}");
    // `note` has two kinds, `choice` three branches.
    let [present, absent, branches, values, bounds] =
        outcome.coverage.tally().map(|(_, seen, _)| seen);
    assert_eq!((present, absent, branches, values), (14, 10, 5, 2));
    assert!(bounds > 50, "{bounds}");
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
fn a_dropped_property_is_found_and_its_example_is_small() {
    for name in ["state", "lives", "any"] {
        let (causes, sent) = failures_of_objects(|object| drop(object.remove(name)));
        assert!(causes.contains(&"a property was left out".to_owned()), "{name}: {causes:?}");
        assert!(sent.contains(&format!("\"{name}\"")) && sent.len() < 250, "{name}: {sent}");
    }
}

#[test]
fn other_losses_are_found() {
    let known = "id note state amount count when tags labels any choice kind cat dog lives";
    let (causes, _) = failures(|value| {
        let is_known = |name: &String| known.split(' ').any(|known| known == name);
        value.as_object_mut().into_iter().for_each(|value| value.retain(|name, _| is_known(name)));
        Ok(())
    });
    assert_eq!(causes, ["a property was left out"]);
    let (causes, _) = failures_of_objects(|object| {
        for value in object.values_mut().filter(|value| value.is_u64()) {
            *value = json!(value.as_f64().map(f64::next_up));
        }
    });
    assert_eq!(causes, ["a number has another value"]);
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
fn values_are_compared_and_not_their_spelling() {
    for (sent, back) in [
        (json!({"a": 1, "b": null}), json!({"a": 1.0})),
        (json!([null, 1, null]), json!([1])),
        (json!("2024-01-01T02:00:00.50+02:00"), json!("2024-01-01T00:00:00.5Z")),
        (json!(-0.0), json!(0)),
        (json!(-7), json!("-7")),
    ] {
        assert_eq!(compare(&sent, &back), Ok(()), "{sent} {back}");
    }
    for (sent, back) in [
        (json!(i64::MAX), json!(i64::MAX - 1)),
        (json!(0.1), json!(0.100_000_000_000_000_02)),
        (json!("2024-01-01T02:00:00+02:00"), json!("2024-01-01T02:00:00Z")),
        (json!([{"a": 1}]), json!([{"a": "2"}])),
        (json!([1, null]), json!([null])),
        (json!({"a": [[null], 1]}), json!({"a": [[], 1]})),
        (json!({"a": 1}), json!({})),
        (json!({}), json!({"a": null})),
    ] {
        assert!(compare(&sent, &back).is_err(), "{sent} {back}");
    }
    let [sent, back] = [json!({"a": [null, 1]}), json!({"a": [1]})];
    assert!(compare(&sent, &back).is_err() && compare_maps(&sent, &back).is_ok());
}

#[test]
fn a_comment_lists_the_members_of_a_oneof() {
    let list = "Only a single field of the following list may be set at a time:";
    let text = format!(
        "X.\ncontains a oneof named kind. {list}\n  - a\n  - b\n\ncontains a oneof named _c. {list}\n  - c\n"
    );
    let schema = json!({"description": text, "properties": {"a": {}, "b": {}, "c": {}}});
    let [oneof] = oneofs_in_comment(&schema).try_into().unwrap();
    assert!(oneof.into_iter().map(|(name, _)| name).eq(["a", "b"]));
}

#[test]
fn a_mapping_names_the_schemas_that_extend_one() {
    let text = "type: object
required: [kind]
properties: {kind: {type: string}}
discriminator: {propertyName: kind, mapping: {dog: 'animals/dog.yaml#/Dog'}}";
    run(text, 1, |value| {
        let kind = value.get("kind").and_then(Value::as_str);
        assert!(kind.is_none_or(|kind| kind == "dog"), "{value}");
        Ok(())
    });
}

#[test]
fn kubernetes_describes_an_integer_or_a_string() {
    for text in ["x-kubernetes-int-or-string: true", "{type: string, format: int-or-string}"] {
        let mut seen = HashSet::new();
        run(text, 1, |value| {
            // A mutant can be -7.
            let is_integer = value.is_u64() || value.as_i64().is_some_and(|it| it != -7);
            seen.insert((is_integer, value.is_string()));
            Ok(())
        });
        let both = HashSet::from([(true, false), (false, true)]);
        assert!(seen.is_superset(&both), "{text}");
    }
}

#[test]
fn a_listed_tag_is_not_the_name_of_the_component() {
    let text = "discriminator: {propertyName: kind}
oneOf: [{$ref: '#/Dog'}, {$ref: '#/Cat'}]
Dog: {type: object, required: [kind], properties: {kind: {anyOf: [{enum: [dog]}, {type: 'null'}]}}}
Cat: {type: object, required: [kind], properties: {kind: {type: string}}}";
    let mut seen = HashSet::new();
    run(text, 1, |value| {
        seen.extend(value.get("kind").and_then(Value::as_str).map(str::to_owned));
        Ok(())
    });
    assert!(seen.contains("dog") && seen.contains("Cat") && !seen.contains("Dog"), "{seen:?}");
}

/// A program that reports drift of some values, with its path and kind.
struct Drifting<F>(F, [&'static str; 2]);

impl<F: Fn(&Value) -> bool> Subject for Drifting<F> {
    fn send(&mut self, _: usize, json: &str) -> Result<Vec<Answer>, Failure> {
        let value: Value = serde_json::from_str(json)?;
        let mut answers = vec![Answer::Encoded(value.to_string()); ROUTES.len()];
        if (self.0)(&value) {
            answers[2] = Answer::Drift(json!([[self.1[0], self.1[1], ""]]).to_string());
        }
        Ok(answers)
    }
}

#[test]
fn drift_for_a_known_reason_is_counted() {
    let contradictory = "discriminator: {propertyName: kind, mapping: {dog: '#/Dog', cat: '#/Cat'}}
oneOf: [{$ref: '#/Dog'}, {$ref: '#/Cat'}]
Dog: {type: object, required: [kind], properties: {kind: {enum: [dog, cat]}, name: {type: string}}}
Cat: {type: object, required: [kind], properties: {kind: {enum: [cat]}}}";
    let is_cat_with_name = |value: &Value| value["kind"] == "cat" && value.get("name").is_some();
    let outcome =
        outcome_of(contradictory, &mut Drifting(is_cat_with_name, ["", "UnknownProperty"]));
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    let [(reason, count)] = outcome.expected.into_iter().collect::<Vec<_>>()[..] else { panic!() };
    assert!(reason.contains("mapping") && count > 10, "{reason}: {count}");

    let unmapped = "discriminator: {propertyName: kind, mapping: {cat: '#/Cat'}}
required: [kind]
properties: {kind: {enum: [bird, cat]}}
Cat: {type: object, properties: {name: {type: string}}}";
    let is_bird = |value: &Value| value["kind"] == "bird";
    let unmapped = outcome_of(unmapped, &mut Drifting(is_bird, ["", "NoVariant"]));
    assert!(unmapped.failures.is_empty() && unmapped.expected.len() == 1, "{unmapped:?}");

    let nulls = "required: [id]
properties: {id: {type: object, properties: {x: {type: 'null'}}}}";
    let nulls = outcome_of(
        nulls,
        &mut Drifting(|value: &Value| !value["id"].is_null(), ["id", "NoVariant"]),
    );
    assert!(nulls.failures.is_empty() && nulls.expected.len() == 1, "{:?}", nulls.failures);
    let numbers = "required: [id]\nproperties: {id: {type: number}}";
    let is_odd = |value: &Value| value["id"].as_u64() == Some(u64::MAX);
    let numbers = outcome_of(numbers, &mut Drifting(is_odd, ["id", "Format"]));
    assert!(numbers.failures.is_empty() && numbers.expected.len() == 1, "{:?}", numbers.failures);
    let several = "oneOf: [{$ref: '#/Dog'}, {$ref: '#/Cat'}]
Dog: {type: object, properties: {id: {type: object, properties: {x: {type: string}}}}}
Cat: {type: object, properties: {id: {type: object, properties: {y: {type: string}}}}}";
    let has_y = |value: &Value| value["id"].get("y").is_some();
    let one = several.replace("properties: {x", "required: [x], properties: {x");
    let several = outcome_of(several, &mut Drifting(has_y, ["id", "UnknownProperty"]));
    assert!(several.failures.is_empty() && several.expected.len() == 1, "{:?}", several.failures);
    let one = outcome_of(&one, &mut Drifting(has_y, ["id", "UnknownProperty"]));
    assert!(one.failures.len() == 1 && one.expected.is_empty(), "{:?}", one.expected);
    let integers = "properties: {id: {anyOf: [{type: integer, format: uint64}, {type: integer}]}}";
    let integers = outcome_of(
        integers,
        &mut Drifting(|value: &Value| value["id"].is_number(), ["id", "NoVariant"]),
    );
    assert!(integers.failures.keys().eq(["drift is reported of a valid instance"]));
}

/// A program that returns the text that it is sent.
struct Echo;

impl Subject for Echo {
    fn send(&mut self, _: usize, json: &str) -> Result<Vec<Answer>, Failure> {
        Ok(vec![Answer::Encoded(json.to_owned()); ROUTES.len()])
    }
}

#[test]
fn the_order_of_properties_is_tried() {
    let mut causes = failures(|_| Ok(())).0;
    assert!(causes.is_empty(), "{causes:?}");
    causes = outcome_of(THING, &mut Echo).failures.into_keys().collect();
    assert_eq!(causes, ["the order of properties makes a difference"]);
}

#[test]
fn a_described_null_that_is_left_out_is_found() {
    let files = files("properties: {note: {type: [string, 'null']}}");
    let document = Document::new(&files);
    let place = document.at("").unwrap();
    let shapes = Shapes::new(&document, [place]);
    let id = shapes.at(place).unwrap();
    let failures = |keeps_nulls| {
        let [rust, name] = ["Thing"; 2].map(str::to_owned);
        let roots = [Root { rust, name, id, keeps_nulls, has_fields: true }];
        let mut subject = Fake(|value: &mut Value| {
            each_object(value, &mut |object| object.retain(|_, value| !value.is_null()));
            Ok(())
        });
        campaign::run(&shapes, &roots, (&mut subject, &mut |_, _| None), (false, (100, 1)))
            .unwrap()
            .failures
    };
    assert!(failures(false).is_empty());
    assert!(failures(true).contains_key("a described null was left out"));
}

#[test]
fn nullable_alone_is_null() {
    run("properties: {count: {anyOf: [{type: integer}, {nullable: true}]}}", 1, |value| {
        assert_ne!(value.get("count"), Some(&json!(true)));
        Ok(())
    });
}

#[cfg(unix)]
#[test]
fn a_program_that_ends_is_reported_and_started_again() {
    use std::os::unix::fs::PermissionsExt;

    let script = "#!/bin/sh\nwhile read -r root json; do case $json in *die*) echo \"refused $root\"; exit 3 ;; \
        *) for route in 1 2 3 4; do echo \"encoded $json\"; done ;; esac; done\n";
    let path = std::env::temp_dir().join(format!("roundtrip-{}", std::process::id()));
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut program = Program::new(path.clone());
    let mut send = |json| program.send(7, json).unwrap();
    assert_eq!(send("{}"), vec![Answer::Encoded("{}".to_owned()); 4]);
    let ended = Answer::Crashed("the program ended: exit status: 3".to_owned());
    assert_eq!(send("\"die\""), [Answer::Refused("7".to_owned()), ended]);
    assert_eq!(send("[1]"), vec![Answer::Encoded("[1]".to_owned()); 4]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn schemas_without_an_instance_are_left_out_and_reported() {
    let text = "properties:
          never: {allOf: [{type: string}, {type: integer}]}
          endless: {type: object, required: [more], properties: {more: {$ref: '#/properties/endless'}}}
          both: {enum: [1, 2], oneOf: [{const: 2}, {const: 3}]}";
    let (outcome, impossible) = run(text, 1, |_| Ok(()));
    assert_eq!(outcome.coverage.missing().count(), 0);
    assert_eq!(outcome.coverage.tally()[0].1, 1, "only `both` can be present");
    assert_eq!(impossible, ["/properties/endless", "/properties/never"]);
}

/// The items of one part lacked the `id` that the other part requires.
#[test]
fn inline_schemas_in_a_part_are_read_with_the_other_parts() {
    let part = "type: object, properties: {list: {type: array, items: {type: object";
    let first = "required: [id], properties: {id: {type: string}}";
    let text = format!("allOf: [{{{part}, {first}}}}}}}}}, {{{part}}}}}}}}}]");
    let files = files(&text);
    let document = Document::new(&files);
    let at = |pointer| document.at(pointer).unwrap();
    let [items, whole] = ["/allOf/1/properties/list/items", "/allOf/1"].map(at);
    let shapes = Shapes::new(&document, [items, whole]);
    let is_enough = |place| shapes.allows(shapes.at(place).unwrap(), &json!({}));
    assert_eq!([is_enough(items), is_enough(whole)], [false, true]);
}
