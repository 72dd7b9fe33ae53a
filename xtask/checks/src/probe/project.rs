//! Programs that use an emitted crate like its predecessor, each in a workspace with the crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ::codegen::SourceFile;

use crate::probe::uses::{PRELUDE, Use};
use commands::host::cargo;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::scratch::write;
use commands::host::workspace::Workspace;
use openapi_bindings::rustc;

/// A program against an emitted crate.
pub struct Program {
    pub title: String,
    /// The items that the report calls breaking.
    pub reported: BTreeSet<String>,
    pub files: Vec<SourceFile>,
    /// The features that the program enables.
    pub features: Vec<String>,
    /// The features that it would enable if they existed.
    pub lost_features: Vec<String>,
    /// The uses, one per line.
    pub uses: Vec<Use>,
}

impl Program {
    /// Compiles the program until nothing fails any more, without the lines that failed before: rustc reports wrong types only
    /// once all names are found. Returns the items whose uses fail.
    pub fn broken(&self, root: &Path, bindings: &str) -> Fallible<BTreeSet<String>> {
        let emitted = root.join(bindings);
        if emitted.exists() {
            fs::remove_dir_all(&emitted).context("delete", &emitted)?;
        }
        for file in &self.files {
            write(&emitted.join(&file.path), &file.text)?;
        }
        let members =
            format!("[workspace]\nresolver = \"3\"\nmembers = [\"program\", {bindings:?}]\n");
        write(&root.join("Cargo.toml"), &members)?;
        let mut failed = BTreeSet::new();
        loop {
            let features = self.features.iter().map(String::as_str);
            self.write_without(&failed, &root.join("program"), bindings, features)?;
            let errors = errors(root)?;
            if errors.is_empty() {
                break;
            }
            if errors.is_subset(&failed) {
                let help = format!("run `cargo check --package program` in {}", root.display());
                return Err(Failure::new("failed to compile the program").help(help));
            }
            failed.extend(errors);
        }
        let uses = failed.into_iter().filter_map(|line| self.uses.get(line));
        Ok(uses.map(|it| it.id.clone()).collect())
    }

    /// Writes the program with all uses, as a crate next to the bindings.
    pub fn write(&self, folder: &Path, bindings: &str) -> Fallible {
        let lost = self.lost_features.iter().filter_map(|path| path.split("::").nth(1));
        let features = self.features.iter().map(String::as_str).chain(lost);
        self.write_without(&BTreeSet::new(), folder, bindings, features)
    }

    fn write_without<'f>(
        &self,
        failed: &BTreeSet<usize>,
        folder: &Path,
        bindings: &str,
        features: impl Iterator<Item = &'f str>,
    ) -> Fallible {
        let manifest = manifest("[lib]", bindings, features);
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src").join("lib.rs"), &text(&self.uses, failed))
    }
}

/// Returns the number of the use of every error.
fn errors(root: &Path) -> Fallible<BTreeSet<usize>> {
    let mut command = Command::new(cargo::program());
    // The emitted crate is only a dependency: cargo would enable its default features if it was asked for it.
    command.args(["check", "--package", "program", "--keep-going", "--quiet"]);
    command.args(["--target-dir", "../probe-target"]);
    let check = rustc::check(&mut command, root)?;
    let before = PRELUDE.lines().count() + 1;
    let mut errors = BTreeSet::new();
    let mut others = String::new();
    for message in check.errors() {
        match message.primary.first().and_then(|span| span.line.checked_sub(before)) {
            Some(number) if message.target == "program" => drop(errors.insert(number)),
            // The last message only counts the others.
            _ if message.primary.is_empty() => {}
            _ => others.push_str(&message.rendered),
        }
    }
    if !others.is_empty() || (!check.is_success && errors.is_empty()) {
        others.push_str(&check.stderr);
        return Err(Failure::new(format!("the emitted crate does not compile:\n{others}")));
    }
    Ok(errors)
}

/// Returns the manifest of a program next to the crate that it uses. It has no tests, for which rustc would say everything
/// again.
pub fn manifest<'f>(
    target: &str,
    subject: &str,
    features: impl Iterator<Item = &'f str>,
) -> String {
    let features: Vec<String> = features.map(|feature| format!("{feature:?}")).collect();
    format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             {target}\ntest = false\nbench = false\n\n[dependencies]\n\
             subject = {{ package = \"{subject}\", path = \"../{subject}\", default-features = false, features = [{}] }}\n",
        features.join(", ")
    )
}

/// Returns the folder of the projects.
pub fn root(workspace: &Workspace) -> PathBuf {
    workspace.root.join("target").join("probe")
}

/// Returns the text of the program: each use in its own module, on its own line.
fn text(uses: &[Use], without: &BTreeSet<usize>) -> String {
    let mut text = PRELUDE.to_owned();
    for (number, Use { line, .. }) in uses.iter().enumerate() {
        if !without.contains(&number) {
            text.extend(["mod m", &number.to_string(), " { use crate::prelude::*; ", line, " }"]);
        }
        text.push('\n');
    }
    text
}
