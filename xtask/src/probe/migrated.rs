//! The uses of an old crate after `migrate`: whatever a new name, a feature or an alias explains must compile.

use std::fs;
use std::path::{Path, PathBuf};

use super::programs::programs_of;
use super::project;
use crate::diff::Revision;
use crate::host::exit::{Context, Failure};
use crate::host::scratch;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::workspace::Workspace;
use crate::migrate::cargo;
use crate::migrate::{Bump, Figures, Options};
use crate::settings::project::Project;

/// Migrates the program with all uses of each old crate to the new one.
pub fn run(specs: &[&PathBuf], workspace: &Workspace, terminal: &Terminal) -> Result<(), Failure> {
    let root = project::root(workspace).join("migrate");
    // The copy that `migrate` makes ends at a repository.
    fs::create_dir_all(root.join(".git")).context("create", &root)?;
    scratch::lock(workspace, &root)?;
    let mut all = Figures::default();
    let mut unmended = 0;
    for pair in specs.chunks_exact(2) {
        let [old, new] = [pair[0], pair[1]].map(PathBuf::as_path);
        let bump =
            Bump::new(Revision::of_file(old)?, Revision::of_file(new)?, Project::of_spec(new)?);
        let programs = programs_of(old, new, workspace)?;
        let Some(program) = programs.last() else { continue };
        write(&root, &bump.package)?;
        program.write(&root.join("program"), &bump.package)?;
        let users = cargo::Workspace::of(&root.join("program").join("Cargo.toml"), &bump.package)?;
        let options = Options { package: bump.package.clone(), todo: false };
        let report = bump.migrate(&users, &options, workspace, terminal)?;
        let total = pluralize(program.uses.len(), "use");
        let Figures { breaking, by_hand, edits, left } = report.figures();
        terminal.print(&format!(
            "{}: {total}, {}, {left} left; {by_hand} of {breaking} breaking changes need a hand\n",
            program.title,
            pluralize(edits, "edit"),
        ))?;
        for place in report.unmended() {
            unmended += 1;
            terminal.print(&format!("  not mended: {place}\n"))?;
        }
        all.breaking += breaking;
        all.by_hand += by_hand;
        all.edits += edits;
        all.left += left;
    }
    let Figures { breaking, by_hand, edits, left } = all;
    let none = breaking - by_hand;
    terminal.print(&format!(
        "{}, {left} left; {none} of {breaking} breaking changes need no hand\n",
        pluralize(edits, "edit")
    ))?;
    if unmended == 0 {
        return Ok(());
    }
    let places = pluralize(unmended, "place");
    Err(Failure::new(format!(
        "{places} left that a new name or a feature would mend, or that nothing explains"
    )))
}

/// Writes a workspace with an empty crate in place of the emitted one, which `migrate` replaces.
fn write(root: &Path, package: &str) -> Result<(), Failure> {
    let manifest = format!("[package]\nname = \"{package}\"\nversion = \"0.0.0\"\n");
    project::write(&root.join(package).join("src").join("lib.rs"), "")?;
    project::write(&root.join(package).join("Cargo.toml"), &manifest)?;
    let members = format!("[workspace]\nresolver = \"3\"\nmembers = [\"program\", {package:?}]\n");
    project::write(&root.join("Cargo.toml"), &members)
}
