//! How a command ends: its exit code, and what is said when it fails.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// What was asked for is done.
    Done = 0,
    /// Anything that has no code of its own: a file that cannot be read, a wrong argument, a failed step.
    Failed = 1,
    /// The description is wrong; nothing was written.
    WrongDescription = 2,
    /// What was emitted earlier is not what the description says now.
    Stale = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command did not do what was asked, in words for the person who asked.
#[derive(Debug)]
pub struct Failure {
    /// The exit code that tells programs.
    pub exit: Exit,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// Returns a failure without an exit code of its own.
    pub fn new(message: impl Into<String>) -> Self {
        Self { exit: Exit::Failed, message: message.into(), help: None }
    }

    /// Returns the failure of something done to a file or folder: “cannot ACT PATH: REASON”.
    pub fn at(act: &str, path: &Path, reason: impl Display) -> Self {
        Self::new(format!("cannot {act} `{}`: {reason}", path.display()))
    }

    /// Sets what to do about it.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Sets the exit code.
    pub fn exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }
}

/// Says what was being done, and to which path, when the system refused.
pub trait Doing<T> {
    /// Turns the system's error into “cannot ACT PATH: …”.
    fn doing(self, act: &str, path: &Path) -> Result<T, Failure>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, act: &str, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| Failure::at(act, path, error))
    }
}
