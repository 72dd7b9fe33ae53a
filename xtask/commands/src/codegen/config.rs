//! The configuration of a run: its arguments, with every default resolved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::{Readable, Settings};
use clap::ArgMatches;

use crate::host::exit::{Failure, Fallible};
use crate::host::paths::{absolute_path, display_path};
use crate::host::read;
use crate::host::workspace::{self, Workspace};
use crate::settings::package_name::PackageName;
use crate::settings::project::Project;
use crate::settings::types::{dependencies_of, located, toml_string};

/// The package name of the runtime.
const RUNTIME: &str = "openapi-bindings-runtime";

/// The configuration of a run.
#[derive(Debug)]
pub struct Config {
    /// Whether all places of a warning are shown.
    pub verbose: bool,
    /// Whether warnings are errors.
    pub deny_warnings: bool,
    /// The path of the spec in messages.
    pub spec: PathBuf,
    /// The folder of the emitted crate in messages.
    pub out: PathBuf,
    /// Whether the folder is this workspace's `generated/`, which only this command writes.
    pub owns_out: bool,
    /// The settings of the generator.
    pub settings: Settings,
    /// The overlays, in the order in which they apply.
    pub overlays: Vec<PathBuf>,
    /// The folder whose files the spec may refer to.
    pub readable: Readable,
    /// What the settings lack to write the crate; reported after the problems of the document.
    pub lacking: Option<Failure>,
}

impl Config {
    /// Takes the options that the arguments omit from `codegen.toml`, and from the workspace.
    pub fn resolve(arguments: &ArgMatches, workspace: &Workspace) -> Fallible<Self> {
        let own = Project::of_workspace(workspace)?;
        let workspace_out = own.out.as_deref().map(absolute_path).transpose()?;
        let named: Option<&PathBuf> = arguments.get_one("spec");
        let project = match named {
            Some(spec) if !is_same(spec, &own.spec) => Project::of_spec(spec)?,
            _ => own,
        };
        let spec = named.cloned().unwrap_or_else(|| display_path(&project.spec).to_owned());
        // A spec that does not exist is reported before what its settings lack.
        read::is_readable(&spec)?;
        let out = project.out.as_deref().map(|out| display_path(out).to_owned());
        let out = arguments.get_one("out").cloned().or(out);
        let mut lacking = out.is_none().then(|| {
            Failure::new("`--spec` needs a folder for the crate")
                .help("add `--out DIR`, or write `out` into the codegen.toml next to the spec, as `init FILE` does")
        });
        let out = out.unwrap_or_else(|| spec.with_file_name("bindings"));
        let readable = project.readable()?;
        let Project { file, settings, overlays, .. } = project;
        let package = arguments.get_one("package").cloned().or(settings.package.name);
        lacking = lacking.or_else(|| package.is_none().then(|| nameless(&file)));
        let version = settings.package.version.as_ref();
        let target = absolute_path(&out)?;
        let owns_out = workspace.is_own && workspace_out.as_ref() == Some(&target);
        let overlays = overlays.iter().map(|overlay| display_path(overlay).to_owned());
        let given = arguments.get_many("overlay").into_iter().flatten();
        let runtime = runtime_dependency(&settings.runtime, &file, &target, workspace);
        let runtime = runtime.map_err(|failure| lacking.get_or_insert(failure)).unwrap_or_default();
        Ok(Self {
            owns_out,
            settings: Settings {
                command: format!("{} codegen", workspace::program()),
                package: PackageName::or_default(package.as_ref()).to_owned(),
                version: version.map_or_else(|| "0.1.0".to_owned(), ToString::to_string),
                runtime,
                dependencies: dependencies_of(&settings.dependencies, &file, &target)?,
                metadata: settings.package.metadata,
                keep_going: arguments.get_flag("keep-going") || settings.generator.keep_going,
                standalone: !owns_out && is_inside(&target, workspace),
                ..settings.generator
            },
            spec,
            out,
            readable,
            overlays: overlays.chain(given.cloned()).collect(),
            lacking,
            verbose: arguments.get_flag("verbose"),
            deny_warnings: arguments.get_flag("deny-warnings"),
        })
    }
}

fn nameless(file: &Path) -> Failure {
    Failure::new("the emitted crate has no name").help(format!(
        "add `--package NAME`, or write `[package]` with a `name` into `{}`",
        display_path(file).display()
    ))
}

fn is_same(path: &Path, own: &Path) -> bool {
    let real = |path| fs::canonicalize(path).ok();
    real(path).is_some_and(|path| Some(path) == real(own))
}

/// Returns an argument quoted for a shell.
pub fn quoted(argument: &Path) -> String {
    let text = argument.to_string_lossy();
    let mut chars = text.chars();
    if !text.is_empty() && chars.all(|char| char.is_alphanumeric() || "-_./:\\".contains(char)) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the value of `runtime` in the emitted manifest: the location in `codegen.toml`, or the runtime of this
/// workspace.
pub fn runtime_dependency(
    located: &BTreeMap<String, String>,
    file: &Path,
    target: &Path,
    workspace: &Workspace,
) -> Fallible<String> {
    let mut located = located.clone();
    if located.is_empty() {
        if workspace.is_own {
            let path = workspace.root.join("runtime").display().to_string();
            located.insert("path".to_owned(), path);
        } else if !is_published() {
            let help = if workspace.is_source() {
                "in this repository, run `cargo xtask codegen`".to_owned()
            } else {
                format!(
                    "write `[runtime]` with `path`, `git` or `version` into `{}`; without this file, `{} init FILE` writes one",
                    display_path(file).display(),
                    workspace::program()
                )
            };
            return Err(Failure::new("the location of the runtime is missing").help(help));
        }
        located.insert("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    }
    let package = located.remove("package").unwrap_or_else(|| RUNTIME.to_owned());
    let located = self::located(&located, file, target)?;
    let package = toml_string(&package);
    Ok(format!("{{ package = {package}, {}, default-features = false }}", located.join(", ")))
}

/// Returns whether this program is published, and thus the runtime of its version, too: it was built from a registry, or
/// for a release.
fn is_published() -> bool {
    option_env!("OPENAPI_BINDINGS_RELEASE").is_some() || is_of_registry(env!("CARGO_MANIFEST_DIR"))
}

/// Returns whether cargo has unpacked a package from a registry into this folder.
fn is_of_registry(folder: &str) -> bool {
    folder.replace('\\', "/").contains("/registry/src/")
}

/// Returns whether a folder is below this workspace, so that a crate in it must be a member of it or a workspace of its
/// own.
fn is_inside(target: &Path, workspace: &Workspace) -> bool {
    let is_below = workspace::enclosing(target).is_some_and(|root| root == workspace.root);
    is_below && workspace.is_own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_registry_are_recognized() {
        assert!(is_of_registry("/cargo/registry/src/index-1a2b/openapi-bindings-0.1.0"));
        assert!(is_of_registry("C:\\cargo\\registry\\src\\index-1a2b\\openapi-bindings-0.1.0"));
        assert!(!is_of_registry("/access-governance/xtask"));
        assert!(!is_published(), "these tests are in a clone");
    }

    #[test]
    fn the_runtime_is_a_relative_path() {
        let workspace = Workspace::locate().unwrap();
        let root = &workspace.root;
        let dependency = |located: &[(&str, &str)], target: &str| {
            let located =
                located.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let file = root.join("spec/codegen.toml");
            runtime_dependency(&located.collect(), &file, &root.join(target), &workspace).unwrap()
        };
        let expected = format!(
            "{{ package = \"openapi-bindings-runtime\", path = \"../runtime\", version = \"{}\", default-features = false }}",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(dependency(&[], "generated"), expected);
        assert!(dependency(&[("path", "../runtime")], "a/b").contains("path = \"../../runtime\""));
        let git = dependency(&[("git", "https://example.com"), ("rev", "1")], "generated");
        assert!(git.contains("git = \"https://example.com\", rev = \"1\", default"), "{git}");
    }

    #[test]
    fn only_folders_below_the_workspace_are_inside() {
        let workspace = Workspace::locate().unwrap();
        assert!(is_inside(&workspace.root.join("target/emitted"), &workspace));
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_inside(&folder.path().join("emitted"), &workspace));
        fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
        assert!(!is_inside(&folder.path().join("emitted"), &workspace));
    }
}
