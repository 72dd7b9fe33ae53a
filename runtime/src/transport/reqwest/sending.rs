//! Bodies of requests as bodies of reqwest.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Method;
use http_body::{Frame, SizeHint};

use super::first::Opening;
use crate::upload::body::RequestBody;
use crate::upload::reader::{ReadError, Reader};

/// Whether the body of a request was read. As long as it was not, the request is incomplete, so that no server acts on it.
#[derive(Default)]
pub(super) struct Progress(Option<Arc<AtomicBool>>);

impl Progress {
    fn begin() -> Self {
        Self(Some(Arc::default()))
    }

    /// Returns whether there is a body, and none of it was read.
    pub(super) fn is_unread(&self) -> bool {
        self.0.as_ref().is_some_and(|is_read| !is_read.load(Ordering::Relaxed))
    }
}

/// Returns whether a request of the method has content, so that even its length of 0 is sent (RFC 9110, section 8.6).
pub(super) fn has_content(method: &Method) -> bool {
    !matches!(
        *method,
        Method::GET
            | Method::HEAD
            | Method::DELETE
            | Method::OPTIONS
            | Method::TRACE
            | Method::CONNECT
    )
}

/// Returns the body that reqwest sends, if there is one. One in memory can be `owned` by reqwest; it has no progress then.
pub(super) fn body(
    body: RequestBody,
    owned: bool,
    opening: Option<Opening>,
) -> (Option<reqwest::Body>, Progress) {
    let length = body.length();
    let (content, progress) = match body.read() {
        Ok(bytes) if bytes.is_empty() && opening.is_none() => return (None, Progress::default()),
        Ok(bytes) if bytes.is_empty() => (Content::Whole(None), Progress::default()),
        Ok(bytes) if owned => return (Some(bytes.into()), Progress::default()),
        Ok(bytes) => (Content::Whole(Some(bytes)), Progress::begin()),
        Err(reader) => (Content::Read(reader), Progress::begin()),
    };
    let is_read = progress.0.clone();
    (Some(reqwest::Body::wrap(Outgoing { content, left: length, is_read, opening })), progress)
}

/// A body that is read while it is sent.
struct Outgoing {
    content: Content,
    /// The rest of its length, in bytes.
    left: Option<u64>,
    is_read: Option<Arc<AtomicBool>>,
    /// The first connection to the host, if this request opens it.
    opening: Option<Opening>,
}

enum Content {
    Whole(Option<Bytes>),
    Read(Reader),
}

impl http_body::Body for Outgoing {
    type Data = Bytes;
    type Error = ReadError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ReadError>>> {
        if let Some(is_read) = &self.is_read {
            is_read.store(true, Ordering::Relaxed);
        }
        let polled = match &mut self.content {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(Ok)),
            Content::Read(reader) => reader.poll_chunk(context),
        };
        polled.map_ok(|chunk| {
            let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
            self.left = self.left.map(|left| left.saturating_sub(length));
            Frame::data(chunk)
        })
    }

    fn is_end_stream(&self) -> bool {
        // hyper asks once it has a connection, which others can then share.
        if let Some(opening) = &self.opening {
            opening.end();
        }
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
