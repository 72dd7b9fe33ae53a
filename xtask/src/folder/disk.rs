//! The steps by which a folder is changed.
//!
//! Each method is one step that an interruption can come before. Everything that changes something goes through here,
//! so that tests can interrupt a run at every one of them.

use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::exit::{Doing, Failure};

/// Something that changes files and folders.
pub trait Disk {
    /// Creates a folder that does not exist yet.
    fn create_folder(&self, path: &Path) -> Result<(), Failure>;

    /// Creates a file that does not exist yet.
    fn create_file(&self, path: &Path, content: &[u8]) -> Result<(), Failure>;

    /// Makes `copy` the same file as `original`, or one of the same content and modification time.
    fn keep(&self, original: &Path, copy: &Path) -> Result<(), Failure>;

    /// Gives a file or folder another name.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), Failure>;

    /// Exchanges two folders in one step; returns `false`, with nothing done, where the system cannot.
    fn exchange(&self, one: &Path, other: &Path) -> Result<bool, Failure>;

    /// Removes a file, a symbolic link (not what it points to), or a folder with all that it holds.
    fn remove(&self, path: &Path) -> Result<(), Failure>;

    /// Removes a folder that holds nothing.
    fn remove_empty_folder(&self, path: &Path) -> Result<(), Failure>;
}

/// The file system.
pub struct RealDisk;

impl Disk for RealDisk {
    fn create_folder(&self, path: &Path) -> Result<(), Failure> {
        fs::create_dir(path).doing("create", path)
    }

    fn create_file(&self, path: &Path, content: &[u8]) -> Result<(), Failure> {
        File::create_new(path).and_then(|mut file| file.write_all(content)).doing("write", path)
    }

    fn keep(&self, original: &Path, copy: &Path) -> Result<(), Failure> {
        if fs::hard_link(original, copy).is_ok() {
            return Ok(());
        }
        // Some file systems have no hard links.
        copy_with_time(original, copy).doing("copy", original)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        let act = format!("rename `{}` to", from.display());
        fs::rename(from, to).doing(&act, to)
    }

    fn exchange(&self, one: &Path, other: &Path) -> Result<bool, Failure> {
        exchange(one, other).doing("replace", other)
    }

    fn remove(&self, path: &Path) -> Result<(), Failure> {
        let is_folder = fs::symlink_metadata(path).doing("read", path)?.is_dir();
        if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }
            .doing("remove", path)
    }

    fn remove_empty_folder(&self, path: &Path) -> Result<(), Failure> {
        fs::remove_dir(path).doing("remove", path)
    }
}

fn copy_with_time(original: &Path, copy: &Path) -> io::Result<()> {
    fs::copy(original, copy)?;
    let modified = fs::metadata(original)?.modified()?;
    OpenOptions::new().write(true).open(copy)?.set_times(FileTimes::new().set_modified(modified))
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_file_keeps_its_content_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let (original, linked, copied) =
            (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
        fs::write(&original, "text").unwrap();
        let modified = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
        let file = OpenOptions::new().write(true).open(&original).unwrap();
        file.set_times(FileTimes::new().set_modified(modified)).unwrap();
        RealDisk.keep(&original, &linked).unwrap();
        copy_with_time(&original, &copied).unwrap();
        for path in [linked, copied] {
            assert_eq!(fs::read_to_string(&path).unwrap(), "text");
            assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), modified);
        }
    }

    #[test]
    fn nothing_that_exists_is_created_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        RealDisk.create_file(&path, b"first").unwrap();
        assert!(RealDisk.create_file(&path, b"second").is_err());
        assert!(RealDisk.create_folder(folder.path()).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    }
}
