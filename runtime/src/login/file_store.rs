//! Tokens in a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};

use super::store::{LockedStore, StoredTokens, TokenStore};
use crate::time::future::BoxError;

/// Maximum size of the file, in bytes. Tokens have a few kilobytes.
const MAX_BYTES: u64 = 1 << 20;

const IRREGULAR: &str = "it is not a regular file";

/// Stores tokens in a file that only its owner can read (mode 0600 on Unix). Several processes can share it.
///
/// A second file, with `.lock` after the name, is locked while tokens are obtained. The file is replaced as a whole, so
/// that a process that is killed leaves the old tokens, and possibly a third file, with `.new` after the name, which the
/// next process removes. On Unix, all must be regular files, and none a symbolic link.
#[derive(Clone, Debug)]
pub struct FileStore {
    path: PathBuf,
}

impl FileStore {
    /// Returns the store at a path. Its folder must exist; the file is created with the first tokens.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

struct LockedFile {
    path: PathBuf,
    /// Closing it unlocks the store.
    _lock: File,
}

impl TokenStore for FileStore {
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError> {
        let path = sibling(&self.path, ".lock");
        let mut options = OpenOptions::new();
        let lock = open(options.write(true).create(true).truncate(false), &path)
            .map_err(|error| failed("open", &path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed("lock", &path, &error)),
        }
        let locked = LockedFile { path: self.path.clone(), _lock: lock };
        // A process that was killed may have left it, with tokens.
        locked.remove_new()?;
        Ok(Some(Box::new(locked)))
    }
}

impl LockedFile {
    /// Removes the file that would replace the token file, if it exists.
    fn remove_new(&self) -> Result<(), BoxError> {
        let new = sibling(&self.path, ".new");
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed("remove", &new, &error))
            }
            _ => Ok(()),
        }
    }

    /// Replaces the file by a new one. Anything else than a file, such as a device, stays.
    fn replace(&self, new: &Path, tokens: &StoredTokens) -> io::Result<()> {
        fault(&self.path).map_or(Ok(()), Err)?;
        let mut file = open(OpenOptions::new().write(true).create_new(true), new)?;
        file.write_all(tokens.to_json().expose_secret().as_bytes())?;
        file.sync_all()?;
        fs::rename(new, &self.path)
    }
}

impl LockedStore for LockedFile {
    fn load(&mut self) -> Result<Option<StoredTokens>, BoxError> {
        let path = &self.path;
        let file = match open(OpenOptions::new().read(true), path) {
            Ok(file) => file,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(failure) => return Err(failed("open", path, &failure)),
        };
        #[cfg(unix)]
        if is_readable_by_others(&file).map_err(|error| failed("read", path, &error))? {
            let message =
                format!("other users can read `{}`; set its mode to 0600", path.display());
            return Err(message.into());
        }
        let text = io::read_to_string(file.take(MAX_BYTES));
        let text = text.map_err(|error| failed("read", path, &error))?;
        let tokens = StoredTokens::from_json(SecretString::from(text).expose_secret());
        tokens.map(Some).map_err(|error| {
            format!("`{}`: {error}; a new login replaces the file", path.display()).into()
        })
    }

    fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError> {
        self.replace(&sibling(&self.path, ".new"), tokens).map_err(|error| {
            // It has tokens; the error to report is the first.
            let _ = self.remove_new();
            failed("write", &self.path, &error)
        })
    }
}

/// Returns the path of a file next to another.
fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn failed(what: &str, path: &Path, error: &io::Error) -> BoxError {
    format!("failed to {what} `{}`: {error}", path.display()).into()
}

/// Opens a regular file. If it is created, only its owner can read it. Opening a pipe does not wait for a writer.
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path).map_err(|error| fault(path).unwrap_or(error))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other(IRREGULAR)) }
}

/// Returns what is wrong with a path that has anything else than a file.
fn fault(path: &Path) -> Option<io::Error> {
    let found = fs::symlink_metadata(path).ok().filter(|found| !found.is_file())?;
    let why = if found.is_symlink() { "it is a symbolic link" } else { IRREGULAR };
    Some(io::Error::other(why))
}

#[cfg(unix)]
fn is_readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}
