//! The program under test: an emitted crate, and around it a program that decodes and encodes what it is sent.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fmt, fs};

use codegen::{Kept, Settings, SourceFile};
use serde_json::Value;
use tests::stale::remove_stale;

/// The reason why a run has no result.
pub type Failure = Box<dyn std::error::Error>;

/// The end of the reason of a check of nothing.
pub const NOTHING: &str = "nothing was checked";

/// Fails: a check of nothing must not pass.
pub fn nothing<T>(reason: &str) -> Result<T, Failure> {
    Err(format!("{reason}: {NOTHING}").into())
}

/// The ways through the wire format, in the order of the program.
pub const ROUTES: [&str; 4] =
    ["decode and encode", "decode with drift and encode", STRICT, "serde_json"];

/// The way on which drift is an answer.
pub const STRICT: &str = "decode without drift";

/// A program that decodes a value as one of its types and encodes it again.
pub trait Subject {
    /// Sends one line of JSON through the type number `root`, and returns the answers of all [`ROUTES`].
    ///
    /// # Errors
    ///
    /// Fails if the communication with the program fails, regardless of the value.
    fn send(&mut self, root: usize, json: &str) -> Result<Vec<Answer>, Failure>;
}

/// The outcome of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The value as it was encoded.
    Encoded(String),
    /// The reason why it was not decoded.
    Refused(String),
    /// The undescribed parts of it.
    Drift(String),
    /// The reason why the program ended.
    Crashed(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Encoded(text) | Self::Refused(text) | Self::Drift(text) | Self::Crashed(text)) =
            self;
        f.write_str(text)
    }
}

/// Additions to the manifest of the emitted crate. The profile is that of the emitted crates of the tests, in
/// whose folder it is built, so that dependencies are built once.
const MANIFEST: &str = "
[workspace]

[dev-dependencies]
serde = \"1\"
serde_json = { version = \"1\", features = [\"float_roundtrip\"] }

[profile.dev]
debug = false
incremental = false
";

/// The folder of this repository.
pub const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Where the program for a document is built.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    target: PathBuf,
    package: String,
}

impl Folder {
    /// Returns the folder for a document; each document has another one.
    ///
    /// # Errors
    ///
    /// When the document does not exist.
    pub fn new(spec: &Path) -> Result<Self, Failure> {
        let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let target = Path::new(REPOSITORY).join(target);
        let mut hasher = DefaultHasher::new();
        fs::canonicalize(spec)?.hash(&mut hasher);
        // cargo tells crates in one target folder apart by their names.
        let package = format!("subject-{:08x}", hasher.finish() >> 32);
        Ok(Self { path: target.join("tmp/target/roundtrip").join(&package), target, package })
    }

    /// Returns the settings of the emitted crate.
    pub fn settings(&self) -> Settings {
        let runtime = format!("{REPOSITORY}/runtime");
        Settings {
            package: self.package.clone(),
            version: "0.1.0".to_owned(),
            runtime: format!(
                "{{ package = \"openapi-bindings-runtime\", path = {runtime:?}, default-features = false }}"
            ),
            kept: Kept::All,
            ..Settings::default()
        }
    }

    /// Writes the emitted crate and the program that decodes and encodes types with these paths, and builds the program.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the crate does not compile.
    pub fn build<'t>(
        &self,
        files: &[SourceFile],
        types: impl Iterator<Item = &'t str>,
    ) -> Result<Program, Failure> {
        let types: Vec<_> = types.map(|path| format!("of::<subject::{path}>()")).collect();
        let driver = include_str!("driver.rs.in").replace("TYPES", &types.join(", "));
        self.build_program(&self.package, files, &driver)
    }

    /// Does the same for the program that prints types with these paths.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the crate does not compile.
    pub fn build_secrets<'t>(
        &self,
        files: &[SourceFile],
        types: impl Iterator<Item = &'t str>,
    ) -> Result<Program, Failure> {
        let types: Vec<_> = types.map(|path| format!("print::<subject::{path}>")).collect();
        let driver = include_str!("secrets.rs.in").replace("TYPES", &types.join(", "));
        self.build_program(&format!("{}-secrets", self.package), files, &driver)
    }

    /// Does the same for the program that sends edits by operations with these paths.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the crate does not compile.
    pub fn build_edits<'t>(
        &self,
        files: &[SourceFile],
        operations: impl Iterator<Item = &'t str>,
    ) -> Result<Program, Failure> {
        let operations: Vec<_> =
            operations.map(|path| format!("edit::<subject::{path}>")).collect();
        let driver = include_str!("edits.rs.in").replace("OPERATIONS", &operations.join(", "));
        self.build_program(&format!("{}-edits", self.package), files, &driver)
    }

    /// Does the same for the program that receives replies: its conversions and operations, and their names.
    ///
    /// # Errors
    ///
    /// When a file cannot be written, or the crate does not compile.
    pub fn build_replies(
        &self,
        files: &[SourceFile],
        [shown, operations]: &[String; 2],
    ) -> Result<Program, Failure> {
        let driver = include_str!("replies/driver.rs.in").replace("OPERATIONS", operations);
        let driver = driver.replace("SHOWN", shown);
        self.build_program(&format!("{}-replies", self.package), files, &driver)
    }

    fn build_program(
        &self,
        name: &str,
        files: &[SourceFile],
        driver: &str,
    ) -> Result<Program, Failure> {
        let driver = driver.replace("CRATE", &self.package.replace('-', "_"));
        self.write(&format!("examples/{name}.rs"), &driver)?;
        self.write("Cargo.lock", &fs::read_to_string(Path::new(REPOSITORY).join("Cargo.lock"))?)?;
        for file in files {
            let more = if file.path == "Cargo.toml" { MANIFEST } else { "" };
            self.write(&file.path, &format!("{}{more}", file.text))?;
        }
        let written = files.iter().map(|file| self.path.join(&file.path)).collect();
        remove_stale(&self.path.join("src"), &written)?;
        let has_operations = files.iter().any(|file| file.text.contains("\noperations = ["));
        let mut features = vec!["--features", "client"];
        if has_operations {
            features.extend(["--features", "operations"]);
        }
        if driver.contains("Recorder") {
            features.extend(["--features", "record"]);
        }
        self.compile(name, &features)
    }

    /// Writes a file unless it holds the text already, so that cargo builds only what is new.
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let folder = path.parent().ok_or("a file is in no folder")?;
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|error| format!("failed to write `{}`: {error}", path.display()).into())
    }

    fn compile(&self, name: &str, features: &[&str]) -> Result<Program, Failure> {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(["build", "--quiet", "--example", name, "--no-default-features"])
            .args(features)
            .args(["--message-format", "json-render-diagnostics"])
            .current_dir(&self.path)
            .env("CARGO_TARGET_DIR", self.target.join("tmp/target"))
            // As in the other tests, with which it shares what it depends on.
            .env("CARGO_BUILD_BUILD_DIR", &self.target)
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .stderr(Stdio::inherit());
        let output = command.output()?;
        let messages = String::from_utf8_lossy(&output.stdout);
        let built = messages.lines().rev().find_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            Some(PathBuf::from(message.get("executable")?.as_str()?))
        });
        match built.filter(|_| output.status.success()) {
            Some(path) => Ok(Program::new(path)),
            None => Err(format!("the crate in `{}` does not compile", self.path.display()).into()),
        }
    }
}

/// The program, which is started for the first value.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    running: Option<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

impl Program {
    pub fn new(path: PathBuf) -> Self {
        Self { path, running: None }
    }

    fn start(&self) -> Result<(Child, ChildStdin, BufReader<ChildStdout>), Failure> {
        let mut command = Command::new(&self.path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok((child, input, BufReader::new(output))),
            _ => Err("the program has no pipes".into()),
        }
    }
}

impl Program {
    /// Returns the variant of a union as which a value is decoded.
    ///
    /// # Errors
    ///
    /// Fails if the communication with the program fails, regardless of the value.
    #[cfg(feature = "validator")]
    pub fn variant(&mut self, root: usize, json: &str) -> Result<Answer, Failure> {
        self.answer(&format!("?{root} {json}\n"))
    }

    /// Sends a line, and returns the answer to it.
    ///
    /// # Errors
    ///
    /// Fails if the communication with the program fails, regardless of the line.
    pub fn answer(&mut self, line: &str) -> Result<Answer, Failure> {
        let answers = self.ask(line, 1)?;
        answers.into_iter().next().ok_or_else(|| "the program does not answer".into())
    }

    /// Sends a line, and returns the answers to it.
    fn ask(&mut self, line: &str, count: usize) -> Result<Vec<Answer>, Failure> {
        let (mut child, mut input, mut output) = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        // A program that is gone cannot be written to, nor read from.
        let _ = input.write_all(line.as_bytes());
        let mut answers = Vec::with_capacity(count);
        for _ in 0..count {
            let mut answer = String::new();
            let _ = output.read_line(&mut answer);
            let Some((word, rest)) = answer.trim_end_matches('\n').split_once(' ') else {
                answers.push(Answer::Crashed(format!("the program ended: {}", child.wait()?)));
                return Ok(answers);
            };
            let rest = rest.to_owned();
            answers.push(match word {
                "encoded" => Answer::Encoded(rest),
                "refused" => Answer::Refused(rest),
                "drift" => Answer::Drift(rest),
                _ => Answer::Crashed(rest),
            });
        }
        self.running = Some((child, input, output));
        Ok(answers)
    }
}

impl Subject for Program {
    fn send(&mut self, root: usize, json: &str) -> Result<Vec<Answer>, Failure> {
        self.ask(&format!("{root} {json}\n"), ROUTES.len())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some((mut child, input, _)) = self.running.take() {
            // Without input the program ends by itself.
            drop(input);
            let _ = child.wait();
        }
    }
}
