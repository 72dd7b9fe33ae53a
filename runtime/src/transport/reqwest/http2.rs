//! What a server says of a request with the means of HTTP/2.

use std::error::Error as StdError;

use h2::Reason;

/// Returns whether the server says that it has not acted on the request (RFC 9113, section 8.7): it
/// refused the stream, or it is going away and named an earlier stream as the last that it acts on.
pub(super) fn is_unprocessed(error: &(dyn StdError + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<h2::Error>() {
            // A stream that the server still acts on goes on after a GOAWAY, and ends with another
            // error if it does not come to its end.
            return error.is_remote()
                && (error.is_go_away()
                    || error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM));
        }
        cause = error.source();
    }
    false
}
