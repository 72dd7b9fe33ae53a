//! `cargo xtask roundtrip`: runs the program of that name in `tests`, whose dependencies the generator does not need.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::host::cargo;
use crate::host::exit::{Exit, Failure};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Returns the command line. The program parses the options and prints the help.
pub fn command() -> Command {
    let options = Arg::new("options").num_args(0..).value_parser(value_parser!(OsString));
    Command::new("roundtrip")
        .about("Check that emitted types lose nothing between decoding and encoding")
        .disable_help_flag(true)
        .arg(options.trailing_var_arg(true).allow_hyphen_values(true))
}

/// Runs the program.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, _: &Terminal) -> Result<(), Failure> {
    let mut command = cargo::command(workspace);
    command.args(["run", "--quiet", "--package", "tests", "--bin", "roundtrip"]);
    command.arg("--manifest-path").arg(workspace.root().join("Cargo.toml")).arg("--");
    command.args(arguments.get_many::<OsString>("options").into_iter().flatten());
    // Paths among the options are relative to the current folder.
    if let Ok(folder) = std::env::current_dir() {
        command.current_dir(folder);
    }
    let status = command.status();
    let status = status.map_err(|error| Failure::new(format!("failed to run cargo: {error}")))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(2) => Err(Failure::new("the spec is invalid").exit(Exit::InvalidSpec)),
        _ => Err(Failure::new("the round trips failed").help("the reason is printed above")),
    }
}
