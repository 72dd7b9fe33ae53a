//! One line on a terminal that shows how far a command is.
//!
//! The programs of `tests/` include this file, so it imports only the standard library.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time that a version of the line is shown at least.
const PAUSE: Duration = Duration::from_millis(200);

/// Maximum length of the line, which must not be wrapped.
const WIDTH: usize = 78;

/// A line on standard error with the current step. It is removed when this is dropped. If standard error is not a
/// terminal, nothing is shown.
#[derive(Debug)]
pub struct Progress {
    /// The number of all steps, if it is known.
    total: Option<usize>,
    is_shown: bool,
    /// The time of the line that is on the terminal now.
    drawn: Mutex<Option<Instant>>,
}

impl Progress {
    /// Begins a number of steps, if it is known.
    pub fn new(total: Option<usize>) -> Self {
        // A terminal that can erase a line.
        let is_shown =
            io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self { total, is_shown, drawn: Mutex::default() }
    }

    /// Begins a step, after so many that are done.
    pub fn step(&self, done: usize, what: impl AsRef<str>) {
        let mut drawn = self.drawn();
        if self.is_shown && drawn.is_none_or(|time| time.elapsed() >= PAUSE) {
            let line = line(done, self.total, what.as_ref());
            // A closed standard error cannot be reported anywhere.
            let _ = write!(io::stderr(), "\r\u{1b}[2K{line}");
            *drawn = Some(Instant::now());
        }
    }

    /// Prints something else without the line.
    pub fn without<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.drawn().take().is_some() {
            let _ = write!(io::stderr(), "\r\u{1b}[2K");
        }
        print()
    }

    fn drawn(&self) -> MutexGuard<'_, Option<Instant>> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.without(|| {});
    }
}

/// Returns the line: `12/87 pets.yaml`.
fn line(done: usize, total: Option<usize>, what: &str) -> String {
    let line = match total {
        Some(total) => format!("{}/{total} {what}", (done + 1).min(total)),
        None if done > 0 => format!("{done} {what}"),
        None => what.to_owned(),
    };
    match line.char_indices().nth(WIDTH - 1) {
        Some((end, last)) if end + last.len_utf8() < line.len() => format!("{}…", &line[..end]),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_step_and_a_limit() {
        assert_eq!(line(0, Some(3), "pets.yaml"), "1/3 pets.yaml");
        assert_eq!(line(3, Some(3), "pets.yaml"), "3/3 pets.yaml");
        assert_eq!(line(0, None, "compiling"), "compiling");
        assert_eq!(line(7, None, "documents"), "7 documents");
        let long = line(11, Some(87), &"é".repeat(200));
        assert_eq!(long.chars().count(), WIDTH, "{long}");
        assert!(long.starts_with("12/87 é") && long.ends_with("é…"), "{long}");
        let whole = "é".repeat(WIDTH);
        assert_eq!(line(0, None, &whole), whole);
    }
}
