//! `cargo xtask probe`: checks the report of `cargo xtask diff` against the compiler.
//!
//! A generated program uses each public item of the old crate in every way. It is compiled against the new crate: the
//! failing uses must be the uses that the report calls breaking. Crates with a feature for each resource are also compiled
//! with only one of them.

mod migrated;
mod programs;
mod project;
mod requests;
mod users;
pub mod uses;
mod values;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::probe::programs::{programs, report, title};
use commands::diff::Revision;
use commands::host::cli::flag;
use commands::host::exit::{Failure, Fallible};
use commands::host::progress::Progress;
use commands::host::scratch;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;
use openapi_bindings::migrate::Bump;

pub fn command() -> Command {
    Command::new("probe")
        .about("Compile every use of the old crate against the new one, and compare with the report of diff")
        .arg(
            Arg::new("specs")
                .value_names(["OLD", "NEW"])
                .value_parser(value_parser!(PathBuf))
                .num_args(2..)
                .required(true)
                .help("Pairs of spec files, the old one first"),
        )
        .arg(flag("migrate", "Migrate the program, and check that nothing is left that a new name or a feature mends"))
}

/// Probes pairs of specs.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let specs: Vec<&PathBuf> = arguments.get_many("specs").into_iter().flatten().collect();
    if !specs.len().is_multiple_of(2) {
        return Err(Failure::new("the number of specs is odd").help("pass the specs in pairs"));
    }
    let _lock = scratch::exclusive(&project::root(workspace), terminal)?;
    if arguments.get_flag("migrate") {
        return migrated::run(&specs, workspace, terminal);
    }
    let pairs = specs.chunks_exact(2);
    let progress = Progress::new(Some(pairs.len()));
    let mut disagreements = 0;
    for (index, pair) in pairs.enumerate() {
        progress.step(index, pair[1].display().to_string());
        let found = probe([pair[0], pair[1]], workspace, terminal);
        disagreements += report(found, [pair[0], pair[1]], terminal)?;
    }
    if disagreements == 0 {
        return Ok(());
    }
    Err(Failure::new(format!("the report and the compiler disagree on {disagreements} items")))
}

/// Compares the report on a pair with the compiler, and returns the number of items on which they disagree.
fn probe([old, new]: [&Path; 2], workspace: &Workspace, terminal: &Terminal) -> Fallible<usize> {
    let bump = Bump::new(Revision::of_file(old)?, Revision::of_file(new)?, None);
    let root = project::root(workspace);
    let crates = bump.emit(&root.join(&bump.package), false, workspace)?;
    scratch::lock(workspace, &root)?;
    let mut disagreements = 0;
    for program in programs(&title(old, new), &crates.old.public_api, &crates.new) {
        let mut broken = program.broken(&root, &bump.package)?;
        broken.extend(program.lost_features.iter().cloned());
        let title = &program.title;
        let count = broken.len();
        let uses = program.uses.len();
        terminal.print(&format!("{title}: {count} of {uses} uses no longer compile\n"))?;
        for (what, items) in [
            ("does not compile, but is not reported", broken.difference(&program.reported)),
            ("compiles, but is reported as breaking", program.reported.difference(&broken)),
        ] {
            for item in items {
                disagreements += 1;
                terminal.print(&format!("  {what}: {item}\n"))?;
            }
        }
    }
    Ok(disagreements)
}
