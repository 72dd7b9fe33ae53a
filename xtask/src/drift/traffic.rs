//! Reads traffic: HAR files as a whole, and entries line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use ::codegen::traffic::Check;

use crate::host::exit::{Context, Failure};

/// Maximum length of a line.
const MAX_LINE: u64 = 64 << 20;

/// Maximum size of a HAR file, which is read as a whole.
const MAX_HAR: u64 = 1 << 30;

/// Maximum number of invalid entries that are named.
const MAX_NAMED: usize = 10;

/// What was read.
#[derive(Debug, Default)]
pub struct Files {
    /// The number of invalid entries.
    pub invalid: usize,
    /// The first of them, each with its place and the reason.
    pub named: Vec<String>,
}

impl Files {
    /// Checks the entries of a file, or of the standard input (`-`).
    pub fn read(&mut self, path: &Path, check: &mut Check<'_>) -> Result<(), Failure> {
        let name = path.display().to_string();
        if name == "-" {
            let input = BufReader::with_capacity(1 << 20, io::stdin().lock());
            return self.entries("stdin", input, check).context("read", Path::new("-"));
        }
        let file = File::open(path).context("read", path)?;
        self.entries(&name, BufReader::with_capacity(1 << 20, file), check).context("read", path)
    }

    fn entries(
        &mut self,
        name: &str,
        mut input: impl BufRead,
        check: &mut Check<'_>,
    ) -> io::Result<()> {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
            if length == 0 {
                break;
            }
            if length as u64 == MAX_LINE && !line.ends_with(b"\n") {
                input.skip_until(b'\n')?;
                self.invalid(name, number, "it is longer than 64 MiB");
                continue;
            }
            if number == 1 && begins_file(&line) {
                input.by_ref().take(MAX_HAR).read_to_end(&mut line)?;
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_start_matches('\u{feff}');
                let invalid = check.har(text).map_err(io::Error::other)?;
                for (index, reason) in invalid {
                    self.invalid(name, index + 1, &format!("log.entries: {reason}"));
                }
                break;
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let text = str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned());
            if let Err(reason) = text.and_then(|text| check.entry(text)) {
                self.invalid(name, number, &reason);
            }
        }
        Ok(())
    }

    fn invalid(&mut self, name: &str, number: usize, reason: &str) {
        self.invalid += 1;
        if self.named.len() < MAX_NAMED {
            self.named.push(format!("{name}:{number}: {reason}"));
        }
    }
}

/// Returns whether the first line of a file begins a HAR file, not an entry.
fn begins_file(line: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    let Some(inside) = line.strip_prefix(b"{") else { return false };
    let inside = inside.trim_ascii_start();
    inside.is_empty() || inside.starts_with(b"\"log\"")
}
