//! Streams that an HTTP/2 server refused.

use std::error::Error as StdError;

use h2::Reason;

/// Returns whether the server has not acted on the request (RFC 9113, section 8.7): it refused the
/// stream, or it went away and named an earlier stream as the last one that it acts on.
pub(super) fn is_unprocessed(error: &(dyn StdError + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&cause| cause.source());
    // A stream that the server still acts on continues after a GOAWAY, and fails with another error.
    causes.find_map(|cause| cause.downcast_ref::<h2::Error>()).is_some_and(|error| {
        let is_refused = error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM);
        error.is_remote() && (error.is_go_away() || is_refused)
    })
}
