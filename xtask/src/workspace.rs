//! Where things are in this workspace, whatever the current folder.

use std::env;
use std::fs;
use std::path::{Component, Path, PathBuf};

use toml::de::DeTable;

use crate::exit::{Doing, Failure};

/// This workspace.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Returns the workspace that this program belongs to.
    ///
    /// cargo says at run time where the package is that it runs; a program started without cargo falls back to where
    /// it was built.
    pub fn locate() -> Result<Self, Failure> {
        let package = match (env::var_os("CARGO_PKG_NAME"), env::var_os("CARGO_MANIFEST_DIR")) {
            (Some(name), Some(folder)) if name == env!("CARGO_PKG_NAME") => PathBuf::from(folder),
            _ => PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        };
        let root = package.parent().unwrap_or(&package);
        Ok(Self { root: fs::canonicalize(root).doing("find the workspace at", root)? })
    }

    /// Returns the workspace's folder: absolute, and free of symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the description that `cargo xtask codegen` reads where no other is named.
    pub fn description(&self) -> PathBuf {
        self.root.join("spec").join("openapi.yaml")
    }

    /// Returns the folder that `cargo xtask codegen` writes where no other is named.
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
/// A manifest that cannot be read or parsed is passed over: cargo reports it to whoever builds there.
pub fn enclosing(folder: &Path) -> Option<&Path> {
    folder.ancestors().skip(1).find(|ancestor| {
        let manifest = fs::read_to_string(ancestor.join("Cargo.toml")).ok();
        manifest.is_some_and(|text| {
            DeTable::parse(&text).is_ok_and(|table| table.get_ref().contains_key("workspace"))
        })
    })
}

/// Returns the way from one absolute folder to another, or `to` itself where they share no root.
pub fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return to.to_path_buf();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// Returns a path as a person in the current folder would write it.
pub fn seen_from_here(path: &Path) -> &Path {
    let here = env::current_dir().and_then(fs::canonicalize);
    match here.ok().and_then(|here| path.strip_prefix(here).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => Path::new("."),
        Some(rest) => rest,
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_go_up_and_down() {
        let way = |from, to| way(Path::new(from), Path::new(to)).to_string_lossy().into_owned();
        assert_eq!(way("/w/generated", "/w/runtime"), "../runtime");
        assert_eq!(way("/w/a/b", "/w/runtime"), "../../runtime");
        assert_eq!(way("/elsewhere", "/w/runtime"), "../w/runtime");
        assert_eq!(way("/w", "/w/runtime"), "runtime");
    }

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
