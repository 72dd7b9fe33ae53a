//! Compiles emitted crates in scratch folders.

use std::path::PathBuf;

use ::codegen::SourceFile;

use commands::host::exit::Fallible;
use commands::host::output_dir::OutputDir;
use commands::host::scratch::{cargo, lock, succeed};
use commands::host::workspace::Workspace;

/// Returns the line of the workspace's runtime in the manifests of scratch crates.
pub fn runtime(workspace: &Workspace) -> String {
    let path = serde_json::Value::from(workspace.root.join("runtime").to_string_lossy());
    format!("{{ package = \"openapi-bindings-runtime\", path = {path}, default-features = false }}")
}

/// An emitted crate in a scratch folder.
pub struct EmittedCrate {
    package: PathBuf,
    target: PathBuf,
}

impl EmittedCrate {
    /// Writes the crate.
    pub fn write(files: &[SourceFile], name: &str, workspace: &Workspace) -> Fallible<Self> {
        let scratch = workspace.root.join("target").join("scratch").join(name);
        let package = scratch.join("emitted");
        OutputDir::locate(&package)?.write(files)?;
        lock(workspace, &package)?;
        Ok(Self { package, target: scratch.join("target") })
    }

    /// Returns whether `cargo check`, or clippy without a warning, accepts the crate with these features. Messages go to
    /// standard error.
    pub fn passes(&self, subcommand: &str, features: &str) -> bool {
        let mut cargo = cargo(&self.package, &self.target);
        cargo.args([subcommand, "--quiet", "--no-default-features", "--features", features]);
        if subcommand == "clippy" {
            cargo.args(["--", "--deny", "warnings"]);
        }
        succeed(&mut cargo).is_ok()
    }
}
