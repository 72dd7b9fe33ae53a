//! The workspace of a program that is migrated.

use std::fs;
use std::path::{Path, PathBuf};

use commands::host::exit::{Context, Fallible};
use commands::host::scratch;
use openapi_bindings::migrate::{Shadow, cargo};

/// A workspace with a program and an emitted crate.
pub struct Users {
    /// The folder of the program.
    pub folder: PathBuf,
    pub workspace: cargo::Workspace,
    /// The package of the emitted crate.
    pub package: String,
}

impl Users {
    /// Writes a workspace with an empty program, and an empty crate in place of the emitted one.
    pub fn write(root: &Path, package: &str) -> Fallible<Self> {
        let folder = root.join("program");
        if folder.exists() {
            fs::remove_dir_all(&folder).context("delete", &folder)?;
        }
        let dependency = format!(
            "[dependencies]\nsubject = {{ package = {package:?}, path = \"../{package}\" }}\n"
        );
        for (name, dependency) in [(package, ""), ("program", dependency.as_str())] {
            scratch::write(&root.join(name).join("src").join("lib.rs"), "")?;
            let text = format!("[package]\nname = {name:?}\nversion = \"0.0.0\"\n{dependency}");
            scratch::write(&root.join(name).join("Cargo.toml"), &text)?;
        }
        let members =
            format!("[workspace]\nresolver = \"3\"\nmembers = [\"program\", {package:?}]\n");
        scratch::write(&root.join("Cargo.toml"), &members)?;
        let mut workspace = cargo::Workspace::of(&folder.join("Cargo.toml"), package, &[])?;
        if workspace.target.starts_with(root) {
            // The next run may have another one, and would copy this one.
            workspace.target = root.with_file_name("migrate-target");
        }
        Ok(Self { workspace, package: package.to_owned(), folder })
    }

    /// Runs the program in a copy, and returns what it prints.
    pub fn output(&self, copy: &Shadow) -> Fallible<String> {
        let mut cargo = scratch::cargo(&copy.folder, &self.workspace.target);
        // It runs for a moment, and nobody debugs it.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "false");
        scratch::succeed(cargo.args(["run", "--quiet", "--package", "program"]))
    }
}
