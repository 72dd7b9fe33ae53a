//! Bodies of requests as bodies of reqwest.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use crate::upload::body::RequestBody;
use crate::upload::reader::{ReadError, Reader};

/// Returns the body that reqwest sends, if it is not empty.
pub(super) fn body(body: RequestBody) -> Option<reqwest::Body> {
    let length = body.length();
    match body.read() {
        Ok(bytes) => (!bytes.is_empty()).then(|| bytes.into()),
        Err(reader) => Some(reqwest::Body::wrap(Outgoing { reader, left: length })),
    }
}

/// A body that is read while it is sent.
struct Outgoing {
    reader: Reader,
    /// The rest of its length, in bytes.
    left: Option<u64>,
}

impl http_body::Body for Outgoing {
    type Data = Bytes;
    type Error = ReadError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ReadError>>> {
        self.reader.poll_chunk(context).map_ok(|chunk| {
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
