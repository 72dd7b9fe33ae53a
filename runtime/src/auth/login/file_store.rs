//! Tokens in a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret as _, SecretString};

use super::store::{LockedStore, StoredTokens, TokenStore};
use crate::future::BoxError;

/// Stores tokens in a file that only its owner can read (mode 0600 on Unix). Several processes can share it.
///
/// A second file, with `.lock` after the name, is locked while tokens are obtained. The file is replaced as a whole, so
/// that a process that is killed leaves the old tokens.
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
        private(options.write(true).create(true).truncate(false));
        let lock = options.open(&path).map_err(|error| failed("open", &path, &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Box::new(LockedFile { path: self.path.clone(), _lock: lock }))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed("lock", &path, &error)),
        }
    }
}

impl LockedStore for LockedFile {
    fn load(&mut self) -> Result<Option<StoredTokens>, BoxError> {
        let path = &self.path;
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("open", path, &error)),
        };
        let is_readable =
            is_readable_by_others(&file).map_err(|error| failed("read", path, &error))?;
        if is_readable {
            let message =
                format!("other users can read `{}`; set its mode to 0600", path.display());
            return Err(message.into());
        }
        let text = io::read_to_string(file).map_err(|error| failed("read", path, &error))?;
        StoredTokens::from_json(SecretString::from(text).expose_secret()).map(Some)
    }

    fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError> {
        let new = sibling(&self.path, ".new");
        let error = |error: io::Error| failed("write", &new, &error);
        // A process that was killed may have left one, with another mode.
        match fs::remove_file(&new) {
            Err(failure) if failure.kind() != io::ErrorKind::NotFound => {
                return Err(error(failure));
            }
            _ => {}
        }
        let mut options = OpenOptions::new();
        let mut file = private(options.write(true).create_new(true)).open(&new).map_err(error)?;
        file.write_all(tokens.to_json().expose_secret().as_bytes()).map_err(error)?;
        file.sync_all().map_err(error)?;
        fs::rename(&new, &self.path).map_err(error)
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

/// Creates files that only their owner can read.
#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn is_readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn is_readable_by_others(_: &File) -> io::Result<bool> {
    Ok(false)
}
