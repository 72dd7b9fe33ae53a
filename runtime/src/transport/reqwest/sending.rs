//! Bodies of requests as bodies of reqwest.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Method;
use http_body::{Frame, SizeHint};

use super::turn::Turn;
use crate::time::future::BoxError;
use crate::transport::Claim;
use crate::wire::upload::body::RequestBody;
use crate::wire::upload::reader::{ReadError, Reader};

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

/// Returns the body that reqwest sends, if there is one, and its claim. One in memory can be `owned` by reqwest; it has no
/// claim then.
pub(super) fn body(
    body: RequestBody,
    owned: bool,
    turn: Option<Arc<Turn>>,
) -> (Option<reqwest::Body>, Option<Claim>) {
    let length = body.length();
    let (content, claim) = match body.read() {
        Ok(bytes) if bytes.is_empty() && turn.is_none() => return (None, None),
        Ok(bytes) if bytes.is_empty() => (SentContent::Whole(None), None),
        Ok(bytes) if owned => return (Some(bytes.into()), None),
        Ok(bytes) => (SentContent::Whole(Some(bytes)), Some(Claim::default())),
        Err(reader) => (SentContent::Read(reader), Some(Claim::default())),
    };
    let outgoing = Outgoing { content, left: length, claim: claim.clone(), turn };
    (Some(reqwest::Body::wrap(outgoing)), claim)
}

/// A body that is read while it is sent.
struct Outgoing {
    content: SentContent,
    /// The rest of its length, in bytes.
    left: Option<u64>,
    /// Until it is read.
    claim: Option<Claim>,
    /// The turn of the request, which ends when it has a connection.
    turn: Option<Arc<Turn>>,
}

enum SentContent {
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
        if let Some(claim) = self.claim.take()
            && claim.swap(true, Ordering::Relaxed)
        {
            return Poll::Ready(Some(Err(BoxError::from("the attempt has ended").into())));
        }
        let polled = match &mut self.content {
            SentContent::Whole(bytes) => Poll::Ready(bytes.take().map(Ok)),
            SentContent::Read(reader) => reader.poll_chunk(context),
        };
        polled.map_ok(|chunk| {
            let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
            self.left = self.left.map(|left| left.saturating_sub(length));
            Frame::data(chunk)
        })
    }

    fn is_end_stream(&self) -> bool {
        // hyper asks once it has a connection, which others can then share.
        if let Some(turn) = &self.turn {
            turn.end();
        }
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
