//! A temporary workspace for each test, in which the program runs.

use std::collections::BTreeMap;
use std::fs::{self, FileTimes, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

/// The files of a folder: the content and the modification time of each.
pub type Snapshot = BTreeMap<PathBuf, (Vec<u8>, SystemTime)>;

/// A workspace with a spec and a `codegen.toml`, and without an emitted crate.
pub struct Scene {
    root: TempDir,
}

/// The outcome of a run.
pub struct Run {
    /// The exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub messages: String,
}

impl Run {
    /// Runs a command to its end.
    pub fn new(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code(),
            output: String::from_utf8(output.stdout).unwrap(),
            messages: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Scene {
    pub fn new() -> Self {
        let scene = Self { root: tempfile::tempdir().unwrap() };
        for folder in ["spec", "xtask", "runtime"] {
            fs::create_dir(scene.path(folder)).unwrap();
        }
        scene.put("Cargo.toml", "[workspace]\nmembers = [\"generated\"]\n");
        scene.put("spec/openapi.yaml", spec(&["cat", "dog"]));
        scene.put("spec/codegen.toml", "[package]\nname = \"pets\"\nversion = \"0.3.0-alpha\"\n");
        scene
    }

    /// Returns an absolute path in the workspace.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    /// Writes a file.
    pub fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Returns the text of a file.
    pub fn get(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Runs `cargo xtask codegen` with these arguments at the root of the workspace.
    pub fn codegen(&self, arguments: &[&str]) -> Run {
        self.codegen_in("", arguments)
    }

    /// Runs `cargo xtask codegen` with these arguments in a folder of the workspace.
    pub fn codegen_in(&self, folder: &str, arguments: &[&str]) -> Run {
        let mut command = self.command("codegen", arguments);
        Run::new(command.current_dir(self.path(folder)))
    }

    /// Runs another command of `cargo xtask` at the root of the workspace.
    pub fn xtask(&self, name: &str, arguments: &[&str]) -> Run {
        Run::new(&mut self.command(name, arguments))
    }

    /// Starts `cargo xtask codegen` with these arguments.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command("codegen", arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Makes the workspace a git repository, and commits all files.
    pub fn commit(&self) {
        for arguments in
            [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "x"]]
        {
            self.git(arguments);
        }
    }

    /// Runs git at the root of the workspace.
    pub fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=x", "-c", "user.email=x@example.com"]).args(arguments);
        assert!(git.current_dir(self.root.path()).status().unwrap().success());
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = xtask();
        command.arg(name).args(arguments).current_dir(self.root.path());
        command
            .env("CARGO_PKG_NAME", env!("CARGO_PKG_NAME"))
            .env("CARGO_MANIFEST_DIR", self.path("xtask"));
        command
    }

    /// Returns every file below a folder.
    pub fn snapshot(&self, folder: &str) -> Snapshot {
        let folder = self.path(folder);
        let mut found = Snapshot::new();
        let mut folders = vec![folder.clone()];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(&inner).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path().strip_prefix(&folder).unwrap().to_owned();
                    let modified = entry.metadata().unwrap().modified().unwrap();
                    found.insert(path, (fs::read(entry.path()).unwrap(), modified));
                }
            }
        }
        found
    }

    /// Returns the names of the entries of a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Dates every file below a folder back, to show which are written.
    pub fn age(&self, folder: &str) {
        for path in self.snapshot(folder).into_keys() {
            let file = OpenOptions::new().write(true).open(self.path(folder).join(path)).unwrap();
            file.set_times(FileTimes::new().set_modified(long_ago())).unwrap();
        }
    }
}

/// Returns the program itself.
pub fn xtask() -> Command {
    Command::new(env!("CARGO_BIN_EXE_openapi-bindings"))
}

/// Returns the time to which [`Scene::age`] dates back.
pub fn long_ago() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

/// Returns the contents of a snapshot.
pub fn contents(snapshot: Snapshot) -> BTreeMap<PathBuf, Vec<u8>> {
    snapshot.into_iter().map(|(path, (content, _))| (path, content)).collect()
}

/// Returns whether the generator owns a path in an emitted crate.
pub fn is_emitted(path: &Path) -> bool {
    path.starts_with("src")
        || ["AGENTS.md", "Cargo.toml", "README.md", "api.txt", "rustfmt.toml"]
            .iter()
            .any(|file| path == Path::new(file))
}

/// Returns a spec with an operation and a schema for each kind of animal.
pub fn spec(kinds: &[&str]) -> String {
    let paths: Vec<_> = kinds.iter().map(|kind| PATH.replace("KIND", kind)).collect();
    let schemas: Vec<_> = kinds.iter().map(|kind| SCHEMA.replace("KIND", kind)).collect();
    SPEC.replace("PATHS", &paths.concat()).replace("SCHEMAS", &schemas.concat())
}

const SPEC: &str = "\
openapi: 3.1.0
info: {title: Pets, version: 1.0.0, description: Animals at home.}
servers: [{url: 'https://pets.example.com'}]
paths:
PATHScomponents:
  schemas:
SCHEMAS";

const PATH: &str = "  /KINDs/{id}:
    get:
      operationId: KINDs.get
      summary: Returns a KIND.
      tags: [KINDs]
      parameters:
        - {name: id, in: path, required: true, description: Which one., schema: {type: string}}
      responses:
        '200':
          description: The KIND.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/KIND'}
";

const SCHEMA: &str = "    KIND:
      type: object
      description: A KIND.
      properties:
        name: {type: string, description: What it is called.}
";
