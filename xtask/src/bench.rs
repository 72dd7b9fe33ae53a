//! `cargo xtask bench`: what whole programs cost, as tables in Markdown: generating, compiling, and the size of binaries.
//!
//! Nothing here passes or fails. Each table begins with the machine and the command, so that a figure can be reproduced.
//! What is timed within a process is a `cargo bench`; docs/performance.md has the figures of one machine.

mod compile;
mod generate;
mod machine;
mod peers;
mod size;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::cli::option;
use crate::exit::Failure;
use crate::scratch;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// Returns the command line, with its help.
pub fn command() -> Command {
    let document = Arg::new("document")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("The spec [default: spec/openapi.yaml]");
    Command::new("bench")
        .about("Measure what generating, compiling and linking cost")
        .long_about(ABOUT)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("generate")
                .about("Generate with a release build: all files written, and none")
                .arg(document.clone()),
        )
        .subcommand(
            Command::new("compile")
                .about("Compile the emitted crate alone, with all features, after its dependencies")
                .arg(document)
                .arg(
                    option(
                        "peers",
                        "SCRIPT",
                        value_parser!(PathBuf),
                        "Also measure other generators",
                    )
                    .long_help(PEERS),
                ),
        )
        .subcommand(Command::new("size").about(
            "Link programs that make one and three calls, by hand and with the emitted crate",
        ))
}

const ABOUT: &str = "\
Measure what generating, compiling and linking cost

Each command prints a table in Markdown together with the machine and the command. docs/performance.md
says what is measured. Needs GNU time. What is timed within a process is measured by `cargo bench`.";

const PEERS: &str = "\
Also measure other generators on the same spec, with a script

The script is called with the spec and prints a line for each generator: name, document, seconds of
generation, lines, then seconds and MiB of `cargo check` and of `cargo build`.";

/// Runs one of the benchmarks.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some((name, arguments)) = arguments.subcommand() else {
        return Ok(());
    };
    if name == "size" {
        return size::run(workspace, terminal);
    }
    let document = arguments.get_one("document").cloned();
    let document = scratch::document(document, workspace)?;
    if name == "generate" {
        return generate::run(&document, workspace, terminal);
    }
    let script = arguments.get_one::<PathBuf>("peers");
    compile::run(&document, script.map(PathBuf::as_path), workspace, terminal)
}
