//! `cargo xtask judges`: reads the test sets of the standards.
//!
//! The sets are not part of this repository. `exceptions.txt` lists the cases whose verdict differs from that of the
//! set, each with the reason; a line that no longer applies fails the command, too.

mod exceptions;
mod overlays;
mod selectors;
mod specs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::{Arg, value_parser};
use exceptions::Exceptions;

#[path = "../support/program.rs"]
#[allow(dead_code, reason = "there are no options with numbers")]
mod program;

const ABOUT: &str = "\
Read the test sets of the standards

DIR has the folders `official` (tests/schema of OAI/OpenAPI-Specification, branch v3.1-dev) and `judges`:
`openapi-v3.2/tests/schema` (the same, v3.2-dev), `learn-v3.2` (examples of OAI/learn.openapis.org),
`overlay/compliant-sets` and `overlay/tests` (OAI/Overlay-Specification), and `jsonpath/cts.json`
(jsonpath-standard/jsonpath-compliance-test-suite).

Valid cases must be accepted, invalid ones refused, and results must be equal, but for the cases that
tests/judges/exceptions.txt lists. Otherwise, the exit code is 1.";

/// A failure with its message.
type Failure = String;

/// The verdict on a case.
struct Verdict {
    case: String,
    /// The reason why it is not the verdict of the set.
    problem: Option<String>,
}

/// A set: its folder or file, and the function that judges its cases.
type Set = (&'static str, fn(&Path) -> Result<Vec<Verdict>, Failure>);

const SETS: [Set; 6] = [
    ("official", specs::judge),
    ("judges/openapi-v3.2/tests/schema", specs::judge),
    ("judges/learn-v3.2", specs::judge_valid),
    ("judges/overlay/compliant-sets", overlays::judge_results),
    ("judges/overlay/tests/v1.1", overlays::judge),
    ("judges/jsonpath/cts.json", selectors::judge),
];

fn main() -> ExitCode {
    let folder = Arg::new("folder")
        .value_name("DIR")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The folder with the sets");
    let command = clap::Command::new("cargo xtask judges").about(ABOUT).arg(folder);
    program::run(command, |arguments| {
        judges(arguments.get_one::<PathBuf>("folder").map_or(Path::new(""), PathBuf::as_path))
    })
}

fn judges(folder: &Path) -> Result<ExitCode, Failure> {
    let mut exceptions = Exceptions::parse(include_str!("exceptions.txt"))?;
    let mut is_success = true;
    for (set, judge) in SETS {
        let path = folder.join(set);
        if !path.exists() {
            return Err(format!("`{}` does not exist: get the test sets first", path.display()));
        }
        let verdicts = judge(&path)?;
        let all = verdicts.len();
        let wrong = verdicts.into_iter().filter_map(|verdict| {
            let problem = verdict.problem?;
            Some((format!("{set}/{}", verdict.case), problem))
        });
        let (expected, unexpected): (Vec<_>, Vec<_>) =
            wrong.partition(|(case, _)| exceptions.contains(case));
        println!(
            "{set}: {} of {all}, {} exceptions",
            all - expected.len() - unexpected.len(),
            expected.len()
        );
        for (case, problem) in &unexpected {
            println!("  {case}: {problem}");
        }
        is_success &= unexpected.is_empty();
    }
    for case in exceptions.unused() {
        println!("exceptions.txt: `{case}` is not an exception: remove the line");
        is_success = false;
    }
    Ok(if is_success { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let paths = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let mut paths =
        paths.map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// Returns the text of a file.
fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

/// Returns the name of a case: the end of its path.
fn name(path: &Path, parts: usize) -> String {
    let components: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    components[components.len().saturating_sub(parts)..].join("/")
}
