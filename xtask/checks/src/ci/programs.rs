//! `cargo xtask roundtrip`, `conformance`, `judges` and `fuzz`: programs in `tests`, whose dependencies the generator does not need.

use std::env;
use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command, value_parser};

use commands::Entry;
use commands::host::cargo;
use commands::host::exit::{Context as _, Exit, Failure, Fallible};
use commands::host::workspace::Workspace;

const ROUNDTRIP: &str = "Check that emitted types lose nothing between decoding and encoding";
const CONFORMANCE: &str = "Call the mock server of TypeSpec's scenarios through emitted crates";
const FUZZ: &str = "Generate from random documents, and look for panics, hangs and invalid output";
const VALIDATOR: &[&str] = &["--features", "validator"];

/// The commands, in the order of the help.
pub const PROGRAMS: [Entry; 4] = [
    (
        || command("roundtrip", ROUNDTRIP),
        |arguments, workspace, _| {
            let needs_validator =
                options(arguments).any(|option| option == "--branches" || option == "--examples");
            run("roundtrip", if needs_validator { VALIDATOR } else { &[] }, arguments, workspace)
        },
    ),
    (
        || command("conformance", CONFORMANCE),
        |arguments, workspace, _| run("conformance", &[], arguments, workspace),
    ),
    (
        || command("judges", "Read the test sets of the standards"),
        |arguments, workspace, _| run("judges", VALIDATOR, arguments, workspace),
    ),
    (
        || command("fuzz", FUZZ),
        |arguments, workspace, _| run("fuzz", &["--profile", "fuzz"], arguments, workspace),
    ),
];

/// Returns the command line. The program parses the options and prints the help.
fn command(name: &'static str, about: &'static str) -> Command {
    let options = Arg::new("options").num_args(0..).value_parser(value_parser!(OsString));
    Command::new(name)
        .about(about)
        .disable_help_flag(true)
        .arg(options.trailing_var_arg(true).allow_hyphen_values(true))
}

fn options(arguments: &ArgMatches) -> impl Iterator<Item = &OsString> {
    arguments.get_many("options").into_iter().flatten()
}

/// Runs the program of a command, with options of `cargo run`.
fn run(
    name: &str,
    cargo_options: &[&str],
    arguments: &ArgMatches,
    workspace: &Workspace,
) -> Fallible {
    let mut command = cargo::command(workspace);
    command.args(["run", "--quiet", "--package", "tests", "--bin", name]).args(cargo_options);
    command.arg("--manifest-path").arg(workspace.root.join("Cargo.toml")).arg("--");
    command.args(options(arguments));
    // Paths among the options are relative to the current folder.
    if let Ok(folder) = env::current_dir() {
        command.current_dir(folder);
    }
    match command.status().context("run", "cargo".as_ref())?.code() {
        Some(0) => Ok(()),
        Some(2) => Err(Failure::new("the spec is invalid").exit(Exit::InvalidSpec)),
        _ => Err(Failure::new(format!("`{name}` failed")).help("see the output above")),
    }
}
