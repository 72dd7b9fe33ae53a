//! `cargo ci`: the checks that a change must pass.

pub mod programs;

use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fmt};

use clap::{ArgMatches, value_parser};

use commands::host::cargo;
use commands::host::cli::{flag, option};
use commands::host::exit::{Context, Exit, Failure, Fallible};
use commands::host::paths::display_path;
use commands::host::read;
use commands::host::table::TextTable;
use commands::host::terminal::Terminal;
use commands::host::toml_file::{self, table};
use commands::host::workspace::Workspace;

pub fn command() -> clap::Command {
    clap::Command::new("ci")
        .about("Run the checks that a change must pass")
        .long_about(ABOUT)
        .arg(flag("all", "Also run checks that take long and rarely fail"))
        .arg(option("judges", "DIR", value_parser!(String), JUDGES).requires("all"))
}

const ABOUT: &str = "\
Run the checks that a change must pass

Runs formatting, clippy, the tests, the lines of the product, the freshness of generated/, the corpus, the round trips,
the replies of all operations, the checks of traffic and the docs in this order, until one fails. Each step is a cargo
command that can be run alone. At the end, the seconds of each step are printed.

--all tries completely what the tests try on samples, and adds clippy of the tests, the check of the reports of
`diff` and of migrated programs against the compiler, the docs of all cases, the oldest supported Rust (if rustup
runs cargo, which installs it), each feature of the runtime and of the crates of the corpus alone, the
benchmarks, numbers with serde_json's `arbitrary_precision`, the variants of unions, more round trips, checks of
traffic, edits, random documents, and the archives of the packages. The features include the other TLS providers,
which need a C compiler and, on Linux, the headers of OpenSSL.";

const JUDGES: &str =
    "With --all: the folder with the test sets of the standards, for `judges` (otherwise skipped)";

/// A cargo command with its environment.
#[derive(Clone, Debug)]
struct Step {
    name: &'static str,
    arguments: String,
    environment: Option<(&'static str, &'static str)>,
}

fn step(name: &'static str, arguments: impl Into<String>) -> Step {
    Step { name, arguments: arguments.into(), environment: None }
}

impl Step {
    fn run(&self, workspace: &Workspace) -> Fallible {
        let mut command = cargo::command(workspace);
        command.args(self.arguments.split(' ')).envs(self.environment);
        let status = command.status().context("run", "cargo".as_ref())?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!("ci: {} failed ({status})", self.name))
            .help(format!("repeat this step with `{self}`")))
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

pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let started = Instant::now();
    let nextest = is_installed("nextest");
    let mut steps = steps(nextest);
    if arguments.get_flag("all") {
        steps.extend(long_steps(nextest, &features(workspace)?));
        match env::var_os("RUSTUP_TOOLCHAIN") {
            Some(_) => steps.push(oldest_rust()),
            None => {
                terminal.note("the oldest supported Rust is skipped: rustup does not run cargo");
            }
        }
        match arguments.get_one::<String>("judges") {
            Some(folder) => steps.push(step("judges", format!("checks judges {folder}"))),
            None => terminal.note("the test sets of the standards are skipped: pass --judges DIR"),
        }
    }
    let count = steps.len();
    let mut times = TextTable::new(["step", "seconds"]);
    for (index, step) in steps.iter().enumerate() {
        let number = index + 1;
        terminal.print(&format!("\n{} {number}/{count} {step}\n", terminal.output.bold("ci:")))?;
        let started = Instant::now();
        step.run(workspace)?;
        let seconds = format!("{:.1}", started.elapsed().as_secs_f64());
        terminal.print(&format!("ci: {}: ok ({seconds} s)\n", step.name))?;
        times.row([step.name.to_owned(), seconds]);
    }
    terminal.print(&format!("\n{times}"))?;
    terminal.print(&format!("\nci: ok ({:.0} s)\n", started.elapsed().as_secs_f64()))
}

/// All packages except the benchmarks.
const WORKSPACE: &str = "--workspace --exclude benches";

/// All features of the emitted crate except the other TLS providers.
const FEATURES: &str = "--features access-governance/blocking,access-governance/compression,\
    access-governance/record,access-governance/test-util,access-governance/tower,access-governance/uuid";

/// Returns the options for these packages with all their features.
fn packages() -> String {
    const OF_RUNTIME: &str =
        "openapi-bindings-runtime/fs,openapi-bindings-runtime/jwk,openapi-bindings-runtime/login";
    format!("{WORKSPACE} {FEATURES},{OF_RUNTIME}")
}

/// Returns the steps. nextest runs the tests if it is installed. Clippy has checked the examples.
fn steps(nextest: bool) -> Vec<Step> {
    let packages = packages();
    let mut tests = if nextest {
        vec![
            step("tests", format!("nextest run {packages} --tests --no-fail-fast")),
            step("doc tests", format!("test {packages} --doc --no-fail-fast")),
        ]
    } else {
        vec![step("tests", format!("test {packages} --no-fail-fast"))]
    };
    // What compiles the tests denies its warnings (cargo 1.97), for which nothing is compiled again.
    tests[0].environment = Some(("CARGO_BUILD_WARNINGS", "deny"));
    let before = [
        step("format", "fmt --all --check"),
        step("clippy", format!("clippy {packages} --lib --bins --examples -- -D warnings")),
    ];
    let lines = step(
        "product lines",
        format!("test {packages} --test tidy -- --nocapture rooms::product_lines"),
    );
    // With the examples, dependencies have the features that clippy has checked them with.
    let docs = Step {
        environment: Some(("RUSTDOCFLAGS", "-D warnings")),
        ..step("docs", format!("doc {packages} --no-deps --lib --bins --examples"))
    };
    before.into_iter().chain(tests).chain([lines]).chain(listed(CHECKS)).chain([docs]).collect()
}

/// Returns the steps of a list: in each line a name, and the arguments of cargo.
fn listed(steps: &'static str) -> impl Iterator<Item = Step> {
    steps.lines().filter_map(|line| line.split_once(": ")).map(|(name, line)| step(name, line))
}

/// The steps after the tests. Round trips are those of the spec and of unions of all kinds, replies those of errors of several
/// types, and secrets are planted in all kinds of places.
const CHECKS: &str = "\
generated/: checks codegen --check --deny-warnings
corpus: checks corpus
round trips: checks roundtrip --instances 3000 --spec spec/openapi.yaml tests/cases/unions/openapi.yaml \
tests/cases/unions-beside/openapi.yaml tests/cases/variants/openapi.yaml
replies: checks roundtrip --replies --spec spec/openapi.yaml tests/cases/failures/openapi.yaml
drift: checks roundtrip --drift --instances 3000
drift of cases: checks roundtrip --drift --cases 8 --instances 600
decoding and drift: checks roundtrip --law --cases 8 --instances 300
secrets: checks roundtrip --secrets --instances 400 --spec spec/openapi.yaml tests/cases/secrets/openapi.yaml";

/// The steps after the long tests: among them, documents of other styles, the wire format in a program with a feature of
/// `serde_json`, and the archives of the packages that are published.
const LONG_CHECKS: &str = "\
features of crates: checks corpus --features 2
benchmarks: clippy --package benches --all-targets -- -D warnings
validator: test --package tests --bin roundtrip --features validator
arbitrary precision: test --package openapi-bindings-runtime --test wire --features serde_json/arbitrary_precision
branches: checks roundtrip --branches --spec tests/cases/variants/openapi.yaml
more round trips: checks roundtrip --instances 100000 --seed 2
round trips of others: checks roundtrip --spec tests/cases/unions/openapi.yaml \
tests/cases/unions-beside/openapi.yaml tests/cases/variants/openapi.yaml tests/corpus/library-3.0.json \
tests/corpus/parcels-3.1.yaml tests/cases/common/openapi.yaml tests/cases/constants/openapi.yaml \
tests/cases/untagged/openapi.yaml
more drift: checks roundtrip --drift --spec spec/openapi.yaml tests/corpus/library-3.0.json tests/corpus/parcels-3.1.yaml
drift of all cases: checks roundtrip --drift --cases 1 --instances 600
decoding and drift of all cases: checks roundtrip --law --cases 1 --instances 600
more secrets: checks roundtrip --secrets --seed 2 --spec spec/openapi.yaml tests/cases/secrets/openapi.yaml \
tests/cases/scalars/openapi.yaml tests/cases/unions/openapi.yaml
edits: checks roundtrip --edits --instances 100000
random documents: checks fuzz --cases 50000 --seconds 300
packages: publish --dry-run --allow-dirty --package access-governance --package openapi-bindings-secret-names \
--package openapi-bindings-wire-rules --package openapi-bindings-codegen --package openapi-bindings-runtime \
--package openapi-bindings-traffic --package openapi-bindings-commands --package openapi-bindings";

/// Returns the steps that take long and rarely fail.
fn long_steps(nextest: bool, features: &[String]) -> Vec<Step> {
    // The ignored tests of the runtime are child processes of others.
    let long = format!("{WORKSPACE} --exclude openapi-bindings-runtime {FEATURES} --no-fail-fast");
    let tests = if nextest {
        format!("nextest run {long} --run-ignored only")
    } else {
        format!("test {long} --tests -- --ignored")
    };
    let features = features.iter().map(|feature| {
        step("a feature alone", format!("{RUNTIME} --features {feature} -- -D warnings"))
    });
    let first = [
        step("clippy of tests", format!("clippy {} --tests -- -D warnings", packages())),
        step("long tests", tests),
        step("no features", format!("{RUNTIME} -- -D warnings")),
        step("tests with the default features", "check --package openapi-bindings-runtime --tests"),
    ];
    first.into_iter().chain(features).chain(listed(LONG_CHECKS)).collect()
}

/// Checks everything with the `rust-version` of the workspace. Cargo starts the `rustc` of rustup, which reads the
/// variable.
fn oldest_rust() -> Step {
    Step {
        environment: Some(("RUSTUP_TOOLCHAIN", env!("CARGO_PKG_RUST_VERSION"))),
        ..step("oldest Rust", format!("check {} --lib --bins --tests --examples", packages()))
    }
}

/// Checks the runtime without its features.
const RUNTIME: &str = "clippy --package openapi-bindings-runtime --no-default-features";

/// Returns the public features of the runtime.
fn features(workspace: &Workspace) -> Fallible<Vec<String>> {
    let manifest = workspace.root.join("runtime").join("Cargo.toml");
    let text = read::text(&manifest, Exit::Failed)?;
    toml_file::parse(&text, &display_path(&manifest).display().to_string(), |root| {
        let Some(features) = root.get("features") else { return Ok(Vec::new()) };
        let names = table(features)?.keys().map(|name| name.get_ref().to_string());
        Ok(names.filter(|name| name != "default" && !name.starts_with("__")).collect())
    })
}

fn is_installed(subcommand: &str) -> bool {
    let mut probe = Command::new(cargo::program());
    probe.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
