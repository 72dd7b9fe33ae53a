//! `cargo xtask codegen`: from the description to the emitted crate.

mod arguments;
mod package_name;
mod report;
mod request;
mod settings;

pub use arguments::command;

use std::path::Path;
use std::time::Instant;

use clap::ArgMatches;

use ::codegen::diagnostics::{Severity, render};
use ::codegen::{Outcome, Output, Source};

use crate::codegen::arguments::Arguments;
use crate::codegen::request::Request;
use crate::exit::{Exit, Failure};
use crate::folder::{Folder, Lock, diff};
use crate::read;
use crate::terminal::Terminal;
use crate::threads;
use crate::workspace::Workspace;

/// Reads the description, and writes, compares or shows what it gives.
pub fn run(
    arguments: &ArgMatches,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let started = Instant::now();
    let request = Request::resolve(Arguments::from_matches(arguments), workspace)?;
    let output = generate(&request, true, terminal)?;
    if request.dump_ir {
        return terminal.print(&format!("{:#?}\n", output.ir));
    }
    let folder = Folder::locate(&request.out)?;
    if !request.owns_out {
        folder.refuse_foreign()?;
    }
    if request.check {
        return check(&request, &folder, &output, terminal);
    }
    let _lock = lock(&folder, terminal)?;
    let is_here = folder.holds_current_folder();
    let tally = folder.write(&output.files)?;
    if tally.replaced && is_here {
        terminal.note("the folder you are in was replaced as a whole: `cd .` shows the new one");
    }
    terminal.print(&report::written(&output.summary, tally, started.elapsed()))
}

/// Writes the crate of a description into a folder of another workspace, and says only what keeps it from being written.
pub fn emit_into(
    spec: &Path,
    out: &Path,
    package: &str,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<Output, Failure> {
    let arguments = Arguments {
        spec: Some(spec.to_owned()),
        out: Some(out.to_owned()),
        package: Some(package.parse().map_err(Failure::new)?),
        ..Arguments::default()
    };
    let request = Request::resolve(arguments, workspace)?;
    let output = generate(&request, false, terminal)?;
    let folder = Folder::locate(out)?;
    let _lock = lock(&folder, terminal)?;
    folder.refuse_foreign()?;
    folder.write(&output.files)?;
    Ok(output)
}

fn lock(folder: &Folder, terminal: &Terminal) -> Result<Lock, Failure> {
    folder.lock(|| terminal.note("waiting for another run that writes here"))
}

/// Generates, and reports everything that is to be said about the description; warnings only where they are wanted.
fn generate(
    request: &Request,
    wants_warnings: bool,
    terminal: &Terminal,
) -> Result<Output, Failure> {
    let text = read::text(&request.spec, Exit::WrongDescription)?;
    let source = Source { name: request.spec.display().to_string(), text };
    let Outcome { output, diagnostics } =
        ::codegen::generate_by(&threads::share, &source, &request.settings);
    let errors = diagnostics.count(Severity::Error);
    if wants_warnings || errors > 0 {
        terminal.complain(&render(&diagnostics, terminal.messages().colours));
    }
    output.ok_or_else(|| {
        Failure::new(report::wrong(&source.name, errors)).exit(Exit::WrongDescription)
    })
}

/// Compares what the folder holds with what the description gives, and fails where they differ.
fn check(
    request: &Request,
    folder: &Folder,
    output: &Output,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let comparison = folder.compare(&output.files)?;
    if comparison.is_same() {
        return terminal.print(&report::fresh(&output.summary, &comparison));
    }
    let shown = request.out.display().to_string();
    terminal.print(&diff::render(&comparison, &shown, terminal.output()))?;
    Err(Failure::new(report::stale(&shown, &comparison))
        .help(format!("run `{}`", request.repair))
        .exit(Exit::Stale))
}
