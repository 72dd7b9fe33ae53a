//! A workspace of emitted crates, with programs that use them like their predecessors.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use ::codegen::SourceFile;

use crate::probe::uses::{PRELUDE, Use};
use commands::host::cargo;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::scratch::{self, write};
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;
use openapi_bindings::rustc;

/// The package of an emitted crate. The packages of several programs are numbered.
pub const SUBJECT: &str = "subject";

/// A program against an emitted crate.
pub struct Program {
    /// The name in messages.
    pub title: String,
    /// The items that the report calls breaking.
    pub reported: BTreeSet<String>,
    /// The files of the emitted crate.
    pub files: Vec<SourceFile>,
    /// The features that the program enables.
    pub features: Vec<String>,
    /// The features that it would enable if they existed.
    pub lost_features: Vec<String>,
    /// The uses, one per line.
    pub uses: Vec<Use>,
}

/// The workspace.
pub struct Project<'p> {
    root: PathBuf,
    programs: &'p [Program],
}

impl<'p> Project<'p> {
    /// Writes a workspace below the target folder.
    pub fn write(programs: &'p [Program], workspace: &Workspace) -> Fallible<Self> {
        let root = root(workspace);
        let members = root.join("members");
        if members.exists() {
            fs::remove_dir_all(&members).context("delete", &members)?;
        }
        let project = Self { root, programs };
        write(
            &project.root.join("Cargo.toml"),
            "[workspace]\nresolver = \"3\"\nmembers = [\"members/*\"]\n",
        )?;
        scratch::lock(workspace, &project.root)?;
        for (index, program) in project.programs.iter().enumerate() {
            for file in &program.files {
                let path = members.join(format!("subject-{index}")).join(&file.path);
                let text = match file.path.as_str() {
                    "Cargo.toml" => &file.text.replacen(
                        &format!("name = \"{SUBJECT}\""),
                        &format!("name = \"{SUBJECT}-{index}\""),
                        1,
                    ),
                    _ => &file.text,
                };
                write(&path, text)?;
            }
            let manifest = manifest(
                &format!("program-{index}"),
                &format!("subject-{index}"),
                program.features.iter().map(String::as_str),
            );
            write(&members.join(format!("program-{index}")).join("Cargo.toml"), &manifest)?;
        }
        Ok(project)
    }

    /// Compiles the programs until nothing fails any more, without the lines that failed before: rustc reports wrong
    /// types only once all names are found. Returns the items whose uses fail, by program.
    pub fn broken(&self) -> Fallible<Vec<BTreeSet<String>>> {
        let mut failed: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.programs.len()];
        loop {
            for (index, program) in self.programs.iter().enumerate() {
                let path = format!("members/program-{index}/src/lib.rs");
                write(&self.root.join(path), &text(&program.uses, &failed[index]))?;
            }
            let errors = self.check()?;
            if errors.is_empty() {
                break;
            }
            let mut is_new = false;
            for (program, line) in errors {
                let Some(failed) = failed.get_mut(program) else { continue };
                is_new |= failed.insert(line);
            }
            if !is_new {
                return Err(Failure::new("failed to compile the programs").help(format!(
                    "run `cargo check --package program-*` in {}",
                    self.root.display()
                )));
            }
        }
        let items = self.programs.iter().zip(failed).map(|(program, failed)| {
            failed.into_iter().filter_map(|line| Some(program.uses.get(line)?.id.clone())).collect()
        });
        Ok(items.collect())
    }

    /// Returns the program and the number of the use for every error.
    fn check(&self) -> Fallible<Vec<(usize, usize)>> {
        let mut command = Command::new(cargo::program());
        // The emitted crates are only dependencies: cargo would enable the default features of those that it is asked for.
        command.args(["check", "--package", "program-*", "--keep-going", "--quiet"]);
        command.args(["--target-dir", "../probe-target"]);
        let check = rustc::check(&mut command, &self.root)?;
        let mut errors = Vec::new();
        let mut others = String::new();
        for message in check.messages.iter().filter(|message| message.is_error) {
            let index = message.target.strip_prefix("program_");
            let program = index.and_then(|index| index.parse().ok());
            match (program, message.primary.first().and_then(|span| use_at(span.line))) {
                (Some(program), Some(number)) => errors.push((program, number)),
                // The last message only counts the others.
                _ if message.primary.is_empty() => {}
                _ => others.push_str(&message.rendered),
            }
        }
        let failed_before = !check.is_success && errors.is_empty();
        if !others.is_empty() || failed_before {
            others.push_str(&check.stderr);
            return Err(Failure::new(format!("the emitted crate does not compile:\n{others}")));
        }
        Ok(errors)
    }
}

impl Program {
    /// Writes the program with all uses, as a crate next to the bindings.
    pub fn write(&self, folder: &Path, bindings: &str) -> Fallible {
        let lost = self.lost_features.iter().filter_map(|path| path.split("::").nth(1));
        let features = self.features.iter().map(String::as_str).chain(lost);
        let manifest = manifest("program", bindings, features);
        write(&folder.join("Cargo.toml"), &manifest)?;
        // Uses of deprecated names are warnings, which `migrate` reads.
        let text =
            text(&self.uses, &BTreeSet::new()).replacen("allow(warnings)", "allow(unused)", 1);
        write(&folder.join("src").join("lib.rs"), &text)
    }
}

/// Returns the manifest of a program next to the crate that it uses.
pub fn manifest<'f>(name: &str, subject: &str, features: impl Iterator<Item = &'f str>) -> String {
    let features: Vec<String> = features.map(|feature| format!("{feature:?}")).collect();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             subject = {{ package = \"{subject}\", path = \"../{subject}\", default-features = false, features = [{}] }}\n",
        features.join(", ")
    )
}

/// Returns the folder of the projects.
pub fn root(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target").join("probe")
}

/// Locks the folder of the project once no other run uses it.
pub fn lock(workspace: &Workspace, terminal: &Terminal) -> Fallible<File> {
    scratch::exclusive(&root(workspace), terminal)
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

/// Returns the number of the use on a line.
fn use_at(line: usize) -> Option<usize> {
    line.checked_sub(PRELUDE.lines().count() + 1)
}
