//! `cargo xtask conformance`.

use clap::{ArgMatches, Command};

use commands::host::exit::Fallible;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// Returns the command line.
pub fn command() -> Command {
    super::command(
        "conformance",
        "Call the mock server of TypeSpec's scenarios through emitted crates",
    )
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Fallible {
    super::run("conformance", &[], arguments, workspace)
}
