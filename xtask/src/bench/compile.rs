//! `cargo xtask bench compile`: time and memory of compiling an emitted crate, and those of other generators.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::bench::machine;
use crate::host::exit::{Context, Failure};
use crate::host::paths::{absolute_path, display_path, files};
use crate::host::scratch;
use crate::host::table::{Table, mebibytes, seconds};
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Measures, and prints.
pub fn run(
    document: &Path,
    script: Option<&Path>,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut command = format!("cargo xtask bench compile {}", display_path(document).display());
    if let Some(script) = script {
        command = format!("{command} --peers {}", script.display());
    }
    terminal.print(&machine::heading(&command))?;
    let mut table = Table::new(["generator", "lines", "check", "memory", "build", "memory"]);
    table.row(own(document, workspace)?);
    if let Some(script) = script {
        let mut script = Command::new(absolute_path(script)?);
        scratch::succeed(script.arg(document))?
            .lines()
            .filter_map(peer)
            .for_each(|row| table.row(row));
    }
    terminal.print(&table.to_string())
}

/// Measures the emitted crate.
fn own(document: &Path, workspace: &Workspace) -> Result<[String; 6], Failure> {
    let scratch = scratch::folder(workspace, "compile")?;
    let (package, target) = (scratch.join("emitted"), scratch.join("target"));
    let program = env::current_exe().map_err(|error| Failure::new(error.to_string()))?;
    scratch::succeed(&mut scratch::codegen(&program, document, &package))?;
    scratch::lock(workspace, &package)?;
    let sources = package.join("src");
    let measure = |what| {
        let mut cargo = scratch::cargo(&package, &target);
        cargo.args([what, "--quiet", "--all-features"]);
        scratch::succeed(&mut cargo)?;
        scratch::touch(&sources)?;
        scratch::measure(&mut cargo)
    };
    let (check, build) = (measure("check")?, measure("build")?);
    let mut lines = 0;
    for path in files(&sources)? {
        lines += fs::read_to_string(&path).context("read", &path)?.lines().count();
    }
    Ok([
        "this one".to_owned(),
        lines.to_string(),
        seconds(check.time),
        mebibytes(check.memory),
        seconds(build.time),
        mebibytes(build.memory),
    ])
}

/// Returns the row of a line that a script printed; `None` for a heading or a failure.
fn peer(line: &str) -> Option<[String; 6]> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, _, _, lines, check, check_memory, build, build_memory, ..] = words[..] else {
        return None;
    };
    lines.parse::<usize>().ok()?;
    Some([
        name.to_owned(),
        lines.to_owned(),
        format!("{check} s"),
        format!("{check_memory} MiB"),
        format!("{build} s"),
        format!("{build_memory} MiB"),
    ])
}

#[cfg(test)]
mod tests {
    use super::peer;

    #[test]
    fn the_figures_of_a_line_have_units() {
        let expected = ["one", "1200", "20.5 s", "1100 MiB", "25 s", "1400 MiB"];
        assert_eq!(peer("one api.yaml 0.36 1200 20.5 1100 25 1400 ok").unwrap(), expected);
        assert_eq!(peer("generator document gen_s lines check_s MiB build_s MiB"), None);
    }
}
