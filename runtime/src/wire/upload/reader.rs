//! Bodies that are read while they are sent.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;

#[cfg(feature = "fs")]
use super::source::boxed;
use super::source::{BodyPart, Chunks};
use crate::time::future::BoxError;

/// Reads the sources of a body, one after the other.
pub(crate) struct Reader {
    sources: Arc<[BodyPart]>,
    next: usize,
    /// The source that is being read.
    open: Option<Opened>,
}

struct Opened {
    /// The stream until its end. In a mutex, so that readers are `Sync`; it is never locked.
    chunks: Option<Mutex<Chunks>>,
    /// The rest of the length, in bytes.
    left: Option<u64>,
    /// The chunk that completes the length.
    last: Option<Bytes>,
}

/// The failure to read the content of a body. The request is incomplete, so that no server acts on it.
#[derive(Debug)]
pub(crate) struct ReadError(BoxError);

impl Reader {
    pub(super) fn new(sources: Arc<[BodyPart]>) -> Self {
        Self { sources, next: 0, open: None }
    }

    /// Returns the next chunk, which is not empty, or `None` at the end.
    pub(crate) fn poll_chunk(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, ReadError>>> {
        loop {
            if let Some(open) = &mut self.open {
                match ready!(open.poll_chunk(context)) {
                    None => self.open = None,
                    Some(Ok(chunk)) if chunk.is_empty() => {
                        // A stream may have no other chunks, always at once and without end.
                        context.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                    Some(chunk) => return Poll::Ready(Some(chunk.map_err(ReadError))),
                }
                continue;
            }
            let Some(source) = self.sources.get(self.next) else {
                return Poll::Ready(None);
            };
            self.next += 1;
            let chunks: Chunks = match source {
                BodyPart::Bytes(bytes) if bytes.is_empty() => continue,
                BodyPart::Bytes(bytes) => return Poll::Ready(Some(Ok(bytes.clone()))),
                #[cfg(feature = "fs")]
                BodyPart::Path(location, _) => boxed(super::file::Chunks::at(Arc::clone(location))),
                BodyPart::OneTime(stream) => match stream.take() {
                    Some(chunks) => chunks,
                    None => return Poll::Ready(Some(Err(ReadError(ALREADY_SENT.into())))),
                },
            };
            self.open = Some(Opened::new(chunks, source.length()));
        }
    }
}

impl Opened {
    fn new(chunks: Chunks, length: Option<u64>) -> Self {
        Self { chunks: Some(Mutex::new(chunks)), left: length, last: None }
    }

    /// Returns the next chunk, which can be empty, and an error if the content does not have its length: the server would wait for more, or
    /// take the rest for another request. The last chunk is returned once the content is known to end with it.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        while let Some(chunks) = &mut self.chunks {
            let chunks = chunks.get_mut().unwrap_or_else(PoisonError::into_inner);
            let Some(chunk) = ready!(chunks.as_mut().poll_next(context)?) else {
                if self.left.is_some_and(|left| left > 0) {
                    return Poll::Ready(Some(Err(TOO_SHORT.into())));
                }
                self.chunks = None;
                break;
            };
            let Some(left) = &mut self.left else { return Poll::Ready(Some(Ok(chunk))) };
            let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
            let Some(rest) = left.checked_sub(length) else {
                return Poll::Ready(Some(Err(TOO_LONG.into())));
            };
            *left = rest;
            if rest > 0 || chunk.is_empty() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            self.last = Some(chunk);
        }
        Poll::Ready(self.last.take().map(Ok))
    }
}

const TOO_LONG: &str = "it is longer than its length";
const TOO_SHORT: &str = "it is shorter than its length";
const ALREADY_SENT: &str = "the stream of the body was already sent";

impl From<BoxError> for ReadError {
    fn from(error: BoxError) -> Self {
        Self(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to read the body: {}", self.0)
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
