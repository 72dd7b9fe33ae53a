//! The messages of rustc, as `cargo check --message-format json` passes them on.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use commands::host::exit::{Context, Fallible};

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// The code, such as `E0432`, or the name of the lint; empty for errors of the parser.
    pub code: String,
    /// Whether it is an error.
    pub is_error: bool,
    /// The text.
    pub text: String,
    /// The places that it is about.
    pub primary: Vec<Span>,
    /// Other places.
    pub secondary: Vec<Span>,
    /// The proposals.
    pub helps: Vec<Help>,
    /// The manifest of the package that is compiled.
    pub manifest: PathBuf,
    /// The library or program that is compiled.
    pub target: String,
    /// The text as people see it.
    pub rendered: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The file, relative to the folder in which cargo runs, or absolute.
    pub file: PathBuf,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The line of the first character.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The note at the place.
    pub label: String,
    /// The proposed text.
    pub replacement: Option<String>,
}

impl Span {
    /// Returns the bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns whether it has bytes in common with a range of a file.
    pub fn meets(&self, file: &Path, range: Range<usize>) -> bool {
        self.start < range.end && range.start < self.end && self.file == file
    }
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Help {
    /// The text.
    pub text: String,
    /// The places, with the proposed texts.
    pub spans: Vec<Span>,
}

/// The result of a check.
#[derive(Default)]
pub struct Check {
    /// The messages, without repetitions for the targets of one package.
    pub messages: BTreeSet<Message>,
    /// Whether everything compiles.
    pub is_success: bool,
    /// What cargo says itself.
    pub stderr: String,
}

impl Check {
    /// Returns the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(|message| message.is_error)
    }
}

impl Message {
    fn new(message: &Value) -> Option<Self> {
        if message["reason"] != "compiler-message" {
            return None;
        }
        let inner = &message["message"];
        let spans = list(&inner["spans"]).iter().filter_map(|value| {
            let span = span(value)?;
            Some((value["is_primary"] == true, span))
        });
        let (primary, secondary): (Vec<_>, Vec<_>) = spans.partition(|(is_primary, _)| *is_primary);
        let only_span = |(_, span)| span;
        let helps = list(&inner["children"]).iter().map(|child| Help {
            text: text(&child["message"]),
            spans: list(&child["spans"]).iter().filter_map(span).collect(),
        });
        Some(Self {
            code: text(&inner["code"]["code"]),
            is_error: inner["level"] == "error",
            text: text(&inner["message"]),
            primary: primary.into_iter().map(only_span).collect(),
            secondary: secondary.into_iter().map(only_span).collect(),
            helps: helps.collect(),
            manifest: PathBuf::from(text(&message["manifest_path"])),
            target: text(&message["target"]["name"]),
            rendered: text(&inner["rendered"]),
        })
    }

    /// Returns whether it comes from a lint, and not from the compiler itself.
    pub fn is_lint(&self) -> bool {
        self.code.starts_with(|char: char| char.is_ascii_lowercase())
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn span(value: &Value) -> Option<Span> {
    let number = |key: &str| usize::try_from(value[key].as_u64()?).ok();
    Some(Span {
        file: PathBuf::from(value["file_name"].as_str()?),
        start: number("byte_start")?,
        end: number("byte_end")?,
        line: number("line_start")?,
        column: number("column_start")?,
        label: text(&value["label"]),
        replacement: value["suggested_replacement"].as_str().map(str::to_owned),
    })
}

/// Runs a `cargo check` in a folder, and reads its messages.
pub fn check(command: &mut Command, folder: &Path) -> Fallible<Check> {
    command.args(["--message-format", "json"]).current_dir(folder);
    // What a user's configuration denies would stop at the first crate with a warning.
    let output = command.env("CARGO_BUILD_WARNINGS", "warn").output();
    let output = output.context("run cargo in", folder)?;
    let mut seen = BTreeSet::new();
    let mut messages = BTreeSet::new();
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let Ok(value) = serde_json::from_slice::<Value>(line) else { continue };
        let Some(message) = Message::new(&value) else { continue };
        // The tests of a library have its errors again.
        let key = (message.manifest.clone(), message.text.clone(), message.primary.clone());
        if seen.insert(key) {
            messages.insert(message);
        }
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Check { messages, is_success: output.status.success(), stderr })
}
