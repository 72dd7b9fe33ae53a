//! Files as streams of chunks.

use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::{io, mem};

use bytes::Bytes;
use futures_core::Stream;
use tokio::fs::File;
use tokio::io::{AsyncRead, ReadBuf};

use crate::time::future::BoxFuture;

/// The size of a chunk, in bytes.
const CHUNK: usize = 64 << 10;

/// A path whose content is read for each attempt. A regular file can be read again; the content of a pipe or a device is
/// gone once it was opened.
pub(crate) struct FileLocation {
    pub(super) path: PathBuf,
    is_spent: AtomicBool,
}

impl FileLocation {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, is_spent: AtomicBool::new(false) }
    }

    /// Returns whether the content can be read from its beginning.
    pub(super) fn is_readable(&self) -> bool {
        !self.is_spent.load(Ordering::Relaxed)
    }

    /// Returns the length in bytes, or `None` for what has a length only once it was read: pipes, devices, and the files of
    /// `/proc`, whose length is 0.
    pub(super) async fn length(&self) -> io::Result<Option<u64>> {
        let metadata = tokio::fs::metadata(&self.path).await.map_err(|error| self.named(&error))?;
        if metadata.is_dir() {
            return Err(io::Error::other(format!("`{}` is a folder", self.path.display())));
        }
        if !metadata.is_file() {
            return Ok(None);
        }
        if metadata.len() > 0 {
            return Ok(Some(metadata.len()));
        }
        let file = File::open(&self.path).await.map_err(|error| self.named(&error))?;
        let mut chunks = pin!(Chunks::new(file));
        let first = poll_fn(|context| chunks.as_mut().poll_next(context)).await.transpose()?;
        Ok(first.is_none().then_some(0))
    }

    async fn open(&self) -> io::Result<File> {
        let metadata = tokio::fs::metadata(&self.path).await.map_err(|error| self.named(&error))?;
        if !metadata.is_file() && self.is_spent.swap(true, Ordering::Relaxed) {
            let path = self.path.display();
            return Err(io::Error::other(format!("`{path}` is not a file, and was already sent")));
        }
        File::open(&self.path).await.map_err(|error| self.named(&error))
    }

    /// Adds the path to an error, which does not have it.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("`{}`: {error}", self.path.display()))
    }
}

/// The content of a file, which is opened when the first chunk is read.
pub(super) enum Chunks {
    Opening(BoxFuture<'static, io::Result<File>>),
    Reading(File, Vec<u8>),
}

impl Chunks {
    pub(super) fn new(file: File) -> Self {
        Self::Reading(file, Vec::new())
    }

    pub(super) fn at(location: Arc<FileLocation>) -> Self {
        Self::Opening(Box::pin(async move { location.open().await }))
    }
}

impl Stream for Chunks {
    type Item = io::Result<Bytes>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match &mut *self {
                Self::Opening(file) => {
                    let file = ready!(file.as_mut().poll(context))?;
                    *self = Self::new(file);
                }
                Self::Reading(file, buffer) => {
                    buffer.resize(CHUNK, 0);
                    let mut read = ReadBuf::new(buffer);
                    ready!(Pin::new(file).poll_read(context, &mut read))?;
                    let length = read.filled().len();
                    buffer.truncate(length);
                    let chunk = Bytes::from(mem::take(buffer));
                    return Poll::Ready((length > 0).then_some(Ok(chunk)));
                }
            }
        }
    }
}
