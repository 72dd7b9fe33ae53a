//! `cargo xtask codegen`: from the spec to the emitted crate.

mod arguments;
mod config;
pub mod overlay;
mod report;

pub use arguments::command;
pub use config::{quoted, runtime_dependency};

use std::time::Instant;

use clap::ArgMatches;

use ::codegen::diagnostics::{Severity, render, render_all};
use ::codegen::{Outcome, Output};

use crate::codegen::config::Config;
use crate::diff::print_since_head;
use crate::host::exit::{Exit, Failure, Fallible};
use crate::host::invalid;
use crate::host::output_dir::{OutputDir, diff};
use crate::host::read;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::workspace::Workspace;

/// Maximum number of deleted files that are listed without `--verbose`.
const MAX_DELETED: usize = 20;

/// Generates the crate, and writes, compares or prints it.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let started = Instant::now();
    let mut config = Config::resolve(arguments, workspace)?;
    let (output, warnings) = generate(&mut config, terminal)?;
    let folder = OutputDir::locate(&config.out)?;
    if !config.owns_out {
        folder.refuse_foreign()?;
    }
    if arguments.get_flag("check") {
        return check(&config, &folder, &output, warnings, terminal);
    }
    let _lock =
        folder.lock(|| terminal.note("waiting for another run that writes to the same folder"))?;
    let replaced = folder.write(&output.files)?;
    let listed = if config.verbose { usize::MAX } else { MAX_DELETED };
    for path in replaced.extra.iter().take(listed) {
        terminal.print(&format!("deleted {}\n", config.out.join(path).display()))?;
    }
    if let Some(rest) = replaced.extra.len().checked_sub(listed).filter(|rest| *rest > 0) {
        terminal.print(&format!("deleted {}\n", pluralize(rest, "other file")))?;
    }
    terminal.print(&report::written(&output.summary, warnings, &replaced, started.elapsed()))?;
    if config.owns_out { print_since_head(workspace, terminal) } else { Ok(()) }
}

/// Generates, renders the diagnostics, and returns the number of warnings.
fn generate(config: &mut Config, terminal: &Terminal) -> Fallible<(Output, usize)> {
    let input = read::spec(&config.spec, &config.overlays, config.readable.clone())?;
    let name = input.source.name.clone();
    let Outcome { output, left_out, diagnostics } = ::codegen::generate(input, &config.settings);
    let render = if config.verbose { render_all } else { render };
    terminal.eprint(&render(&diagnostics, terminal.messages.colors));
    let warnings = diagnostics.count(Severity::Warning);
    if output.is_some() && !left_out.is_empty() {
        terminal.eprint(&report::left_out(&left_out));
    }
    match output {
        Some(_) if config.deny_warnings && warnings > 0 => {
            Err(Failure::new(report::denied(&name, warnings)).exit(Exit::InvalidSpec))
        }
        Some(output) => config.lacking.take().map_or(Ok((output, warnings)), Err),
        None => Err(invalid::failure(&format!("`{name}`"), ": nothing was written", &diagnostics)),
    }
}

/// Compares the folder with the generated crate, and fails if they differ.
fn check(
    config: &Config,
    folder: &OutputDir,
    output: &Output,
    warnings: usize,
    terminal: &Terminal,
) -> Fallible {
    let comparison = folder.compare(&output.files)?;
    if comparison.is_same() {
        return terminal.print(&report::fresh(&output.summary, warnings, &comparison));
    }
    let shown = config.out.display().to_string();
    terminal.print(&diff::render(&comparison, &shown, terminal.output))?;
    Err(Failure::new(report::stale(&shown, &comparison))
        .help("run the same command without `--check`")
        .exit(Exit::Stale))
}
