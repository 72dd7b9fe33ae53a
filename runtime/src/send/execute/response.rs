//! Responses: bodies are read up to a limit, and those that are no success become errors.

use std::mem;

use bytes::{Bytes, BytesMut};
use http::header;
use http::response::Parts;

use super::exchange::Exchange;
use super::progress::Failure;
use super::redirect::is_redirect;
use crate::error::operation::has_no_content;
use crate::error::retry::retry_after;
use crate::error::{Error, ErrorKind};
use crate::transport::body::Body;
use crate::transport::error::TransportError;

/// Maximum memory that is allocated because of `Content-Length`, in bytes. The header may be wrong.
const MAX_TRUSTED: usize = 1 << 20;

/// Maximum size of the body of an error response, in bytes.
pub(super) const MAX_ERROR_BODY: usize = 64 << 10;

impl Exchange<'_> {
    /// Reads the body of a successful response, unless it is read later.
    pub(super) async fn read(&self, head: &Parts, body: &mut Body) -> Result<Bytes, Failure> {
        if self.call.keeps_open || has_no_content(self.call.operation.method, head.status) {
            return Ok(Bytes::new());
        }
        let limit = self.call.options.max_response_bytes;
        whole(head, body, limit).await.map_err(Failure::sent)
    }

    /// Returns the error of a response whose status is not success.
    pub(super) fn rejected(&self, head: Parts, body: Bytes, is_whole: bool) -> Error {
        let Parts { status, headers, .. } = head;
        let kind = if is_redirect(status) { ErrorKind::Redirect } else { ErrorKind::Status };
        let now = self.shared.settings.clock.wall();
        let is_limit = matches!(status.as_u16(), 403 | 429);
        let wait = retry_after::wait(&headers, now)
            .or_else(|| retry_after::reset(&headers, now).filter(|_| is_limit));
        let mut error = Error::new(kind).with_response(status, headers, body);
        error.0.retry_after = wait;
        error.0.transient |= error.is_rate_limited();
        error.0.is_whole = is_whole;
        error
    }
}

/// Reads a whole body. Fails as soon as it is known to exceed the limit.
async fn whole(head: &Parts, body: &mut Body, limit: usize) -> Result<Bytes, Error> {
    let too_large = || {
        Error::new(ErrorKind::TooLarge)
            .with_message(format!(
                "it is larger than {limit} bytes; `max_response_bytes` sets the limit"
            ))
            .with_response(head.status, head.headers.clone(), Bytes::new())
    };
    let announced = head
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let broken = |error: TransportError| {
        error.of_body().with_response(head.status, head.headers.clone(), Bytes::new())
    };
    // Most bodies come in one chunk, which is then the body.
    let mut only = Bytes::new();
    let mut read = BytesMut::new();
    while let Some(chunk) = body.chunk().await.map_err(broken)? {
        let length = only.len() + read.len() + chunk.len();
        if length > limit {
            return Err(too_large());
        }
        if length == chunk.len() {
            only = chunk;
            continue;
        }
        if read.is_empty() {
            read.reserve(announced.map_or(2 * length, |length| length.min(MAX_TRUSTED)));
            read.extend_from_slice(&mem::take(&mut only));
        }
        read.extend_from_slice(&chunk);
    }
    Ok(if read.is_empty() { only } else { read.freeze() })
}

/// Appends a body to `read`, up to the limit or until it breaks off, and returns whether it is the whole one. If this
/// future is dropped, `read` has the beginning.
pub(super) async fn beginning(body: &mut Body, limit: usize, read: &mut BytesMut) -> bool {
    while let Ok(chunk) = body.chunk().await {
        let Some(chunk) = chunk else { return true };
        read.extend_from_slice(&chunk[..chunk.len().min(limit - read.len())]);
        if read.len() == limit {
            break;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http::HeaderValue;

    use super::*;

    #[tokio::test]
    async fn content_length_is_not_trusted() {
        let (mut head, ()) = http::Response::new(()).into_parts();
        let announced = HeaderValue::from(usize::MAX);
        head.headers.insert(header::CONTENT_LENGTH, announced);
        let chunks = ["a", "b", "c"].map(|chunk| Ok(Bytes::from_static(chunk.as_bytes())));
        let mut body = Body::from_stream(stream::iter(chunks));
        let read = whole(&head, &mut body, usize::MAX).await.unwrap();
        assert_eq!(read, "abc");
    }
}
