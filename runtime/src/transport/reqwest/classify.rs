//! Errors of reqwest as errors of a transport.

use std::error::Error;
use std::iter;

#[cfg(feature = "http2")]
use super::http2;
use super::tls;
use crate::transport::error::TransportError;
use crate::upload::reader::ReadError;

/// Classifies an error for retries. The URL is removed: its query can contain secrets.
pub(crate) fn classify(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    if cause::<ReadError>(&error).is_some() {
        TransportError::refused(error)
    } else if let Some(why) = tls::refusal(&error) {
        // A server that ends the handshake reads no request.
        TransportError::connect(why).lasting()
    } else if error.is_connect() {
        TransportError::connect(error)
    } else if error.is_timeout() {
        TransportError::timeout(error)
    } else if error.is_builder() {
        TransportError::refused(error)
    } else if is_unprocessed(&error) {
        TransportError::unprocessed(error)
    } else {
        invalid_head(&error).unwrap_or_else(|| TransportError::interrupted(error))
    }
}

/// Returns whether the server has not acted on the request.
fn is_unprocessed(error: &reqwest::Error) -> bool {
    #[cfg(feature = "http2")]
    if http2::is_unprocessed(error) {
        return true;
    }
    // hyper returns this error together with the request, which it did not begin to send.
    cause::<hyper::Error>(error).is_some_and(hyper::Error::is_canceled)
}

/// Explains the error of an invalid head of a response. It is lasting unless another response can be the cause.
fn invalid_head(error: &reqwest::Error) -> Option<TransportError> {
    #[cfg(feature = "http2")]
    if let Some(is_this) = http2::invalid_response(error) {
        let root = iter::successors(error.source(), |&cause| cause.source()).last()?;
        let error = TransportError::interrupted(format!(
            "the response is not valid HTTP/2, or its headers are larger than \
             `http2_max_header_bytes`: {root}"
        ));
        return Some(if is_this { error.lasting() } else { error });
    }
    // The method for this is only there for servers.
    let is_too_large = cause::<hyper::Error>(error)
        .is_some_and(|error| error.is_parse() && error.to_string().contains("too large"));
    is_too_large.then(|| {
        TransportError::interrupted("the response has too many headers, or too large ones")
            .lasting()
    })
}

fn cause<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    causes.find_map(|cause| cause.downcast_ref())
}
