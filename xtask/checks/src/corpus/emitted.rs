//! Compiles emitted crates in scratch folders.

use std::path::PathBuf;

use ::codegen::SourceFile;

use commands::host::exit::Fallible;
use commands::host::output_dir::OutputDir;
use commands::host::scratch::{cargo, lock, succeed};
use commands::host::workspace::Workspace;

/// Returns the line of the workspace's runtime in the manifests of scratch crates.
pub fn runtime(workspace: &Workspace) -> String {
    let path = serde_json::Value::from(workspace.runtime().to_string_lossy());
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
        let scratch = workspace.root().join("target").join("scratch").join(name);
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
