//! Edits of files that people wrote.

use std::fs;
use std::path::Path;

use crate::host::exit::{Context, Failure};

/// Fails if a file is read-only, which whoever may write all files would not notice.
pub fn refuse_read_only(path: &Path) -> Result<(), Failure> {
    if fs::metadata(path).context("read", path)?.permissions().readonly() {
        let failure = Failure::at("write", path, "it is read-only; no file was written");
        let help = "allow writing, or restore the file, then run the command again";
        return Err(failure.help(help));
    }
    Ok(())
}

/// Returns whether all lines of a text end with CRLF.
pub fn has_crlf(text: &str) -> bool {
    let lines = text.matches('\n').count();
    lines > 0 && text.matches("\r\n").count() == lines
}
