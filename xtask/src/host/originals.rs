//! Files that a command edits, as they were before it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::host::exit::{Context, Failure};

/// The content of files; `None` for files that do not exist.
pub struct Originals(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Originals {
    /// Reads files.
    pub fn read(paths: &[&Path]) -> Result<Self, Failure> {
        let read = |path: &&Path| match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((path.to_path_buf(), None)),
            read => Ok((path.to_path_buf(), Some(read.context("read", path)?))),
        };
        paths.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Restores the files if an edit of them fails.
    pub fn protect(&self, edit: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        edit().map_err(|failure| match self.restore() {
            Ok(()) => failure,
            Err(other) => failure.help(format!("{}; restore it with git", other.message)),
        })
    }

    /// Restores all files that have changed, also after one that cannot be restored.
    fn restore(&self) -> Result<(), Failure> {
        let restored = self.0.iter().map(|(path, content)| match content {
            Some(content) if fs::read(path).is_ok_and(|found| found == *content) => Ok(()),
            Some(content) => fs::write(path, content).context("restore", path),
            None if path.exists() => fs::remove_file(path).context("restore", path),
            None => Ok(()),
        });
        restored.collect::<Vec<_>>().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_failure_restores_all_files() {
        let folder = tempfile::tempdir().unwrap();
        let [settings, changes] =
            ["codegen.toml", "CHANGELOG.md"].map(|name| folder.path().join(name));
        fs::write(&settings, "1.0.0\r\n").unwrap();
        let originals = Originals::read(&[&settings, &changes]).unwrap();
        let edit = || {
            fs::write(&settings, "2.0.0\n").unwrap();
            fs::write(&changes, "# Changelog\n").unwrap();
        };

        let failed = originals.protect(|| {
            edit();
            Err(Failure::new("the spec is invalid"))
        });
        assert_eq!(failed.unwrap_err().message, "the spec is invalid");
        assert_eq!(fs::read(&settings).unwrap(), b"1.0.0\r\n");
        assert!(!changes.exists());

        assert!(
            originals
                .protect(|| {
                    edit();
                    Ok(())
                })
                .is_ok()
        );
        assert_eq!(fs::read(&settings).unwrap(), b"2.0.0\n");
    }
}
