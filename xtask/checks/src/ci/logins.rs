//! `cargo xtask logins`: logs in at third-party providers.

use std::process::Command as Process;

use clap::{ArgMatches, Command};

use commands::host::cargo;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::scratch;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("logins").about("Log in at third-party providers").long_about(ABOUT)
}

const ABOUT: &str = "\
Log in at third-party providers

Installs oauth2-mock-server and oidc-provider into target/logins, in the versions of
runtime/tests/counterparts/package.json, starts them, and runs the tests of runtime/tests/counterparts.rs against
them: authorization code with PKCE and refresh, device flow, client credentials, private keys, discovery. Needs node and npm, and
the registry of npm.";

const TESTS: [&str; 9] = [
    "test",
    "--package",
    "openapi-bindings-runtime",
    "--features",
    "jwk,login",
    "--test",
    "runtime",
    "counterparts::",
    "--",
];

/// Installs and starts the providers, and runs the tests.
pub fn run(_: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Fallible {
    let written = workspace.runtime().join("tests/counterparts");
    let folder = workspace.root().join("target/logins");
    for file in ["package.json", "run.mjs"] {
        let file = written.join(file);
        let name = file.file_name().unwrap_or_default();
        scratch::copy(&file, &folder.join(name))?;
    }
    let mut npm = Process::new("npm");
    npm.args(["install", "--no-fund", "--no-audit", "--loglevel", "error"]).current_dir(&folder);
    finish(&mut npm, "npm")?;
    let mut node = Process::new("node");
    node.arg(folder.join("run.mjs")).arg(cargo::program()).args(TESTS).arg("--ignored");
    finish(node.current_dir(workspace.root()), "node")
}

fn finish(command: &mut Process, name: &str) -> Fallible {
    let status = command.status().context("run", name.as_ref())?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{name}` failed")).help("see the output above"))
}
