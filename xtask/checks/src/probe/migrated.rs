//! The programs of an old crate after `migrate`: whatever a new name, a feature or an alias explains must compile, and what
//! compiles must send the same requests.

use std::fs;
use std::path::PathBuf;

use ::codegen::compare::Class;

use super::programs::{programs, title};
use super::project;
use super::requests::Calls;
use super::users::Users;
use commands::diff::Revision;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::scratch;
use commands::host::terminal::{Terminal, pluralize};
use commands::host::workspace::Workspace;
use openapi_bindings::migrate::{Bump, Report};

/// Migrates the programs with all uses, and all calls, of each old crate to the new one.
pub fn run(specs: &[&PathBuf], workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let root = project::root(workspace).join("migrate");
    // The copy that `migrate` makes ends at a repository.
    fs::create_dir_all(root.join(".git")).context("create", &root)?;
    scratch::lock(workspace, &root)?;
    let mut all = Figures::default();
    let mut failures = 0;
    for pair in specs.chunks_exact(2) {
        let [old, new] = [pair[0], pair[1]].map(PathBuf::as_path);
        let bump = Bump::new(Revision::of_file(old)?, Revision::of_file(new)?, None);
        let users = Users::write(&root, &bump.package)?;
        let crates = bump.emit(&users.workspace, &users.copy(terminal)?, workspace)?;
        let title = title(old, new);
        for program in programs(&title, &crates.old.public_api, &crates.new)? {
            program.write(&users.folder, &bump.package)?;
            let report = users.migrate(&users.copy(terminal)?, &crates)?;
            let total = pluralize(program.uses.len(), "use");
            let Figures { breaking, by_hand, edits, left } = Figures::of(&report);
            terminal.print(&format!(
                "{}: {total}, {}, {left} left; {by_hand} of {breaking} breaking changes need a hand\n",
                program.title,
                pluralize(edits, "edit"),
            ))?;
            let rows = report.rows.iter().filter(|row| row.headline.is_mechanical);
            for place in rows.flat_map(|row| &row.left).chain(&report.unexplained) {
                failures += 1;
                terminal.print(&format!("  not mended: {}\n", report.describe(place)))?;
            }
            if program.title == title {
                all.breaking += breaking;
                all.by_hand += by_hand;
                all.edits += edits;
                all.left += left;
            }
        }
        let Some(calls) = Calls::of(&crates) else { continue };
        calls.write(&users.folder, &bump.package)?;
        let compared = calls.compare(&users, &crates, terminal)?;
        terminal.print(&format!("{title}: {}\n", compared.summary()))?;
        for difference in compared.differences {
            failures += 1;
            terminal.print(&format!("  other requests: {difference}\n"))?;
        }
    }
    let Figures { breaking, by_hand, edits, left } = all;
    let none = breaking - by_hand;
    terminal.print(&format!(
        "{}, {left} left; {none} of {breaking} breaking changes need no hand\n",
        pluralize(edits, "edit")
    ))?;
    if failures == 0 {
        return Ok(());
    }
    let places = pluralize(failures, "place");
    Err(Failure::new(format!(
        "{places} left that a new name or a feature would mend, that nothing explains, or that send other requests"
    )))
}

/// What has become of the uses of a crate.
#[derive(Default)]
struct Figures {
    /// The number of changes that break programs.
    breaking: usize,
    /// The number of these changes with a place that is left.
    by_hand: usize,
    /// The number of edits.
    edits: usize,
    /// The number of places that are left.
    left: usize,
}

impl Figures {
    fn of(report: &Report) -> Self {
        let breaking = report.rows.iter().filter(|row| row.headline.class == Class::Breaking);
        Self {
            breaking: breaking.clone().count(),
            by_hand: breaking.filter(|row| !row.left.is_empty()).count(),
            edits: report.rows.iter().map(|row| row.edits).sum(),
            left: report.places().count(),
        }
    }
}
