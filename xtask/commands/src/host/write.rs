//! Replaces the files that people wrote. A file has its old text or its new one, whatever happens: the new text is written
//! beside it, and takes its name when it is on the disk.

use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::host::exit::{Context, Exit, Failure, Fallible};
use crate::host::paths::absolute_path;
use crate::host::read;

/// The end of the name of a new file, after the old name and a random number.
const SUFFIX: &str = ".openapi-bindings";

/// The number of hexadecimal digits of the random number.
const DIGITS: usize = 16;

/// A text file that a command edits.
pub struct TextFile {
    /// The path.
    pub path: PathBuf,
    /// The text as it was read; `None` if there was no such file.
    pub before: Option<String>,
}

impl TextFile {
    /// Reads a file. Fails if it cannot be replaced, and with `not_text` if it is not UTF-8.
    pub fn read(path: &Path, not_text: Exit) -> Fallible<Self> {
        let before = replaceable(path)?.map(|_| read::text(path, not_text)).transpose()?;
        Ok(Self { path: path.to_owned(), before })
    }

    /// Writes a new text beside the file. Fails if somebody has edited the file since it was read.
    pub fn stage(&self, text: &str) -> Fallible<Staged> {
        if !self.is_as_before() {
            let failure = Failure::at("write", &self.path, "it has changed during the run");
            return Err(failure.help("run the command again"));
        }
        Staged::new(&self.path, text)
    }

    fn is_as_before(&self) -> bool {
        match &self.before {
            Some(before) => fs::read(&self.path).is_ok_and(|text| text == before.as_bytes()),
            None => !self.path.exists(),
        }
    }

    fn restore(&self) -> Fallible {
        if self.is_as_before() {
            return Ok(());
        }
        match &self.before {
            Some(before) => Staged::new(&self.path, before)?.commit(),
            None => fs::remove_file(&self.path).context("delete", &self.path),
        }
    }
}

/// Restores files if an edit of them fails: all that have changed, also after one that cannot be restored.
pub fn protect(files: &[&TextFile], edit: impl FnOnce() -> Fallible) -> Fallible {
    edit().map_err(|failure| {
        let restored = files.iter().map(|file| file.restore()).collect::<Vec<_>>();
        match restored.into_iter().collect() {
            Ok(()) => failure,
            Err(Failure { message, .. }) => failure.help(format!("{message}; restore it with git")),
        }
    })
}

/// A new text beside the file that it replaces. It is deleted when it is dropped.
pub struct Staged {
    /// The file, without symbolic links: these stay.
    path: PathBuf,
    new: PathBuf,
}

impl Staged {
    fn new(path: &Path, text: &str) -> Fallible<Self> {
        let old = replaceable(path)?;
        let path = absolute_path(path)?;
        remove_leftovers(&path);
        let random = RandomState::new().hash_one(&path);
        let new = path.with_file_name(format!("{}{random:0DIGITS$x}{SUFFIX}", prefix(&path)));
        let mut file = File::create_new(&new).map_err(|error| {
            let folder = path.parent().unwrap_or(&path);
            Failure::at("create a file in", folder, error)
                .help("allow it: files are replaced as a whole, by a new file in the same folder")
        })?;
        let staged = Self { path, new };
        // Before the text, which others may not be allowed to read.
        let attributes = old.map_or(Ok(()), |old| take_attributes(&file, &old));
        let written = attributes.and_then(|()| file.write_all(text.as_bytes()));
        written.and_then(|()| file.sync_all()).context("write", &staged.path)?;
        Ok(staged)
    }

    /// Replaces the file.
    pub fn commit(self) -> Fallible {
        fs::rename(&self.new, &self.path).context("write", &self.path)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.new);
    }
}

/// Returns the metadata of a file that may be replaced; `None` if it does not exist.
fn replaceable(path: &Path) -> Fallible<Option<Metadata>> {
    let refused = |reason: &str, help: &str| Err(Failure::at("write", path, reason).help(help));
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            refused("it is a link to a file that does not exist", "delete the link")
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::at("read", path, error)),
        Ok(found) if !found.is_file() => {
            refused("it is not a regular file", "name a regular file, or a new one")
        }
        // Whoever may write all files would not notice.
        Ok(found) if found.permissions().readonly() => {
            let help = "allow writing, or restore the file, then run the command again";
            refused("it is read-only", help)
        }
        Ok(found) => Ok(Some(found)),
    }
}

/// Gives a new file the mode of the old one, and its owner if the system allows it.
fn take_attributes(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let _ = fchown(file, None, Some(old.gid()));
        let _ = fchown(file, Some(old.uid()), None);
    }
    file.set_permissions(old.permissions())
}

/// Deletes the new files beside a file that killed runs left.
fn remove_leftovers(path: &Path) {
    let Some(entries) = path.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    let prefix = prefix(path);
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let has_length = name.len() == prefix.len() + DIGITS + SUFFIX.len();
        if has_length && name.starts_with(&prefix) && name.ends_with(SUFFIX) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the start of the names of new files.
fn prefix(path: &Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Returns whether all lines of a text end with CRLF.
pub fn has_crlf(text: &str) -> bool {
    let lines = text.matches('\n').count();
    lines > 0 && text.matches("\r\n").count() == lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn read(path: &Path) -> TextFile {
        TextFile::read(path, Exit::Failed).unwrap()
    }

    #[test]
    fn a_failure_restores_all_files() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a.rs", "b.rs", "c.rs", "new.rs"].map(|name| folder.path().join(name));
        for path in &paths[..3] {
            fs::write(path, "old\r\n").unwrap();
        }
        let files = paths.each_ref().map(|path| read(path));
        let files = files.each_ref();
        let stage = || files.map(|file| file.stage("new\n").unwrap());
        let texts = || paths.each_ref().map(|path| fs::read_to_string(path).ok());

        let failed = protect(&files, || {
            stage().into_iter().try_for_each(Staged::commit)?;
            Err(Failure::new("the spec is invalid"))
        });
        assert_eq!(failed.unwrap_err().message, "the spec is invalid");
        let old = || Some("old\r\n".to_owned());
        assert_eq!(texts(), [old(), old(), old(), None]);

        let staged = stage();
        // No file can take the name of a folder.
        fs::remove_file(&paths[1]).unwrap();
        fs::create_dir(&paths[1]).unwrap();
        let failed = protect(&files, || staged.into_iter().try_for_each(Staged::commit));
        let Failure { message, help, .. } = failed.unwrap_err();
        assert!(message.contains("b.rs"), "{message}");
        assert!(help.unwrap().contains("restore it with git"));
        assert_eq!(texts(), [old(), None, old(), None]);
        assert_eq!(names(folder.path()), ["a.rs", "b.rs", "c.rs"]);
    }

    #[test]
    fn a_file_that_somebody_else_has_edited_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        for before in [None, Some("old")] {
            if let Some(before) = before {
                fs::write(&path, before).unwrap();
            }
            let file = read(&path);
            fs::write(&path, "theirs").unwrap();
            let failure = file.stage("new").err().unwrap();
            assert!(failure.message.contains("it has changed during the run"), "{failure:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
            assert_eq!(names(folder.path()), ["a.yaml"]);
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_file_is_replaced_and_not_written_to() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link, brought] =
            ["a.rs", "link.rs", ".a.rs.0123456789abcdee"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
        symlink("a.rs", &link).unwrap();
        symlink("a.rs", &brought).unwrap();
        fs::write(folder.path().join(".a.rs.0123456789abcdef.openapi-bindings"), "ne").unwrap();
        let reader = File::open(&file).unwrap();

        Staged::new(&link, "new").unwrap().commit().unwrap();
        assert_eq!(io::read_to_string(reader).unwrap(), "old");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o751);
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("a.rs"));
        // What a killed run has left is deleted, and nothing else.
        assert_eq!(names(folder.path()), [".a.rs.0123456789abcdee", "a.rs", "link.rs"]);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_regular_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, link, locked] = ["pipe", "link", "locked"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        // Without a reader, a writer would wait.
        let _reader = File::options().read(true).write(true).open(&pipe).unwrap();
        std::os::unix::fs::symlink("missing", &link).unwrap();
        fs::write(&locked, "old").unwrap();
        let mut permissions = fs::metadata(&locked).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).unwrap();
        for (path, reason) in [
            (pipe.as_path(), "it is not a regular file"),
            (folder.path(), "it is not a regular file"),
            (Path::new("/dev/null"), "it is not a regular file"),
            (&link, "it is a link to a file that does not exist"),
            (&locked, "it is read-only"),
        ] {
            let written = Staged::new(path, "new").and_then(Staged::commit);
            let failures = [TextFile::read(path, Exit::Failed).err(), written.err()];
            for failure in failures {
                let Failure { message, help, .. } = failure.unwrap();
                assert!(message.contains(reason) && help.is_some(), "{message}");
            }
        }
        assert_eq!(names(folder.path()), ["link", "locked", "pipe"]);
    }
}
