//! The default paths: in this workspace or, for the installed program, below the current folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::host::exit::{Context, Exit, Fallible};
use crate::host::read;

/// The folder with the spec and the emitted crate.
#[derive(Debug)]
pub struct Workspace {
    /// The absolute path, without symbolic links.
    pub root: PathBuf,
    /// Whether cargo runs this program in its own workspace.
    pub is_own: bool,
}

/// Returns the root of this workspace if cargo runs one of its programs; `None` for the installed program.
fn own_root() -> Option<PathBuf> {
    let is_own = env::var_os("CARGO_PKG_NAME").is_some_and(|name| {
        ["checks", "openapi-bindings", "openapi-bindings-commands", "xtask"]
            .iter()
            .any(|own| name == *own)
    });
    let package = env::var_os("CARGO_MANIFEST_DIR").filter(|_| is_own).map(PathBuf::from)?;
    let xtask = package.ancestors().find(|folder| folder.ends_with("xtask"))?;
    xtask.parent().map(Path::to_owned)
}

/// Returns the command that starts this program.
pub fn program() -> &'static str {
    if own_root().is_some() { "cargo xtask" } else { "openapi-bindings" }
}

impl Workspace {
    /// Returns this workspace if cargo runs this program, or else the current folder.
    pub fn locate() -> Fallible<Self> {
        let own = own_root();
        let is_own = own.is_some();
        let root = own.as_deref().unwrap_or(Path::new("."));
        Ok(Self { root: fs::canonicalize(root).context("find the workspace at", root)?, is_own })
    }

    /// Returns whether this is a clone of the repository of this program.
    pub fn is_source(&self) -> bool {
        ["xtask", "runtime"].iter().all(|part| self.root.join(part).join("Cargo.toml").is_file())
    }
}

/// Returns the folder of the nearest workspace that a crate in `folder` would belong to.
///
/// A manifest that cannot be read or parsed is ignored; cargo reports it.
pub fn enclosing(folder: &Path) -> Option<&Path> {
    folder.ancestors().skip(1).find(|ancestor| {
        let manifest = read::text(&ancestor.join("Cargo.toml"), Exit::Failed).ok();
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
    fn the_runtime_has_the_version_that_emitted_manifests_require() {
        let workspace = Workspace::locate().unwrap();
        let manifest =
            fs::read_to_string(workspace.root.join("runtime").join("Cargo.toml")).unwrap();
        let version = format!("\nversion = \"{}\"\n", env!("CARGO_PKG_VERSION"));
        assert!(manifest.contains(&version), "{manifest}");
    }
}
