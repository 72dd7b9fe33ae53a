//! `cargo xtask ci`: the checks that a change must pass.

pub mod roundtrip;
pub mod targets;

use std::fmt;
use std::process::{Command, Stdio};
use std::time::Instant;

use clap::ArgMatches;

use crate::host::cargo;
use crate::host::exit::Failure;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Returns the command line, with its help.
pub fn command() -> clap::Command {
    clap::Command::new("ci").about("Run all checks that a change must pass").long_about(ABOUT)
}

const ABOUT: &str = "\
Run all checks that a change must pass

Formatting, clippy, all tests, the freshness of generated/, the corpus, the round trips and the docs: one after the
other, until one fails. Each step is a cargo command that can be run alone.";

/// A cargo command with its environment.
#[derive(Clone, Copy, Debug)]
struct Step {
    name: &'static str,
    arguments: &'static str,
    environment: Option<(&'static str, &'static str)>,
}

const fn step(name: &'static str, arguments: &'static str) -> Step {
    Step { name, arguments, environment: None }
}

impl Step {
    fn run(self, workspace: &Workspace) -> Result<(), Failure> {
        let mut command = cargo::command(workspace);
        command.args(self.arguments.split(' ')).envs(self.environment);
        let repeat = || format!("repeat this step with `{self}`");
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                Err(Failure::new(format!("ci: {} failed ({status})", self.name)).help(repeat()))
            }
            Err(error) => {
                Err(Failure::new(format!("ci: cannot run cargo: {error}")).help(repeat()))
            }
        }
    }
}

/// Writes the command for a shell.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, value)) = self.environment {
            write!(formatter, "{name}=\"{value}\" ")?;
        }
        write!(formatter, "cargo {}", self.arguments)
    }
}

/// Runs the steps.
pub fn run(_: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let started = Instant::now();
    for step in steps(has_nextest()) {
        terminal.print(&format!("\n{} {step}\n", terminal.output().bold("ci:")))?;
        let started = Instant::now();
        step.run(workspace)?;
        terminal.print(&format!(
            "ci: {}: ok ({:.1} s)\n",
            step.name,
            started.elapsed().as_secs_f64()
        ))?;
    }
    terminal.print(&format!("\nci: ok ({:.0} s)\n", started.elapsed().as_secs_f64()))
}

/// All features but the other TLS providers, which need more than a C compiler.
macro_rules! features {
    () => {
        "--features access-governance/blocking,access-governance/brotli,access-governance/deflate,\
         access-governance/gzip,access-governance/test-util,access-governance/tower"
    };
}

/// Returns the steps. nextest runs the tests if it is installed.
fn steps(nextest: bool) -> Vec<Step> {
    let tests: &[_] = if nextest {
        &[
            step("tests", concat!("nextest run --workspace ", features!(), " --no-fail-fast")),
            step("doc tests", concat!("test --workspace ", features!(), " --doc --no-fail-fast")),
        ]
    } else {
        &[step("tests", concat!("test --workspace ", features!(), " --no-fail-fast"))]
    };
    let before = [
        step("format", "fmt --all --check"),
        step(
            "clippy",
            concat!("clippy --workspace --all-targets ", features!(), " -- -D warnings"),
        ),
    ];
    let after = [
        step("generated/", "xtask codegen --check --deny-warnings"),
        step("corpus", "xtask corpus"),
        step("round trips", "xtask roundtrip"),
        Step {
            environment: Some(("RUSTDOCFLAGS", "-D warnings")),
            ..step("docs", concat!("doc --workspace --no-deps ", features!()))
        },
    ];
    before.into_iter().chain(tests.iter().copied()).chain(after).collect()
}

fn has_nextest() -> bool {
    let mut probe = Command::new(cargo::program());
    probe.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
