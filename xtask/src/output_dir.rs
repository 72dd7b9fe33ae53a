//! The folder of an emitted crate: comparing it with what it should hold, and replacing it.
//!
//! Only what the generator owns ([`ownership`]) is compared and replaced; everything else in the folder stays. A crate is
//! replaced as a whole ([`replace`]), so that an interrupted run leaves the old crate or the new one.

mod compare;
pub mod diff;
#[cfg(test)]
mod interruption;
mod line_diff;
mod ownership;
mod replace;

pub use compare::Comparison;

use std::env;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use ::codegen::SourceFile;

use crate::exit::{Context, Failure};
use crate::output_dir::replace::Disk;
use crate::paths::absolute_path;

/// How many files a run changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The number of files that are new or have new content.
    pub written: usize,
    /// The number of files that are no longer emitted.
    pub deleted: usize,
    /// The number of files that were already right.
    pub unchanged: usize,
}

impl Tally {
    /// Returns whether the folder was replaced.
    pub fn replaced(self) -> bool {
        self.written + self.deleted > 0
    }
}

/// The folder of an emitted crate. It need not exist yet.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
}

impl OutputDir {
    /// Returns the folder at a path, which may be relative or a symbolic link.
    pub fn locate(path: &Path) -> Result<Self, Failure> {
        let absolute = absolute_path(path)?;
        if absolute.file_name().is_none() {
            return Err(Failure::at("write", path, "it is the root of the file system"));
        }
        if fs::symlink_metadata(&absolute).is_ok_and(|found| !found.is_dir()) {
            return Err(Failure::at("write", path, "it is not a folder"));
        }
        Ok(Self { path: absolute })
    }

    /// Fails if the folder holds anything but a crate that the generator wrote.
    pub fn refuse_foreign(&self) -> Result<(), Failure> {
        if !self.path.exists() || ownership::is_emitted(&self.path) {
            return Ok(());
        }
        if fs::read_dir(&self.path).context("read", &self.path)?.next().is_none() {
            return Ok(());
        }
        let marker = ownership::MARKER;
        let reason = format!(
            "it holds files, but no Cargo.toml that begins with “{marker}”: the generator did not write it"
        );
        Err(Failure::at("write", &self.path, reason).help("name a new or an empty folder"))
    }

    /// Returns whether the current folder is this one or inside it.
    pub fn contains_current_dir(&self) -> bool {
        env::current_dir().and_then(fs::canonicalize).is_ok_and(|here| here.starts_with(&self.path))
    }

    /// Keeps other runs out until the returned lock is dropped; calls `on_wait` before it waits for one.
    ///
    /// The parent folder is locked, and created if it does not exist. A system that cannot lock folders (Windows, some
    /// network file systems) lets all runs in.
    pub fn lock(&self, on_wait: impl FnOnce()) -> Result<Option<File>, Failure> {
        let parent = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent).context("create", parent)?;
        let Ok(folder) = File::open(parent) else { return Ok(None) };
        let locked = match folder.try_lock() {
            Err(TryLockError::WouldBlock) => {
                on_wait();
                folder.lock().is_ok()
            }
            result => result.is_ok(),
        };
        Ok(locked.then_some(folder))
    }

    /// Compares what the folder holds with what it should hold.
    pub fn compare<'a>(&self, files: &'a [SourceFile]) -> Result<Comparison<'a>, Failure> {
        Comparison::of(&self.path, files)
    }

    /// Makes the folder hold these files. Files that are already right keep their modification time.
    pub fn write(&self, files: &[SourceFile]) -> Result<Tally, Failure> {
        self.write_to(&Disk::REAL, files)
    }

    fn write_to(&self, disk: &Disk<'_>, files: &[SourceFile]) -> Result<Tally, Failure> {
        replace::recover(disk, &self.path)?;
        let comparison = self.compare(files)?;
        let tally = Tally {
            written: comparison.changed.len() + comparison.missing.len(),
            deleted: comparison.extra.len(),
            unchanged: comparison.unchanged.len(),
        };
        if tally.replaced() {
            replace::replace(disk, &self.path, &comparison)?;
        }
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn only_an_emitted_crate_or_nothing_is_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let folder = OutputDir::locate(&root.path().join("crate")).unwrap();
        assert!(folder.refuse_foreign().is_ok());
        fs::create_dir(&folder.path).unwrap();
        assert!(folder.refuse_foreign().is_ok());
        let manifest = folder.path.join("Cargo.toml");
        fs::write(&manifest, format!("[package]\n{}\n", ownership::MARKER)).unwrap();
        let failure = folder.refuse_foreign().unwrap_err();
        assert!(failure.message.contains("did not write it"), "{}", failure.message);
        fs::write(&manifest, format!("{}\n[package]\n", ownership::MARKER)).unwrap();
        assert!(folder.refuse_foreign().is_ok());
        assert!(OutputDir::locate(&manifest).is_err());
        assert!(OutputDir::locate(Path::new("/")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_second_run_waits_for_the_first() {
        let root = tempfile::tempdir().unwrap();
        let folder = OutputDir::locate(&root.path().join("crate")).unwrap();
        let first = folder.lock(|| panic!("nobody holds the lock")).unwrap();
        let (sender, events) = mpsc::channel();
        thread::scope(|scope| {
            let second = sender.clone();
            let folder = &folder;
            scope.spawn(move || {
                let lock = folder.lock(|| second.send("second waits").unwrap()).unwrap();
                second.send("second holds the lock").unwrap();
                drop(lock);
            });
            assert_eq!(events.recv(), Ok("second waits"));
            sender.send("first leaves").unwrap();
            drop(first);
            assert_eq!(events.recv(), Ok("first leaves"));
            assert_eq!(events.recv(), Ok("second holds the lock"));
        });
    }
}
