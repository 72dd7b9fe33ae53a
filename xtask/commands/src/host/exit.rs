//! The end of a command: its exit code, and the message of a failure.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use ::codegen::visible;

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// Any other failure: a file that cannot be read, an invalid argument, a failed step.
    Failed = 1,
    /// The spec is invalid, or the program that is migrated; nothing was written.
    InvalidSpec = 2,
    /// Parts of a program still need an edit.
    Remaining = 3,
    /// The emitted crate differs from the generated one.
    Stale = 4,
    /// The traffic differs from the spec.
    Drift = 5,
    /// A change may break programs, and neither the version nor a waiver allows it.
    Denied = 100,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A value, or the reason why the command failed.
pub type Fallible<T = ()> = Result<T, Failure>;

/// The reason why a command failed, for its user.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The problem with its place.
    pub message: String,
    /// The help text.
    pub help: Option<String>,
}

impl Failure {
    /// Returns a failure with the exit code [`Exit::Failed`].
    pub fn new(message: impl Into<String>) -> Self {
        Self { exit: Exit::Failed, message: message.into(), help: None }
    }

    /// Returns the failure “cannot ACT PATH: REASON”.
    pub fn at(act: &str, path: &Path, reason: impl Display) -> Self {
        let path = path.display().to_string();
        Self::new(format!("cannot {act} `{}`: {reason}", visible(&path)))
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Sets the exit code.
    #[must_use]
    pub fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }
}

/// Adds the action and the path to an I/O error.
pub trait Context<T> {
    /// Turns the error into “cannot ACT PATH: …”.
    fn context(self, act: &str, path: &Path) -> Fallible<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, act: &str, path: &Path) -> Fallible<T> {
        self.map_err(|error| Failure::at(act, path, error))
    }
}
