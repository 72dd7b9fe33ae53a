//! What a folder holds, held against what it should hold.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use ::codegen::SourceFile;

use crate::exit::{Doing, Failure};
use crate::folder::layout;

/// What differs between a folder and the files that it should hold. Nothing else in the folder is looked at than what
/// the generator owns, and no symbolic link is followed.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// The files with other content.
    pub changed: Vec<Changed<'a>>,
    /// The files that are not there.
    pub missing: Vec<&'a SourceFile>,
    /// The files that are as they should be.
    pub unchanged: Vec<&'a SourceFile>,
    /// The paths of what is there and should not be, sorted.
    pub extra: Vec<String>,
    /// The folders without a file in them, innermost first. They are nothing that a crate consists of.
    pub empty_folders: Vec<PathBuf>,
}

/// A file with other content than it should have.
#[derive(Debug)]
pub struct Changed<'a> {
    /// What it should be.
    pub file: &'a SourceFile,
    /// What it holds now.
    pub found: Vec<u8>,
}

impl<'a> Comparison<'a> {
    /// Compares, byte by byte.
    pub fn of(folder: &Path, files: &'a [SourceFile]) -> Result<Self, Failure> {
        let mut found = Found::default();
        found.look_at(folder)?;
        let mut comparison =
            Self { empty_folders: found.empty_folders, extra: found.others, ..Self::default() };
        for file in files {
            if !found.files.remove(&file.path) {
                comparison.missing.push(file);
                continue;
            }
            let path = folder.join(&file.path);
            let content = fs::read(&path).doing("read", &path)?;
            if content == file.text.as_bytes() {
                comparison.unchanged.push(file);
            } else {
                comparison.changed.push(Changed { file, found: content });
            }
        }
        comparison.extra.extend(found.files);
        comparison.extra.sort();
        Ok(comparison)
    }

    /// Returns whether the folder holds what it should.
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty() && self.extra.is_empty()
    }
}

/// What of the generator's a folder holds.
#[derive(Default)]
struct Found {
    /// The paths of the regular files, with slashes.
    files: BTreeSet<String>,
    /// Everything else that is no folder: links, sockets, names that are no text.
    others: Vec<String>,
    /// The folders without a file in them, innermost first.
    empty_folders: Vec<PathBuf>,
}

impl Found {
    fn look_at(&mut self, folder: &Path) -> Result<(), Failure> {
        for entry in entries(folder)? {
            if !layout::owns(&entry.file_name()) {
                continue;
            }
            let is_folder = entry.file_type().doing("read", &entry.path())?.is_dir();
            if entry.file_name() == layout::SOURCES && is_folder {
                self.look_into(&entry.path(), layout::SOURCES)?;
            } else {
                self.note(&entry, "")?;
            }
        }
        Ok(())
    }

    /// Looks into a folder of sources, and returns whether anything but folders is in it.
    fn look_into(&mut self, folder: &Path, prefix: &str) -> Result<bool, Failure> {
        let mut holds_files = false;
        for entry in entries(folder)? {
            if !entry.file_type().doing("read", &entry.path())?.is_dir() {
                self.note(&entry, prefix)?;
                holds_files = true;
                continue;
            }
            let inside = joined(prefix, &entry.file_name().to_string_lossy());
            if self.look_into(&entry.path(), &inside)? {
                holds_files = true;
            } else {
                self.empty_folders.push(entry.path());
            }
        }
        Ok(holds_files)
    }

    fn note(&mut self, entry: &DirEntry, prefix: &str) -> Result<(), Failure> {
        let is_file = entry.file_type().doing("read", &entry.path())?.is_file();
        match entry.file_name().to_str() {
            Some(name) if is_file => {
                self.files.insert(joined(prefix, name));
            }
            _ => self.others.push(joined(prefix, &entry.file_name().to_string_lossy())),
        }
        Ok(())
    }
}

fn joined(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
}

/// Returns what is in a folder; a folder that doesn't exist is empty.
fn entries(folder: &Path) -> Result<Vec<DirEntry>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    fs::read_dir(folder).and_then(Iterator::collect).doing("read", folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn paths<'a>(files: impl IntoIterator<Item = &'a SourceFile>) -> Vec<&'a str> {
        files.into_iter().map(|file| file.path.as_str()).collect()
    }

    #[test]
    fn each_file_is_changed_missing_unchanged_or_extra() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src/a/b")).unwrap();
        fs::create_dir_all(folder.path().join("target/src")).unwrap();
        for (path, text) in [
            ("Cargo.toml", "same"),
            ("src/lib.rs", "old\r\n"),
            ("src/a/b/x.rs", ""),
            ("Cargo.lock", ""),
        ] {
            fs::write(folder.path().join(path), text).unwrap();
        }
        let files =
            [file("Cargo.toml", "same"), file("src/lib.rs", "old\n"), file("src/new.rs", "")];
        let comparison = Comparison::of(folder.path(), &files).unwrap();
        assert_eq!(paths(comparison.unchanged), ["Cargo.toml"]);
        assert_eq!(paths(comparison.changed.iter().map(|changed| changed.file)), ["src/lib.rs"]);
        assert_eq!(paths(comparison.missing), ["src/new.rs"]);
        assert_eq!(comparison.extra, ["src/a/b/x.rs"]);
        assert!(comparison.empty_folders.is_empty());
    }

    #[test]
    fn everything_is_missing_where_there_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let files = [file("Cargo.toml", "")];
        let comparison = Comparison::of(&folder.path().join("none"), &files).unwrap();
        assert_eq!(paths(comparison.missing), ["Cargo.toml"]);
    }

    #[test]
    fn folders_without_files_are_found_innermost_first() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("src/a/b")).unwrap();
        let comparison = Comparison::of(folder.path(), &[]).unwrap();
        assert!(comparison.is_same());
        assert_eq!(
            comparison.empty_folders,
            [folder.path().join("src/a/b"), folder.path().join("src/a")]
        );
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_extra_and_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("lib.rs"), "text").unwrap();
        symlink(elsewhere.path(), folder.path().join("src")).unwrap();
        symlink(elsewhere.path().join("lib.rs"), folder.path().join("README.md")).unwrap();
        let files = [file("README.md", "text"), file("src/lib.rs", "text")];
        let comparison = Comparison::of(folder.path(), &files).unwrap();
        assert_eq!(paths(comparison.missing), ["README.md", "src/lib.rs"]);
        assert_eq!(comparison.extra, ["README.md", "src"]);
    }
}
