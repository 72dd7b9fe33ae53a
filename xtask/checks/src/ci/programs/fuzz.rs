//! `cargo xtask fuzz`.

use clap::{ArgMatches, Command};

use commands::host::exit::Fallible;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// Returns the command line.
pub fn command() -> Command {
    super::command(
        "fuzz",
        "Generate from random documents, and look for panics, hangs and invalid output",
    )
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Fallible {
    super::run("fuzz", &["--profile", "fuzz"], arguments, workspace)
}
