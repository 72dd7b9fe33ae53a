//! Puts a staged crate in the place of the old one, so that no moment shows a mix of the two.
//!
//! Where the system can exchange two folders in one step (Linux, macOS), that step is the moment at which the new crate
//! replaces the old one. Elsewhere the old one is renamed out of the way first; interrupted between the two renames, the
//! folder is missing, and the next run brings the old one back.
//!
//! There is no journal: the names beside the folder tell how far a run came. `.NAME.codegen-new` is a staged crate, or
//! after the exchange the old one; `.NAME.codegen-old` is the old one. What the generator doesn't own is never staged, so
//! whatever of it such a folder holds belongs back into the folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::{Doing, Failure};
use crate::folder::disk::Disk;
use crate::folder::layout;

/// What cargo makes anew whenever it is missing.
const MADE_BY_CARGO: [&str; 2] = ["target", "Cargo.lock"];

/// Returns the folder in which the new crate for `folder` is built.
pub fn staging(folder: &Path) -> PathBuf {
    beside(folder, "new")
}

/// Returns the folder to which the old crate moves where folders cannot be exchanged.
fn aside(folder: &Path) -> PathBuf {
    beside(folder, "old")
}

fn beside(folder: &Path, what: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.codegen-{what}"))
}

/// Puts the staged crate in place and clears away the old one; where staging or that fails, the old one stays.
pub fn replace(disk: &dyn Disk, folder: &Path, staged: Result<(), Failure>) -> Result<(), Failure> {
    if let Err(failure) = staged.and_then(|()| put_in_place(disk, folder)) {
        // The first failure is the one to tell; what it leaves behind, the next run clears away.
        let _ = discard(disk, &staging(folder));
        return Err(failure);
    }
    finish_interrupted(disk, folder)
}

/// Brings to an end what an interrupted run began; does nothing where none was.
pub fn finish_interrupted(disk: &dyn Disk, folder: &Path) -> Result<(), Failure> {
    if aside(folder).exists() && !folder.exists() {
        disk.rename(&aside(folder), folder)?;
    }
    for leftover in [aside(folder), staging(folder)] {
        if leftover.exists() {
            bring_back_foreign(disk, &leftover, folder)?;
            discard(disk, &leftover)?;
        }
    }
    Ok(())
}

fn put_in_place(disk: &dyn Disk, folder: &Path) -> Result<(), Failure> {
    let staging = staging(folder);
    if !folder.exists() {
        return disk.rename(&staging, folder);
    }
    if disk.exchange(&staging, folder)? {
        return Ok(());
    }
    disk.rename(folder, &aside(folder))?;
    disk.rename(&staging, folder)
        .or_else(|failure| disk.rename(&aside(folder), folder).and(Err(failure)))
}

/// Moves what the generator does not own from a leftover to the folder.
fn bring_back_foreign(disk: &dyn Disk, leftover: &Path, folder: &Path) -> Result<(), Failure> {
    for name in names(leftover)? {
        if layout::owns(&name) {
            continue;
        }
        let (from, to) = (leftover.join(&name), folder.join(&name));
        if !folder.exists() {
            disk.create_folder(folder)?;
        }
        if fs::symlink_metadata(&to).is_err() {
            disk.rename(&from, &to)?;
        } else if MADE_BY_CARGO.iter().any(|made| name == *made) {
            disk.remove(&from)?;
        } else {
            return Err(Failure::new(format!(
                "`{}` and `{}` both exist",
                from.display(),
                to.display()
            ))
            .help("an interrupted run left the first: keep one of the two, and run again"));
        }
    }
    Ok(())
}

/// Removes what the generator owns of a leftover, and the leftover itself.
fn discard(disk: &dyn Disk, leftover: &Path) -> Result<(), Failure> {
    for name in names(leftover)? {
        if layout::owns(&name) {
            disk.remove(&leftover.join(name))?;
        }
    }
    disk.remove_empty_folder(leftover)
}

fn names(folder: &Path) -> Result<Vec<OsString>, Failure> {
    let entries = fs::read_dir(folder).doing("read", folder)?;
    let names: Result<Vec<_>, _> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = names.map_err(|error: std::io::Error| Failure::at("read", folder, error))?;
    names.sort();
    Ok(names)
}
