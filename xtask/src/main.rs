//! `cargo xtask …`: the commands of this workspace.
//!
//! All file and terminal I/O of the generator is here; `codegen` decides what is emitted. Each command is a module with
//! `command()`, its arguments and help, and `run()`.

mod ci;
mod codegen;
mod corpus;
mod diff;
mod drift;
mod host;
mod migrate;
mod probe;
mod release;
mod settings;

use std::process::ExitCode;

use clap::{ArgMatches, Command};
use mimalloc::MiMalloc;

use crate::ci::programs::{conformance, fuzz, judges, roundtrip};
use crate::ci::{logins, targets};
use crate::codegen::overlay;
use crate::host::exit::{Exit, Failure};
use crate::host::terminal::Terminal;
use crate::host::workspace::{self, Workspace};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

type Entry = (fn() -> Command, fn(&ArgMatches, &Workspace, &Terminal) -> Result<(), Failure>);

/// The commands, in the order of the help.
const COMMANDS: &[Entry] = &[
    (codegen::command, codegen::run),
    (overlay::command, overlay::run),
    (diff::command, diff::run),
    (drift::command, drift::run),
    (migrate::command, migrate::run),
    (probe::command, probe::run),
    (release::command, release::run),
    (ci::command, ci::run),
    (roundtrip::command, roundtrip::run),
    (conformance::command, conformance::run),
    (judges::command, judges::run),
    (logins::command, logins::run),
    (corpus::command, corpus::run),
    (targets::command, targets::run),
    (fuzz::command, fuzz::run),
];

fn main() -> ExitCode {
    let terminal = Terminal::new();
    match command_line().try_get_matches() {
        Ok(matches) => match run(&matches, &terminal) {
            Ok(()) => Exit::Done.into(),
            Err(failure) => {
                terminal.failure(&failure);
                failure.exit.into()
            }
        },
        Err(error) => print_clap_error(&terminal, &error),
    }
}

/// The commands that work without a clone of this workspace: the installed program has no others.
const INSTALLED: [&str; 6] = ["codegen", "overlay", "diff", "drift", "migrate", "release"];

fn command_line() -> Command {
    let program = workspace::program();
    let commands = COMMANDS.iter().map(|(command, _)| command());
    let command = Command::new(program).bin_name(program).version(env!("CARGO_PKG_VERSION"));
    if program == "cargo xtask" {
        return command.about("The commands of this workspace").subcommands(commands);
    }
    let installed = commands.filter(|command| INSTALLED.contains(&command.get_name()));
    command.about("Typed Rust bindings for an OpenAPI spec").subcommands(installed)
}

fn run(matches: &ArgMatches, terminal: &Terminal) -> Result<(), Failure> {
    let Some((name, arguments)) = matches.subcommand() else {
        return terminal.print(&command_line().render_help().to_string());
    };
    let workspace = Workspace::locate()?;
    let found = COMMANDS.iter().find(|(command, _)| command().get_name() == name);
    found.map_or(Ok(()), |(_, run)| run(arguments, &workspace, terminal))
}

/// Prints the requested help, or the error in the arguments.
///
/// clap exits with 2 for invalid arguments, which is the code of an invalid spec here.
fn print_clap_error(terminal: &Terminal, error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        terminal.eprint(&text);
        return Exit::Failed.into();
    }
    match terminal.print(&text) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => failure.exit.into(),
    }
}
