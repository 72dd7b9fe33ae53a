//! The failure to decode a body.

use std::error::Error;
use std::fmt;

use crate::wire::decode::drift::Drift;

/// The failure to decode a body: the place and the problem, without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    path: String,
    message: String,
    /// Line and column, counted from 1.
    position: Option<(usize, usize)>,
}

impl DecodeError {
    /// Returns the path from the body to the value, such as `automation.automationSteps[3].webhook`. It is empty for
    /// the body as a whole.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the problem.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the line in the body, counted from 1, if it is known.
    pub fn line(&self) -> Option<usize> {
        self.position.map(|(line, _)| line)
    }

    /// Returns the column in the line, in bytes and counted from 1, if it is known.
    pub fn column(&self) -> Option<usize> {
        self.position.map(|(_, column)| column)
    }

    /// Returns the error of a value that was not decoded from the text of a body.
    pub(super) fn without_position(self) -> Self {
        Self { position: None, ..self }
    }

    /// Returns the error about a body as a whole.
    pub(in crate::wire) fn body(message: &str, position: Option<(usize, usize)>) -> Self {
        Self { path: String::new(), message: message.to_owned(), position }
    }

    /// Returns the error that stopped decoding from JSON.
    pub(in crate::wire) fn json(error: &serde_json::Error, path: &str) -> Self {
        let line = error.line();
        let column = error.column();
        let text = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        Self { path: path.to_owned(), message, position: (line > 0).then_some((line, column)) }
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

/// Drift is an error for a strict client. The value is not part of the message.
impl From<&Drift> for DecodeError {
    fn from(drift: &Drift) -> Self {
        Self { path: drift.path.clone(), message: drift.message(), position: None }
    }
}

/// Converts an error of `serde_json`, whose position is not a position in the body, to an error of the format of the
/// body.
#[cold]
pub(in crate::wire) fn foreign<E: serde::de::Error>(error: &serde_json::Error) -> E {
    E::custom(DecodeError::json(error, "").message())
}
