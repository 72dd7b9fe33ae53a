//! `cargo xtask judges`.

use clap::{ArgMatches, Command};

use commands::host::exit::Fallible;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// Returns the command line.
pub fn command() -> Command {
    super::command("judges", "Read the test sets of the standards")
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Fallible {
    super::run("judges", &["--features", "validator"], arguments, workspace)
}
