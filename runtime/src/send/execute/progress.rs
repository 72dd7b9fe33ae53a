//! The progress of an attempt, and its outcome.

use std::time::Instant;

use bytes::BytesMut;
use http::response::Parts;
use http::{Extensions, HeaderMap, Uri};

use crate::error::{Error, ErrorKind};
use crate::reply::raw::RawReply;
use crate::transport::SendProgress;
use crate::transport::body::Body;
use crate::transport::error::TransportError;

/// A successful response.
pub(super) struct Answered {
    /// The URL that answered, after redirects, without API keys.
    pub(super) uri: Uri,
    pub(super) reply: RawReply,
    /// The headers of the request as modified by interceptors.
    pub(super) intercepted: HeaderMap,
    /// The body, if it is read later.
    pub(super) rest: Body,
}

/// A failed attempt, and whether the server may have acted on it.
pub(super) struct Failure {
    pub(super) error: Error,
    pub(super) sent: bool,
}

/// The progress of an attempt, which outlives it if it times out.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) stage: Stage,
    /// Whether any request of the attempt was sent.
    pub(super) sending: SendProgress,
    /// The number of interceptors that have seen the request.
    pub(super) begun: usize,
    /// The headers as modified by interceptors.
    pub(super) intercepted: HeaderMap,
    /// The extensions of the request, such as permits, which live as long as the attempt.
    pub(super) held: Extensions,
    /// An error response, with as much of its body as was read.
    pub(super) rejection: Option<(Parts, BytesMut)>,
}

/// What an attempt waits for.
#[derive(Default)]
pub(super) enum Stage {
    #[default]
    Body,
    Interceptor,
    /// The transport, since it has the request.
    Transport(Instant),
}

impl Failure {
    pub(super) fn sent(error: Error) -> Self {
        Self { error, sent: true }
    }

    pub(super) fn unsent(error: Error) -> Self {
        Self { error, sent: false }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        let TransportError { kind, lasting, source } = error;
        let sent = matches!(kind, ErrorKind::Timeout | ErrorKind::Interrupted);
        Self { error: Error::new(kind).with_transient(!lasting).with_source(source), sent }
    }
}
