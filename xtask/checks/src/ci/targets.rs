//! `cargo xtask targets`: checks that the emitted crate compiles for other platforms.

use std::process::Command as Process;

use clap::{ArgMatches, Command};

use commands::host::cargo;
use commands::host::cli::flag;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// The platforms: other C libraries, operating systems, pointer widths and architectures.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-musl",
    "x86_64-pc-windows-gnu",
    "aarch64-apple-darwin",
    "aarch64-unknown-linux-gnu",
    "i686-unknown-linux-gnu",
];

/// Returns the command line, with its help.
pub fn command() -> Command {
    Command::new("targets")
        .about("Check that the emitted crate compiles for other platforms")
        .long_about(ABOUT)
        .arg(flag("tls", "Check with the default features: needs a C compiler for each platform"))
}

const ABOUT: &str = "\
Check that the emitted crate compiles for other platforms

Runs `cargo check` for musl, Windows, macOS, aarch64 and i686. The default TLS provider builds C code, so the
crate is checked without TLS unless --tls is given. `rustup target add` installs the platforms.";

/// Checks all platforms.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let mut rustup = Process::new("rustup");
    rustup.args(["target", "list", "--installed"]).current_dir(workspace.root());
    let installed = rustup.output().context("run", "rustup".as_ref())?;
    let installed = String::from_utf8_lossy(&installed.stdout).into_owned();
    let missing: Vec<_> = TARGETS
        .into_iter()
        .filter(|target| !installed.lines().any(|line| line == *target))
        .collect();
    if !missing.is_empty() {
        let missing = missing.join(" ");
        return Err(Failure::new(format!("these platforms are not installed: {missing}"))
            .help(format!("run `rustup target add {missing}`")));
    }
    let features: &[_] = if arguments.get_flag("tls") {
        &["--features", "blocking"]
    } else {
        &["--no-default-features", "--features", "blocking,reqwest"]
    };
    let mut failed = Vec::new();
    for target in TARGETS {
        let mut command = cargo::command(workspace);
        command
            .args(["check", "--package", "access-governance", "--target", target])
            .args(features);
        let status = command.status().context("run", "cargo".as_ref())?;
        terminal
            .print(&format!("{target}: {}\n", if status.success() { "ok" } else { "FAILS" }))?;
        failed.extend((!status.success()).then_some(target));
    }
    match failed.len() {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "the emitted crate does not compile for {}",
            failed.join(", ")
        ))),
    }
}
