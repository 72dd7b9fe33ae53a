//! The checks of one document: faults of the generator that it shows.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use codegen::diagnostics::{Severity, render};
use codegen::{Input, Kept, Node, Outcome, Pointer, Settings, Source, SourceFile, generate};

use crate::document::tree;

/// Maximum number of bytes that are emitted for a document without content.
const EMPTY_CRATE: usize = 100_000;

/// Maximum number of bytes that are emitted for each byte of a document.
const GROWTH: usize = 200;

/// Maximum CPU time for a document without content.
const CPU_OF_DOCUMENT: Duration = Duration::from_millis(500);

/// Maximum CPU time for each kilobyte of a document.
const CPU_OF_KILOBYTE: Duration = Duration::from_millis(40);

/// The methods of operations.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Maximum number of references in a row.
const MAX_REFERENCES: usize = 20;

/// An overlay whose filters are applied to all values of a document, and change none of them.
const FILTERS: &str = r#"{"overlay": "1.1.0", "info": {"title": "Filters", "version": "1"}, "actions": [
    {"target": "$..[?search(@.description, '^[A-Z]') || match(@.type, 'str.*')]", "update": {}},
    {"target": "$.components.schemas[?match(@.type, '(object|array)')]", "update": {}}
]}"#;

/// The checks of a process: most files of a document are those of another one, before its changes.
#[derive(Default)]
pub struct Checks {
    hasher: RandomState,
    /// The hashes of the texts that are Rust.
    rust: RefCell<HashSet<u64>>,
}

impl Checks {
    /// Returns whether a text is Rust.
    fn is_rust(&self, text: &str) -> bool {
        let hash = self.hasher.hash_one(text);
        if self.rust.borrow().contains(&hash) {
            return true;
        }
        let is_rust = syn::parse_file(text).is_ok();
        if is_rust {
            self.rust.borrow_mut().insert(hash);
        }
        is_rust
    }
}

/// Generates a crate from a document.
pub fn generated(text: &str, package: &str, runtime: &str) -> Outcome {
    let source = Source { name: "fuzzed.yaml".to_owned(), text: text.to_owned() };
    // Every file of the folder is the document again.
    let text = source.text.clone();
    let read_file = move |name: &str| {
        let is_beside = !name.contains('/');
        is_beside.then(|| text.clone()).ok_or_else(|| "no such file".to_owned())
    };
    let overlay = Source { name: "filters.json".to_owned(), text: FILTERS.to_owned() };
    let overlays = vec![overlay];
    let input = Input { overlays, read_file: Rc::new(read_file), ..Input::from(&source) };
    let settings = Settings {
        package: package.to_owned(),
        version: "0.1.0".to_owned(),
        runtime: runtime.to_owned(),
        kept: Kept::All,
        keep_going: true,
        ..Settings::default()
    };
    generate(input, &settings)
}

/// Generates from a document, and returns the faults of the outcome.
pub fn check(text: &str, checks: &Checks) -> Result<(), String> {
    let before = cpu_time();
    let outcome = generated(text, "fuzzed", "\"0.1\"");
    let rendered = render(&outcome.diagnostics, false);
    let taken = cpu_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    check_time(taken.unwrap_or_default(), text.len())?;
    check_operations(text, &outcome)?;
    match outcome.output {
        Some(output) => {
            check_size(&output.files, text.len())?;
            check_files(&output.files, checks)
        }
        None if outcome.diagnostics.count(Severity::Error) == 0 => {
            Err("no output and no error".to_owned())
        }
        None if rendered.is_empty() => Err("an error that is not shown".to_owned()),
        None => Ok(()),
    }
}

/// Checks that each operation is emitted, is left out because of an error, or has a warning.
fn check_operations(text: &str, outcome: &Outcome) -> Result<(), String> {
    let (Some(output), Some(root)) = (&outcome.output, tree(text)) else { return Ok(()) };
    let paths = root.get("paths").and_then(Node::as_object).unwrap_or_default();
    let items = paths.iter().filter(|(path, _)| !path.starts_with("x-"));
    let items = items.filter_map(|(_, item)| followed(&root, item));
    let has =
        |item: &Node, method: &&&str| item.get(method).is_some_and(|it| it.as_object().is_some());
    let declared: usize = items.map(|item| METHODS.iter().filter(|it| has(item, it)).count()).sum();
    let [errors, warnings] =
        [Severity::Error, Severity::Warning].map(|it| outcome.diagnostics.count(it));
    let Outcome { left_out, .. } = outcome;
    if errors == 0 && !left_out.is_empty() {
        return Err(format!("no error says why {left_out:?} are left out"));
    }
    let missing = declared.saturating_sub(output.summary.operations + left_out.len());
    if missing > errors + warnings {
        return Err(format!("{missing} operations are missing, with {warnings} warnings"));
    }
    Ok(())
}

/// Returns what a reference within a document leads to.
fn followed<'n>(root: &'n Node, mut node: &'n Node) -> Option<&'n Node> {
    for _ in 0..MAX_REFERENCES {
        let Some(reference) = node.get("$ref") else { return Some(node) };
        let reference = reference.as_str().filter(|it| it.starts_with('#'))?;
        node = root.at(&Pointer::from_reference(reference)?)?;
    }
    None
}

/// Returns the CPU time of all threads of the process, where the system tells it in ticks of 10 ms.
fn cpu_time() -> Option<Duration> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = status.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * times.sum::<Option<u64>>()?))
}

/// Checks that the time is not longer than a multiple of the document.
fn check_time(taken: Duration, document: usize) -> Result<(), String> {
    let kilobytes = u32::try_from(document / 1_000).unwrap_or(u32::MAX);
    if taken > CPU_OF_DOCUMENT + CPU_OF_KILOBYTE.saturating_mul(kilobytes) {
        return Err(format!("{taken:?} of CPU time for a document of {document} bytes"));
    }
    Ok(())
}

/// Checks that the files are not larger than a multiple of the document.
fn check_size(files: &[SourceFile], document: usize) -> Result<(), String> {
    let size: usize = files.iter().map(|file| file.text.len()).sum();
    if size > EMPTY_CRATE + GROWTH * document {
        return Err(format!("{size} bytes are emitted for a document of {document}"));
    }
    Ok(())
}

fn has_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Checks that all Rust files can be parsed, and that no two files have the same name.
fn check_files(files: &[SourceFile], checks: &Checks) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for file in files {
        if has_rust(&file.path) && !checks.is_rust(&file.text) {
            return Err(format!("`{}` is not valid", file.path));
        }
        // Some file systems ignore the case of letters.
        if !seen.insert(file.path.to_lowercase()) {
            return Err(format!("`{}` is emitted twice", file.path));
        }
    }
    Ok(())
}
