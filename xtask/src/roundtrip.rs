//! `cargo xtask roundtrip`: whether emitted types give back every instance of their schemas.
//!
//! The description is the oracle. [`schema`] and [`form`] read it on their own, without the generator's notion of types;
//! [`instance`] and [`mutate`] make values, [`driver`] sends them through the emitted types, [`compare`] looks at what
//! comes back.

mod arguments;
mod campaign;
mod compare;
mod coverage;
mod description;
mod driver;
mod form;
mod groups;
mod instance;
mod mutate;
mod report;
mod roots;
mod samples;
mod schema;
mod shrink;
mod spell;
mod subject;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod verdict;

pub use arguments::command;

use std::time::Instant;

use clap::ArgMatches;

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Source, parse};

use crate::codegen;
use crate::exit::{Exit, Failure};
use crate::paths::absolute_path;
use crate::read;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

use arguments::Arguments;
use campaign::Plan;
use description::Description;
use driver::Driver;
use roots::Root;
use schema::Reader;
use subject::{Answer, ROUTES, Subject};

/// Emits the crate of a description, and sends instances of its schemas through it.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let arguments = Arguments::from_matches(arguments);
    let spec = match &arguments.spec {
        Some(spec) => spec.clone(),
        None => workspace.spec(),
    };
    let text = read::text(&spec, Exit::InvalidSpec)?;
    let source = Source { name: spec.display().to_string(), text };
    let root = parse(&source, &mut Diagnostics::new());
    let folder = match &arguments.keep {
        Some(folder) => absolute_path(folder)?,
        None => driver::scratch(&spec, workspace)?,
    };
    let package = driver::package_name(&folder);
    let out = driver::prepare(&folder, workspace)?;
    let output = codegen::emit_into(&spec, &out, &package, workspace, terminal)?;
    let Some(root) = root else {
        return Err(Failure::new("the description cannot be read").exit(Exit::InvalidSpec));
    };
    let description = Description::of(&root);
    let reader = Reader::of(&description);
    let roots = roots::roots(&output.ir, &description);
    if roots.is_empty() {
        return terminal.print("no types: nothing to lose\n");
    }
    let program = driver::build(&folder, &package, &roots, workspace)?;
    let mut driver = Driver::new(program);
    if let (Some(schema), Some(json)) = (&arguments.schema, &arguments.json) {
        return send_one(&reader, &roots, &mut driver, (schema, json), terminal);
    }
    let started = Instant::now();
    let plan =
        Plan { instances: arguments.instances, mutants: arguments.mutants, seed: arguments.seed };
    let outcome = campaign::run(&reader, &roots, &mut driver, plan)?;
    terminal.print(&report::tried(&outcome, &roots, plan))?;
    let repeat = match &arguments.spec {
        Some(spec) => {
            format!("cargo xtask roundtrip --spec {}", report::quoted(&spec.to_string_lossy()))
        }
        None => "cargo xtask roundtrip".to_owned(),
    };
    for (cause, failed) in &outcome.failures {
        if let Some(root) = roots.get(failed.root) {
            terminal.print(&report::failed(cause, failed, root, &repeat, plan.seed))?;
        }
    }
    if let Some(impossible) = report::impossible(&reader) {
        terminal.note(&impossible);
    }
    let missed = report::missed(&outcome, &description);
    if let Some(missed) = &missed {
        terminal.print(missed)?;
    }
    let wrong = match (outcome.failures.len(), missed) {
        (0, None) => None,
        (0, Some(_)) => Some("not all that is described was met".to_owned()),
        (1, _) => Some("1 way to lose something".to_owned()),
        (failures, _) => Some(format!("{failures} ways to lose something")),
    };
    if let Some(wrong) = wrong {
        let message = format!("`{}`: {wrong}", spec.display());
        return Err(Failure::new(message).help("what was tried stands above"));
    }
    terminal.print(&format!("nothing was lost ({:.1} s)\n", started.elapsed().as_secs_f64()))
}

/// Sends one instance, and shows what comes back.
fn send_one(
    reader: &Reader<'_>,
    roots: &[Root],
    subject: &mut dyn Subject,
    (schema, json): (&str, &str),
    terminal: &Terminal,
) -> Result<(), Failure> {
    let found = roots.iter().enumerate().find(|(_, root)| root.name == schema);
    let Some((index, root)) = found else {
        return Err(Failure::new(format!("no type was made of `{schema}`"))
            .help("name a key of components/schemas, or a JSON pointer to a schema"));
    };
    let value = serde_json::from_str(json)
        .map_err(|error| Failure::new(format!("`--json` is no JSON: {error}")))?;
    // A line is what the program under test reads; in JSON, line ends are nothing but white space.
    let json = &json.replace(['\n', '\r'], " ");
    for (route, name) in ROUTES {
        let said = match subject.send(index, route, json)? {
            Answer::Encoded(json) => json,
            Answer::Refused(message) => format!("refused: {message}"),
            Answer::Crashed(message) => format!("crashed: {message}"),
        };
        terminal.print(&format!("{name}: {said}\n"))?;
    }
    match verdict::judge(reader, subject, (index, root), &value, json)? {
        None => terminal.print("nothing was lost\n"),
        Some(fault) => Err(Failure::new(fault.cause())),
    }
}
