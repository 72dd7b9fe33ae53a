//! Replies as files.

use std::fs::OpenOptions;
#[cfg(unix)]
use std::fs::Permissions;
use std::future::poll_fn;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;

use tokio::fs::{self, File};
use tokio::io::AsyncWrite as _;
use tokio::task::spawn_blocking;

use super::bytes::ByteStream;
use crate::error::{Error, ErrorKind};

/// A temporary file, which is removed unless it is renamed.
struct Temporary {
    path: PathBuf,
    is_complete: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_complete {
            // There is nothing left to report an error to.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl ByteStream {
    /// Writes the rest of the body to a file, and returns the number of bytes. The file appears when it is complete: until
    /// then its content is in a temporary file in the same folder, which an error or dropping the future removes.
    /// A file that is replaced keeps its permissions.
    ///
    /// # Errors
    ///
    /// Fails as [`try_next`](Self::try_next) does, and with [`ErrorKind::Request`] if the file cannot be written.
    pub async fn save(self, path: impl AsRef<Path> + Send) -> Result<u64, Error> {
        save(self, path.as_ref()).await
    }
}

/// Writes a body to a file, which appears when it is complete.
async fn save(mut body: ByteStream, path: &Path) -> Result<u64, Error> {
    let fault = |body: &ByteStream, error: io::Error| {
        let message = format!("`{}` cannot be written", path.display());
        body.reply.located(Error::new(ErrorKind::Request).with_message(message).with_source(error))
    };
    // If this future is dropped meanwhile, so is what the closure returns.
    let replaced = path.to_owned();
    let created =
        spawn_blocking(move || create(&replaced)).await.unwrap_or_else(|error| Err(error.into()));
    let (mut temporary, mut file) = created.map_err(|error| fault(&body, error))?;
    let mut length = 0;
    while let Some(piece) = body.try_next().await? {
        write(&mut file, &piece).await.map_err(|error| fault(&body, error))?;
        length += u64::try_from(piece.len()).unwrap_or(u64::MAX);
    }
    let written = async {
        poll_fn(|context| Pin::new(&mut file).poll_flush(context)).await?;
        file.sync_all().await?;
        fs::rename(&temporary.path, path).await
    };
    written.await.map_err(|error| fault(&body, error))?;
    temporary.is_complete = true;
    Ok(length)
}

async fn write(file: &mut File, mut piece: &[u8]) -> io::Result<()> {
    while !piece.is_empty() {
        let written = poll_fn(|context| Pin::new(&mut *file).poll_write(context, piece)).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        piece = &piece[written..];
    }
    Ok(())
}

/// Creates a temporary file in the folder of another, with the permissions of that one if it exists.
fn create(path: &Path) -> io::Result<(Temporary, File)> {
    // The name of the other file can have the maximum length.
    let name = format!(".{:016x}.part", RandomState::new().hash_one(path));
    let temporary = path.with_file_name(name);
    let replaced = std::fs::metadata(path).map(|replaced| replaced.permissions());
    // The content must not run as the owner or the group of the file.
    #[cfg(unix)]
    let replaced = replaced.map(|replaced| Permissions::from_mode(replaced.mode() & 0o777));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Ok(replaced) = &replaced {
        options.mode(replaced.mode());
    }
    let file = options.open(&temporary)?;
    let temporary = Temporary { path: temporary, is_complete: false };
    if let Ok(replaced) = replaced {
        // The mode of a new file lacks what the umask has.
        file.set_permissions(replaced)?;
    }
    Ok((temporary, File::from_std(file)))
}
