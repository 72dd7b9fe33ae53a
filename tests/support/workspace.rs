//! A throw-away workspace of emitted crates, kept between runs so that only what changed is compiled again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use codegen::SourceFile;
use tests::stale::remove_stale;

/// The folder of this workspace's packages.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The target folder of all these workspaces.
const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/target");

/// The build folder of the tests, in which most dependencies are compiled already.
const BUILD: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/..");

/// Maximum length of cargo's output that is shown.
const SHOWN_LINES: usize = 400;

/// A workspace of emitted crates.
pub struct Workspace {
    root: PathBuf,
    written: BTreeSet<PathBuf>,
    members: BTreeSet<String>,
}

impl Workspace {
    /// Begins a workspace of this name below the target folder.
    pub fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        Self { root, written: BTreeSet::new(), members: BTreeSet::new() }
    }

    /// Adds a crate.
    pub fn add(&mut self, name: &str, files: &[SourceFile]) {
        self.members.insert(name.to_owned());
        for file in files {
            self.write(&Path::new(name).join(&file.path), &file.text);
        }
    }

    /// Finishes the workspace: writes its manifest, and removes files of an earlier run.
    pub fn finish(&mut self) {
        let members: Vec<String> =
            self.members.iter().map(|member| format!("{member:?}")).collect();
        let runtime = fs::canonicalize(Path::new(ROOT).join("runtime")).unwrap();
        let runtime = runtime.to_str().unwrap();
        let manifest = format!(
            "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.dev]\ndebug = false\nincremental = false\n\n[workspace.dependencies]\n\
             runtime = {{ package = \"openapi-bindings-runtime\", path = {runtime:?}, default-features = false }}\n",
            members.join(", ")
        );
        self.write(Path::new("Cargo.toml"), &manifest);
        if !self.root.join("Cargo.lock").exists() {
            fs::copy(Path::new(ROOT).join("Cargo.lock"), self.root.join("Cargo.lock")).unwrap();
        }
        for member in subfolders(&self.root) {
            remove_stale(&member, &self.written).unwrap();
        }
    }

    /// Runs cargo here, with rustdoc's warnings as errors; returns its output unless it succeeds.
    pub fn cargo(&self, arguments: &[&str]) -> Result<(), String> {
        let output = self.output(arguments);
        if output.status.success() {
            return Ok(());
        }
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let messages: Vec<&str> = out.lines().chain(err.lines()).take(SHOWN_LINES).collect();
        Err(format!(
            "`cargo {}` in {} says:\n{}",
            arguments.join(" "),
            self.root.display(),
            messages.join("\n")
        ))
    }

    /// Runs cargo here, offline unless a dependency must be downloaded.
    pub fn output(&self, arguments: &[&str]) -> Output {
        let run = |offline: &str| {
            let mut command = Command::new(env!("CARGO"));
            command.args(arguments).current_dir(&self.root).env("CARGO_NET_OFFLINE", offline);
            command.env("CARGO_TARGET_DIR", TARGET).env("CARGO_BUILD_BUILD_DIR", BUILD);
            command.env("CARGO_TERM_COLOR", "never");
            command.env("RUSTDOCFLAGS", "-D warnings").env_remove("RUSTFLAGS");
            command.env_remove("CARGO_BUILD_WARNINGS");
            command.output().unwrap()
        };
        let output = run("true");
        if String::from_utf8_lossy(&output.stderr).contains("offline") {
            run("false")
        } else {
            output
        }
    }

    /// Writes a file unless it is there already, so that cargo sees no change.
    fn write(&mut self, path: &Path, text: &str) {
        let target = self.root.join(path);
        if fs::read_to_string(&target).ok().as_deref() != Some(text) {
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(&target, text).unwrap();
        }
        self.written.insert(target);
    }
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().unwrap().is_dir()).map(|entry| entry.path()).collect()
}
