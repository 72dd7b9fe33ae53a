//! Files that are written until they are complete.

#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{self, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
#[cfg(unix)]
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Seek as _, SeekFrom};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

/// A file that is being written.
pub(crate) struct Draft {
    /// It is locked while it is open, so that other drafts can tell whether its process still runs.
    file: File,
    path: PathBuf,
    /// The path of the complete file.
    target: PathBuf,
    /// The length in bytes.
    pub(crate) length: u64,
    /// Whether dropping the draft removes the file.
    is_temporary: bool,
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.is_temporary {
            // There is nothing left to report an error to.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Draft {
    /// Creates a draft next to a file, with the permissions of that one if it exists. On Unix, it first removes the draft
    /// of the same file that another process left.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let target = resolved(target)?;
        let replaced = fs::metadata(&target).map(|replaced| replaced.permissions());
        // The content must not run as the owner or the group of the file.
        #[cfg(unix)]
        let replaced = replaced.map(|replaced| Permissions::from_mode(replaced.mode() & 0o777));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Ok(replaced) = &replaced {
            options.mode(replaced.mode());
        }
        let (path, file) = create_next_to(&target, &options)?;
        // The mode of a new file lacks what the umask has.
        let permitted = replaced.map_or(Ok(()), |replaced| file.set_permissions(replaced));
        let file = File::from_std(file);
        let draft = Self { file, path, target, length: 0, is_temporary: true };
        permitted.map(|()| draft)
    }

    /// Continues a file after its first bytes: a draft that was kept, or the target itself.
    pub(crate) fn reopen(path: Option<PathBuf>, target: &Path, length: u64) -> io::Result<Self> {
        let target = resolved(target)?;
        let path = path.unwrap_or_else(|| target.clone());
        let mut file = OpenOptions::new().write(true).open(&path)?;
        if !claims(&file, &path, true) {
            return Err(io::Error::other("another program writes it"));
        }
        let found = file.metadata()?.len();
        if found < length {
            return Err(io::Error::other(format!(
                "it has {found} bytes, fewer than the {length} after which it is continued"
            )));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Self { file: File::from_std(file), path, target, length, is_temporary: false })
    }

    pub(crate) async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.length += piece.len() as u64;
        self.file.write_all(piece).await
    }

    /// Keeps what was written, and returns its path.
    pub(crate) async fn keep(mut self) -> io::Result<PathBuf> {
        self.flush().await?;
        self.is_temporary = false;
        Ok(self.path.clone())
    }

    /// Moves the file to its target.
    pub(crate) async fn complete(mut self) -> io::Result<()> {
        self.flush().await?;
        if self.path != self.target {
            tokio::fs::rename(&self.path, &self.target).await?;
        }
        self.is_temporary = false;
        Ok(())
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await?;
        self.file.sync_all().await
    }
}

/// Returns the path of a regular file behind symbolic links, or of a file that does not exist.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("it is not a regular file; write the pieces of the stream")),
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            Err(io::Error::other("it is a symbolic link to a file that does not exist"))
        }
        Err(_) => Ok(path.to_owned()),
    }
}

/// Creates a locked file next to another. Its name is always the same, so that a later draft finds it, unless another
/// program writes it.
fn create_next_to(target: &Path, options: &OpenOptions) -> io::Result<(PathBuf, fs::File)> {
    // The name of the target can have the maximum length.
    let path_of = |hash: u64| target.with_file_name(format!(".{hash:016x}.part"));
    #[cfg(unix)]
    {
        let mut hasher = DefaultHasher::new();
        target.file_name().hash(&mut hasher);
        let path = path_of(hasher.finish());
        // Opening a pipe would wait for its writer.
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        if is_file
            && let Ok(left) = fs::File::open(&path)
            && claims(&left, &path, false)
        {
            fs::remove_file(&path)?;
        }
        if let Ok(file) = options.open(&path)
            && claims(&file, &path, true)
        {
            return Ok((path, file));
        }
    }
    let path = path_of(RandomState::new().hash_one(target));
    let file = options.open(&path)?;
    Ok((path, file))
}

/// Locks a file, and returns whether no other draft has it. Some file systems have no locks: there, no file is known to
/// be left.
fn claims(file: &fs::File, path: &Path, is_own: bool) -> bool {
    let is_locked = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_own,
    };
    is_locked && is_at(file, path)
}

/// Returns whether a file is still at its path: another draft may have renamed or removed it before it was locked.
#[cfg(unix)]
fn is_at(file: &fs::File, path: &Path) -> bool {
    let found = fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()));
    let own = file.metadata().map(|own| (own.dev(), own.ino()));
    matches!((own, found), (Ok(own), Ok(found)) if own == found)
}

#[cfg(not(unix))]
fn is_at(_: &fs::File, _: &Path) -> bool {
    true
}
