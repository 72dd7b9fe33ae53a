//! Files of an earlier run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Removes the files of a folder that were not written in this run: a module can have moved to another file.
///
/// # Errors
///
/// Fails if the folder cannot be read, or a file cannot be removed.
pub fn remove_stale(folder: &Path, written: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_stale(&path, written)?;
        } else if !written.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
