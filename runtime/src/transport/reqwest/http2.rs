//! HTTP/2 (RFC 9113): its settings, and what its errors mean.

use std::time::Duration;

use h2::Reason;

use crate::time::bounds::MAX_TIME;

/// The settings of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// The time without a frame after which a connection with open calls is pinged; `None` for never.
    pub(crate) ping_after: Option<Duration>,
    /// The time for the answer to a ping, after which the connection is closed.
    pub(crate) ping_timeout: Duration,
    /// Maximum size of the headers of a response, decoded, in bytes.
    pub(crate) max_header_bytes: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ping_after: Some(Duration::from_secs(20)),
            ping_timeout: Duration::from_secs(10),
            max_header_bytes: 64 << 10,
        }
    }
}

impl Options {
    pub(super) fn apply(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        builder
            .http2_keep_alive_interval(self.ping_after.map(|pause| pause.min(MAX_TIME)))
            .http2_keep_alive_timeout(self.ping_timeout.min(MAX_TIME))
            .http2_max_header_list_size(self.max_header_bytes)
    }
}

/// Returns whether the server has not acted on the request (section 8.7): it refused the stream, or it sent a GOAWAY
/// that names an earlier stream as the last one.
pub(super) fn is_unprocessed(error: &h2::Error) -> bool {
    // A stream that the server still acts on continues after a GOAWAY, and fails with another error.
    let is_refused = error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM);
    error.is_remote() && (error.is_go_away() || is_refused)
}

/// Returns whether this side has ended the exchange because a response violates HTTP/2 or has headers that are too large,
/// and whether it is this response: another one ends all exchanges of its connection.
pub(super) fn invalid_response(error: &h2::Error) -> Option<bool> {
    error.is_library().then(|| error.is_reset())
}
