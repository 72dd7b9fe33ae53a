//! One line on a terminal that shows how far a command is.
//!
//! The programs of `tests/` include this file, so it imports only the standard library.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time before the line is first shown: most commands are done by then.
const DELAY: Duration = Duration::from_secs(2);

/// The time between two versions of the line.
const PAUSE: Duration = Duration::from_millis(500);

/// Maximum length of the line, which must not be wrapped.
const WIDTH: usize = 78;

/// A line on standard error with what is done and the time so far. It is removed when this is dropped. If standard error is not a terminal, nothing is shown.
#[derive(Debug)]
pub struct Progress {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    started: Instant,
    done: usize,
    /// The number of all steps, if it is known.
    total: Option<usize>,
    /// The current step.
    what: String,
    is_shown: bool,
    has_ended: bool,
}

impl Progress {
    /// Begins a number of steps, if it is known.
    pub fn new(total: Option<usize>) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                started: Instant::now(),
                done: 0,
                total,
                what: String::new(),
                is_shown: false,
                has_ended: false,
            }),
            changed: Condvar::new(),
        });
        let drawn = Arc::clone(&shared);
        let thread = is_shown().then(|| thread::spawn(move || drawn.draw()));
        Self { shared, thread }
    }

    /// Begins a step, after so many that are done.
    pub fn step(&self, done: usize, what: impl Into<String>) {
        let mut state = self.shared.lock();
        state.done = done;
        state.what = what.into();
    }

    /// Prints something else without the line.
    pub fn without<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = self.shared.lock();
        state.hide();
        print()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.lock().has_ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the line until the end.
    fn draw(&self) {
        let mut state = self.lock();
        let mut pause = DELAY;
        while !state.has_ended {
            let waited = self.changed.wait_timeout_while(state, pause, |state| !state.has_ended);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            pause = PAUSE;
            if !state.has_ended {
                state.show();
            }
        }
        state.hide();
    }
}

impl State {
    fn show(&mut self) {
        let line = line(self.done, self.total, &self.what, self.started.elapsed());
        // A closed standard error cannot be reported anywhere.
        let _ = write!(io::stderr(), "\r\u{1b}[2K{line}");
        self.is_shown = true;
    }

    fn hide(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\u{1b}[2K");
            self.is_shown = false;
        }
    }
}

/// Returns the line: `12/87 pets.yaml (1 min 5 s)`.
fn line(done: usize, total: Option<usize>, what: &str, elapsed: Duration) -> String {
    let count = match total {
        Some(total) => format!("{}/{total} ", (done + 1).min(total)),
        None if done > 0 => format!("{done} "),
        None => String::new(),
    };
    let times = format!(" ({})", time(elapsed.as_secs()));
    let room = WIDTH.saturating_sub(count.chars().count() + times.chars().count());
    let what: String = if what.chars().count() > room {
        what.chars().take(room.saturating_sub(1)).chain(['…']).collect()
    } else {
        what.to_owned()
    };
    format!("{count}{what}{times}")
}

/// Returns whether progress is shown: standard error is a terminal that can erase a line.
fn is_shown() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Returns a duration in seconds as a text.
fn time(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_step_and_the_time() {
        let line =
            |done, total, what, seconds| line(done, total, what, Duration::from_secs(seconds));
        assert_eq!(line(0, Some(3), "pets.yaml", 5), "1/3 pets.yaml (5 s)");
        assert_eq!(line(2, Some(3), "pets.yaml", 130), "3/3 pets.yaml (2 min 10 s)");
        assert_eq!(line(3, Some(3), "", 60), "3/3  (1 min)");
        assert_eq!(line(0, None, "compiling", 7), "compiling (7 s)");
        assert_eq!(line(7, None, "documents", 7), "7 documents (7 s)");
        let long = line(11, Some(87), &"é".repeat(200), 600);
        assert_eq!(long.chars().count(), WIDTH, "{long}");
        assert!(long.starts_with("12/87 é") && long.ends_with("é… (10 min)"), "{long}");
    }

    #[test]
    fn without_a_terminal_no_thread_draws() {
        let progress = Progress::new(Some(2));
        progress.step(1, "a");
        assert_eq!(progress.without(|| 7), 7);
        assert_eq!(progress.thread.is_none(), !is_shown());
    }
}
