//! The files of the sets, and the verdicts on their cases.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A failure with its message.
pub type Failure = String;

/// The verdict on a case.
pub struct Verdict {
    pub case: String,
    /// The reason why it is not the verdict of the set.
    pub problem: Option<String>,
}

/// Returns the paths in a folder, sorted. Fails if it is empty: half of a set may be missing.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let paths = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let mut paths =
        paths.map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    if paths.is_empty() {
        return Err(format!("`{}` is empty: get the test sets again", folder.display()));
    }
    paths.sort();
    Ok(paths)
}

/// Returns the text of a file.
pub fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

/// Returns the name of a case: the end of its path.
pub fn name(path: &Path, parts: usize) -> String {
    let components: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    components[components.len().saturating_sub(parts)..].join("/")
}
