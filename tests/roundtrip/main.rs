//! Checks that emitted types lose nothing between decoding and encoding: `cargo xtask roundtrip`.
//!
//! The document decides what is correct. [`schema`] and [`shape`] read it independently of the generator; [`instance`]
//! and [`mutate`] make values from random tapes, [`subject`] decodes and encodes them as the emitted types, and
//! [`compare`] checks the result.

#![cfg_attr(test, allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking"))]

mod campaign;
mod compare;
mod coverage;
mod decided;
mod document;
mod doors;
mod drift;
mod edits;
mod formats;
mod instance;
mod mutate;
#[cfg(feature = "validator")]
mod oracle;
mod overlays;
#[path = "../support/program.rs"]
mod program;
mod replies;
mod samples;
mod schema;
mod secrets;
mod shape;
mod subject;
#[cfg(test)]
mod tests;

use ::tests::progress::Progress;
use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::items::{Item, ItemKind, MemberKind, MemberRef, Path as ItemPath, PublicApi, Wire};
use codegen::{Input, Output, Source, generate, trees};
use serde_json::Value;

use campaign::{Failed, Outcome, Root, judge};
use document::Document;
use program::number;
use shape::Shapes;
use subject::{Answer, Failure, Folder, NOTHING, REPOSITORY, ROUTES, Subject, nothing};
use traffic::Description;

const ABOUT: &str = "\
Check that emitted types lose nothing between decoding and encoding

Emits the crate of a document, makes instances of all its schemas, and mutants of these, and decodes
and encodes them as the emitted types. The result must be equal by value. A run must cover every property
(present, absent and null), every branch, every enum value and every boundary value.

With --examples, the examples in the document are used instead. With --branches, instances of unions are
used, and an independent validator decides which branch they match.

With --drift, replies of operations are made from their schemas and changed in known ways. `drift` must find
every change at its place and nothing else, and nothing at all after its overlay is applied.

With --replies, each operation receives each of its declared replies, with a body made from its schema, and
must return it as what is declared, and nothing as the body of another status.

With --law, only what decoding and `drift` say of instances and mutants is compared.

With --secrets, values are planted in the properties with the names and the formats of secrets. No model,
error, recording or report of `drift` may show one.

With --edits, operations with an update mask send random edits. The requests must be those that an
independent program computes from the JSON before and after the edit.";

fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let spec = option("spec", "FILE", "Read other specs, each with a crate of its own")
        .value_parser(value_parser!(PathBuf))
        .num_args(1..);
    let schema =
        "Use --json as an instance of this schema: a key of components/schemas, or a JSON pointer";
    Command::new("cargo xtask roundtrip").about(ABOUT).args([
        spec,
        flag("examples", "Use the examples in the document"),
        flag("branches", "Compare the variants of unions with the branches of their schemas"),
        flag("drift", "Check replies against the document, and change them in known ways"),
        flag("replies", "Receive each declared reply through its operation"),
        flag("law", "Compare what decoding and `drift` say of a value, and nothing else"),
        option(
            "cases",
            "COUNT",
            "Read one in so many of the documents in tests/cases, others each day",
        )
        .value_parser(value_parser!(usize))
        .conflicts_with("spec"),
        flag("secrets", "Look for planted secrets in all that is printed"),
        flag("edits", "Send edits through the operations with an update mask"),
        number(
            "instances",
            "10000",
            "Minimum number of instances, each with a mutant, or of edits",
        ),
        number("seed", "1", "Seed of the random instances"),
        option("schema", "NAME", schema).requires("json"),
        option("json", "JSON", "The instance to decode and encode").requires("schema"),
    ])
}

fn main() -> ExitCode {
    program::run(command(), run)
}

fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let own = Path::new(REPOSITORY).join("spec/openapi.yaml");
    let cases = arguments.get_one("cases").map_or(Ok(vec![own]), |parts| cases(*parts))?;
    let specs =
        arguments.get_many("spec").map_or_else(|| cases.iter().collect(), Iterator::collect);
    let specs: Vec<&PathBuf> = specs;
    let is_case = arguments.contains_id("cases");
    if let [sole] = specs.as_slice() {
        return check(sole, arguments);
    }
    let mut failed = 0;
    for spec in &specs {
        println!("{}", spec.display());
        let outcome = check(spec, arguments);
        if let Err(error) = &outcome {
            eprintln!("error: {error}");
        }
        // Some cases have no types, or no replies.
        let is_nothing = |error: &Failure| is_case && error.to_string().ends_with(NOTHING);
        failed += usize::from(match &outcome {
            Ok(code) => *code != ExitCode::SUCCESS,
            Err(error) => !is_nothing(error),
        });
    }
    match failed {
        0 => Ok(ExitCode::SUCCESS),
        _ => Err(format!("{failed} of {} documents failed", specs.len()).into()),
    }
}

/// Returns one in `parts` of the documents of the cases: always the same, unless `SAMPLE` numbers another one.
fn cases(parts: usize) -> Result<Vec<PathBuf>, Failure> {
    let number = env::var("SAMPLE").map_or(Ok(0), |number| number.parse::<usize>())?;
    let cases = fs::read_dir(Path::new(REPOSITORY).join("tests/cases"))?;
    let cases: Result<Vec<_>, _> = cases.map(|case| Ok::<_, Failure>(case?.path())).collect();
    let mut cases = cases?;
    cases.sort();
    let chosen = cases.into_iter().skip(number % parts.max(1)).step_by(parts.max(1));
    let documents = chosen.map(|case| case.join("openapi.yaml"));
    Ok(documents.filter(|document| document.exists()).collect())
}

/// Checks the types of a document.
fn check(spec: &Path, arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    let name = spec.display().to_string();
    let text =
        fs::read_to_string(spec).map_err(|error| format!("failed to read `{name}`: {error}"))?;
    let folder = Folder::new(spec)?;
    let mut input = Input::from(&Source { name: name.clone(), text });
    let parent = spec.with_file_name("");
    input.read_file = Rc::new(move |file: &str| {
        fs::read_to_string(parent.join(file)).map_err(|error| error.to_string())
    });
    let number = |name| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let plan = (usize::try_from(number("instances"))?, number("seed"));
    // Through text, in which integers have no bounds.
    let files = serde_json::from_str(&serde_json::to_string(&trees(&input))?)?;
    let document = Document::new(&files);
    if arguments.get_flag("drift") {
        return show_drift(&drift::run(&input, &document, plan)?);
    }
    let generated = generate(&input, &folder.settings());
    let Some(output) = generated.output else {
        eprint!("{}", render(&generated.diagnostics, false));
        eprintln!("error: {} in `{name}`", generated.diagnostics.count(Severity::Error));
        return Ok(ExitCode::from(2));
    };
    if arguments.get_flag("replies") {
        let operations = replies::operations(&output.public_api, &document);
        let program = replies::program(&operations, &output.public_api)?;
        let mut program = folder.build_replies(&output.files, &program)?;
        return show_replies(&replies::run(&operations, &document, &mut program, plan.1)?);
    }
    let (roots, shapes) = roots(&output.public_api, &document);
    let is_law = arguments.get_flag("law");
    if roots.is_empty() {
        return nothing("no types");
    }
    if arguments.get_flag("edits") {
        return check_edits(&output, (&shapes, &roots), &folder, plan);
    }
    if arguments.get_flag("secrets") {
        let types = roots.iter().map(|root| root.rust.as_str());
        let mut program = folder.build_secrets(&output.files, types)?;
        let all = (&shapes, roots.as_slice());
        return show_secrets(&secrets::run((&input, &document), all, &mut program, plan)?);
    }
    let compiling = Progress::new(None);
    compiling.step(0, format!("compiling the types of {name}"));
    let mut program = folder.build(&output.files, roots.iter().map(|root| root.rust.as_str()))?;
    drop(compiling);
    let text = |name| arguments.get_one::<String>(name);
    if let (Some(schema), Some(json)) = (text("schema"), text("json")) {
        return send_one(&roots, &mut program, schema, json);
    }
    let started = Instant::now();
    if let Some(check) = ["examples", "branches"].iter().find(|name| arguments.get_flag(name)) {
        #[cfg(feature = "validator")]
        return oracle::run(check, (&files, &output), (&shapes, &roots), &mut program, plan);
        #[cfg(not(feature = "validator"))]
        return Err(format!("`--{check}` needs the feature `validator`").into());
    }
    let description = Description::read(&input, &mut Diagnostics::new());
    let description = description.ok_or("the document cannot be read")?;
    let mut drift = description.check(&[]);
    let types: Vec<_> = roots.iter().map(|root| drift.type_at(&root.rust)).collect();
    let mut is_silent = |root: usize, json: &str| drift.value(types[root]?, json).ok();
    let subject: (&mut dyn Subject, campaign::Law<'_>) = (&mut program, &mut is_silent);
    let outcome = campaign::run(&shapes, &roots, subject, (is_law, plan))?;
    println!("{} types, {} instances, seed {}", roots.len(), outcome.instances, plan.1);
    let missing = show(&outcome, &roots, &shapes, &name, is_law);
    if outcome.failures.is_empty() && missing == 0 {
        println!("nothing was lost ({:.1} s)", started.elapsed().as_secs_f64());
        return Ok(ExitCode::SUCCESS);
    }
    let failures = outcome.failures.len();
    Err(format!("`{name}`: {failures} kinds of failures, {missing} described items not covered")
        .into())
}

/// Checks the update masks of random edits.
fn check_edits(
    output: &Output,
    (shapes, roots): (&Shapes<'_>, &[Root]),
    folder: &Folder,
    (count, seed): (usize, u64),
) -> Result<ExitCode, Failure> {
    let operations = edits::operations(&output.public_api, roots);
    if operations.is_empty() {
        return nothing("no operation has an update mask");
    }
    let paths = operations.iter().map(|operation| operation.rust.as_str());
    let mut program = folder.build_edits(&output.files, paths)?;
    let plan = (count, campaign::runner(seed));
    let outcome = edits::run(&operations, (shapes, roots), &mut program, plan)?;
    show_edits(&outcome, operations.len())
}

/// Returns the models of a crate. A oneof next to other properties has no schema of its own: it is tried with its
/// object.
fn roots<'d>(api: &PublicApi, document: &'d Document<'d>) -> (Vec<Root>, Shapes<'d>) {
    let models = api.items.iter().filter_map(|(path, item)| {
        let place = document.at(&item.about.place)?;
        // The bodies of several replies are one type, which is not a JSON value itself.
        let is_json = item.members.contains_key(&(MemberKind::Trait, "Deserialize".to_owned()));
        let is_model = path.is_model() && item.is_type() && is_json;
        (is_model && is_schema(&item.about.place, document.value(place)))
            .then_some((path, item, place))
    });
    let mut models_at: HashMap<_, usize> = HashMap::new();
    models.clone().for_each(|(.., place)| *models_at.entry(place).or_default() += 1);
    let paths: HashSet<String> = models.clone().map(|(path, ..)| path.to_string()).collect();
    // The schema of a union of those that extend it is also that of their base.
    let is_base = |path: &str| path.strip_suffix("Base").is_some_and(|union| paths.contains(union));
    let has_base = |path: &str| paths.contains(&format!("{path}Base"));
    let roots = models.filter(|(path, item, place)| {
        let path = path.to_string();
        match models_at.get(place) {
            Some(1) | None => true,
            Some(_) => has_base(&path) || item.kind == ItemKind::Struct && !is_base(&path),
        }
    });
    let shapes = Shapes::new(document, roots.clone().map(|(.., place)| place));
    let root = |(path, item, place): (&ItemPath, &Item, _)| {
        let component =
            item.about.place.strip_prefix("/components/schemas/").filter(|key| !key.contains('/'));
        let name = component.unwrap_or(&item.about.place).to_owned();
        let mut wires = item.members(path).filter_map(MemberRef::wire);
        let keeps_nulls = wires.any(Wire::is_nullable);
        let has_fields = item.kind == ItemKind::Struct;
        let id = shapes.at(place)?;
        Some(Root { rust: path.to_string(), name, id, keeps_nulls, has_fields })
    };
    (roots.filter_map(root).collect(), shapes)
}

/// Returns whether a place is a schema of JSON. The elements of a tuple and the values of patterns have a type together; it is
/// tried with the list or the map.
fn is_schema(pointer: &str, value: &Value) -> bool {
    let parent = pointer.strip_suffix("/patternProperties");
    // A form has no null, which its schema may allow.
    let is_form = ["/content/multipart~1", "/content/application~1x-www-form-urlencoded"]
        .iter()
        .any(|media| pointer.contains(media));
    // A union in an `allOf` is next to the properties of the other parts, which may exclude some of its branches.
    let part = pointer.rsplit_once('/').filter(|(parent, _)| parent.ends_with("/allOf"));
    let is_part = part.is_some_and(|_| value.get("oneOf").or_else(|| value.get("anyOf")).is_some());
    value.is_object()
        && !is_form
        && !is_part
        && parent.is_none_or(|parent| parent.ends_with("/properties"))
}

/// Prints the covered items, the smallest example of each failure, the command that repeats it, and the items that were
/// not covered.
fn show(outcome: &Outcome, roots: &[Root], shapes: &Shapes<'_>, spec: &str, is_law: bool) -> usize {
    let count = |(name, count): (&&str, &usize)| format!("{name} {count}");
    let mutations: Vec<_> = outcome.mutations.iter().map(count).collect();
    let tally = outcome.coverage.tally().map(|(class, seen, all)| format!("{class} {seen}/{all}"));
    println!("  {}\n  {}", tally.join(", "), mutations.join(", "));
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    for (cause, Failed { count, root, smallest }) in &outcome.failures {
        let (Some(root), Some(fault)) = (roots.get(*root), &smallest.fault) else { continue };
        let [name, sent] = [&root.name, &smallest.sent];
        println!("{cause} ({count} instances)\n  type:   {} ({name})", root.rust);
        println!("  after:  {}\n  sent:   {sent}", smallest.mutations.join(", "));
        println!("  answer: {} (by {})", fault.answer, fault.route);
        let [spec, name, sent] = [spec, name, sent].map(quoted);
        println!("  repeat: cargo xtask roundtrip --spec {spec} --schema {name} --json {sent}");
    }
    if is_law {
        return 0;
    }
    for (reason, count) in &outcome.expected {
        println!("expected drift: {count} instances: {reason}");
    }
    if let impossible @ [first, ..] = shapes.impossible().as_slice() {
        let count = impossible.len();
        println!("not tried: {count} schemas without a finite instance, such as `{first}`");
    }
    for item in outcome.coverage.missing().take(20) {
        println!("not covered: {}", item.describe(shapes.document));
    }
    outcome.coverage.missing().count()
}

/// Prints the outcome of checks of replies.
fn show_drift(outcome: &drift::Outcome) -> Result<ExitCode, Failure> {
    for fault in &outcome.faults {
        println!("{fault}");
    }
    println!("{} replies", outcome.replies);
    for (code, count) in &outcome.changes {
        println!("  {count} changes: {code}");
    }
    match outcome.faults.len() {
        0 if outcome.replies == 0 => nothing("no replies"),
        0 => Ok(ExitCode::SUCCESS),
        count => Err(format!("{count} kinds of faults").into()),
    }
}

/// Prints the outcome of replies.
fn show_replies(outcome: &replies::Outcome) -> Result<ExitCode, Failure> {
    for fault in &outcome.faults {
        println!("{fault}");
    }
    let arrived: usize = outcome.arrived.values().sum();
    println!("{arrived} replies arrived");
    for (kind, count) in &outcome.arrived {
        println!("  {count} {kind}");
    }
    for (reason, count) in &outcome.omitted {
        println!("not sent: {count}: {reason}");
    }
    match outcome.faults.len() {
        0 if arrived == 0 => nothing("no replies"),
        0 => Ok(ExitCode::SUCCESS),
        count => Err(format!("{count} faults").into()),
    }
}

/// Prints the outcome of planted secrets.
fn show_secrets(outcome: &secrets::Outcome) -> Result<ExitCode, Failure> {
    for fault in &outcome.faults {
        println!("{fault}");
    }
    println!("{} planted secrets", outcome.planted);
    match outcome.faults.len() {
        0 if outcome.planted == 0 => nothing("no secrets to plant"),
        0 => Ok(ExitCode::SUCCESS),
        count => Err(format!("{count} faults").into()),
    }
}

/// Prints the outcome of edits.
fn show_edits(outcome: &edits::Outcome, operations: usize) -> Result<ExitCode, Failure> {
    for (cause, example) in &outcome.faults {
        println!("{cause}\n  {example}");
    }
    println!("{} of {operations} operations with an update mask send edits", outcome.seen.len());
    for (what, count) in &outcome.tallies {
        println!("  {count} edits {what}");
    }
    if outcome.faults.is_empty() && outcome.seen.len() == operations {
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("{} kinds of wrong edits", outcome.faults.len()).into())
}

/// Sends one instance, and prints the result.
fn send_one(
    roots: &[Root],
    subject: &mut dyn Subject,
    schema: &str,
    json: &str,
) -> Result<ExitCode, Failure> {
    let index = roots.iter().position(|root| root.name == schema).ok_or_else(|| {
        format!(
            "no type was made of `{schema}`: name a key of components/schemas, or the JSON pointer to a schema"
        )
    })?;
    let value = serde_json::from_str(json).map_err(|error| format!("`--json`: {error}"))?;
    // A line is what the program reads; in JSON, line ends are white space.
    let answers = subject.send(index, &json.replace(['\n', '\r'], " "))?;
    for (route, answer) in ROUTES.into_iter().zip(&answers) {
        println!("{route}: {answer:?}");
    }
    let is_drift = |_: &str, answer: &Answer| matches!(answer, Answer::Drift(_));
    let Some(root) = roots.get(index) else { return Ok(ExitCode::FAILURE) };
    match judge(root, &value, answers, is_drift) {
        None => println!("nothing was lost"),
        Some(fault) => return Err(fault.cause.into()),
    }
    Ok(ExitCode::SUCCESS)
}
