//! The overlays that `drift` writes: what they end, and what they may remove.

use std::collections::BTreeSet;

use codegen::diagnostics::{Code, Diagnostics, render};
use codegen::{Input, Source, trees};
use serde_json::Value;
use traffic::{Description, Finding, Findings};

use crate::subject::Failure;

/// Maximum number of overlays that changes of any kind need.
const MAX_ROUNDS: usize = 3;

/// Checks the overlays of what is found.
pub fn apply_overlays(
    input: &Input<'_>,
    is_alone: bool,
    entries: &[Vec<String>; 3],
    faults: &mut BTreeSet<String>,
) -> Result<(), Failure> {
    // A change in a union can make another branch fit better, and values of any kind at a constant remain.
    for (changes, entries, rounds) in [("known", &entries[1], 1), ("any", &entries[2], MAX_ROUNDS)]
    {
        let mut corrected = input.clone();
        for _ in 0..rounds {
            let Some(text) = findings(&corrected, entries)?.overlay() else { break };
            let name = format!("drift{}.yaml", corrected.overlays.len());
            corrected.overlays.push(Source { name, text });
        }
        // Through text, in which integers have no bounds.
        let [before, after] = [input, &corrected].map(|input| serde_json::to_string(&trees(input)));
        removed(&serde_json::from_str(&before?)?, &serde_json::from_str(&after?)?, "", faults);
        let mut diagnostics = Diagnostics::new();
        Description::read(&corrected, &mut diagnostics);
        for diagnostic in diagnostics.iter().filter(|it| it.code == Code::Overlay) {
            faults.insert(format!("in the overlay: {}", diagnostic.message));
        }
        let left = findings(&corrected, entries)?.all;
        let is_wrong = |it: &&Finding| is_alone && it.is_closed && changes == "known";
        for finding in left.iter().filter(is_wrong) {
            faults.insert(format!("after the overlay of {changes} changes: {}", describe(finding)));
        }
    }
    Ok(())
}

/// Finds what an overlay removes, other than restrictions.
fn removed(before: &Value, after: &Value, pointer: &str, found: &mut BTreeSet<String>) {
    // A property can be called `properties`, too.
    let levels = pointer.rsplit('/').take_while(|level| *level == "properties").count();
    let is_property = levels % 2 == 1;
    let is_restriction = |key: &str| {
        ["$ref", "allOf", "const", "format", "nullable", "required", "type"].contains(&key)
    };
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, value) in before {
                let pointer = format!("{pointer}/{key}");
                match after.get(key) {
                    _ if is_restriction(key) && !is_property => {}
                    Some(after) => removed(value, after, &pointer, found),
                    None => _ = found.insert(format!("removed by the overlay: {pointer}")),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) if after.len() >= before.len() => {
            for (index, (one, other)) in before.iter().zip(after).enumerate() {
                removed(one, other, &format!("{pointer}/{index}"), found);
            }
        }
        (before, after) if before == after => {}
        _ => _ = found.insert(format!("removed by the overlay: {pointer}")),
    }
}

pub fn describe(it: &Finding) -> String {
    format!("{} at {}: {} ({})", it.code, it.pointer, it.message, it.count)
}

pub fn findings(input: &Input<'_>, entries: &[String]) -> Result<Findings, Failure> {
    let mut diagnostics = Diagnostics::new();
    let description = Description::read(input, &mut diagnostics);
    let description = description.ok_or_else(|| render(&diagnostics, false))?;
    let mut check = description.check(&[]);
    for entry in entries {
        check.entry(entry)?;
    }
    Ok(check.findings(1))
}
