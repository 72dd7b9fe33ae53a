//! Response bodies, read up to a limit.

use bytes::{Bytes, BytesMut};
use http::header;
use http::response::Parts;

use crate::error::{Error, ErrorKind};
use crate::transport::{Body, Fault, TransportError};

/// Reads a whole body, or fails as soon as it is known to be larger than the limit.
pub(crate) async fn whole(head: &Parts, mut body: Body, limit: usize) -> Result<Bytes, Error> {
    let too_large = || {
        Error::new(ErrorKind::TooLarge)
            .with_message(format!(
                "it has more than {limit} bytes; `max_response_bytes` sets the limit"
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
        let kind = if error.fault() == Fault::Timeout {
            ErrorKind::Timeout
        } else {
            ErrorKind::Interrupted
        };
        Error::new(kind)
            .with_source(error.into_source())
            .with_response(head.status, head.headers.clone(), Bytes::new())
    };
    // Most bodies come in one chunk, which is then the body.
    let Some(first) = body.chunk().await.map_err(broken)? else {
        return Ok(Bytes::new());
    };
    if first.len() > limit {
        return Err(too_large());
    }
    let Some(second) = body.chunk().await.map_err(broken)? else {
        return Ok(first);
    };
    let mut read = BytesMut::with_capacity(announced.unwrap_or(2 * (first.len() + second.len())));
    read.extend_from_slice(&first);
    let mut next = Some(second);
    while let Some(chunk) = next {
        if read.len() + chunk.len() > limit {
            return Err(too_large());
        }
        read.extend_from_slice(&chunk);
        next = body.chunk().await.map_err(broken)?;
    }
    Ok(read.freeze())
}

/// Reads the beginning of a body, as far as it comes: what an error response says is worth having
/// even if it breaks off.
pub(crate) async fn beginning(mut body: Body, limit: usize) -> Bytes {
    let mut read = BytesMut::new();
    while let Ok(Some(chunk)) = body.chunk().await {
        read.extend_from_slice(&chunk[..chunk.len().min(limit - read.len())]);
        if read.len() == limit {
            break;
        }
    }
    read.freeze()
}
