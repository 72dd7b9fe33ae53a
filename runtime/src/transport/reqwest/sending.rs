//! Bodies of requests as bodies of reqwest.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::upload::body::RequestBody;
use crate::upload::reader::{ReadError, Reader};

/// Whether the body of a request was read. As long as it was not, the request is incomplete, so that no server acts on it.
#[derive(Default)]
pub(super) struct Progress(Option<Arc<AtomicBool>>);

impl Progress {
    /// Returns whether there is a body, and none of it was read.
    pub(super) fn is_unread(&self) -> bool {
        self.0.as_ref().is_some_and(|is_read| !is_read.load(Ordering::Relaxed))
    }
}

/// Returns the body that reqwest sends, if it is not empty. One in memory can be `owned` by reqwest; it has no progress then.
pub(super) fn body(body: RequestBody, owned: bool) -> (Option<reqwest::Body>, Progress) {
    let length = body.length();
    let content = match body.read() {
        Ok(bytes) if bytes.is_empty() => return (None, Progress::default()),
        Ok(bytes) if owned => return (Some(bytes.into()), Progress::default()),
        Ok(bytes) => Content::Whole(Some(bytes)),
        Err(reader) => Content::Read(reader),
    };
    let is_read = Arc::<AtomicBool>::default();
    let progress = Progress(Some(Arc::clone(&is_read)));
    (Some(reqwest::Body::wrap(Outgoing { content, left: length, is_read })), progress)
}

/// A body that is read while it is sent.
struct Outgoing {
    content: Content,
    /// The rest of its length, in bytes.
    left: Option<u64>,
    is_read: Arc<AtomicBool>,
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
        self.is_read.store(true, Ordering::Relaxed);
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
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
