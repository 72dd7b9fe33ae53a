//! Compiles the crates of some documents: Rust that can be parsed is not yet Rust that compiles.

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use codegen::SourceFile;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use crate::check;
use crate::document::{Document, Failure, Seeds};

/// The folder of this repository.
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Maximum size of the files of a crate, in bytes, so that all are compiled in a minute or two.
const MAX_BYTES: usize = 300_000;

/// The number of documents that are tried for each crate: many have errors, or make a crate that was compiled already.
const TRIES: u64 = 20;

/// A document whose crate does not compile, or not without warnings.
pub struct Find {
    pub document: Document,
    /// The first message of the compiler.
    pub reason: String,
}

/// A crate with its document.
struct Made {
    document: Document,
    files: Vec<SourceFile>,
}

/// Compiles the crates of up to `count` documents in one run of cargo. Returns the number of crates, and what was found.
pub fn compile(
    seeds: Seeds,
    count: u64,
    mut runner: TestRunner,
) -> Result<(usize, Vec<Find>), Failure> {
    let crates = sample(seeds, count, &mut runner)?;
    // Cargo refuses a workspace without packages.
    if crates.is_empty() {
        return Ok((0, Vec::new()));
    }
    let folder = target().join("tmp/fuzz");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for (index, made) in crates.iter().enumerate() {
        for file in &made.files {
            write(&folder.join(name(index)).join(&file.path), &file.text)?;
        }
    }
    write(&folder.join("Cargo.toml"), &manifest(crates.len()))?;
    fs::copy(Path::new(REPOSITORY).join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let features = features(&crates);
    let mut messages = messages(&folder, &features)?;
    let tried = crates.len();
    let finds = crates.into_iter().enumerate().filter_map(|(index, Made { document, .. })| {
        let reason = messages.remove(&name(index).replace('-', "_"))?;
        Some(Find { document, reason })
    });
    Ok((tried, finds.collect()))
}

/// Returns crates that differ.
fn sample(seeds: Seeds, count: u64, runner: &mut TestRunner) -> Result<Vec<Made>, Failure> {
    let strategy = seeds.strategy();
    let mut seen = HashSet::new();
    let mut crates: Vec<Made> = Vec::new();
    for _ in 0..count * TRIES {
        if crates.len() as u64 == count {
            break;
        }
        let document = strategy.new_tree(runner).map_err(|reason| reason.message().to_owned())?;
        let document = document.current();
        let runtime = "{ workspace = true }";
        let Some(output) = check::generated(&document.0, &name(crates.len()), runtime).output
        else {
            continue;
        };
        let size: usize = output.files.iter().map(|file| file.text.len()).sum();
        let list = output.files.iter().find(|file| file.path == "api.txt");
        let items = list.map(|list| list.text.lines().skip(1).collect::<String>());
        if size <= MAX_BYTES && seen.insert(items) {
            crates.push(Made { document, files: output.files });
        }
    }
    Ok(crates)
}

fn name(index: usize) -> String {
    format!("fuzzed-{index}")
}

fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Path::new(REPOSITORY).join(target)
}

fn manifest(count: usize) -> String {
    let members: Vec<String> = (0..count).map(|index| format!("{:?}", name(index))).collect();
    let runtime = format!("{REPOSITORY}/runtime");
    format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n[profile.dev]\ndebug = false\nincremental = false\n\n\
         [workspace.dependencies]\n\
         runtime = {{ package = \"openapi-bindings-runtime\", path = {runtime:?}, default-features = false }}\n",
        members.join(", ")
    )
}

/// Returns the features that compile the clients, with all operations of large crates.
fn features(crates: &[Made]) -> String {
    let is_gated = |made: &Made| {
        let manifest = made.files.iter().find(|file| file.path == "Cargo.toml");
        manifest.is_some_and(|manifest| manifest.text.contains("\noperations = ["))
    };
    let all = |made| if is_gated(made) { &["client", "operations"][..] } else { &["client"] };
    let features = crates.iter().enumerate().flat_map(|(index, made)| {
        all(made).iter().map(move |feature| format!("{}/{feature}", name(index)))
    });
    features.collect::<Vec<_>>().join(",")
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(path.parent().ok_or("a file is in no folder")?)?;
    Ok(fs::write(path, text)?)
}

/// Runs `cargo check`, and returns the first error, or else the first warning, by the name of the library.
fn messages(folder: &Path, features: &str) -> Result<BTreeMap<String, String>, Failure> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["check", "--quiet", "--workspace", "--keep-going", "--no-default-features"])
        .args(["--message-format=json", "--features", features])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target().join("tmp/target"))
        .env("CARGO_BUILD_BUILD_DIR", target())
        .env_remove("RUSTFLAGS")
        .stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let output = child.stdout.take().ok_or("cargo has no output")?;
    let mut errors = BTreeMap::new();
    let mut warnings = BTreeMap::new();
    for line in BufReader::new(output).lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let text = |pointer| message.pointer(pointer).and_then(Value::as_str);
        let found = match text("/message/level") {
            Some("error") => &mut errors,
            Some("warning") => &mut warnings,
            _ => continue,
        };
        if let (Some(library), Some(rendered)) = (text("/target/name"), text("/message/rendered")) {
            found.entry(library.to_owned()).or_insert_with(|| rendered.to_owned());
        }
    }
    let status = child.wait()?;
    if !status.success() && errors.is_empty() {
        return Err("cargo failed; see the output above".into());
    }
    warnings.append(&mut errors);
    Ok(warnings)
}
