//! Options and exit codes of the programs of `cargo xtask conformance`, `fuzz` and `roundtrip`.

use std::fmt::Display;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};

/// Returns an option that takes a number.
pub fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .help(help)
        .value_parser(value_parser!(u64))
        .default_value(default)
}

/// Parses the arguments and runs a program. A failure is printed, and exits with 1.
pub fn run<F: Display>(
    command: Command,
    program: impl FnOnce(&ArgMatches) -> Result<ExitCode, F>,
) -> ExitCode {
    let arguments = match command.try_get_matches() {
        Ok(arguments) => arguments,
        Err(message) => {
            let _ = message.print();
            return if message.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    program(&arguments).unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::FAILURE
    })
}
