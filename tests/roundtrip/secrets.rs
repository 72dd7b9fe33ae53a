//! Values that are planted wherever a name or a format is that of a secret, and looked for in all that is printed: models,
//! requests, errors, recordings, and the reports and overlays of `drift`.

use std::collections::BTreeSet;

use codegen::Input;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy as _, ValueTree as _};
use secret_names::is_secret;
use serde_json::{Map, Value};

use crate::campaign::{Root, runner, tapes};
use crate::compare::{Step, path_text};
use crate::coverage::Coverage;
use crate::document::Document;
use crate::drift::replies;
use crate::formats::at;
use crate::instance::{Notes, instance};
use crate::mutate::mutate;
use crate::overlays::findings;
use crate::samples::ANY;
use crate::shape::{Shape, Shapes};
use crate::subject::{Answer, Failure, Program};
use tests::Tape;

/// The first planted number. All fit into 32 bits.
const FIRST: usize = 1_918_273_000;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of planted values.
    pub planted: usize,
    /// What shows one of them.
    pub faults: BTreeSet<String>,
}

/// Prints instances of all types with planted values, and what is found in replies with them.
pub fn run(
    (input, document): (&Input<'_>, &Document<'_>),
    (shapes, roots): (&Shapes<'_>, &[Root]),
    program: &mut Program,
    (count, seed): (usize, u64),
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    let mut tapes = runner(seed);
    for index in 0..count.max(roots.len()) {
        let number = index % roots.len();
        let Some(root) = roots.get(number) else { break };
        let tape = vec(any::<u16>(), 0..300).new_tree(&mut tapes);
        let tape = tape.map_err(|reason| reason.to_string())?.current();
        let mut coverage = Coverage::default();
        let made = instance(shapes, (number, root.id), &[], &mut Tape::new(&tape), &mut coverage);
        let Some((mut value, notes)) = made else { continue };
        let planted = plant(shapes, &notes, &mut value, &mut outcome.planted);
        if planted.is_empty() {
            continue;
        }
        match program.answer(&format!("{number} {value}\n"))? {
            Answer::Encoded(printed) => {
                let printed: Map<String, Value> = serde_json::from_str(&printed)?;
                for (door, text) in printed {
                    let text = text.as_str().unwrap_or_default();
                    outcome.faults.extend(shown(&planted, text, &door, &root.rust));
                }
            }
            // Mutually exclusive branches can require other values than the planted ones.
            Answer::Refused(_) => {}
            other => _ = outcome.faults.insert(format!("{}: {other}", root.rust)),
        }
    }
    let mut planted = Vec::new();
    let report = report((input, document), (count, seed), &mut |shapes, notes, value| {
        planted.extend(plant(shapes, notes, value, &mut outcome.planted));
    })?;
    outcome.faults.extend(shown(&planted, &report, "report", "drift"));
    Ok(outcome)
}

/// Returns what is reported of changed replies, after another change of each, with the overlay.
fn report(
    (input, document): (&Input<'_>, &Document<'_>),
    (count, seed): (usize, u64),
    plant: &mut dyn FnMut(&Shapes<'_>, &Notes, &mut Value),
) -> Result<String, Failure> {
    let declared = replies(document);
    let shapes = Shapes::new(document, declared.iter().map(|(_, place)| *place));
    let mut runner = runner(seed);
    let mut entries = Vec::new();
    for (reply, place) in declared.iter().cycle().take(count.min(50 * declared.len())) {
        let [made, chosen] = tapes(&mut runner)?;
        let Some(id) = shapes.at(*place) else { continue };
        let mut coverage = Coverage::default();
        let made = instance(&shapes, (0, id), &[], &mut Tape::new(&made), &mut coverage);
        let Some((mut value, notes)) = made else { continue };
        mutate(&shapes, &notes.spots, &mut value, &mut Tape::new(&chosen));
        plant(&shapes, &notes, &mut value);
        entries.push(reply.entry(&value).to_string());
    }
    let findings = findings(input, &entries)?;
    Ok(format!("{:?} {}", findings.all, findings.overlay().unwrap_or_default()))
}

/// Returns what a text shows of planted values.
fn shown(planted: &[(String, String)], text: &str, door: &str, what: &str) -> Vec<String> {
    let found = planted.iter().filter(|(value, _)| text.contains(value));
    found.map(|(_, place)| format!("{what}: {door} shows `{place}`")).collect()
}

/// Replaces values whose names or formats are those of secrets. Returns the new values with their places.
fn plant(
    shapes: &Shapes<'_>,
    notes: &Notes,
    value: &mut Value,
    count: &mut usize,
) -> Vec<(String, String)> {
    let mut planted = Vec::new();
    for (steps, id) in &notes.spots {
        let Shape::Scalar(kind, format) = shapes.shape(*id) else { continue };
        if *format != Some("password") && !property(shapes, notes, steps).is_some_and(is_secret) {
            continue;
        }
        let Some(found) = at(value, steps).filter(|found| !found.is_null()) else { continue };
        let new: Value = match (*kind, format) {
            ("string" | ANY, None | Some("password" | "byte")) => {
                format!("planted+{count:06}/x").into()
            }
            ("integer" | "number", _) => (FIRST + *count).into(),
            _ => continue,
        };
        let text = new.as_str().map_or_else(|| new.to_string(), str::to_owned);
        *found = new;
        *count += 1;
        planted.push((text, path_text(steps)));
    }
    planted
}

/// Returns the name of the property that a value belongs to, also in lists and maps within it.
fn property<'s>(shapes: &Shapes<'_>, notes: &Notes, steps: &'s [Step]) -> Option<&'s str> {
    let (last, before) = steps.split_last()?;
    let is_described = |name: &str| {
        let mut around = notes.spots.iter().filter(|(path, _)| path == before);
        around.any(|(_, id)| match shapes.shape(*id) {
            Shape::Object(object) => object.property(name).is_some(),
            _ => false,
        })
    };
    match last {
        Step::Name(name) if is_described(name) => Some(name),
        _ => property(shapes, notes, before),
    }
}
