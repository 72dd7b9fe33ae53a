//! `cargo xtask overlay`: prints a spec with its overlays applied.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use ::codegen::diagnostics::{Diagnostics, render};
use ::codegen::{effective, to_yaml};

use crate::host::exit::{Exit, Failure, Fallible};
use crate::host::read;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;
use crate::settings::project::Project;

/// Returns the command line, with its help.
pub fn command() -> Command {
    let file = |name, value| Arg::new(name).value_name(value).value_parser(value_parser!(PathBuf));
    Command::new("overlay")
        .about("Print the spec with its overlays applied")
        .long_about(ABOUT)
        .arg(file("spec", "SPEC").help("The spec [default: that of codegen.toml]"))
        .arg(file("overlays", "OVERLAY").num_args(0..).help(
            "The overlays, in the order in which they apply [default: those of codegen.toml]",
        ))
}

const ABOUT: &str = "\
Print the spec with its overlays applied

Writes YAML to the standard output: the document that `codegen` reads. Comments are not retained.";

/// Prints the spec.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let project = Project::find(arguments.get_one::<PathBuf>("spec"), workspace)?;
    let given = arguments.get_many("overlays").map(|overlays| overlays.cloned().collect());
    let readable = project.readable()?;
    let input = read::spec(&project.spec, &given.unwrap_or(project.overlays), readable)?;
    let mut diagnostics = Diagnostics::new();
    let document = effective(&input, &mut diagnostics);
    terminal.eprint(&render(&diagnostics, terminal.messages.colors));
    match document.filter(|_| !diagnostics.has_errors()) {
        Some(document) => terminal.print(&to_yaml(&document)),
        None => Err(Failure::new("the overlays cannot be applied").exit(Exit::InvalidSpec)),
    }
}
