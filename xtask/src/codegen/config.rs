//! The configuration of a run: its arguments, with every default resolved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::Settings;

use crate::codegen::arguments::Arguments;
use crate::host::exit::Failure;
use crate::host::paths::{absolute_path, display_path, relative_path};
use crate::host::workspace::{self, Workspace};
use crate::settings::SettingsFile;

/// The package name of the runtime.
const RUNTIME: &str = "openapi-bindings-runtime";

/// The configuration of a run.
#[derive(Debug)]
pub struct Config {
    /// The path of the spec, as messages show it.
    pub spec: PathBuf,
    /// The folder of the emitted crate, as messages show it.
    pub out: PathBuf,
    /// Whether the folder is this workspace's `generated/`, which only this command writes.
    pub owns_out: bool,
    /// The settings of the generator.
    pub settings: Settings,
    /// Whether to compare the folder with the generated crate, and write nothing.
    pub check: bool,
    /// The overlays, in the order in which they apply.
    pub overlays: Vec<PathBuf>,
    /// Whether warnings are errors.
    pub deny_warnings: bool,
    /// The command that updates the folder, with the options of this run.
    pub repair: String,
}

impl Config {
    /// Resolves the defaults: paths from the workspace, the name and version from the `codegen.toml` beside the spec.
    pub fn resolve(arguments: Arguments, workspace: &Workspace) -> Result<Self, Failure> {
        let own_spec =
            arguments.spec.as_deref().is_none_or(|spec| is_same(spec, &workspace.spec()));
        if !own_spec && arguments.out.is_none() {
            return Err(Failure::new(
                "`--spec` names another spec, but no folder for its crate is given",
            )
            .help("add `--out DIR`"));
        }
        let repair = repair(&arguments);
        let spec = arguments.spec.unwrap_or_else(|| display_path(&workspace.spec()).to_owned());
        let out = arguments.out.unwrap_or_else(|| display_path(&workspace.generated()).to_owned());
        let file = SettingsFile::read(&spec.with_file_name("codegen.toml"))?;
        let package = arguments.package.or(file.name).ok_or_else(|| nameless(&spec))?;
        let target = absolute_path(&out)?;
        let runtime = runtime_dependency(&file.runtime, &spec, &target, workspace)?;
        Ok(Self {
            owns_out: workspace.is_own() && target == workspace.generated(),
            settings: Settings {
                command: command(),
                package: package.as_str().to_owned(),
                version: file
                    .version
                    .map_or_else(|| "0.1.0".to_owned(), |version| version.to_string()),
                metadata: file.metadata,
                runtime,
                env_prefix: file.env_prefix,
                request_id: file.request_id,
                aliases: file.aliases,
                file: file.file,
                renames: file.renames,
                keep_going: arguments.keep_going,
                standalone: is_standalone(&target, workspace),
            },
            spec,
            out,
            check: arguments.check,
            overlays: arguments.overlays,
            deny_warnings: arguments.deny_warnings,
            repair,
        })
    }
}

fn nameless(spec: &Path) -> Failure {
    let file = spec.with_file_name("codegen.toml");
    Failure::new("the emitted crate has no name").help(format!(
        "add `--package NAME`, or write `[package]` with a `name` into `{}`",
        file.display()
    ))
}

fn is_same(path: &Path, own: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|path| path == own)
}

/// Returns the command without arguments.
fn command() -> String {
    format!("{} codegen", workspace::program())
}

/// Returns the command with these arguments, without `--check`.
fn repair(arguments: &Arguments) -> String {
    let package = arguments.package.as_ref().map(|name| Path::new(name.as_str()));
    let options = [
        ("--spec", arguments.spec.as_deref()),
        ("--out", arguments.out.as_deref()),
        ("--package", package),
    ];
    let overlays = arguments.overlays.iter().map(|overlay| ("--overlay", Some(overlay.as_path())));
    let given = options
        .into_iter()
        .chain(overlays)
        .filter_map(|(option, value)| Some(format!(" {option} {}", quoted(value?))));
    given.fold(command(), |command, option| command + &option)
}

/// Returns an argument quoted for a shell.
fn quoted(argument: &Path) -> String {
    let text = argument.to_string_lossy();
    let plain = |char: char| char.is_alphanumeric() || "-_./:\\".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the value of `runtime` in the emitted manifest: where `codegen.toml` locates it, or in this workspace.
fn runtime_dependency(
    located: &BTreeMap<String, String>,
    spec: &Path,
    target: &Path,
    workspace: &Workspace,
) -> Result<String, Failure> {
    let mut located = located.clone();
    if located.is_empty() {
        let manifest = workspace.runtime().join("Cargo.toml");
        if !workspace.is_own() {
            let file = spec.with_file_name("codegen.toml");
            return Err(Failure::new("the location of the runtime is missing").help(format!(
                "write `[runtime]` with `path`, `git` or `version` into `{}`",
                file.display()
            )));
        }
        located.insert("path".to_owned(), manifest.with_file_name("").display().to_string());
        located.insert("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    }
    if let Some(path) = located.get_mut("path") {
        let runtime = absolute_path(&spec.with_file_name("").join(&*path))?;
        *path = relative_path(target, &runtime).to_string_lossy().replace('\\', "/");
    }
    // Every JSON string is a TOML string.
    let located = located
        .iter()
        .map(|(key, value)| format!("{key} = {}", serde_json::Value::from(value.as_str())));
    let located: Vec<_> = located.collect();
    Ok(format!("{{ package = \"{RUNTIME}\", {}, default-features = false }}", located.join(", ")))
}

/// Returns whether the emitted crate must be a workspace of its own: it is below this workspace, and not a member of it.
fn is_standalone(target: &Path, workspace: &Workspace) -> bool {
    let is_inside = workspace::enclosing(target).is_some_and(|root| root == workspace.root());
    is_inside && workspace.is_own() && target != workspace.generated()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repair_command_has_the_same_arguments() {
        let none = Arguments { check: true, ..Arguments::default() };
        assert_eq!(repair(&none), "cargo xtask codegen");
        let all = Arguments {
            spec: Some("a dir/it's.yaml".into()),
            out: Some("../out".into()),
            package: Some("pets".parse().unwrap()),
            ..none
        };
        assert_eq!(
            repair(&all),
            r"cargo xtask codegen --spec 'a dir/it'\''s.yaml' --out ../out --package pets"
        );
    }

    #[test]
    fn the_runtime_is_a_relative_path() {
        let workspace = Workspace::locate().unwrap();
        let root = workspace.root();
        let dependency = |located: &[(&str, &str)], target: &str| {
            let located =
                located.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let spec = root.join("spec/openapi.yaml");
            runtime_dependency(&located.collect(), &spec, &root.join(target), &workspace).unwrap()
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
    fn only_members_of_a_workspace_have_none_of_their_own() {
        let workspace = Workspace::locate().unwrap();
        assert!(!is_standalone(&workspace.generated(), &workspace));
        assert!(is_standalone(&workspace.root().join("target/emitted"), &workspace));
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_standalone(&folder.path().join("emitted"), &workspace));
        fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
        assert!(!is_standalone(&folder.path().join("emitted"), &workspace));
    }
}
