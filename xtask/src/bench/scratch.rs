//! The folder that benchmarks write to, and cargo in it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::exit::{Doing, Failure};
use crate::workspace::Workspace;

/// Returns the description that is measured, wherever the command is run.
pub fn description(named: Option<PathBuf>, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let document = named.unwrap_or_else(|| workspace.description());
    fs::canonicalize(&document).doing("read", &document)
}

/// Returns the folder of a benchmark, which exists.
pub fn folder(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    let folder = workspace.root().join("target").join("bench").join(name);
    fs::create_dir_all(&folder).doing("create", &folder)?;
    Ok(folder)
}

/// Returns the command that emits the crate of a description into a folder, quietly.
pub fn codegen(document: &Path, out: &Path) -> Result<Command, Failure> {
    let program = env::current_exe().map_err(|error| Failure::new(error.to_string()))?;
    let mut command = Command::new(program);
    command
        .args(["codegen", "--package", "measured", "--spec"])
        .arg(document)
        .arg("--out")
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command)
}

/// Gives a package outside of the workspace the workspace's locked versions, unless it has its own.
pub fn lock(workspace: &Workspace, package: &Path) -> Result<(), Failure> {
    let (from, to) = (workspace.root().join("Cargo.lock"), package.join("Cargo.lock"));
    if to.exists() {
        return Ok(());
    }
    fs::copy(&from, &to).doing("copy", &from).map(drop)
}

/// Returns a cargo that builds a package outside of the workspace with two jobs and from nothing, also for those who
/// have other flags, or wrap the compiler.
pub fn cargo(package: &Path, target: &Path) -> Command {
    let mut command = Command::new(crate::ci::cargo_program());
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

/// Makes all sources below a folder look changed, so that cargo compiles them again.
pub fn touch(folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).doing("read", folder)? {
        let path = entry.doing("read", folder)?.path();
        if path.is_dir() {
            touch(&path)?;
        } else {
            let file = fs::File::options().append(true).open(&path);
            file.and_then(|file| file.set_modified(SystemTime::now())).doing("touch", &path)?;
        }
    }
    Ok(())
}
