//! `cargo xtask roundtrip`.

use clap::{ArgMatches, Command};

use crate::host::exit::Failure;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Returns the command line.
pub fn command() -> Command {
    super::command(
        "roundtrip",
        "Check that emitted types lose nothing between decoding and encoding",
    )
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Result<(), Failure> {
    super::run("roundtrip", "dev", arguments, workspace)
}
