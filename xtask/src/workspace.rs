//! The paths of this workspace, whatever the current folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::exit::{Context, Failure};

/// This workspace.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Returns the workspace that this program belongs to.
    ///
    /// cargo sets the folder of the package that it runs; a program started without cargo falls back to the folder it was
    /// built in.
    pub fn locate() -> Result<Self, Failure> {
        let package = match (env::var_os("CARGO_PKG_NAME"), env::var_os("CARGO_MANIFEST_DIR")) {
            (Some(name), Some(folder)) if name == env!("CARGO_PKG_NAME") => PathBuf::from(folder),
            _ => PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        };
        let root = package.parent().unwrap_or(&package);
        Ok(Self { root: fs::canonicalize(root).context("find the workspace at", root)? })
    }

    /// Returns the workspace's folder: absolute, and free of symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the spec that `cargo xtask codegen` reads by default.
    pub fn spec(&self) -> PathBuf {
        self.root.join("spec").join("openapi.yaml")
    }

    /// Returns the folder that `cargo xtask codegen` writes by default.
    pub fn generated(&self) -> PathBuf {
        self.root.join("generated")
    }

    /// Returns the folder of the crate that emitted code runs on.
    pub fn runtime(&self) -> PathBuf {
        self.root.join("runtime")
    }
}

/// Returns the folder of the nearest workspace that a crate in `folder` would belong to.
///
/// A manifest that cannot be read or parsed is ignored: cargo reports it to whoever builds there.
pub fn enclosing(folder: &Path) -> Option<&Path> {
    folder.ancestors().skip(1).find(|ancestor| {
        let manifest = fs::read_to_string(ancestor.join("Cargo.toml")).ok();
        manifest.is_some_and(|text| {
            DeTable::parse(&text).is_ok_and(|table| table.get_ref().contains_key("workspace"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_workspace_is_found() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("a/inner");
        fs::create_dir_all(&inner).unwrap();
        fs::write(outer.path().join("Cargo.toml"), "[workspace]\n").unwrap();
        fs::write(inner.join("Cargo.toml"), "[package]\nname = \"inner\"\n").unwrap();
        assert_eq!(enclosing(&inner.join("emitted")), Some(outer.path()));
        fs::write(inner.join("Cargo.toml"), "[workspace]\n").unwrap();
        assert_eq!(enclosing(&inner.join("emitted")), Some(inner.as_path()));
        assert_eq!(enclosing(&inner), Some(outer.path()));
    }

    #[test]
    fn the_runtime_shares_the_version_that_emitted_manifests_ask_for() {
        let workspace = Workspace::locate().unwrap();
        let manifest = fs::read_to_string(workspace.runtime().join("Cargo.toml")).unwrap();
        assert!(manifest.contains("\nversion.workspace = true\n"), "{manifest}");
    }
}
