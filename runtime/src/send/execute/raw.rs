//! Successful responses before decoding.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use tracing::Span;

use super::credential::SentCredential;
use super::trace;
use super::withheld::withheld;
use crate::client::drift::{DriftOf, Withholds};
use crate::error::Error;
use crate::reply::format::ReplyFormat;
use crate::reply::raw::RawReply;
use crate::reply::received::Received;
use crate::request::call::CallParts;
use crate::secrets::Withheld;
use crate::transport::body::Body;
use crate::transport::interceptor::Attempt;

/// A successful response and the call that it answers.
#[derive(Clone)]
pub(crate) struct RawResponse<B = Bytes> {
    pub(crate) call: Box<CallParts>,
    /// The URL that answered, after redirects, without API keys.
    pub(crate) uri: Uri,
    pub(crate) received: RawReply<B>,
    pub(crate) attempts: u32,
    /// The headers of the request as modified by interceptors, and its credentials.
    pub(super) intercepted: HeaderMap,
    pub(super) credentials: Vec<SentCredential>,
}

/// How the body of a response is decoded.
pub(crate) type Decode<T> = fn(&RawResponse) -> Result<T, Error>;

/// A successful response whose body is not read yet.
pub(crate) type OpenReply = RawResponse<Body>;

/// A successful response of a call whose outcome is not known: it may not be what the spec describes.
pub(crate) struct Undecoded<B = Bytes> {
    pub(crate) response: RawResponse<B>,
    pub(super) span: Span,
    /// The number of the call, for interceptors.
    pub(super) number: u64,
}

impl RawResponse {
    /// Decodes the body, which must be the content or the part of it that was requested.
    pub(crate) fn decode<T, F: ReplyFormat<T>>(&self) -> Result<T, Error> {
        let reply = self.with(&self.received.body);
        let part = reply.check_part(self.has_sent(&header::RANGE));
        part.and_then(|()| F::decode(&reply)).map_err(|error| self.locate(error))
    }
}

impl<B> RawResponse<B> {
    pub(crate) fn with<'a>(&'a self, body: &'a Bytes) -> Received<'a> {
        let RawReply { status, headers, .. } = &self.received;
        let mut declared = self.call.declared;
        // A part that was requested is one of a declared content.
        if *status == StatusCode::PARTIAL_CONTENT && self.has_sent(&header::RANGE) {
            declared.statuses = &[];
        }
        let hook = self.call.client.shared.settings.drift.as_ref();
        Received {
            declared,
            drift: hook.map(|hook| DriftOf { hook, response: Some(self) }),
            ..Received::new(*status, headers, body, self.call.operation)
        }
    }

    /// Returns whether the request had a header.
    pub(crate) fn has_sent(&self, name: &HeaderName) -> bool {
        let own = [&self.call.headers, &*self.call.client.shared.headers, &self.intercepted];
        own.iter().any(|headers| headers.contains_key(name))
    }

    /// Adds the call to an error, with what it does not show of the request.
    pub(crate) fn locate(&self, error: Error) -> Error {
        self.call.locate(error.with_withheld(self.withheld()), self.attempts)
    }
}

impl<B> Withholds for RawResponse<B> {
    fn withheld(&self) -> Withheld {
        withheld(&self.call, &self.intercepted, &self.credentials)
    }
}

impl<B> Undecoded<B> {
    /// Decodes the response within the call, which ends with the outcome.
    pub(crate) fn decode<T>(
        self,
        decode: impl FnOnce(&RawResponse<B>) -> Result<T, Error>,
    ) -> (RawResponse<B>, Result<T, Error>) {
        let decoded = self.span.in_scope(|| decode(&self.response));
        (self.end(decoded.as_ref().err()), decoded)
    }

    pub(crate) fn end(self, error: Option<&Error>) -> RawResponse<B> {
        let Self { response, span, number } = self;
        let settings = &response.call.client.shared.settings;
        trace::ended(&span, response.attempts, error);
        match error {
            None => settings.budget.deposit(),
            Some(error) => {
                let operation = response.call.operation;
                let attempt = Attempt { operation, call: number, number: response.attempts };
                let interceptors = settings.interceptors.iter();
                span.in_scope(|| interceptors.for_each(|it| it.failed(&attempt, error)));
            }
        }
        response
    }
}
