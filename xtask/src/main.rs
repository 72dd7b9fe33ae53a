//! `cargo xtask …`: the commands of this workspace.
//!
//! Everything that the generator does to files and to the terminal happens here; what it emits is decided in `codegen`.
//! Each command is a file of its own that returns `()` or a [`Failure`], and `main` only delegates.

mod bench;
mod ci;
mod codegen;
mod exit;
mod folder;
mod read;
mod roundtrip;
mod terminal;
mod threads;
mod workspace;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::exit::{Exit, Failure};
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// The commands of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Codegen(codegen::Arguments),
    Ci(ci::Arguments),
    Bench(bench::Arguments),
    Roundtrip(roundtrip::Arguments),
}

fn main() -> ExitCode {
    let terminal = Terminal::new();
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(message) => return said_by_clap(&terminal, &message),
    };
    match run(command_line, &terminal) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => {
            terminal.failure(&failure);
            failure.exit.into()
        }
    }
}

fn run(command_line: CommandLine, terminal: &Terminal) -> Result<(), Failure> {
    let workspace = Workspace::locate()?;
    match command_line.command {
        None => terminal.print(&CommandLine::command().render_help().to_string()),
        Some(Command::Codegen(arguments)) => codegen::run(arguments, &workspace, terminal),
        Some(Command::Ci(arguments)) => ci::run(&arguments, &workspace, terminal),
        Some(Command::Bench(arguments)) => bench::run(arguments, &workspace, terminal),
        Some(Command::Roundtrip(arguments)) => roundtrip::run(&arguments, &workspace, terminal),
    }
}

/// Prints the help that was asked for, or what is wrong with the arguments.
///
/// clap's own code for wrong arguments is 2, which here says that the description is wrong.
fn said_by_clap(terminal: &Terminal, message: &clap::Error) -> ExitCode {
    let text = message.render().to_string();
    if message.use_stderr() {
        terminal.complain(&text);
        return Exit::Failed.into();
    }
    match terminal.print(&text) {
        Ok(()) => Exit::Done.into(),
        Err(failure) => failure.exit.into(),
    }
}
