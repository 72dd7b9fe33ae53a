//! `cargo xtask bench generate`: time and memory of the whole command.

use std::fs;
use std::path::Path;

use crate::bench::machine;
use crate::host::cargo;
use crate::host::exit::{Context, Failure};
use crate::host::paths::display_path;
use crate::host::scratch;
use crate::host::table::{Table, mebibytes, milliseconds};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// How often each command runs; the fastest run counts.
const RUNS: usize = 10;

/// Measures a release build of `cargo xtask codegen`: into an empty folder, and without a change.
pub fn run(document: &Path, workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let shown = display_path(document).display();
    terminal.print(&machine::heading(&format!("cargo xtask bench generate {shown}")))?;
    let target = workspace.root().join("target");
    let mut build = cargo::command(workspace);
    build
        .args(["build", "--quiet", "--release", "--package", "xtask", "--target-dir"])
        .arg(&target);
    scratch::succeed(&mut build)?;
    let program = target
        .join("release")
        .join("openapi-bindings")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let scratch = scratch::folder(workspace, &format!("generate-{}", std::process::id()))?;
    let (mut fresh, mut again) = (Vec::new(), Vec::new());
    // Each run has a folder of its own: ext4 takes long to create files where others have just been deleted.
    for run in 0..RUNS {
        let mut command = scratch::codegen(&program, document, &scratch.join(run.to_string()));
        command.current_dir(workspace.root());
        fresh.push(scratch::measure(&mut command)?);
        again.push(scratch::measure(&mut command)?);
    }
    fs::remove_dir_all(&scratch).context("remove", &scratch)?;
    let mut table = Table::new(["whole command", "time", "CPU time", "memory"]);
    for (name, costs) in [("all files written", fresh), ("all files unchanged", again)] {
        let time = costs.iter().map(|cost| cost.time).min().unwrap_or_default();
        let cpu = costs.iter().map(|cost| cost.cpu).min().unwrap_or_default();
        let memory = costs.iter().map(|cost| cost.memory).max().unwrap_or_default();
        table.row([name.to_owned(), milliseconds(time), milliseconds(cpu), mebibytes(memory)]);
    }
    terminal.print(&table.to_string())
}
