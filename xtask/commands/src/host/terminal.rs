//! The output of a command: results to standard output, messages to standard error, colors on terminals.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};

pub use ::codegen::compare::pluralize;
use ::codegen::visible_lines;

use crate::host::exit::{Failure, Fallible};

/// The colors of the two output streams.
#[derive(Debug)]
pub struct Terminal {
    /// The colors of standard output.
    pub output: Paint,
    /// The colors of standard error.
    pub messages: Paint,
}

impl Terminal {
    /// Returns the streams of this process. Colors depend on the terminal, `NO_COLOR` and `TERM=dumb`.
    pub fn of_process() -> Self {
        let no_color = env::var_os("NO_COLOR");
        let term = env::var_os("TERM");
        let paint = |is_terminal| Paint {
            colors: shows_colors(is_terminal, no_color.as_deref(), term.as_deref()),
        };
        let output = paint(io::stdout().is_terminal());
        Self { output, messages: paint(io::stderr().is_terminal()) }
    }

    /// Prints a result to standard output.
    ///
    /// A closed pipe is not a failure.
    pub fn print(&self, text: &str) -> Fallible {
        let mut stdout = io::stdout().lock();
        let text = visible_lines(text, self.output.colors);
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::new(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Writes a message to standard error.
    pub fn eprint(&self, text: &str) {
        let text = visible_lines(text, self.messages.colors);
        // A closed standard error cannot be reported anywhere.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Writes a note of one line to standard error.
    pub fn note(&self, text: &str) {
        self.eprint(&format!("{}: {text}\n", self.messages.bold("note")));
    }

    /// Writes the message and the help of a failure to standard error.
    pub fn failure(&self, failure: &Failure) {
        let paint = self.messages;
        self.eprint(&format!("{}: {}\n", paint.red("error"), failure.message));
        if let Some(help) = &failure.help {
            self.eprint(&format!("{}: {help}\n", paint.bold("help")));
        }
    }
}

fn shows_colors(is_terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    is_terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

/// Colors text, or leaves it plain.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether colors are shown.
    pub colors: bool,
}

impl Paint {
    /// Returns the text in bold.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Returns the text in bold red.
    pub fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Returns the text in green.
    pub fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// Returns the text in cyan.
    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colors { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_show_on_a_terminal_unless_disabled() {
        let colors = |is_terminal, no_color: Option<&str>, term: Option<&str>| {
            shows_colors(is_terminal, no_color.map(OsStr::new), term.map(OsStr::new))
        };
        assert!(colors(true, None, Some("xterm")));
        assert!(colors(true, Some(""), None));
        assert!(!colors(false, None, Some("xterm")));
        assert!(!colors(true, Some("1"), Some("xterm")));
        assert!(!colors(true, None, Some("dumb")));
    }
}
