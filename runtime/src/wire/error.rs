//! Why a body could not be decoded.

use std::error::Error;
use std::fmt;

use super::kept::Step;
use super::notes::{Mismatch, Notes};

/// Why a body could not be decoded. It names the place and what was found there, never a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    path: String,
    message: String,
    /// Line and column, counted from 1.
    position: Option<(usize, usize)>,
}

impl DecodeError {
    /// Returns the way from the body to the value, such as `automation.automationSteps[3].webhook`. It is empty where
    /// the body as a whole is meant.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns what is wrong at that place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the line in the body, counted from 1, where it is known.
    pub fn line(&self) -> Option<usize> {
        self.position.map(|(line, _)| line)
    }

    /// Returns the column in the line, in bytes and counted from 1, where it is known.
    pub fn column(&self) -> Option<usize> {
        self.position.map(|(_, column)| column)
    }

    /// Returns the error about a body as a whole.
    pub(super) fn body(message: &str, position: Option<(usize, usize)>) -> Self {
        Self { path: String::new(), message: message.to_owned(), position }
    }

    /// Returns the error that stopped decoding from JSON.
    pub(super) fn json(error: &serde_json::Error, notes: &Notes) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = if let Some(mismatch) = notes.mismatch {
            mismatch.to_string()
        } else {
            let text = error.to_string();
            let place = format!(" at line {line} column {column}");
            text.strip_suffix(&place).unwrap_or(&text).to_owned()
        };
        Self { path: path(&notes.trail), message, position: (line > 0).then_some((line, column)) }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match self.position {
            Some((line, column)) => write!(f, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

impl Error for DecodeError {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// Returns the path that `trail` leads along, the innermost step first.
pub(super) fn path(trail: &[Step]) -> String {
    let mut path = String::new();
    for step in trail.iter().rev() {
        match step {
            Step::Index(index) => path.extend(["[", &index.to_string(), "]"]),
            Step::Name(name) if is_plain(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Name(name) => path.extend(["[\"", &name.escape_debug().to_string(), "\"]"]),
        }
    }
    path
}

/// Tells whether a name is one word, so that it can stand between dots.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$'))
}
