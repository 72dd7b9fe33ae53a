//! `cargo xtask conformance --judges`: other implementations encode the same values, decode what the runtime sends, and
//! read the same event streams.
//!
//! `docs/judges.md` explains the disagreements; any other fails the run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::driver;
use crate::step::{Failure, REPOSITORY, run, write};

const NPM: [&str; 6] = [
    "@stoplight/prism-http@5.12.0",
    "busboy@1.6.0",
    "eventsource-parser@3.1.1",
    "express-openapi-validator@5.6.2",
    "express@5.3.0",
    "swagger-client@3.37.3",
];
const PYPI: [&str; 3] = ["openapi-core==0.23.1", "python-multipart==0.0.34", "uritemplate==4.2.0"];

/// The explanations, and the folder of the programs.
const EXPLAINED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/judges.md");
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/judges");

/// The tests that write what is judged, in `runtime/tests/judged/`.
const TESTS: [&str; 8] = [
    "test",
    "--package",
    "openapi-bindings-runtime",
    "--test",
    "runtime",
    "judged::",
    "--",
    "--ignored",
];

/// How often a judge agrees about a kind of request or stream, and the first disagreement.
#[derive(Default)]
struct Verdict {
    all: usize,
    agreed: usize,
    first: Option<(Value, Value)>,
}

/// Runs the judges.
pub fn judges(folder: &Path) -> Result<ExitCode, Failure> {
    let folder = &folder.join("judges");
    install(folder)?;
    let mut tests = driver::cargo();
    tests.current_dir(REPOSITORY).env("JUDGED", folder);
    run(tests.args(TESTS), "the tests that write the requests and streams")?;
    let requests = folder.join("requests.json");
    let mut judged = String::new();
    for (program, input) in
        [("judges.mjs", &requests), ("streams.mjs", &folder.join("streams.json"))]
    {
        let mut node = Command::new("node");
        judged += &run(node.current_dir(folder).arg(program).arg(input), program)?;
    }
    let mut python = Command::new(folder.join("venv/bin/python"));
    let python = python.arg(format!("{PROGRAMS}/judges.py")).arg(&requests);
    judged += &run(python, "the judges in Python")?;

    let mut verdicts: BTreeMap<(String, String), Verdict> = BTreeMap::new();
    for line in judged.lines() {
        let line: Value = serde_json::from_str(line)?;
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let verdict = verdicts.entry((text("judge"), text("id"))).or_default();
        verdict.all += 1;
        if line["agrees"] == true {
            verdict.agreed += 1;
        } else if verdict.first.is_none() {
            verdict.first = Some((line["expected"].clone(), line["actual"].clone()));
        }
    }
    Ok(report(&verdicts, &explained()?))
}

/// Installs the judges, unless they are.
fn install(folder: &Path) -> Result<(), Failure> {
    // Node finds the packages next to the programs.
    for name in ["judges.mjs", "streams.mjs"] {
        write(&folder.join(name), &std::fs::read_to_string(format!("{PROGRAMS}/{name}"))?)?;
    }
    let installed = folder.join("node_modules/installed");
    let packages = NPM.join(" ");
    if !std::fs::read_to_string(&installed).is_ok_and(|found| found == packages) {
        write(&folder.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.current_dir(folder).args(["install", "--ignore-scripts", "--no-fund", "--no-audit"]);
        run(npm.args(NPM), "npm install")?;
        write(&installed, &packages)?;
    }
    if !folder.join("venv/installed").exists() {
        let mut python = Command::new("python3");
        run(python.args(["-m", "venv"]).arg(folder.join("venv")), "python3 -m venv")?;
        let mut pip = Command::new(folder.join("venv/bin/pip"));
        run(pip.args(["install", "--quiet"]).args(PYPI), "pip install")?;
        write(&folder.join("venv/installed"), "")?;
    }
    Ok(())
}

/// Returns the judge and each prefix of names in the rows of the explanations.
fn explained() -> Result<Vec<(String, String)>, Failure> {
    let text = std::fs::read_to_string(EXPLAINED)?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    let rows = rows.filter_map(|row| {
        let mut cells = row.split(" | ");
        let (judge, prefixes) = (cells.next()?, cells.next()?);
        let prefixes = prefixes.split('`').skip(1).step_by(2);
        Some(prefixes.map(move |prefix| (judge.to_owned(), prefix.to_owned())))
    });
    Ok(rows.flatten().collect())
}

fn report(
    verdicts: &BTreeMap<(String, String), Verdict>,
    explained: &[(String, String)],
) -> ExitCode {
    let mut unexplained = 0;
    let mut totals: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for ((judge, id), verdict) in verdicts {
        let total = totals.entry(judge).or_default();
        total[0] += verdict.agreed;
        total[1] += verdict.all;
        let Some((expected, actual)) = &verdict.first else { continue };
        let is_explained =
            explained.iter().any(|(of, prefix)| of == judge && id.starts_with(prefix));
        let word = if is_explained { "explained" } else { "unexplained" };
        unexplained += usize::from(!is_explained);
        println!(
            "{word}: {judge}: {id}: {} of {}: {expected}, not {actual}",
            verdict.agreed, verdict.all
        );
    }
    for (judge, [agreed, all]) in totals {
        println!("{judge} agrees about {agreed} of {all}");
    }
    for (judge, prefix) in
        explained.iter().filter(|(judge, _)| verdicts.keys().any(|(of, _)| of == judge))
    {
        let is_needed = verdicts.iter().any(|((of, id), verdict)| {
            of == judge && id.starts_with(prefix.as_str()) && verdict.first.is_some()
        });
        if !is_needed {
            unexplained += 1;
            println!(
                "needless: {judge} agrees about `{prefix}`: remove its row from docs/judges.md"
            );
        }
    }
    if unexplained == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
