//! Successful responses before decoding.

use bytes::Bytes;
use http::{HeaderMap, StatusCode, Uri};

use crate::error::Error;
use crate::reply::format::ReplyFormat;
use crate::reply::received::Received;
use crate::request::call::CallParts;
use crate::transport::body::Body;

/// A successful response and the call that it answers.
#[derive(Clone)]
pub(crate) struct RawResponse {
    pub(crate) call: Box<CallParts>,
    /// The URL that answered, after redirects, without API keys.
    pub(crate) uri: Uri,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) attempts: u32,
}

/// How the body of a response is decoded.
pub(crate) type Decode<T> = fn(&RawResponse) -> Result<T, Error>;

/// A successful response whose body is not read yet.
pub(crate) struct OpenReply {
    pub(crate) call: Box<CallParts>,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
    pub(crate) attempts: u32,
}

impl RawResponse {
    /// Decodes the body.
    pub(crate) fn decode<T, F: ReplyFormat<T>>(&self) -> Result<T, Error> {
        let reply = Received {
            status: self.status,
            headers: &self.headers,
            body: &self.body,
            operation: self.call.operation,
            statuses: self.call.statuses,
            drift: self.call.client.shared.settings.drift.as_ref(),
            is_utf8: false,
        };
        F::decode(&reply).map_err(|error| self.call.locate(error, self.attempts))
    }
}
