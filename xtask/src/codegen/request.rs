//! What one run is asked to do, with every default filled in.

use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::Settings;

use crate::codegen::arguments::Arguments;
use crate::codegen::package_name::PackageName;
use crate::codegen::settings::SettingsFile;
use crate::exit::Failure;
use crate::folder;
use crate::workspace::{self, Workspace};

/// The command that makes an emitted crate agree with its description; every message that names it takes it from here.
const COMMAND: &str = "cargo xtask codegen";

/// The package name of the crate that emitted code runs on.
const RUNTIME: &str = "access-governance-runtime";

/// What one run is asked to do.
#[derive(Debug)]
pub struct Request {
    /// The description, as a person in the current folder writes its path.
    pub spec: PathBuf,
    /// The folder of the emitted crate, as a person in the current folder writes its path.
    pub out: PathBuf,
    /// Whether the folder is this workspace's own, which nothing but this command writes.
    pub owns_out: bool,
    /// What the generator has to know beside the description.
    pub settings: Settings,
    /// Whether to compare only.
    pub check: bool,
    /// Whether to print the intermediate representation only.
    pub dump_ir: bool,
    /// The command that writes what this run is about.
    pub repair: String,
}

impl Request {
    /// Fills in the defaults: paths from the workspace, names and versions from the `codegen.toml` beside the description.
    pub fn resolve(arguments: Arguments, workspace: &Workspace) -> Result<Self, Failure> {
        let own_spec =
            arguments.spec.as_deref().is_none_or(|spec| is_same(spec, &workspace.description()));
        if !own_spec && arguments.out.is_none() && !arguments.dump_ir {
            return Err(Failure::new(
                "`--spec` names another description, but there is no folder for its crate",
            )
            .help("add `--out DIR`"));
        }
        let repair = repair(&arguments);
        let spec = arguments
            .spec
            .unwrap_or_else(|| workspace::seen_from_here(&workspace.description()).to_owned());
        let out = arguments
            .out
            .unwrap_or_else(|| workspace::seen_from_here(&workspace.generated()).to_owned());
        let file = SettingsFile::read(&spec.with_file_name("codegen.toml"))?;
        let package = match arguments.package.or(file.name) {
            Some(name) => name,
            None if arguments.dump_ir => {
                PackageName::try_from("dumped".to_owned()).map_err(Failure::new)?
            }
            None => return Err(nameless(&spec)),
        };
        let target = folder::absolute(&out)?;
        Ok(Self {
            owns_out: target == workspace.generated(),
            settings: Settings {
                package: package.to_string(),
                version: file
                    .version
                    .map_or_else(|| "0.1.0".to_owned(), |version| version.to_string()),
                runtime: runtime_dependency(&target, workspace),
                env_prefix: file.env_prefix,
                standalone: is_standalone(&target, workspace),
            },
            spec,
            out,
            check: arguments.check,
            dump_ir: arguments.dump_ir,
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

/// Returns the command that repeats these arguments without `--check`.
fn repair(arguments: &Arguments) -> String {
    let package = arguments.package.as_ref().map(|name| Path::new(name.as_str()));
    let options = [
        ("--spec", arguments.spec.as_deref()),
        ("--out", arguments.out.as_deref()),
        ("--package", package),
    ];
    let given = options
        .into_iter()
        .filter_map(|(option, value)| Some(format!(" {option} {}", quoted(value?))));
    given.fold(COMMAND.to_owned(), |command, option| command + &option)
}

/// Returns an argument as a shell reads it back.
fn quoted(argument: &Path) -> String {
    let text = argument.to_string_lossy();
    let plain = |char: char| char.is_alphanumeric() || "-_./:\\".contains(char);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the value of the line of the emitted manifest that names the runtime.
fn runtime_dependency(target: &Path, workspace: &Workspace) -> String {
    // Every JSON string is a TOML string.
    let path = serde_json::Value::from(with_slashes(&workspace::way(target, &workspace.runtime())));
    format!(
        "{{ package = \"{RUNTIME}\", path = {path}, version = \"{}\", default-features = false }}",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns whether the emitted crate must be a workspace of its own.
///
/// It must where no workspace encloses it, and in this one outside of its members. Into somebody else's workspace it
/// goes as a member: a workspace inside another would be refused there.
fn is_standalone(target: &Path, workspace: &Workspace) -> bool {
    match workspace::enclosing(target) {
        None => true,
        Some(root) => root == workspace.root() && target != workspace.generated(),
    }
}

fn with_slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repairing_command_repeats_the_arguments() {
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
    fn the_runtime_is_named_by_the_way_to_it() {
        let workspace = Workspace::locate().unwrap();
        let generated = runtime_dependency(&workspace.generated(), &workspace);
        assert!(generated.contains("path = \"../runtime\""), "{generated}");
        let elsewhere = runtime_dependency(&workspace.root().join("a/b"), &workspace);
        assert!(elsewhere.contains("path = \"../../runtime\""), "{elsewhere}");
    }

    #[test]
    fn only_members_of_a_workspace_have_none_of_their_own() {
        let workspace = Workspace::locate().unwrap();
        assert!(!is_standalone(&workspace.generated(), &workspace));
        assert!(is_standalone(&workspace.root().join("target/emitted"), &workspace));
        let folder = tempfile::tempdir().unwrap();
        assert!(is_standalone(&folder.path().join("emitted"), &workspace));
        fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
        assert!(!is_standalone(&folder.path().join("emitted"), &workspace));
    }
}
