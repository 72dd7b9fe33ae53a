//! `cargo xtask bench`: measures whole programs, as tables in Markdown: generating, compiling, and the size of binaries.
//!
//! Each table begins with the machine and the command, so that its figures can be reproduced. `cargo bench` measures
//! what runs within a process; docs/performance.md has the figures of one machine.

mod compile;
mod generate;
mod machine;
mod size;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::host::cli::option;
use crate::host::exit::Failure;
use crate::host::scratch;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Returns the command line, with its help.
pub fn command() -> Command {
    let document = Arg::new("document")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("The spec [default: spec/openapi.yaml]");
    Command::new("bench")
        .about("Measure the cost of generating, compiling and linking")
        .long_about(ABOUT)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("generate")
                .about("Generate with a release build: all files, then without a change")
                .arg(document.clone()),
        )
        .subcommand(
            Command::new("compile")
                .about("Compile the emitted crate with all features, without its dependencies")
                .arg(document)
                .arg(
                    option(
                        "peers",
                        "SCRIPT",
                        value_parser!(PathBuf),
                        "Measure other generators as well",
                    )
                    .long_help(PEERS),
                ),
        )
        .subcommand(Command::new("size").about(
            "Link programs that make one and three calls, with reqwest alone and with the emitted crate",
        ))
}

const ABOUT: &str = "\
Measure the cost of generating, compiling and linking

Each command prints a table in Markdown, with the machine and the command. docs/performance.md explains the
figures. Needs GNU time. `cargo bench` measures what runs within a process.";

const PEERS: &str = "\
Measure other generators as well, on the same spec, with a script

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
