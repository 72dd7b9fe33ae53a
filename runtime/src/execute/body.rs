//! Response bodies, read up to a limit.

use std::mem;

use bytes::{Bytes, BytesMut};
use http::header;
use http::response::Parts;

use crate::error::{Error, ErrorKind};
use crate::transport::body::Body;
use crate::transport::error::TransportError;

/// Maximum memory that is allocated because of `Content-Length`, in bytes. The header may be wrong.
const MAX_TRUSTED: usize = 1 << 20;

/// Reads a whole body. Fails as soon as it is known to exceed the limit.
pub(super) async fn whole(head: &Parts, body: &mut Body, limit: usize) -> Result<Bytes, Error> {
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
