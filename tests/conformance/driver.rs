//! The program that sends the calls.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::plan::Plan;
use crate::step::{Failure, REPOSITORY, run, write};

const MANIFEST: &str = "\
[package]
name = \"conformance-calls\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[workspace]

[profile.dev]
debug = false

[dependencies]
runtime = { package = \"openapi-bindings-runtime\", path = RUNTIME, default-features = false, features = [\"reqwest\", \"tls-ring\"] }
tokio = { version = \"1\", features = [\"macros\", \"rt\"] }
";

/// Writes and builds the program, and returns its path.
pub fn build(plan: &Plan<'_>, folder: &Path) -> Result<PathBuf, Failure> {
    let runtime = format!("{:?}", format!("{REPOSITORY}/runtime"));
    let mut manifest = MANIFEST.replace("RUNTIME", &runtime);
    let mut calls = String::new();
    for document in &plan.documents {
        let package = document.package();
        let path = folder.join("crates").join(&package).display().to_string();
        writeln!(manifest, "{package} = {{ path = {path:?} }}")?;
        writeln!(calls, "    let client = {package}::Client::builder(&url).build()?;")?;
        for call in &document.calls {
            let scenario = call.scenario;
            let client = match call.credentials {
                Some(methods) => format!("{package}::Client::builder(&url).{methods}.build()?"),
                None => "client".to_owned(),
            };
            let methods = call.methods;
            match call.failure {
                None => {
                    writeln!(calls, "    report({scenario:?}, {client}.{methods}.await.err());")?;
                }
                Some(text) => {
                    writeln!(calls, "    let request = {client}.{methods};")?;
                    writeln!(calls, "    let error = request.clone().await.err();")?;
                    writeln!(
                        calls,
                        "    report({scenario:?}, unlike(&request, error, {text:?}));"
                    )?;
                }
            }
        }
    }
    let program = include_str!("driver.rs.in").replace("    CALLS;\n", &calls);
    let package = folder.join("calls");
    write(&package.join("Cargo.toml"), &manifest)?;
    write(&package.join("src/main.rs"), &program)?;
    write(&package.join("Cargo.lock"), &fs::read_to_string(format!("{REPOSITORY}/Cargo.lock"))?)?;
    let target = folder.join("target");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet"]).current_dir(package).env("CARGO_TARGET_DIR", &target);
    run(&mut cargo, "the build of a program")?;
    Ok(target.join("debug/conformance-calls"))
}

/// Returns the `cargo` that runs this program.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
