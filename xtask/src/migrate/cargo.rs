//! The users' workspace, as cargo describes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use commands::host::cargo;
use commands::host::exit::{Context, Failure, Fallible};
use commands::host::toml_file;

/// A workspace, or a package outside of one.
pub struct Workspace {
    /// The folder.
    pub root: PathBuf,
    /// The target folder.
    pub target: PathBuf,
    /// The packages that are checked; none for the whole workspace.
    pub packages: BTreeSet<String>,
    /// Where the emitted crate comes from.
    pub source: Source,
    /// The options for the features of the packages.
    pub options: Vec<String>,
}

/// Where a dependency comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A folder.
    Folder(PathBuf),
    /// A repository or a registry, as `[patch]` names it.
    Remote(String),
}

impl Workspace {
    /// Describes the workspace of a manifest that depends on a package.
    pub fn of(manifest: &Path, package: &str, options: &[String]) -> Fallible<Self> {
        if !manifest.is_file() {
            return Err(Failure::at("read", manifest, "there is no such file")
                .help("name the Cargo.toml of a crate or of a workspace"));
        }
        let mut command = Command::new(cargo::program());
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
        let output = command.arg(manifest).output().context("run cargo for", manifest)?;
        let value: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
            let message = String::from_utf8_lossy(&output.stderr);
            Failure::new(format!("cargo rejects {}:\n{}", manifest.display(), message.trim_end()))
        })?;
        let root = PathBuf::from(value["workspace_root"].as_str().unwrap_or_default());
        let own = std::fs::canonicalize(manifest).context("read", manifest)?;
        let is_whole = std::fs::canonicalize(root.join("Cargo.toml")).is_ok_and(|it| it == own);
        let packages = value["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_own = |found: &&Value| {
            let path = found["manifest_path"].as_str().unwrap_or_default();
            is_whole || std::fs::canonicalize(path).is_ok_and(|path| path == own)
        };
        let own: Vec<&Value> = packages.iter().filter(is_own).collect();
        let named = own.iter().filter(|_| !is_whole).filter_map(|it| it["name"].as_str());
        let dependencies = own.iter().filter_map(|it| it["dependencies"].as_array()).flatten();
        let source = dependencies.filter(|it| it["name"] == package).find_map(Source::new);
        let source = source.ok_or_else(|| {
            Failure::new(format!("{} does not depend on `{package}`", manifest.display()))
                .help(
                    "name the manifest of a crate that uses the bindings, or of its workspace, and the package \
                     of the bindings with --package, if no codegen.toml does",
                )
        })?;
        Ok(Self {
            packages: named.map(str::to_owned).collect(),
            options: options.to_vec(),
            target: PathBuf::from(value["target_directory"].as_str().unwrap_or_default()),
            root,
            source,
        })
    }
}

impl Source {
    /// Returns the folder.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Remote(_) => None,
        }
    }

    /// Returns whether it is a folder with a workspace of its own.
    pub fn is_standalone(&self) -> bool {
        let manifest = self.folder().map(|folder| toml_file::text(&folder.join("Cargo.toml")));
        matches!(manifest, Some(Ok(text)) if text.contains("\n[workspace]"))
    }

    fn new(dependency: &Value) -> Option<Self> {
        if let Some(path) = dependency["path"].as_str() {
            let path = PathBuf::from(path);
            return Some(Self::Folder(std::fs::canonicalize(&path).unwrap_or(path)));
        }
        let source = dependency["source"].as_str()?;
        let url = source.split_once('+').map_or(source, |(_, url)| url);
        let url = url.split(['?', '#']).next().unwrap_or(url);
        let is_default = url == "https://github.com/rust-lang/crates.io-index";
        Some(Self::Remote(if is_default { "crates-io".to_owned() } else { url.to_owned() }))
    }
}
