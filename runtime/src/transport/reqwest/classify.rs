//! Errors of reqwest as errors of a transport.

use std::error::Error;
use std::{io, iter};

#[cfg(feature = "http2")]
use super::http2;
use super::pool::Exchange;
use super::tls;
use crate::transport::error::TransportError;
use crate::wire::upload::reader::ReadError;

/// Classifies an error for retries. The URL is removed: its query can contain secrets.
pub(super) fn classify(error: reqwest::Error, exchange: &Exchange) -> TransportError {
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
        let is_invalid = cause(&error).is_some_and(is_invalid);
        invalid_response(&error, exchange)
            .unwrap_or_else(|| TransportError::interrupted(error).lasting_if(is_invalid))
    }
}

/// Returns whether the server has not acted on the request.
fn is_unprocessed(error: &reqwest::Error) -> bool {
    #[cfg(feature = "http2")]
    if cause(error).is_some_and(http2::is_unprocessed) {
        return true;
    }
    // hyper returns this error together with the request, which it did not begin to send.
    cause::<hyper::Error>(error).is_some_and(hyper::Error::is_canceled)
}

/// Explains the error of a response that is not valid HTTP: the same request meets it again, unless another response can be
/// the cause.
fn invalid_response(error: &reqwest::Error, exchange: &Exchange) -> Option<TransportError> {
    #[cfg(feature = "http2")]
    if let Some(is_this) = cause(error).and_then(http2::invalid_response) {
        let root = iter::successors(error.source(), |&cause| cause.source()).last()?;
        let error = TransportError::interrupted(format!(
            "the response is not valid HTTP/2, or its headers are larger than \
             `http2_max_header_bytes`: {root}"
        ));
        return Some(error.lasting_if(is_this || exchange.is_alone()));
    }
    #[cfg(not(feature = "http2"))]
    let _ = exchange.is_alone();
    let error = cause::<hyper::Error>(error).filter(|error| error.is_parse())?.to_string();
    // The method for this is only there for servers.
    let why = if error.contains("too large") {
        "the response has more than 100 headers, or too large ones; a client of `reqwest` with \
         `http1_max_headers` takes more"
            .to_owned()
    } else {
        format!("the response is not valid HTTP/1: {error}")
    };
    Some(TransportError::interrupted(why).lasting())
}

/// Returns whether a body, or its coding, has invalid bytes: neither missing ones, nor those that TLS cannot decrypt.
fn is_invalid(error: &io::Error) -> bool {
    #[cfg(feature = "__rustls")]
    if error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>) {
        return false;
    }
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)
}

fn cause<E: Error + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    causes.find_map(|cause| cause.downcast_ref())
}
