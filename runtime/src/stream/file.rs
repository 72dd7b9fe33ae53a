//! Replies as files.

use std::ffi::OsString;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{io, process};

use tokio::fs::{self, File, OpenOptions};
use tokio::io::AsyncWrite as _;

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
        body.located(Error::new(ErrorKind::Request).with_message(message).with_source(error))
    };
    // It exists first: this future can be dropped while the file is created.
    let mut temporary = Temporary { path: beside(path), is_complete: false };
    let opened = OpenOptions::new().write(true).create_new(true).open(&temporary.path).await;
    let mut file = opened.map_err(|error| fault(&body, error))?;
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

/// Returns the path of a temporary file in the same folder, which no other call uses.
fn beside(path: &Path) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{number}.part", process::id()));
    path.with_file_name(name)
}
