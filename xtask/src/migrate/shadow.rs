//! A copy of the users' workspace, in which all rounds take place: the workspace itself only gets the result.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use ::codegen::SourceFile;
use serde_json::Value;

use crate::migrate::cargo::{Source, Workspace};
use crate::migrate::edit::Texts;
use crate::migrate::manifest;
use crate::rustc::{self, Check};
use commands::host::cargo;
use commands::host::exit::{Context, Fallible};
use commands::host::output_dir::OutputDir;
use commands::host::paths::{absolute_path, normal_path};
use commands::host::scratch;
use commands::host::terminal::Terminal;

/// The mark of a folder that programs can skip (<https://bford.info/cachedir/>).
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// The copy.
pub struct Shadow {
    /// The folder that is copied: the repository, or the workspace outside of one.
    pub root: PathBuf,
    /// The folder of the copy.
    pub folder: PathBuf,
    /// The path of the workspace in both.
    pub workspace: PathBuf,
    /// The texts of the Rust files and manifests, by their paths below the folder, as they were.
    pub originals: Texts,
    /// The folder of the emitted crate in the copy.
    pub bindings: PathBuf,
    /// The folders that are not copied: the emitted crate and all output.
    skipped: Vec<PathBuf>,
    /// Other versions of the manifests: with absolute paths where a path leaves the copied folder.
    relocations: manifest::Relocations,
    /// Held until the copy is no longer needed.
    _lock: File,
}

impl Shadow {
    /// Copies the repository of a workspace, without its target folder, to that folder.
    pub fn new(workspace: &Workspace, terminal: &Terminal) -> Fallible<Self> {
        let own = absolute_path(&workspace.root)?;
        let root = own.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&own);
        let target = absolute_path(&workspace.target)?;
        let folder = target.join("migrate").join("copy");
        let bindings = workspace.source.folder();
        let inner = bindings.and_then(|path| path.strip_prefix(root).ok());
        let emitted =
            inner.map_or_else(|| folder.with_file_name("bindings"), |inner| folder.join(inner));
        let mut shadow = Self {
            relocations: manifest::Relocations {
                root: root.to_owned(),
                workspace: own.join("Cargo.toml"),
                bindings: bindings
                    .filter(|_| inner.is_none())
                    .map(|it| (it.to_owned(), emitted.clone())),
            },
            workspace: own.strip_prefix(root).unwrap_or(Path::new("")).to_owned(),
            root: root.to_owned(),
            bindings: emitted,
            originals: Texts::new(),
            _lock: scratch::exclusive(&target.join("migrate"), terminal)?,
            // A target folder that cargo has not created has no mark.
            skipped: inner.map(|inner| root.join(inner)).into_iter().chain([target]).collect(),
            folder,
        };
        if shadow.folder.exists() {
            fs::remove_dir_all(&shadow.folder).context("delete", &shadow.folder)?;
        }
        // A run with another target folder does not copy it.
        scratch::write(&shadow.folder.with_file_name("CACHEDIR.TAG"), SIGNATURE)?;
        shadow.copy(Path::new(""))?;
        Ok(shadow)
    }

    /// Copies a folder. All files are new, so that cargo compiles them, whatever it compiled at their paths before.
    fn copy(&mut self, folder: &Path) -> Fallible {
        let from = self.root.join(folder);
        let to = self.folder.join(folder);
        fs::create_dir_all(&to).context("create", &to)?;
        for entry in fs::read_dir(&from).context("read", &from)?.flatten() {
            let name = entry.file_name();
            let path = folder.join(&name);
            let from = entry.path();
            let Ok(metadata) = fs::metadata(&from) else { continue };
            if metadata.is_dir() {
                let is_output = from.join("CACHEDIR.TAG").exists();
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                let is_other = is_output || is_link || name == ".git" || name == "node_modules";
                if !is_other && !self.skipped.contains(&from) {
                    self.copy(&path)?;
                }
            } else if metadata.is_file() {
                let is_manifest = name == "Cargo.toml";
                if is_manifest || path.extension().is_some_and(|it| it == "rs") {
                    // Cargo reports a file that is not UTF-8.
                    if let Ok(text) = fs::read_to_string(&from) {
                        self.originals.insert(path.clone(), text);
                    }
                }
                scratch::copy(&from, &self.folder.join(&path))?;
                if let Some(text) = self.originals.get(&path).filter(|_| is_manifest) {
                    self.write(&path, text)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a text to the copy.
    pub fn write(&self, path: &Path, text: &str) -> Fallible {
        let to = self.folder.join(path);
        let text = match path.file_name() {
            Some(name) if name == "Cargo.toml" => {
                &self.relocations.relocated(&self.root.join(path), text)
            }
            _ => text,
        };
        if fs::read_to_string(&to).is_ok_and(|found| found == text) {
            return Ok(());
        }
        scratch::write(&to, text)
    }

    /// Replaces the emitted crate.
    pub fn emit(&self, files: &[SourceFile]) -> Fallible {
        OutputDir::locate(&self.bindings)?.write(files).map(drop)
    }

    /// Compiles the copy of the workspace.
    pub fn check(&self, users: &Workspace, package: &str) -> Fallible<Check> {
        let mut command = Command::new(cargo::program());
        command.args(["check", "--all-targets", "--keep-going", "--quiet"]);
        command.args(&users.options);
        command.env("CARGO_TARGET_DIR", &users.target);
        if users.packages.is_empty() {
            command.arg("--workspace");
        }
        for package in &users.packages {
            command.args(["--package", package]);
        }
        if let Source::Remote(source) = &users.source {
            let path = self.bindings.to_string_lossy().replace('\\', "/");
            let quoted = |text: &str| Value::from(text).to_string();
            command.arg("--config").arg(format!(
                "patch.{}.{}.path={}",
                quoted(source),
                quoted(package),
                quoted(&path)
            ));
        }
        let mut check = rustc::check(&mut command, &self.folder.join(&self.workspace))?;
        let messages = std::mem::take(&mut check.messages).into_iter().map(|mut message| {
            let spans = message.primary.iter_mut().chain(&mut message.secondary);
            let helps = message.helps.iter_mut().flat_map(|help| &mut help.spans);
            for span in spans.chain(helps) {
                span.file = self.own(&span.file);
            }
            message.manifest = self.own(&message.manifest);
            message
        });
        check.messages = messages.collect();
        Ok(check)
    }

    /// Returns the path of a file below the folder, and of a file elsewhere as it is.
    fn own(&self, file: &Path) -> PathBuf {
        let whole = normal_path(&self.folder.join(&self.workspace).join(file));
        whole.strip_prefix(&self.folder).unwrap_or(file).to_owned()
    }
}
