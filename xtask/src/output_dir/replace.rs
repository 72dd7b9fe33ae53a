//! Replaces an emitted crate as a whole, so that no moment shows a mix of the old one and the new one.
//!
//! The new crate is staged beside the old one and the two folders are exchanged, in one step where the system can (Linux,
//! macOS). Elsewhere the old one is renamed away first: interrupted between the two renames, the folder is missing, and
//! the next run restores it. What the generator does not own is never staged: it moves from the old folder to the new one.
//!
//! There is no journal. `.NAME.codegen-new` is a staged crate or, after the exchange, the old one;
//! `.NAME.codegen-old` is the old one between renames.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exit::{Context, Failure};
use crate::output_dir::compare::Comparison;
use crate::output_dir::ownership;

/// How the file system is changed. Tests interrupt a run with it, and take away the exchange in one step.
pub struct Disk<'d> {
    /// Called before each change.
    pub step: &'d dyn Fn() -> Result<(), Failure>,
    /// Exchanges two folders in one step; returns `false`, with nothing done, if the system cannot.
    pub exchange: fn(&Path, &Path) -> io::Result<bool>,
}

impl Disk<'static> {
    /// The disk as it is.
    pub const REAL: Self = Self { step: &|| Ok(()), exchange: exchange_at_once };
}

/// What cargo creates again if it is missing.
const CREATED_BY_CARGO: [&str; 2] = ["target", "Cargo.lock"];

/// Stages the crate, exchanges it with the old one, and removes that one.
pub fn replace(disk: &Disk<'_>, folder: &Path, comparison: &Comparison<'_>) -> Result<(), Failure> {
    let staging = beside(folder, "new");
    let exchanged = stage(disk, folder, &staging, comparison).and_then(|()| {
        (disk.step)()?;
        if folder.exists() {
            return exchange(disk, folder, &staging);
        }
        fs::rename(&staging, folder).context("create", folder)
    });
    // Removes the old crate or, after a failure, what was staged. The first failure is the one to report.
    let removed = recover(disk, folder);
    exchanged.and(removed)
}

/// Finishes what an interrupted run left behind; does nothing if there is nothing.
pub fn recover(disk: &Disk<'_>, folder: &Path) -> Result<(), Failure> {
    let (leftover, aside) = (beside(folder, "new"), beside(folder, "old"));
    if aside.exists() {
        let to = if folder.exists() { &leftover } else { folder };
        (disk.step)()?;
        fs::rename(&aside, to).context("restore", to)?;
    }
    if leftover.exists() {
        keep_foreign(disk, &leftover, folder)?;
        (disk.step)()?;
        fs::remove_dir_all(&leftover).context("remove", &leftover)?;
    }
    Ok(())
}

fn beside(folder: &Path, suffix: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.codegen-{suffix}"))
}

/// Writes the whole crate into the staging folder. Unchanged files get the modification time that they had.
fn stage(
    disk: &Disk<'_>,
    folder: &Path,
    staging: &Path,
    comparison: &Comparison<'_>,
) -> Result<(), Failure> {
    let changed = comparison.changed.iter().map(|changed| (changed.file, false));
    let missing = comparison.missing.iter().map(|file| (*file, false));
    let unchanged = comparison.unchanged.iter().map(|file| (*file, true));
    for (source, is_unchanged) in changed.chain(missing).chain(unchanged) {
        let path = staging.join(&source.path);
        (disk.step)()?;
        path.parent().map_or(Ok(()), fs::create_dir_all).context("create", &path)?;
        let mut file = File::create_new(&path).context("create", &path)?;
        (disk.step)()?;
        file.write_all(source.text.as_bytes()).context("write", &path)?;
        if is_unchanged {
            let modified = fs::metadata(folder.join(&source.path)).and_then(|old| old.modified());
            modified.and_then(|time| file.set_modified(time)).context("write", &path)?;
        }
    }
    Ok(())
}

/// Exchanges two folders.
fn exchange(disk: &Disk<'_>, folder: &Path, staging: &Path) -> Result<(), Failure> {
    if (disk.exchange)(folder, staging).context("replace", folder)? {
        return Ok(());
    }
    let aside = beside(folder, "old");
    fs::rename(folder, &aside).context("replace", folder)?;
    (disk.step)()?;
    fs::rename(staging, folder).context("replace", folder)?;
    (disk.step)()?;
    fs::rename(&aside, staging).context("replace", folder)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange_at_once(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange_at_once(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Moves what the generator does not own from a leftover to the folder.
fn keep_foreign(disk: &Disk<'_>, leftover: &Path, folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(leftover).context("read", leftover)? {
        let name = entry.context("read", leftover)?.file_name();
        let plain = name.to_string_lossy();
        let (from, to) = (leftover.join(&name), folder.join(&name));
        let exists = fs::symlink_metadata(&to).is_ok();
        if ownership::owns(&plain) || (exists && CREATED_BY_CARGO.contains(&&*plain)) {
            continue;
        }
        if exists {
            let message = format!("`{}` and `{}` both exist", from.display(), to.display());
            return Err(Failure::new(message)
                .help("an interrupted run left the first: keep one of the two, and run again"));
        }
        (disk.step)()?;
        fs::create_dir_all(folder).context("create", folder)?;
        fs::rename(&from, &to).context("move", &from)?;
    }
    Ok(())
}
