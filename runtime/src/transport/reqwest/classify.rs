//! Errors of reqwest as errors of a transport.

use std::error::Error;
use std::iter;

#[cfg(feature = "http2")]
use super::http2::is_unprocessed;
use super::tls::is_untrusted;
use crate::transport::error::TransportError;
use crate::upload::reader::ReadError;

/// Classifies an error for retries. The URL is removed: its query can contain secrets.
pub(crate) fn classify(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    if is_unread(&error) {
        TransportError::refused(error)
    } else if is_untrusted(&error) {
        TransportError::connect(error).lasting()
    } else if error.is_connect() {
        TransportError::connect(error)
    } else if error.is_timeout() {
        TransportError::timeout(error)
    } else if error.is_builder() {
        TransportError::refused(error)
    } else if is_unprocessed(&error) {
        TransportError::unprocessed(error)
    } else {
        TransportError::interrupted(error)
    }
}

/// Returns whether the body of the request could not be read.
fn is_unread(error: &reqwest::Error) -> bool {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    causes.any(<dyn Error>::is::<ReadError>)
}

#[cfg(not(feature = "http2"))]
fn is_unprocessed(_: &reqwest::Error) -> bool {
    false
}
