//! Compares the content of a folder with the expected files.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::Path;

use ::codegen::{SourceFile, parallel};

use crate::host::exit::{Context, Failure, Fallible};
use crate::host::output_dir::{OWNED, is_of_people};

/// The differences between a folder and the expected files. Only entries that the generator owns are compared, and
/// symbolic links are not followed.
#[derive(Debug, Default)]
pub struct Comparison<'a> {
    /// The files with other content.
    pub changed: Vec<Changed<'a>>,
    /// The files that do not exist.
    pub missing: Vec<&'a SourceFile>,
    /// The files with the expected content.
    pub unchanged: Vec<&'a SourceFile>,
    /// The paths of unexpected files, sorted.
    pub extra: Vec<String>,
}

/// A file with unexpected content.
#[derive(Debug)]
pub struct Changed<'a> {
    /// The expected content.
    pub file: &'a SourceFile,
    /// The actual content.
    pub found: Vec<u8>,
}

impl<'a> Comparison<'a> {
    /// Compares the files of a folder, byte by byte, on all cores.
    pub fn new(folder: &Path, files: &'a [SourceFile]) -> Fallible<Self> {
        let mut found = FoundFiles::default();
        if folder.exists() {
            found.scan(folder, "")?;
        }
        let mut comparison = Self { extra: found.others, ..Self::default() };
        let files: Vec<_> = files.iter().filter(|it| !is_of_people(folder, &it.path)).collect();
        for file in &files {
            let top = file.path.split('/').next().unwrap_or_default();
            if !OWNED.contains(&top) {
                return Err(Failure::new(format!("the generator does not own `{}`", file.path)));
            }
        }
        let contents = parallel::map(&files, |file| {
            let path = folder.join(&file.path);
            let is_found = found.files.contains(&file.path);
            is_found.then(|| fs::read(&path).context("read", &path)).transpose()
        });
        for (file, content) in files.into_iter().zip(contents) {
            found.files.remove(&file.path);
            match content? {
                None => comparison.missing.push(file),
                Some(content) if content == file.text.as_bytes() => comparison.unchanged.push(file),
                Some(found) => comparison.changed.push(Changed { file, found }),
            }
        }
        comparison.extra.extend(found.files);
        comparison.extra.sort();
        Ok(comparison)
    }

    /// Returns whether the folder has the expected content.
    pub fn is_same(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty() && self.extra.is_empty()
    }
}

/// The owned files in a folder.
#[derive(Default)]
struct FoundFiles {
    /// The paths of the regular files, with slashes.
    files: BTreeSet<String>,
    /// The paths of other entries that are not folders: links, sockets, names that are not UTF-8.
    others: Vec<String>,
}

impl FoundFiles {
    fn scan(&mut self, folder: &Path, prefix: &str) -> Fallible {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<DirEntry>, _>>);
        for entry in entries.context("read", folder)? {
            let name = entry.file_name();
            let path = format!("{prefix}{}", name.to_string_lossy());
            let is_owned = OWNED.contains(&path.as_str()) && !is_of_people(folder, &path);
            if prefix.is_empty() && !is_owned {
                continue;
            }
            let kind = entry.file_type().context("read", &entry.path())?;
            if kind.is_dir() {
                self.scan(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() && name.to_str().is_some() {
                self.files.insert(path);
            } else {
                self.others.push(path);
            }
        }
        Ok(())
    }
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
        let comparison = Comparison::new(folder.path(), &files).unwrap();
        assert_eq!(paths(comparison.unchanged), ["Cargo.toml"]);
        assert_eq!(paths(comparison.changed.iter().map(|changed| changed.file)), ["src/lib.rs"]);
        assert_eq!(paths(comparison.missing), ["src/new.rs"]);
        assert_eq!(comparison.extra, ["src/a/b/x.rs"]);
    }
}
