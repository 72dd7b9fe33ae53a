//! The cargo that runs this program, so that all steps use one toolchain.

use std::env;
use std::ffi::OsString;
use std::process::Command;

use crate::host::workspace::Workspace;

/// Returns the program.
pub fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns the command that runs it in the workspace.
pub fn command(workspace: &Workspace) -> Command {
    let mut command = Command::new(program());
    command.current_dir(&workspace.root);
    command
}
