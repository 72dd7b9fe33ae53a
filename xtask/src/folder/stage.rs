//! Builds the new crate beside the old one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::exit::Failure;
use crate::folder::compare::Comparison;
use crate::folder::disk::Disk;
use crate::folder::swap;

/// Builds what `folder` should hold, whole, in the staging folder beside it. Files that are right already keep their
/// modification time.
pub fn stage(disk: &dyn Disk, folder: &Path, comparison: &Comparison<'_>) -> Result<(), Failure> {
    let staging = swap::staging(folder);
    disk.create_folder(&staging)?;
    for inner in folders(comparison) {
        disk.create_folder(&staging.join(inner))?;
    }
    for file in &comparison.unchanged {
        disk.keep(&folder.join(&file.path), &staging.join(&file.path))?;
    }
    let changed = comparison.changed.iter().map(|changed| changed.file);
    for file in changed.chain(comparison.missing.iter().copied()) {
        disk.create_file(&staging.join(&file.path), file.text.as_bytes())?;
    }
    Ok(())
}

/// Returns the folders that the crate consists of, outermost first.
fn folders(comparison: &Comparison<'_>) -> BTreeSet<PathBuf> {
    let changed = comparison.changed.iter().map(|changed| changed.file);
    let files = changed
        .chain(comparison.missing.iter().copied())
        .chain(comparison.unchanged.iter().copied());
    let above = files.flat_map(|file| Path::new(&file.path).ancestors().skip(1));
    above.filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned).collect()
}
