//! `cargo xtask judges`: reads the test sets of the standards.
//!
//! The sets are not part of this repository. `exceptions.txt` lists the cases whose verdict differs from that of the
//! set, each with the reason; a line that no longer applies fails the command, too.

mod exceptions;
mod overlays;
mod reading;
#[cfg(feature = "validator")]
mod schemas;
mod selectors;
mod specs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, value_parser};
use exceptions::Exceptions;
use reading::{Failure, Verdict};

#[path = "../support/program.rs"]
#[allow(dead_code, reason = "there are no options with numbers")]
mod program;

const ABOUT: &str = "\
Read the test sets of the standards

DIR has the folders `official` (tests/schema of OAI/OpenAPI-Specification, branch v3.1-dev) and `judges`:
`openapi-v3.2/tests/schema` (the same, v3.2-dev), `learn-v3.2` (examples of OAI/learn.openapis.org),
`overlay/compliant-sets` and `overlay/tests` (OAI/Overlay-Specification), and `jsonpath/cts.json`
(jsonpath-standard/jsonpath-compliance-test-suite). `judges/openapi-v3.1/src/schemas` and the same of v3.2 are the
official JSON Schemas, which judge all documents of the sets and those in DIR itself.

Valid cases must be accepted, invalid ones refused, as by `codegen --deny-warnings`, and results must be equal, but for the cases that
tests/judges/exceptions.txt lists. Otherwise, the exit code is 1.";

/// A set: its folder or file in DIR, and the function that judges its cases.
type Set = (&'static str, fn(&Path) -> Result<Vec<Verdict>, Failure>);

const SETS: &[Set] = &[
    ("official", specs::judge),
    ("judges/openapi-v3.2/tests/schema", specs::judge),
    ("judges/learn-v3.2", specs::judge_valid),
    ("judges/overlay/compliant-sets", overlays::judge_results),
    ("judges/overlay/tests/v1.1", overlays::judge),
    ("judges/jsonpath/cts.json", selectors::judge),
    #[cfg(feature = "validator")]
    (".", schemas::judge),
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
    for &(set, judge) in SETS {
        let path = folder.join(set);
        if !path.exists() {
            return Err(format!("`{}` does not exist: get the test sets first", path.display()));
        }
        let verdicts = judge(&path)?;
        let all = verdicts.len();
        if all == 0 {
            return Err(format!("`{}` has no cases: get the test sets again", path.display()));
        }
        let wrong = verdicts.into_iter().filter_map(|verdict| {
            let problem = verdict.problem?;
            Some((format!("{}/{}", title(set), verdict.case), problem))
        });
        let (expected, unexpected): (Vec<_>, Vec<_>) =
            wrong.partition(|(case, _)| exceptions.contains(case));
        println!(
            "{}: {} of {all}, {} exceptions",
            title(set),
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

/// Returns the name of a set: the schemas judge the documents of all folders.
fn title(set: &str) -> &str {
    if set == "." { "schemas" } else { set }
}
