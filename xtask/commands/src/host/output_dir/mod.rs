//! The folder of an emitted crate: compares it with the expected files, and updates it.
//!
//! Only entries that the generator owns are compared and replaced; all others in the folder stay. A new crate is staged
//! within the folder, and its entries are renamed into place at the end. A run that fails or is killed before leaves
//! the old crate. A run that is killed between two renames is repaired by the next run, which compares again.

mod compare;
pub mod diff;

pub use compare::Comparison;

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use ::codegen::{SourceFile, parallel};

use crate::host::exit::{Context, Exit, Failure, Fallible};
use crate::host::paths::{absolute_path, display_path};
use crate::host::read;

/// The entries of the folder that the generator owns, with everything below them, in the order in which they are
/// replaced. The manifest is last: the next run uses it to recognize an interrupted replacement.
const OWNED: [&str; 6] = ["src", "api.txt", "README.md", AGENTS, "rustfmt.toml", "Cargo.toml"];

/// The entry that people write, too. One without [`GENERATED`] is theirs: it stays, and is not compared.
const AGENTS: &str = "AGENTS.md";

/// The changelog of the crate, which `release` writes and people edit.
pub const CHANGELOG: &str = "CHANGELOG.md";

/// The marker in the first line of an emitted manifest, for any command that wrote it.
const MARKER: &str = "(codegen/src/emit/krate/manifest.rs)";

/// The text in the first line of every emitted file.
const GENERATED: &str = "@generated";

/// The entry in which a new crate is staged.
const STAGING: &str = ".codegen-staging";

/// The folder of an emitted crate. It need not exist yet.
#[derive(Debug)]
pub struct OutputDir {
    path: PathBuf,
}

impl OutputDir {
    /// Returns the folder at a path, which may be relative or a symbolic link.
    pub fn locate(path: &Path) -> Fallible<Self> {
        let absolute = absolute_path(path)?;
        if absolute.file_name().is_none() {
            return Err(Failure::at("write", path, "it is the root of the file system"));
        }
        if fs::symlink_metadata(&absolute).is_ok_and(|found| !found.is_dir()) {
            return Err(Failure::at("write", path, "it is not a folder"));
        }
        Ok(Self { path: absolute })
    }

    /// Fails if the folder contains anything except a crate that the generator wrote.
    pub fn refuse_foreign(&self) -> Fallible {
        if !self.path.exists() || self.is_emitted() {
            return Ok(());
        }
        let entries = fs::read_dir(&self.path).context("read", &self.path)?;
        let mut names = entries.flatten().map(|entry| entry.file_name());
        if names.all(|name| name == STAGING || name == CHANGELOG) {
            return Ok(());
        }
        let reason = format!(
            "it contains files, but no Cargo.toml with “{MARKER}” in its first line: the generator did not write it"
        );
        Err(Failure::at("write", &self.path, reason).help("choose a new or an empty folder"))
    }

    fn is_emitted(&self) -> bool {
        // A first run that was killed may have left its manifest in the staging folder.
        let manifests =
            [self.path.clone(), self.path.join(STAGING)].map(|it| it.join("Cargo.toml"));
        manifests.iter().any(|manifest| is_marked(manifest, MARKER) == Some(true))
    }

    /// Creates the folder and locks it against other runs until the returned file is dropped; calls `on_wait` before it
    /// waits for one.
    ///
    /// On a system that cannot lock folders (Windows, some network file systems), runs do not wait.
    pub fn lock(&self, on_wait: impl FnOnce()) -> Fallible<Option<File>> {
        fs::create_dir_all(&self.path).context("create", &self.path)?;
        let Ok(folder) = File::open(&self.path) else { return Ok(None) };
        let locked = match folder.try_lock() {
            Err(TryLockError::WouldBlock) => {
                on_wait();
                folder.lock().is_ok()
            }
            result => result.is_ok(),
        };
        Ok(locked.then_some(folder))
    }

    /// Compares the folder with the expected files.
    pub fn compare<'a>(&self, files: &'a [SourceFile]) -> Fallible<Comparison<'a>> {
        Comparison::new(&self.path, files)
    }

    /// Updates the folder to contain these files, and returns the previous differences. Unchanged files keep their
    /// modification time.
    pub fn write<'a>(&self, files: &'a [SourceFile]) -> Fallible<Comparison<'a>> {
        let staging = self.path.join(STAGING);
        if staging.exists() {
            fs::remove_dir_all(&staging).context("remove", &staging)?;
        }
        let comparison = self.compare(files)?;
        self.refuse_own_files(&comparison)?;
        if !comparison.is_same() {
            self.stage(&comparison, &staging)
                .inspect_err(|_| drop(fs::remove_dir_all(&staging)))?;
            self.replace_from(&staging)?;
            fs::remove_dir_all(&staging).context("remove", &staging)?;
        }
        Ok(comparison)
    }

    /// Fails if a file would be deleted that the generator did not write.
    fn refuse_own_files(&self, comparison: &Comparison<'_>) -> Fallible {
        let extra = comparison.extra.iter().map(|path| self.path.join(path));
        let mut own = extra.filter(|path| {
            let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
            is_file && is_marked(path, GENERATED) != Some(true)
        });
        own.next().map_or(Ok(()), |path| {
            let reason =
                format!("its first line has no “{GENERATED}”: the generator did not write it");
            Err(Failure::at("delete", display_path(&path), reason)
                .help("move it to a folder that is not generated"))
        })
    }

    /// Writes the whole crate into the staging folder, on all cores.
    fn stage(&self, comparison: &Comparison<'_>, staging: &Path) -> Fallible {
        let changed = comparison.changed.iter().map(|changed| (changed.file, false));
        let missing = comparison.missing.iter().map(|file| (*file, false));
        let unchanged = comparison.unchanged.iter().map(|file| (*file, true));
        let files: Vec<_> = changed.chain(missing).chain(unchanged).collect();
        let paths = files.iter().map(|(file, _)| staging.join(&file.path));
        let folders: BTreeSet<_> =
            paths.filter_map(|path| Some(path.parent()?.to_owned())).collect();
        for folder in folders {
            fs::create_dir_all(&folder).context("create", &folder)?;
        }
        let results = parallel::map(&files, |(file, is_unchanged)| {
            let path = staging.join(&file.path);
            let mut staged = File::create_new(&path).context("create", &path)?;
            staged.write_all(file.text.as_bytes()).context("write", &path)?;
            if *is_unchanged {
                let old = fs::metadata(self.path.join(&file.path)).and_then(|old| old.modified());
                old.and_then(|time| staged.set_modified(time)).context("write", &path)?;
            }
            Ok(())
        });
        results.into_iter().collect()
    }

    /// Replaces the content of the folder by the staged crate.
    fn replace_from(&self, staging: &Path) -> Fallible {
        for name in OWNED.into_iter().filter(|name| !is_of_people(&self.path, name)) {
            let path = self.path.join(name);
            let staged = staging.join(name);
            // Renaming replaces files. Other entries, such as a folder or a symbolic link to one, are renamed away
            // first.
            if fs::symlink_metadata(&path).is_ok_and(|old| !(old.is_file() && staged.is_file())) {
                fs::rename(&path, staging.join(format!("old-{name}"))).context("replace", &path)?;
            }
            if staged.exists() {
                fs::rename(&staged, &path).context("write", &path)?;
            }
        }
        Ok(())
    }
}

/// Returns whether an entry of a folder is a file that people wrote where the generator would write one.
fn is_of_people(folder: &Path, name: &str) -> bool {
    name == AGENTS && is_marked(&folder.join(name), GENERATED) == Some(false)
}

/// Returns whether the first line of a file contains a marker; `None` if it cannot be read.
fn is_marked(path: &Path, marker: &str) -> Option<bool> {
    let text = read::text(path, Exit::Failed).ok()?;
    Some(text.lines().next().is_some_and(|first| first.contains(marker)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn folder(root: &Path) -> OutputDir {
        OutputDir::locate(&root.join("crate")).unwrap()
    }

    fn files(text: &str) -> [SourceFile; 2] {
        let text = format!("# {MARKER}\n# {text}\n");
        let file = |path: &str| SourceFile { path: path.to_owned(), text: text.clone() };
        [file("Cargo.toml"), file("src/lib.rs")]
    }

    #[test]
    #[cfg(unix)]
    fn no_run_waits_for_a_writer_of_a_pipe() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(root.path());
        fs::create_dir(&folder.path).unwrap();
        let pipes = ["Cargo.toml", AGENTS].map(|name| folder.path.join(name));
        assert!(std::process::Command::new("mkfifo").args(&pipes).status().unwrap().success());
        folder.refuse_foreign().unwrap_err();
        folder.write(&files("new")).unwrap();
        assert!(folder.compare(&files("new")).unwrap().is_same() && !pipes[1].exists());
    }

    #[test]
    fn a_run_that_fails_while_staging_leaves_the_old_crate() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(root.path());
        folder.write(&files("old")).unwrap();
        let [manifest, mut source] = files("new");
        source.path = "src/\0.rs".to_owned();
        folder.write(&[manifest, source]).unwrap_err();
        assert!(!folder.path.join(STAGING).exists());
        assert!(folder.compare(&files("old")).unwrap().is_same());
        folder.write(&files("new")).unwrap();
        assert!(folder.compare(&files("new")).unwrap().is_same());
    }

    #[test]
    fn the_run_after_one_that_was_killed_repairs_the_folder() {
        // `src` is renamed away, then the entries of the new crate into place: the states after a kill at each step.
        for renamed in
            [None, Some(&[][..]), Some(&["src/lib.rs"]), Some(&["src/lib.rs", "Cargo.toml"])]
        {
            let root = tempfile::tempdir().unwrap();
            let folder = folder(root.path());
            folder.write(&files("old")).unwrap();
            fs::write(folder.path.join("notes.txt"), "mine").unwrap();
            let staging = folder.path.join(STAGING);
            fs::create_dir(&staging).unwrap();
            if let Some(renamed) = renamed {
                fs::rename(folder.path.join("src"), staging.join("old-src")).unwrap();
                for file in files("new").iter().filter(|file| renamed.contains(&&*file.path)) {
                    let path = folder.path.join(&file.path);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, &file.text).unwrap();
                }
            }
            folder.refuse_foreign().unwrap();
            folder.write(&files("new")).unwrap();
            assert!(folder.compare(&files("new")).unwrap().is_same(), "{renamed:?}");
            assert!(folder.path.join("notes.txt").exists() && !staging.exists(), "{renamed:?}");
        }
    }

    #[test]
    fn a_first_run_that_was_killed_can_be_repeated() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(root.path());
        let staging = folder.path.join(STAGING);
        folder.write(&files("new")).unwrap();
        fs::create_dir(&staging).unwrap();
        fs::rename(folder.path.join("Cargo.toml"), staging.join("Cargo.toml")).unwrap();
        folder.refuse_foreign().unwrap();
        folder.write(&files("new")).unwrap();
        assert!(folder.compare(&files("new")).unwrap().is_same());
    }

    #[cfg(unix)]
    #[test]
    fn a_second_run_waits_for_the_first() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(root.path());
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
