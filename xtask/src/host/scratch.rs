//! Runs programs in scratch folders, and measures them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use ::codegen::SourceFile;

use crate::host::cargo;
use crate::host::exit::{Context, Failure};
use crate::host::output_dir::OutputDir;
use crate::host::paths::files;
use crate::host::workspace::Workspace;

/// The cost of running a program.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The elapsed time.
    pub time: Duration,
    /// The CPU time, in user and system mode.
    pub cpu: Duration,
    /// The peak resident memory, in bytes, of its largest process.
    pub memory: u64,
}

/// Returns the absolute path of the spec that is measured.
pub fn document(named: Option<PathBuf>, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let document = named.unwrap_or_else(|| workspace.spec());
    fs::canonicalize(&document).context("read", &document)
}

/// Creates a scratch folder.
pub fn folder(workspace: &Workspace, name: &str) -> Result<PathBuf, Failure> {
    let folder = workspace.root().join("target").join("scratch").join(name);
    fs::create_dir_all(&folder).context("create", &folder)?;
    Ok(folder)
}

/// Runs a command and measures it with GNU time.
pub fn measure(command: &mut Command) -> Result<Cost, Failure> {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%e %U %S %M"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => timed.env(name, value),
            None => timed.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        timed.current_dir(folder);
    }
    timed.stdout(Stdio::null()).stderr(Stdio::piped());
    let output = timed.output().context("run", Path::new("/usr/bin/time"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let cost = messages.lines().next_back().and_then(cost);
    match cost {
        Some(cost) if output.status.success() => Ok(cost),
        _ => Err(failed(command, &messages)),
    }
}

fn cost(line: &str) -> Option<Cost> {
    let figures: Option<Vec<f64>> = line.split(' ').map(|figure| figure.parse().ok()).collect();
    let [time, user, system, _] = figures?[..] else { return None };
    let duration = |seconds| Duration::try_from_secs_f64(seconds).ok();
    let kibibytes: u64 = line.rsplit(' ').next()?.parse().ok()?;
    Some(Cost { time: duration(time)?, cpu: duration(user + system)?, memory: kibibytes << 10 })
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

/// Returns the command that generates the crate of a spec into a folder with a given build of this program.
pub fn codegen(program: &Path, document: &Path, out: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(["codegen", "--package", "measured", "--spec"])
        .arg(document)
        .arg("--out")
        .arg(out);
    command
}

/// Copies the lock file of the workspace to a package outside of it that has none.
pub fn lock(workspace: &Workspace, package: &Path) -> Result<(), Failure> {
    let (from, to) = (workspace.root().join("Cargo.lock"), package.join("Cargo.lock"));
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

/// Returns whether an emitted crate compiles, with all of its operations. What rustc reports goes to standard error.
pub fn compiles(files: &[SourceFile], name: &str, workspace: &Workspace) -> Result<bool, Failure> {
    let scratch = folder(workspace, name)?;
    let package = scratch.join("emitted");
    OutputDir::locate(&package)?.write(files)?;
    lock(workspace, &package)?;
    let has_operations =
        |file: &SourceFile| file.path == "Cargo.toml" && file.text.contains("\noperations = [");
    let features =
        if files.iter().any(has_operations) { "blocking,operations" } else { "blocking" };
    let mut cargo = cargo(&package, &scratch.join("target"));
    cargo.args(["check", "--quiet", "--no-default-features", "--features", features]);
    Ok(succeed(&mut cargo).is_ok())
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

/// Touches all files below a folder, so that cargo compiles them again.
pub fn touch(folder: &Path) -> Result<(), Failure> {
    files(folder)?.iter().try_for_each(|path| {
        let file = fs::File::options().append(true).open(path);
        file.and_then(|file| file.set_modified(SystemTime::now())).context("touch", path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_gnu_time_are_read() {
        let cost = cost("1.50 2.25 0.25 2048").unwrap();
        assert_eq!(cost.time, Duration::from_millis(1500));
        assert_eq!(cost.cpu, Duration::from_millis(2500));
        assert_eq!(cost.memory, 2 << 20);
        assert!(super::cost("Command exited with non-zero status 1").is_none());
    }
}
