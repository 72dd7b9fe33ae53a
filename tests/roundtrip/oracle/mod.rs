//! Checks with an independent validator, which knows the schemas that allow a value: `--examples` and `--branches`.

mod branches;
mod examples;
mod validator;

use std::process::ExitCode;

use codegen::Output;
use serde_json::{Map, Value};

use crate::campaign::{Root, runner};
use crate::shape::Shapes;
use crate::subject::{Failure, Program, nothing};
use validator::Validators;

/// Sends the examples in the document, or else instances of its unions, and prints the outcome.
pub fn run(
    check: &str,
    (files, output): (&Map<String, Value>, &Output),
    subjects: (&Shapes<'_>, &[Root]),
    program: &mut Program,
    (instances, seed): (usize, u64),
) -> Result<ExitCode, Failure> {
    let registry = validator::registry(files)?;
    let validators = &mut Validators::new(&registry);
    if check == "examples" {
        return show_examples(&examples::run(subjects, validators, program)?);
    }
    let emitted = (&output.public_api, output.files.as_slice());
    let plan = (instances, runner(seed));
    show_branches(&branches::run(emitted, subjects, validators, program, plan)?)
}

fn show_examples(outcome: &examples::Outcome) -> Result<ExitCode, Failure> {
    for (place, fault) in &outcome.faults {
        println!("{place}: {}\n  answer: {} (by {})", fault.cause, fault.answer, fault.route);
    }
    for invalid in &outcome.invalid {
        println!("not sent: {invalid}");
    }
    println!("{} examples, and {} that are invalid", outcome.sent, outcome.invalid.len());
    match outcome.faults.len() {
        0 if outcome.sent == 0 => nothing("no valid examples"),
        0 => Ok(ExitCode::SUCCESS),
        faults => Err(format!("{faults} places with an example that is not retained").into()),
    }
}

fn show_branches(outcome: &branches::Outcome) -> Result<ExitCode, Failure> {
    for (cause, example) in &outcome.examples {
        println!("{cause}\n  such as: {example}");
    }
    println!("{} unions", outcome.unions);
    for (tally, how) in outcome.tallies.iter().zip(["with certainty", "by the best fit"]) {
        let branches::Tally { instances, exceptions } = tally;
        println!("  {how}: {instances} instances of one branch, {exceptions} exceptions");
    }
    if outcome.is_failure() {
        return Err("instances are read as another variant".into());
    }
    let [certain, fitted] = &outcome.tallies;
    if certain.instances + fitted.instances == 0 {
        return nothing("no instances of unions");
    }
    Ok(ExitCode::SUCCESS)
}
