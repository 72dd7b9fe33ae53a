//! Reads traffic entry by entry: HAR files, and entries in lines.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use ::traffic::Check;

use commands::host::exit::{Context, Failure, Fallible};

/// Maximum length of a line, and of an entry.
const MAX_LENGTH: u64 = 64 << 20;

/// Maximum number of invalid entries that are named.
const MAX_NAMED: usize = 10;

/// Maximum number of bytes that decide whether a file is a HAR file.
const MAX_HEAD: usize = 4096;

/// The first bytes of files that gzip compressed.
const GZIP: &[u8] = &[0x1f, 0x8b];

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What was read.
#[derive(Debug, Default)]
pub struct Files {
    valid: usize,
    pub invalid: u64,
    /// The first of them, each with its place and the reason.
    pub named: Vec<String>,
}

impl Files {
    /// Checks the entries of a file, or of the standard input (`-`). Fails if none is valid: a check of nothing must
    /// not pass.
    pub fn read(&mut self, path: &Path, check: &mut Check<'_>) -> Fallible {
        let name = path.display().to_string();
        let before = self.valid;
        let named = std::mem::take(&mut self.named);
        let (name, input): (_, Box<dyn Read>) = match name.as_str() {
            "-" => ("stdin", Box::new(io::stdin().lock())),
            name => (name, Box::new(File::open(path).context("read", path)?)),
        };
        let input = BufReader::with_capacity(1 << 20, input);
        self.entries(name, input, check).context("read", path)?;
        if self.valid > before {
            self.named.splice(0..0, named);
            self.named.truncate(MAX_NAMED);
            return Ok(());
        }
        let reasons = self.named.iter().map(|reason| format!("\n  {reason}"));
        let message = format!("it has no valid entry{}", reasons.collect::<String>());
        Err(Failure::at("read", path, message)
            .help("record it as HAR 1.2, or a HAR entry per line"))
    }

    fn entries(
        &mut self,
        name: &str,
        mut input: impl BufRead,
        check: &mut Check<'_>,
    ) -> io::Result<()> {
        let mut head = Vec::new();
        while head.len() < MAX_HEAD && head.trim_ascii().is_empty() {
            if input.by_ref().take(MAX_HEAD as u64).read_until(b'\n', &mut head)? == 0 {
                break;
            }
        }
        if head.starts_with(GZIP) {
            let cure = "it is compressed: decompress it first, such as with `gzip -dc`";
            return Err(io::Error::new(ErrorKind::InvalidData, cure));
        }
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&head);
        let mut input = head.chain(input);
        if begins_file(head) {
            return self.har(name, BufReader::new(input), check);
        }
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let length = input.by_ref().take(MAX_LENGTH).read_until(b'\n', &mut line)?;
            if length == 0 {
                break;
            }
            if length as u64 == MAX_LENGTH && !line.ends_with(b"\n") {
                input.skip_until(b'\n')?;
                self.invalid(name, number, "it is longer than 64 MiB");
                continue;
            }
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let text = str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned());
            match text.and_then(|text| check.entry(text)) {
                Ok(()) => self.valid += 1,
                Err(reason) => self.invalid(name, number, &reason),
            }
        }
        Ok(())
    }

    /// Checks the entries of a HAR file while it is read.
    fn har(&mut self, name: &str, input: impl Read, check: &mut Check<'_>) -> io::Result<()> {
        let (line, length) = (Cell::new(1), Cell::new(0));
        let mut har =
            serde_json::Deserializer::from_reader(Lines { input, line: &line, length: &length });
        let read = check.har(&mut har, |index, reason| {
            length.set(0);
            match reason {
                None => self.valid += 1,
                Some(reason) => {
                    self.invalid(name, line.get(), &format!("log.entries[{index}]: {reason}"));
                }
            }
        });
        // The error of a value of another kind would show it.
        if !read.as_ref().map_or_else(|error| !error.is_data(), |has_entries| *has_entries) {
            return Err(io::Error::new(ErrorKind::InvalidData, "it has no list `log.entries`"));
        }
        let Err(error) = read.and_then(|_| har.end()) else { return Ok(()) };
        match error.io_error_kind() {
            None if error.is_eof() => self.invalid(name, line.get(), "it is cut off"),
            None => {
                let reason = format!("it is not JSON, from column {}", error.column());
                self.invalid(name, error.line(), &format!("{reason}; the rest is not read"));
            }
            Some(ErrorKind::FileTooLarge) => {
                let reason = "an entry is longer than 64 MiB; the rest is not read";
                self.invalid(name, line.get(), reason);
            }
            Some(_) => return Err(error.into()),
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

/// Counts the lines of a file, and the bytes of an entry.
struct Lines<'c, R> {
    input: R,
    line: &'c Cell<usize>,
    length: &'c Cell<u64>,
}

impl<R: Read> Read for Lines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let lines = buffer[..count].split(|byte| *byte == b'\n').count();
        self.line.set(self.line.get() + lines - 1);
        self.length.set(self.length.get() + count as u64);
        if self.length.get() > MAX_LENGTH {
            return Err(ErrorKind::FileTooLarge.into());
        }
        Ok(count)
    }
}

/// Returns whether the start of a file begins a HAR file, not an entry. A line alone is not read: all may be one.
fn begins_file(head: &[u8]) -> bool {
    let Some(inside) = head.trim_ascii().strip_prefix(b"{") else { return false };
    let inside = inside.trim_ascii_start();
    inside.is_empty() || inside.starts_with(b"\"log\"")
}
