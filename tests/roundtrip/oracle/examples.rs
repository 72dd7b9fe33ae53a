//! The examples in a document, through the types of their schemas: `--examples`.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::validator::Validators;
use crate::campaign::{Fault, Root, judge};
use crate::document::{Document, Place};
use crate::shape::Shapes;
use crate::subject::{Answer, Failure, Subject};

/// Maximum number of references from a schema to one with a type.
const MAX_CHAIN: usize = 16;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The examples that were sent.
    pub sent: usize,
    /// The reasons why examples are not sent: their own schemas do not allow them. With the places of these.
    pub invalid: Vec<String>,
    /// The faults by place.
    pub faults: BTreeMap<String, Fault>,
}

/// Sends all examples that their schemas allow.
pub fn run(
    (shapes, roots): (&Shapes<'_>, &[Root]),
    validators: &mut Validators<'_>,
    subject: &mut dyn Subject,
) -> Result<Outcome, Failure> {
    let document = shapes.document;
    let by_place: HashMap<Place, usize> =
        roots.iter().enumerate().map(|(index, root)| (shapes.place(root.id), index)).collect();
    let mut outcome = Outcome::default();
    for (place, example) in examples(document) {
        let mut typed = Vec::new();
        find_types(document, &by_place, place, example, &mut typed);
        for (place, root, value) in typed {
            let pointer = document.pointer(place);
            if let Some(reason) = validators.reason(pointer, value) {
                outcome.invalid.push(format!("{pointer}: {reason}"));
                continue;
            }
            outcome.sent += 1;
            let answers = subject.send(root, &value.to_string())?;
            // An object may have more properties than are described.
            let is_drift = |_: &str, answer: &Answer| matches!(answer, Answer::Drift(_));
            if let Some(fault) = roots.get(root).and_then(|it| judge(it, value, answers, is_drift))
            {
                outcome.faults.insert(pointer.to_owned(), fault);
            }
        }
    }
    Ok(outcome)
}

/// Returns the examples with the places of their schemas.
fn examples<'d>(document: &Document<'d>) -> Vec<(Place, &'d Value)> {
    let mut found = Vec::new();
    for (value, pointer) in document.all() {
        let is_within =
            ["/example/", "/examples/", "/x-"].iter().any(|part| pointer.contains(part));
        if is_within || !value.is_object() {
            continue;
        }
        let schema = value.get("schema").unwrap_or(value);
        let listed = value.get("examples").and_then(Value::as_array).into_iter().flatten();
        let entries = value.get("examples").and_then(Value::as_object).into_iter().flatten();
        let named = entries.filter_map(|(_, example)| {
            let target = example
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|target| document.follow(target));
            let example = target.map_or(example, |target| document.value(target));
            example.get("value").or_else(|| example.get("dataValue"))
        });
        let all = value.get("example").into_iter().chain(listed).chain(named);
        found.extend(all.map(|example| (document.place(schema), example)));
    }
    found
}

/// Finds the types of a value: that of its schema, or those of its elements.
fn find_types<'d>(
    document: &Document<'d>,
    by_place: &HashMap<Place, usize>,
    mut place: Place,
    value: &'d Value,
    found: &mut Vec<(Place, usize, &'d Value)>,
) {
    for _ in 0..MAX_CHAIN {
        if let Some(&root) = by_place.get(&place) {
            found.push((place, root, value));
            return;
        }
        let schema = document.value(place);
        if let (Some(items), Some(elements)) = (schema.get("items"), value.as_array()) {
            let items = document.place(items);
            for element in elements {
                find_types(document, by_place, items, element, found);
            }
            return;
        }
        let target = schema.get("$ref").and_then(Value::as_str);
        let Some(target) = target.and_then(|target| document.follow(target)) else { return };
        place = target;
    }
}
