//! Files as streams of chunks.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::{io, mem};

use bytes::Bytes;
use futures_core::Stream;
use tokio::fs::File;
use tokio::io::{AsyncRead, ReadBuf};

use crate::future::BoxFuture;

/// The size of a chunk, in bytes.
const CHUNK: usize = 64 << 10;

/// The content of a file, which is opened when the first chunk is read.
pub(super) enum Chunks {
    Opening(BoxFuture<'static, io::Result<File>>),
    Reading(File, Vec<u8>),
}

impl Chunks {
    pub(super) fn new(file: File) -> Self {
        Self::Reading(file, Vec::new())
    }

    pub(super) fn at(path: Arc<Path>) -> Self {
        Self::Opening(Box::pin(async move {
            let opened = File::open(&path).await;
            opened.map_err(|error| named(&path, &error))
        }))
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

/// Returns the length of a file in bytes.
pub(super) async fn length(path: &Path) -> io::Result<u64> {
    let metadata = tokio::fs::metadata(path).await.map_err(|error| named(path, &error))?;
    if metadata.is_dir() {
        return Err(io::Error::other(format!("`{}` is a folder", path.display())));
    }
    Ok(metadata.len())
}

/// Adds the path to an error, which does not have it.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}
