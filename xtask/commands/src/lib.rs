//! The commands that generate crates and compare them, and what all commands share: files, the terminal, settings.
//!
//! Each command is a module with `command()`, its arguments and help, and `run()`.

pub mod codegen;
pub mod diff;
mod explain;
pub mod host;
mod init;
pub mod settings;

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use crate::codegen::overlay;
use crate::host::exit::{Exit, Fallible};
use crate::host::terminal::Terminal;
use crate::host::workspace::{self, Workspace};

/// A command: its arguments and help, and what runs it.
pub type Entry = (fn() -> Command, fn(&ArgMatches, &Workspace, &Terminal) -> Fallible);

/// The commands of this package, in the order of the help.
pub const COMMANDS: [Entry; 5] = [
    (init::command, init::run),
    (codegen::command, codegen::run),
    (overlay::command, overlay::run),
    (diff::command, diff::run),
    (explain::command, explain::run),
];

/// Runs the command that the arguments of the process name.
pub fn run(about: &'static str, commands: &[Entry]) -> ExitCode {
    let terminal = Terminal::of_process();
    let line = command_line(about, commands);
    match line.clone().try_get_matches() {
        Ok(matches) => match dispatch(&matches, line, commands, &terminal) {
            Ok(()) => Exit::Done.into(),
            Err(failure) => {
                terminal.failure(&failure);
                failure.exit.into()
            }
        },
        Err(error) => print_clap_error(&terminal, &error),
    }
}

fn command_line(about: &'static str, commands: &[Entry]) -> Command {
    let program = workspace::program();
    let command = Command::new(program).bin_name(program).version(env!("CARGO_PKG_VERSION"));
    command.about(about).subcommands(commands.iter().map(|(command, _)| command()))
}

fn dispatch(
    matches: &ArgMatches,
    mut line: Command,
    commands: &[Entry],
    terminal: &Terminal,
) -> Fallible {
    let Some((name, arguments)) = matches.subcommand() else {
        return terminal.print(&line.render_help().to_string());
    };
    let workspace = Workspace::locate()?;
    let found = commands.iter().find(|(command, _)| command().get_name() == name);
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
