//! Where content is read from.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

#[cfg(feature = "fs")]
use super::file::FileLocation;
use crate::time::future::BoxError;

pub(crate) type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, BoxError>> + Send>>;

/// The source of content.
#[derive(Clone)]
pub(crate) enum BodyPart {
    Bytes(Bytes),
    /// A file, with its length once it is known.
    #[cfg(feature = "fs")]
    Path(Arc<FileLocation>, Option<u64>),
    OneTime(OneTime),
}

/// A stream, which only one of its clones can read, and only once.
#[derive(Clone)]
pub(crate) struct OneTime {
    chunks: Arc<Mutex<Option<Chunks>>>,
    /// The length in bytes, if it is known.
    pub(super) length: Option<u64>,
}

impl OneTime {
    pub(super) fn new<E: Into<BoxError>>(
        stream: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> Self {
        Self { chunks: Arc::new(Mutex::new(Some(boxed(stream)))), length: None }
    }

    /// Takes the stream, unless it was taken before.
    pub(super) fn take(&self) -> Option<Chunks> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl BodyPart {
    /// Returns the content if it is in memory.
    pub(crate) fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            #[cfg(feature = "fs")]
            Self::Path(..) => None,
            Self::OneTime(_) => None,
        }
    }

    /// Returns the length in bytes, if it is known.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            #[cfg(feature = "fs")]
            Self::Path(_, length) => *length,
            Self::OneTime(stream) => stream.length,
            _ => self.as_bytes().and_then(|bytes| bytes.len().try_into().ok()),
        }
    }

    /// Returns whether the content can be read from its beginning.
    pub(super) fn is_readable(&self) -> bool {
        match self {
            #[cfg(feature = "fs")]
            Self::Path(location, _) => location.is_readable(),
            Self::OneTime(OneTime { chunks, .. }) => {
                chunks.lock().unwrap_or_else(PoisonError::into_inner).is_some()
            }
            _ => true,
        }
    }
}

impl Default for BodyPart {
    fn default() -> Self {
        Self::Bytes(Bytes::new())
    }
}

impl PartialEq for BodyPart {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            #[cfg(feature = "fs")]
            (Self::Path(one, _), Self::Path(other, _)) => one.path == other.path,
            (Self::OneTime(one), Self::OneTime(other)) => Arc::ptr_eq(&one.chunks, &other.chunks),
            (one, other) => one.as_bytes().is_some() && one.as_bytes() == other.as_bytes(),
        }
    }
}

/// Shows no content: it can be large, and secret.
impl fmt::Debug for BodyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "fs")]
            Self::Path(location, _) => write!(f, "{:?}", location.path),
            Self::OneTime(_) => f.write_str("stream"),
            _ => write!(f, "{} bytes", self.as_bytes().map_or(0, <[u8]>::len)),
        }
    }
}

/// Boxes a stream and its errors.
pub(super) fn boxed<E: Into<BoxError>>(
    stream: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
) -> Chunks {
    Box::pin(BoxedErrors(Box::pin(stream)))
}

/// A stream with its errors in boxes.
struct BoxedErrors<S>(Pin<Box<S>>);

impl<S, E> Stream for BoxedErrors<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<BoxError>,
{
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map_err(Into::into)
    }
}
