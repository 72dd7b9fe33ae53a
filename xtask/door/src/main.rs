//! `cargo xtask …`: runs the commands that generate and compare, and builds the program with the others if it needs one.
//!
//! So a newcomer's first command compiles what generating needs, and nothing else.

use std::env;
use std::process::{Command, ExitCode};

use commands::host::cargo;

fn main() -> ExitCode {
    let name = env::args_os().nth(1);
    let is_own = commands::COMMANDS
        .iter()
        .any(|(command, _)| name.as_ref().is_some_and(|name| command().get_name() == name));
    if is_own {
        return commands::run("The commands of this workspace", &commands::COMMANDS);
    }
    let mut checks = Command::new(cargo::program());
    checks.args(["run", "--quiet", "--package", "checks", "--manifest-path"]);
    checks.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).arg("--");
    match checks.args(env::args_os().skip(1)).status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            code.map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            eprintln!("error: failed to run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
