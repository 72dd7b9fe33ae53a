//! Helpers of all steps: commands, files, failures.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The reason why a run has no result.
pub type Failure = Box<dyn std::error::Error>;

/// The folder of this repository.
pub const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Runs a command to its end, and returns what it prints.
pub fn run(command: &mut Command, what: &str) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("failed to run {what}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{what} failed: {}\n{printed}{errors}", output.status).into())
}

/// Writes a file, unless it has this text.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let parent = path.parent().ok_or("a file is in no folder")?;
    fs::create_dir_all(parent).and_then(|()| fs::write(path, text))?;
    Ok(())
}
