//! Compiles emitted crates in scratch folders.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ::codegen::SourceFile;

use crate::host::cargo;
use crate::host::exit::{Context, Failure};
use crate::host::output_dir::OutputDir;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

/// Creates a scratch folder.
pub fn folder(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    let folder = workspace.root().join("target").join("scratch").join(name);
    fs::create_dir_all(&folder).context("create", &folder)?;
    Ok(folder)
}

/// Locks a folder once no other run uses it: it would overwrite the files. The lock is held until it is dropped.
pub fn exclusive(folder: &Path, terminal: &Terminal) -> Result<File, Failure> {
    fs::create_dir_all(folder).context("create", folder)?;
    let path = folder.join("lock");
    let file = File::create(&path).context("create", &path)?;
    if file.try_lock().is_err() {
        terminal.note("another run uses the same folder; waiting for its end");
        file.lock().context("lock", &path)?;
    }
    Ok(file)
}

/// Runs a command and returns its standard output.
pub fn succeed(command: &mut Command) -> Result<String, Failure> {
    let program = PathBuf::from(command.get_program());
    let output = command.stderr(Stdio::inherit()).output().context("run", &program)?;
    if !output.status.success() {
        return Err(failed(command, ""));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn failed(command: &Command, messages: &str) -> Failure {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    Failure::new(format!("`{}` failed\n{messages}", words.join(" ")).trim_end())
}

/// Copies the lock file of the workspace to a package outside of it that has none.
pub fn lock(workspace: &Workspace, package: &Path) -> Result<(), Failure> {
    let from = workspace.root().join("Cargo.lock");
    let to = package.join("Cargo.lock");
    if to.exists() {
        return Ok(());
    }
    fs::copy(&from, &to).context("copy", &from).map(drop)
}

/// Returns the line of the workspace's runtime in the manifests of scratch crates.
pub fn runtime(workspace: &Workspace) -> String {
    let path = serde_json::Value::from(workspace.runtime().to_string_lossy());
    format!("{{ package = \"openapi-bindings-runtime\", path = {path}, default-features = false }}")
}

/// An emitted crate in a scratch folder.
pub struct Emitted {
    package: PathBuf,
    target: PathBuf,
}

impl Emitted {
    /// Writes the crate.
    pub fn write(files: &[SourceFile], name: &str, workspace: &Workspace) -> Result<Self, Failure> {
        let scratch = folder(workspace, name)?;
        let package = scratch.join("emitted");
        OutputDir::locate(&package)?.write(files)?;
        lock(workspace, &package)?;
        Ok(Self { package, target: scratch.join("target") })
    }

    /// Returns whether the crate compiles with these features. Messages of rustc go to standard error.
    pub fn compiles(&self, features: &str) -> bool {
        let mut cargo = cargo(&self.package, &self.target);
        cargo.args(["check", "--quiet", "--no-default-features", "--features", features]);
        succeed(&mut cargo).is_ok()
    }

    /// Returns whether rustc and clippy accept the crate with these features without a warning.
    pub fn is_clean(&self, features: &str) -> bool {
        let mut cargo = cargo(&self.package, &self.target);
        cargo.args(["clippy", "--quiet", "--no-default-features", "--features", features]);
        succeed(cargo.args(["--", "--deny", "warnings"])).is_ok()
    }
}

/// Returns a cargo that builds a package outside of the workspace with two jobs and without incremental compilation,
/// ignoring the flags and wrappers of the environment.
pub fn cargo(package: &Path, target: &Path) -> Command {
    let mut command = Command::new(cargo::program());
    command
        .current_dir(package)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_BUILD_JOBS", "2")
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTC_WRAPPER", "")
        .env("RUSTC_WORKSPACE_WRAPPER", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS");
    command
}
