//! The folder of an emitted crate: finding it, comparing it, and making it hold what it should.
//!
//! A crate is replaced as a whole. [`stage`] builds the new one beside the old one, where files that are right already
//! are the same files; [`swap`] exchanges the two in one step and carries over what the generator does not own
//! (`target/`, `Cargo.lock`, anything else at the top). Whenever a run is interrupted, the folder holds the old crate or the
//! new one, and the next run clears away the other.

mod compare;
pub mod diff;
mod disk;
mod edits;
#[cfg(test)]
mod interruption;
mod layout;
mod lock;
mod stage;
mod swap;

pub use compare::Comparison;
pub use lock::Lock;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use ::codegen::SourceFile;

use crate::exit::{Doing, Failure};
use crate::folder::disk::{Disk, RealDisk};

/// What became of the files of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many files are new or have new content.
    pub written: usize,
    /// How many files are gone that are no longer emitted.
    pub deleted: usize,
    /// How many files were right already.
    pub unchanged: usize,
    /// Whether another folder stands where the old one stood.
    pub replaced: bool,
}

/// The folder of an emitted crate, which need not exist yet.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Returns the folder at a path, which may be relative, a symbolic link to a folder, or nothing yet.
    pub fn locate(path: &Path) -> Result<Self, Failure> {
        let folder = Self { path: absolute(path)? };
        if folder.path.file_name().is_none() {
            return Err(Failure::at("write", path, "it is the root of the file system"));
        }
        match fs::symlink_metadata(&folder.path) {
            Ok(found) if !found.is_dir() => Err(Failure::at("write", path, "it is not a folder")),
            _ => Ok(folder),
        }
    }

    /// Fails where the folder holds something, but not a crate that the generator wrote.
    pub fn refuse_foreign(&self) -> Result<(), Failure> {
        if layout::is_emitted(&self.path) || !self.path.exists() {
            return Ok(());
        }
        let mut entries = fs::read_dir(&self.path).doing("read", &self.path)?;
        if entries.next().is_none() {
            return Ok(());
        }
        let marker = layout::MARKER;
        let why = format!(
            "it holds files, and no Cargo.toml that begins with “{marker}”: the generator did not write it"
        );
        Err(Failure::at("write", &self.path, why).help("name a new or an empty folder"))
    }

    /// Returns whether the current folder is this one or inside it.
    pub fn holds_current_folder(&self) -> bool {
        env::current_dir().and_then(fs::canonicalize).is_ok_and(|here| here.starts_with(&self.path))
    }

    /// Keeps other runs out until the lock is dropped; calls `on_wait` where that takes waiting.
    ///
    /// The folders above are created where they don't exist.
    pub fn lock(&self, on_wait: impl FnOnce()) -> Result<Lock, Failure> {
        let parent = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(parent).doing("create", parent)?;
        Lock::acquire(parent, on_wait)
    }

    /// Compares what the folder holds with what it should hold, and changes nothing.
    pub fn compare<'a>(&self, files: &'a [SourceFile]) -> Result<Comparison<'a>, Failure> {
        layout::refuse_stray(files)?;
        Comparison::of(&self.path, files)
    }

    /// Makes the folder hold these files; what is right already is left alone.
    pub fn write(&self, files: &[SourceFile]) -> Result<Tally, Failure> {
        self.write_through(&RealDisk, files)
    }

    fn write_through(&self, disk: &dyn Disk, files: &[SourceFile]) -> Result<Tally, Failure> {
        swap::finish_interrupted(disk, &self.path)?;
        let comparison = self.compare(files)?;
        if comparison.is_same() {
            for folder in &comparison.empty_folders {
                disk.remove_empty_folder(folder)?;
            }
        } else {
            let staged = stage::stage(disk, &self.path, &comparison);
            swap::replace(disk, &self.path, staged)?;
        }
        Ok(Tally {
            written: comparison.changed.len() + comparison.missing.len(),
            deleted: comparison.extra.len(),
            unchanged: comparison.unchanged.len(),
            replaced: !comparison.is_same(),
        })
    }
}

/// Returns a path without symbolic links and `..`, as far as it exists.
pub fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let whole = std::path::absolute(path).doing("resolve", path)?;
    let found =
        whole.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
    let Some((ancestor, found)) = found else {
        return Ok(whole);
    };
    let rest = whole.strip_prefix(ancestor).unwrap_or(Path::new(""));
    if rest.components().any(|component| component.as_os_str() == "..") {
        return Err(Failure::at("resolve", path, "it goes up from a folder that does not exist"));
    }
    Ok(if rest.as_os_str().is_empty() { found } else { found.join(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_as_far_as_they_exist() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        fs::create_dir(root.join("a")).unwrap();
        assert_eq!(absolute(&root.join("a/../b/c")).unwrap(), root.join("b/c"));
        assert_eq!(absolute(&root.join("a/.")).unwrap(), root.join("a"));
        assert!(absolute(&root.join("none/../b")).is_err());
    }

    #[test]
    fn only_a_crate_of_the_generator_or_nothing_is_written_over() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::locate(&root.path().join("crate")).unwrap();
        assert!(folder.refuse_foreign().is_ok());
        fs::create_dir(&folder.path).unwrap();
        assert!(folder.refuse_foreign().is_ok());
        fs::write(folder.path.join("Cargo.toml"), format!("[package]\n{}\n", layout::MARKER))
            .unwrap();
        let failure = folder.refuse_foreign().unwrap_err();
        assert!(failure.message.contains("did not write it"), "{}", failure.message);
        fs::write(folder.path.join("Cargo.toml"), format!("{}\n[package]\n", layout::MARKER))
            .unwrap();
        assert!(folder.refuse_foreign().is_ok());
        assert!(Folder::locate(&folder.path.join("Cargo.toml")).is_err());
        assert!(Folder::locate(Path::new("/")).is_err());
    }
}
