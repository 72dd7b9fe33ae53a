//! The program under test: an emitted crate, and around it a program that decodes and encodes what it is sent.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use super::roots::Root;
use super::subject::{Answer, Route, Subject};
use crate::ci::cargo_program;
use crate::exit::{Context, Failure};
use crate::paths::absolute_path;
use crate::workspace::Workspace;

/// The name of the emitted crate within the program.
const CRATE: &str = "subject";

const MAIN: &str = include_str!("driver.rs.in");

/// The manifest of the workspace around the two crates. Its profile is this workspace's, so that dependencies
/// which were built there need not be built again.
const WORKSPACE: &str = "\
[workspace]
members = [\"crate\", \"driver\"]
resolver = \"3\"

[profile.dev]
debug = false

[profile.dev.package.\"*\"]
opt-level = 1
debug = false
";

/// Returns the folder that cargo builds into here, so that what is built already need not be built again.
pub fn target(workspace: &Workspace) -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| OsString::from("target"));
    workspace.root().join(folder)
}

/// Returns the folder for the crate of a description that nobody asked to keep: another one for each description.
pub fn scratch(spec: &Path, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let stem = spec.file_stem().unwrap_or_default().to_string_lossy();
    let plain = stem.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' });
    let name = format!("{}-{}", plain.collect::<String>(), digest(&absolute_path(spec)?));
    absolute_path(&target(workspace).join("roundtrip").join(name))
}

/// Returns what the emitted crate in a folder is called.
///
/// cargo tells crates in one target folder apart by their names and by where they are in their workspaces, which is the
/// same for all of these.
pub fn package_name(folder: &Path) -> String {
    format!("subject-{}", digest(folder))
}

fn digest(path: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:08x}", hasher.finish() >> 32)
}

/// Makes a folder a workspace into which the emitted crate goes as `crate`.
pub fn prepare(folder: &Path, workspace: &Workspace) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).context("create", folder)?;
    write(&folder.join("Cargo.toml"), WORKSPACE)?;
    let lock = workspace.root().join("Cargo.lock");
    if lock.exists() {
        let copy = folder.join("Cargo.lock");
        fs::copy(&lock, &copy).context("write", &copy)?;
    }
    Ok(folder.join("crate"))
}

/// Writes the program beside the emitted crate, and builds it.
pub fn build(
    folder: &Path,
    name: &str,
    roots: &[Root],
    workspace: &Workspace,
) -> Result<PathBuf, Failure> {
    let sources = folder.join("driver").join("src");
    fs::create_dir_all(&sources).context("create", &sources)?;
    let manifest = format!(
        "[package]\nname = \"roundtrip-{name}\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
         {CRATE} = {{ package = \"{name}\", path = \"../crate\", default-features = false }}\n\
         serde_json = {{ version = \"1\", features = [\"float_roundtrip\"] }}\n"
    );
    write(&folder.join("driver").join("Cargo.toml"), &manifest)?;
    write(&sources.join("main.rs"), MAIN)?;
    write(&sources.join("types.rs"), &table(roots))?;
    compile(folder, workspace)
}

/// Returns the source of the table of all types.
fn table(roots: &[Root]) -> String {
    let mut text = "#![allow(deprecated)]\n\nuse crate::{Route, of};\n\npub static TYPES: &[[Route; 3]] = &[\n".to_owned();
    for root in roots {
        let _ = writeln!(text, "    of::<{CRATE}::{}>(),", root.rust);
    }
    text.push_str("];\n");
    text
}

/// Builds the program, and returns where it is.
fn compile(folder: &Path, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let mut command = Command::new(cargo_program());
    command
        .args(["build", "--package", "roundtrip-*", "--message-format"])
        .arg("json-render-diagnostics")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target(workspace))
        .stderr(Stdio::inherit());
    let output = command.output().context("build", folder)?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let built = messages.lines().rev().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    });
    if output.status.success()
        && let Some(built) = built
    {
        return Ok(built);
    }
    let message = format!("the crate in `{}` does not compile", folder.display());
    Err(Failure::new(message).help("what rustc says stands above"))
}

/// Writes a file unless it holds the text already, so that cargo builds only what is new.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).context("write", path)
}

/// The running program.
#[derive(Debug)]
pub struct Driver {
    program: PathBuf,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Driver {
    /// Returns a program that is started once there is something to do.
    pub fn new(program: PathBuf) -> Self {
        Self { program, running: None }
    }

    fn running(&mut self) -> Result<&mut Running, Failure> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        Ok(self.running.insert(running))
    }

    fn start(&self) -> Result<Running, Failure> {
        let mut command = Command::new(&self.program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("run", &self.program)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok(Running { child, input, output: BufReader::new(output) })
            }
            _ => Err(Failure::at("run", &self.program, "it has no pipes")),
        }
    }
}

impl Subject for Driver {
    fn send(&mut self, root: usize, route: Route, json: &str) -> Result<Answer, Failure> {
        let running = self.running()?;
        let line = format!("{root} {} {json}\n", route as usize);
        let mut answer = String::new();
        // A program that is gone cannot be written to, nor read from.
        let _ = running.input.write_all(line.as_bytes());
        let _ = running.output.read_line(&mut answer);
        if let Some((word, rest)) = answer.trim_end_matches('\n').split_once(' ') {
            let rest = rest.to_owned();
            match word {
                "encoded" => return Ok(Answer::Encoded(rest)),
                "refused" => return Ok(Answer::Refused(rest)),
                _ => return Ok(Answer::Crashed(rest)),
            }
        }
        let status = running.child.wait().context("run", &self.program)?;
        self.running = None;
        Ok(Answer::Crashed(format!("the program ended: {status}")))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            let Running { mut child, input, .. } = running;
            // Without input the program ends by itself.
            drop(input);
            let _ = child.wait();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Answers like the program, and dies where it is told to.
    const SCRIPT: &str = "#!/bin/sh
while read -r root route json; do
    case $json in
        *die*) exit 3 ;;
        *no*) echo \"refused expected $root\" ;;
        *) echo \"encoded $json\" ;;
    esac
done
";

    #[test]
    fn a_program_that_dies_is_told_and_started_again() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, SCRIPT).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let mut driver = Driver::new(program);
        let mut send = |json| driver.send(7, Route::Serde, json).unwrap();
        assert_eq!(send("{}"), Answer::Encoded("{}".to_owned()));
        assert_eq!(send("\"no\""), Answer::Refused("expected 7".to_owned()));
        let Answer::Crashed(message) = send("\"die\"") else {
            panic!("the program is gone");
        };
        assert_eq!(message, "the program ended: exit status: 3");
        assert_eq!(send("[1]"), Answer::Encoded("[1]".to_owned()));
    }

    #[test]
    fn crates_in_different_folders_have_different_names() {
        let name = |folder| package_name(Path::new(folder));
        assert_ne!(name("/a/crate"), name("/b/crate"));
        assert_eq!(name("/a/crate"), name("/a/crate"));
    }
}
