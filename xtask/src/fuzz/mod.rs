//! `cargo xtask fuzz`: generates from mutated documents, and looks for panics, hangs and output that is not Rust.
//!
//! A case is a number: with the seed it determines the document ([`mutate`]). Workers are other processes, built with
//! optimisation and checks, so that a stack overflow or an endless loop costs one case and not the run ([`workers`]). What is
//! found is reduced to what is needed to find it ([`reduce`]) and written to a folder.

mod case;
mod compile;
mod mutate;
mod reduce;
mod workers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::host::cargo;
use crate::host::cli::option;
use crate::host::exit::{Context, Failure};
use crate::host::paths::{self, display_path};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;
use mutate::Seeds;
use workers::{Find, Workers};

/// Returns the command line, with its help.
pub fn command() -> Command {
    let number =
        |name, default, help| option(name, "N", value_parser!(u64), help).default_value(default);
    let document = |name, help| option(name, "FILE", value_parser!(PathBuf), help);
    Command::new("fuzz")
        .about("Generate from mutated documents, and look for panics, hangs and invalid output")
        .long_about(ABOUT)
        .arg(number("cases", "100000", "Try at most this many documents"))
        .arg(number("seconds", "300", "Stop after this many seconds"))
        .arg(number("seed", "1", "Mutate differently"))
        .arg(number("compile", "0", "Compile one document in N as well; 0 compiles none"))
        .arg(
            Arg::new("seeds")
                .value_name("FILE")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Documents to mutate, beside those in spec/ and tests/"),
        )
        .arg(document("check", "Try one document as it is").conflicts_with("worker"))
        .arg(
            Arg::new("worker")
                .long("worker")
                .num_args(3)
                .value_parser(value_parser!(u64))
                .action(ArgAction::Set)
                .hide(true),
        )
}

const ABOUT: &str = "\
Generate from mutated documents, and look for panics, hangs and invalid output

Mutates the documents in spec/, tests/ and ../shared/corpus (if it exists), and parses all that is
emitted. A document that makes the generator panic, hang, run out of memory or emit what is not Rust is
reduced and written to target/fuzz-finds. Exit code 1 if there is one.";

/// Tries documents until the count or the time is used up.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if let Some(file) = arguments.get_one::<PathBuf>("check") {
        return check(file, terminal);
    }
    let number = |name| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let mut files = seeds(workspace)?;
    files.extend(arguments.get_many::<PathBuf>("seeds").into_iter().flatten().cloned());
    if let Some(range) = arguments.get_many::<u64>("worker") {
        let &[from, to, step] = &range.copied().collect::<Vec<_>>()[..] else { return Ok(()) };
        let seeds = Seeds::read(&files)?;
        return workers::work(&seeds, number("seed"), [from, to, step], terminal);
    }
    let program = build(workspace)?;
    let started = Instant::now();
    let workers = Workers {
        program,
        seed: number("seed"),
        cases: number("cases"),
        deadline: started + Duration::from_secs(number("seconds")),
        extra: arguments.get_many::<PathBuf>("seeds").into_iter().flatten().cloned().collect(),
    };
    let (tried, finds) = workers.run(terminal)?;
    let seeds = Seeds::read(&files)?;
    let folder = workspace.root().join("target").join("fuzz-finds");
    let mut kinds: BTreeMap<String, Find> = BTreeMap::new();
    for find in finds {
        kinds.entry(case::cause(&find.kind).to_owned()).or_insert(find);
    }
    for find in kinds.values() {
        let path = save(find, &workers, &seeds, &folder)?;
        terminal.print(&format!(
            "{}\n  case {}: {}\n",
            find.kind,
            find.case,
            display_path(&path).display()
        ))?;
    }
    let mut failing = kinds.len();
    if let Some(interval) = Some(number("compile")).filter(|interval| *interval > 0) {
        let numbers = (0..tried).step_by(usize::try_from(interval).unwrap_or(usize::MAX));
        let documents = numbers.map(|case| (case, mutate::document(&seeds, number("seed"), case)));
        failing += compile::all(documents, workers.deadline, workspace, terminal)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if failing == 0 {
        return terminal.print(&format!("{tried} documents, nothing found ({seconds:.0} s)\n"));
    }
    let message = format!("{tried} documents, {failing} found ({seconds:.0} s)");
    Err(Failure::new(message).help(format!("see `{}`", display_path(&folder).display())))
}

/// Builds this program with optimisation and checks.
fn build(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let target = workspace.root().join("target");
    let mut cargo = cargo::command(workspace);
    cargo.args(["build", "--profile", "fuzz", "--package", "xtask", "--target-dir"]).arg(&target);
    let status = cargo.status().context("build", workspace.root())?;
    if !status.success() {
        return Err(Failure::new("the generator does not compile"));
    }
    Ok(target.join("fuzz").join("openapi-bindings").with_extension(std::env::consts::EXE_EXTENSION))
}

/// Writes what a case that was found is reduced to.
fn save(find: &Find, workers: &Workers, seeds: &Seeds, folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).context("create", folder)?;
    let document = mutate::document(seeds, workers.seed, find.case);
    let path = folder.join(format!("{}-{}.yaml", workers.seed, find.case));
    let reduced = reduce::reduce(document, |text| {
        fs::write(&path, text).context("write", &path)?;
        Ok(workers.check(&path)?.is_some_and(|kind| case::cause(&kind) == case::cause(&find.kind)))
    })?;
    fs::write(&path, reduced).context("write", &path)?;
    Ok(path)
}

/// Tries one document as it is.
fn check(file: &Path, terminal: &Terminal) -> Result<(), Failure> {
    let text = fs::read_to_string(file).context("read", file)?;
    match case::problem(&text) {
        Some(problem) => terminal.print(&format!("{problem}\n")),
        None => Ok(()),
    }
}

/// Returns the documents of this workspace, and the small ones of the corpus beside it.
fn seeds(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let root = workspace.root();
    let mut found = Vec::new();
    for folder in FOLDERS.map(|folder| root.join(folder)).iter().filter(|folder| folder.exists()) {
        found.extend(paths::specs(folder)?);
    }
    found.retain(|path| fs::metadata(path).is_ok_and(|file| file.len() < MAX_SEED));
    found.push(workspace.spec());
    found.sort();
    Ok(found)
}

/// The folders with the documents that are mutated.
const FOLDERS: [&str; 5] =
    ["tests/cases", "tests/rejected", "tests/warned", "tests/corpus", "../shared/corpus"];

/// The size of the largest document that is mutated, in bytes: more small cases find more than few large ones.
const MAX_SEED: u64 = 100_000;
