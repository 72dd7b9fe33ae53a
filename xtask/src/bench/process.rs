//! Runs a program, and tells how long it took and how much memory it or one of its children had at most.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use wait4::Wait4;

use crate::exit::Failure;

/// What a program took.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The time on the clock.
    pub time: Duration,
    /// The time of the processor's cores, of the program and of the system for it.
    pub cores: Duration,
    /// The most memory, in bytes, that a single process of it had resident.
    pub memory: u64,
}

/// Runs a program to its end, which must be a good one.
pub fn measured(command: &mut Command) -> Result<Cost, Failure> {
    let started = Instant::now();
    let ended = command.spawn().and_then(|mut child| child.wait4());
    let time = started.elapsed();
    let ended = ended.map_err(|error| not_run(command, &error))?;
    refuse_failed(command, ended.status)?;
    Ok(Cost { time, cores: ended.rusage.utime + ended.rusage.stime, memory: ended.rusage.maxrss })
}

/// Runs a program to its end, which must be a good one.
pub fn succeed(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|error| not_run(command, &error))?;
    refuse_failed(command, status)
}

/// Runs a program to its end, which must be a good one, and returns what it printed to standard output.
pub fn printed(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| not_run(command, &error))?;
    refuse_failed(command, output.status)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn refuse_failed(command: &Command, status: ExitStatus) -> Result<(), Failure> {
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` failed ({status})", shown(command))))
}

fn not_run(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot run `{}`: {error}", shown(command)))
}

/// Returns the program and its arguments as they are told to a person.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
