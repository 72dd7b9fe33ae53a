//! Bodies in flight.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use http::Extensions;
use tokio::task::coop::consume_budget;

use super::error::TransportError;
use crate::wire::upload::body::RequestBody;
use crate::wire::upload::reader::Reader;

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// The body of a response: bytes, or a stream of chunks. The body of a request can be read as one, too.
pub struct Body {
    inner: Inner,
    /// The extensions of the request, which live until the body ends.
    held: Extensions,
}

enum Inner {
    Whole(Option<Bytes>),
    Chunks(Chunks),
}

impl Body {
    /// Wraps a stream of chunks.
    pub fn from_stream(
        chunks: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static,
    ) -> Self {
        Inner::Chunks(Box::pin(chunks)).into()
    }

    /// Holds the extensions of the request until the body ends or is dropped.
    pub(crate) fn holding(self, held: Extensions) -> Self {
        Self { held, ..self }
    }

    /// Returns the next chunk, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the error of the transport if the body breaks off.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, TransportError> {
        // A stream may always have a chunk: timers and other tasks have their turn nevertheless.
        consume_budget().await;
        let chunk = match &mut self.inner {
            Inner::Whole(bytes) => Ok(bytes.take()),
            Inner::Chunks(chunks) => {
                poll_fn(|context| match chunks.as_mut().poll_next(context) {
                    // A stream may have no other chunks, always at once and without end.
                    Poll::Ready(Some(Ok(chunk))) if chunk.is_empty() => {
                        context.waker().wake_by_ref();
                        Poll::Pending
                    }
                    polled => polled,
                })
                .await
                .transpose()
            }
        };
        if !matches!(chunk, Ok(Some(_))) {
            self.held.clear();
        }
        chunk
    }
}

impl From<Inner> for Body {
    fn from(inner: Inner) -> Self {
        Self { inner, held: Extensions::new() }
    }
}

/// Bytes, a `Vec`, a `String` or a `&'static str`.
impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Inner::Whole(Some(bytes.into())).into()
    }
}

/// The same bytes, read while the body is read. Errors are [`TransportError::refused`].
impl From<RequestBody> for Body {
    fn from(body: RequestBody) -> Self {
        match body.read() {
            Ok(bytes) => Self::from(bytes),
            Err(reader) => Self::from_stream(Outgoing(reader)),
        }
    }
}

/// The chunks of the body of a request.
struct Outgoing(Reader);

impl Stream for Outgoing {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_chunk(context).map_err(TransportError::refused)
    }
}

impl Default for Body {
    fn default() -> Self {
        Inner::Whole(None).into()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.inner {
            Inner::Whole(_) => "Body(whole)",
            Inner::Chunks(_) => "Body(stream)",
        })
    }
}
