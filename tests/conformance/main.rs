//! `cargo xtask conformance`: calls the mock server of TypeSpec through crates emitted for its documents.
//!
//! `@typespec/http-specs` describes APIs, and `tsp-spector` serves them: it checks every request against its scenario,
//! and reports which scenarios have passed. `scenarios.txt` has the calls, and the scenarios without one with the reason.
//! Needs `git`, `node` and `npm`, and the registry of npm.

mod documents;
mod driver;
mod judges;
mod plan;
#[path = "../support/program.rs"]
#[allow(dead_code, reason = "there are no options with numbers")]
mod program;
mod server;
mod step;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};
use tests::progress::Progress;

use clap::{Arg, ArgAction};
use plan::Plan;
use step::{Failure, REPOSITORY, run};

const ABOUT: &str = "\
Call the mock server of TypeSpec's scenarios through emitted crates

Installs @typespec/http-specs into target/conformance, emits a crate for each document of
tests/conformance/scenarios.txt, and sends the calls that are listed there. If the server rejects one, the exit code is 1.";

fn main() -> ExitCode {
    let judges = Arg::new("judges")
        .long("judges")
        .help("Let other implementations judge random requests instead (needs python3 and PyPI)")
        .action(ArgAction::SetTrue);
    let command = clap::Command::new("cargo xtask conformance").about(ABOUT).arg(judges);
    program::run(command, |arguments| conformance(arguments.get_flag("judges")))
}

fn conformance(judged: bool) -> Result<ExitCode, Failure> {
    let plan = Plan::parse(include_str!("scenarios.txt"))?;
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let folder = Path::new(REPOSITORY).join(target).join("conformance");
    let folder = &fs::create_dir_all(&folder).and_then(|()| fs::canonicalize(&folder))?;
    if judged {
        return judges::judges(folder);
    }
    let count = plan.documents.len();
    let progress = Progress::new(Some(count + 3));
    progress.step(0, "installing the compiler and the mock server");
    documents::install(folder)?;
    for (index, document) in plan.documents.iter().enumerate() {
        progress.step(index + 1, "generating from the documents");
        documents::emit(document, folder)?;
    }
    progress.step(count + 1, "compiling the crates");
    let program = driver::build(&plan, folder)?;
    progress.step(count + 2, "calling the mock server");
    let server = server::Server::start(folder)?;
    let mut calls = Command::new(program);
    calls.arg(server.url()).arg(folder.join(documents::ASSETS));
    let sent = run(&mut calls, "the calls");
    drop(progress);
    let errors = sent?;
    let coverage = server.stop()?;
    let called = plan.called();
    // The server does not notice calls that fail when they read its response.
    let is_failed = |name: &str| {
        coverage.get(name).is_none_or(|status| status != "pass")
            || errors.lines().any(|line| line.starts_with(&format!("failed {name}: ")))
    };
    let failed: Vec<_> = called.iter().filter(|name| is_failed(name)).collect();
    for name in &failed {
        eprintln!("failed: {name}");
    }
    for (scenario, reason) in &plan.omitted {
        println!("not called: {scenario}: {reason}");
    }
    print!("{errors}");
    let passed = called.len() - failed.len();
    let all = called.len() + plan.omitted.len();
    println!("{passed} of {} called scenarios pass; {all} are listed", called.len());
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
