//! One document: what is wrong with the generator if this is generated.

use std::rc::Rc;

use ::codegen::diagnostics::{Severity, render};
use ::codegen::{Input, Outcome, Settings, Source};

use crate::host::attempt;

/// Returns the settings that documents are generated with.
pub fn settings(runtime: String) -> Settings {
    Settings {
        package: "fuzzed".to_owned(),
        version: "0.1.0".to_owned(),
        runtime,
        ..Settings::default()
    }
}

/// Returns what is wrong, in one line; `None` if nothing is.
pub fn problem(text: &str) -> Option<String> {
    let text = text.to_owned();
    let source = Source { name: "fuzzed.yaml".to_owned(), text: text.clone() };
    // Every file of the folder is the document again.
    let is_beside = |name: &&str| !name.contains('/');
    let read_file = move |name: &str| {
        Some(name).filter(is_beside).map(|_| text.clone()).ok_or_else(|| "no such file".to_owned())
    };
    let input = Input { read_file: Rc::new(read_file), ..Input::from(&source) };
    let Outcome { output, diagnostics, .. } =
        match attempt::generate(input, &settings("\"0.1\"".to_owned())) {
            Ok(outcome) => outcome,
            Err(panic) => return Some(panic),
        };
    let rendered = render(&diagnostics, false);
    match output {
        None if diagnostics.count(Severity::Error) == 0 => {
            Some("no output and no error".to_owned())
        }
        None if rendered.is_empty() => Some("an error that is not shown".to_owned()),
        None => None,
        Some(output) => attempt::invalid(&output.files),
    }
}

/// Returns what finds of one cause have in common: a panic's place without its message.
pub fn cause(problem: &str) -> &str {
    problem.split_once(": ").map_or(problem, |(place, _)| place)
}
