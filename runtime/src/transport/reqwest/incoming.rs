//! Bodies of responses as reqwest receives them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, Method, StatusCode, header};
use http_body::Body as _;

use super::classify::classify;
use super::pool::Exchange;
use crate::error::operation::has_no_content;
use crate::transport::error::TransportError;

/// The body of a response, before it is decoded.
pub(crate) struct Incoming {
    body: reqwest::Body,
    /// The rest of its length in bytes, if the server announced it.
    left: Option<u64>,
    exchange: Exchange,
}

impl Incoming {
    pub(super) fn new(
        response: reqwest::Response,
        length: Option<u64>,
        exchange: Exchange,
    ) -> Self {
        Self { body: response.into(), left: length, exchange }
    }
}

/// Fails if the body is shorter than was announced.
impl Stream for Incoming {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        while let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(context)) {
            // Trailers are not used.
            let frame = frame.map_err(|error| classify(error, &self.exchange))?;
            let Ok(chunk) = frame.into_data() else { continue };
            let length = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
            self.left = self.left.map(|left| left.saturating_sub(length));
            return Poll::Ready(Some(Ok(chunk)));
        }
        // hyper takes a stream of HTTP/2 that is reset with NO_ERROR for a whole one.
        Poll::Ready(self.left.filter(|left| *left > 0).map(|left| {
            Err(TransportError::interrupted(format!(
                "the body is {left} bytes shorter than its `Content-Length`"
            )))
        }))
    }
}

/// Returns the length of the body that the head of a response announces (RFC 9110, section 8.6).
pub(super) fn announced(method: &Method, status: StatusCode, headers: &HeaderMap) -> Option<u64> {
    if has_no_content(method.as_str(), status) {
        return None;
    }
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
