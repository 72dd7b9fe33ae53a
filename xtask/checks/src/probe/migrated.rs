//! The programs of an old crate after `migrate`: whatever a new name, a feature or an alias explains must compile, and what
//! compiles must send the same requests.

use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::compare::Class;

use super::programs::{programs, report, title};
use super::project;
use super::requests::Calls;
use super::users::Users;
use commands::diff::Revision;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::scratch;
use commands::host::terminal::{Terminal, pluralize};
use commands::host::workspace::Workspace;
use openapi_bindings::migrate::{Bump, Report, Shadow};

/// Migrates the programs with all uses, and all calls, of each old crate to the new one.
pub fn run(specs: &[&PathBuf], workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let root = project::root(workspace).join("migrate");
    // The copy that `migrate` makes ends at a repository.
    fs::create_dir_all(root.join(".git")).context("create", &root)?;
    scratch::lock(workspace, &root)?;
    let mut all = Vec::new();
    let mut failures = 0;
    for pair in specs.chunks_exact(2) {
        let pair = [pair[0], pair[1]].map(PathBuf::as_path);
        let failed = migrate(&root, pair, &mut all, workspace, terminal);
        failures += report(failed, pair, terminal)?;
    }
    terminal.print(&format!("{}\n", summary(&all)))?;
    if failures == 0 {
        return Ok(());
    }
    let places = pluralize(failures, "place");
    Err(Failure::new(format!(
        "{places} left that a new name or a feature would mend, that nothing explains, or that send other requests"
    )))
}

/// Migrates the programs of a pair, and returns the number of failures.
fn migrate(
    root: &Path,
    [old, new]: [&Path; 2],
    all: &mut Vec<Report>,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Fallible<usize> {
    let mut failures = 0;
    let bump = Bump::new(Revision::of_file(old)?, Revision::of_file(new)?, None);
    let users = Users::write(root, &bump.package)?;
    let crates = bump.emit(&Shadow::new(&users.workspace, terminal)?.bindings, false, workspace)?;
    let title = title(old, new);
    for program in programs(&title, &crates.old.public_api, &crates.new) {
        program.write(&users.folder, &bump.package)?;
        let report = Report::of(
            &users.workspace,
            &Shadow::new(&users.workspace, terminal)?,
            &crates,
            &users.package,
        )?;
        let total = pluralize(program.uses.len(), "use");
        let summary = summary(std::slice::from_ref(&report));
        terminal.print(&format!("{}: {total}, {summary}\n", program.title))?;
        let rows = report.rows.iter().filter(|row| row.headline.is_mechanical);
        for place in rows.flat_map(|row| &row.left).chain(&report.unexplained) {
            failures += 1;
            terminal.print(&format!("  not mended: {}\n", report.describe(place)))?;
        }
        if program.title == title {
            all.push(report);
        }
    }
    let Some(calls) = Calls::of(&crates) else { return Ok(failures) };
    calls.write(&users.folder, &bump.package)?;
    let compared = calls.compare(&users, &crates, terminal)?;
    terminal.print(&format!("{title}: {}\n", compared.summary()))?;
    for difference in compared.differences {
        failures += 1;
        terminal.print(&format!("  other requests: {difference}\n"))?;
    }
    Ok(failures)
}

/// Returns what has become of the uses of a crate.
fn summary(reports: &[Report]) -> String {
    let rows = || reports.iter().flat_map(|report| &report.rows);
    let breaking = rows().filter(|row| row.headline.class == Class::Breaking);
    let (removals, others): (Vec<_>, Vec<_>) =
        breaking.partition(|row| row.headline.main.what.is_removal());
    let edits = pluralize(rows().map(|row| row.edits).sum(), "edit");
    let left: usize = reports.iter().map(|report| report.places().count()).sum();
    let by_hand = others.iter().filter(|row| !row.left.is_empty()).count();
    let [removals, others] = [removals.len(), others.len()];
    format!(
        "{edits}, {left} left; {by_hand} of {others} breaking changes need a hand, and {removals} removals"
    )
}
