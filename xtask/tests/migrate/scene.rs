//! A repository with a spec, the crate that is emitted for it, and crates that use it.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::messages::Messages;

/// A repository in the target folder.
pub struct Scene {
    root: PathBuf,
    /// What its programs are compiled with, unless with the real cargo.
    messages: Option<Messages>,
}

impl Scene {
    /// Makes a repository with the specs of a folder of `tests/bumps`.
    pub fn new(name: &str, bump: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("migrate").join(name);
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        let scene = Self { root, messages: None };
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["old.yaml", "new.yaml"] {
            let spec = package.join("../tests/bumps").join(bump).join(file);
            scene.put(&format!("spec/{file}"), &fs::read_to_string(spec).unwrap());
        }
        let runtime = package.join("../runtime").canonicalize().unwrap();
        scene.put(
            "spec/codegen.toml",
            &format!(
                "[package]\nname = \"pets\"\nversion = \"1.0.0\"\n[runtime]\npath = {:?}\n",
                runtime.display().to_string()
            ),
        );
        let lock = fs::read_to_string(package.join("../Cargo.lock")).unwrap();
        scene.put("Cargo.lock", &lock);
        scene.put(".gitignore", "/target\n/Cargo.lock\n");
        assert!(scene.run("git", &["init", "--quiet"]).status.success());
        scene
    }

    /// Compiles nothing: the messages of rustc are recorded ones.
    pub fn recorded(self) -> Self {
        let messages = Some(Messages::new(&self.root));
        Self { messages, ..self }
    }

    pub fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn get(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Returns the path of a file.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Replaces a text of a file, which must have it.
    pub fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.get(path);
        assert!(text.contains(from), "{from}: {text}");
        self.put(path, &text.replace(from, to));
    }

    pub fn commit(&self) {
        let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        assert!(self.run("git", &["add", "."]).status.success());
        let commit = [&author[..], &["commit", "--quiet", "-m", "users"]].concat();
        assert!(self.run("git", &commit).status.success());
    }

    pub fn set_read_only(&self, path: &str, is_read_only: bool) {
        let path = self.root.join(path);
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(is_read_only);
        fs::set_permissions(&path, permissions).unwrap();
    }

    /// Returns the files that differ from the last commit, apart from their modes.
    pub fn status(&self) -> String {
        let arguments = ["-c", "core.fileMode=false", "status", "--porcelain"];
        String::from_utf8(self.run("git", &arguments).stdout).unwrap()
    }

    pub fn run(&self, program: &str, arguments: &[&str]) -> Output {
        self.command(program, arguments).output().unwrap()
    }

    pub fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"] {
            command.env_remove(name);
        }
        // The marks of `migrate` are warnings.
        command.env("CARGO_BUILD_WARNINGS", "deny");
        command.env("CARGO_TARGET_DIR", TARGET).env("CARGO_BUILD_BUILD_DIR", BUILD);
        command.env("NO_COLOR", "1");
        command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Emits the crate of a spec.
    pub fn emit(&self, spec: &str) {
        let arguments = ["codegen", "--spec", spec, "--out", "pets"];
        let output = self.run(PROGRAM, &arguments);
        assert!(output.status.success(), "{output:?}");
    }

    /// Migrates from the old spec to the new one; returns the exit code and all output.
    pub fn migrate(&self, arguments: &[&str]) -> (Option<i32>, String) {
        self.run_migrate(&[&SPECS[..], arguments].concat())
    }

    /// Runs `migrate` with these arguments alone.
    pub fn run_migrate(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = self.command(PROGRAM, &[&["migrate"], arguments].concat());
        if let Some(messages) = &self.messages {
            command.env("CARGO_TARGET_DIR", self.root.join("target"));
            messages.use_in(&mut command);
        }
        let output = command.output().unwrap();
        self.messages.iter().for_each(Messages::finish_run);
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        // Of tests that run at the same time.
        let waiting = "note: another run uses the same folder; waiting for its end\n";
        (output.status.code(), text.replace(waiting, ""))
    }

    /// Returns a migration with a target folder that no other test uses.
    pub fn apart(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(PROGRAM, &[&["migrate"], &SPECS[..], arguments].concat());
        command.env("CARGO_TARGET_DIR", self.root.join("target"));
        command
    }

    /// Starts a migration in a process group of its own, whose target folder shows when the copy is made.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.apart(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap()
    }

    /// Returns whether the copy of a started migration has a file.
    pub fn has_copy(&self, path: &str) -> bool {
        self.root.join("target/migrate/copy").join(path).exists()
    }
}

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_openapi-bindings");

const SPECS: [&str; 4] = ["--from", "spec/old.yaml", "--to", "spec/new.yaml"];

/// The target folder of all repositories, and of the emitted crates of other tests.
pub const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/target");

/// The build folder of the tests, in which most dependencies are compiled already.
pub const BUILD: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/..");
