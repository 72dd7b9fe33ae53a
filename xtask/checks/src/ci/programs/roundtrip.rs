//! `cargo xtask roundtrip`.

use clap::{ArgMatches, Command};

use commands::host::exit::Fallible;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

/// Returns the command line.
pub fn command() -> Command {
    super::command(
        "roundtrip",
        "Check that emitted types lose nothing between decoding and encoding",
    )
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Fallible {
    let needs_validator =
        super::options(arguments).any(|option| option == "--branches" || option == "--examples");
    let features: &[_] = if needs_validator { &["--features", "validator"] } else { &[] };
    super::run("roundtrip", features, arguments, workspace)
}
