//! The one error type of every call.

mod display;
pub(crate) mod operation;
#[cfg(feature = "fs")]
pub(crate) mod part;
pub(crate) mod retry;
pub(crate) mod text;

use std::error::Error as StdError;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

#[cfg(feature = "fs")]
use self::part::Part;
pub(crate) use self::text::clip;
use crate::error::operation::Operation;
use crate::secrets::Withheld;
use crate::time::future::BoxError;
use crate::wire::related::typed_object::TypedObject;
use crate::wire::{self, Value};

/// The failure to build a client, or of a call.
///
/// `Display` describes the failure in one line: the operation, its path with its values, the status,
/// the request id, the target of a redirect without its query, the server's message and the cause. It shows neither the query,
/// nor other headers, nor an incomplete body, nor more than 2 KiB; [`body`](Self::body) has the original. Secrets are
/// `[redacted]`, those that the server repeats and those that their names in its text tell: the README lists them.
///
/// [`ClientBuilder::hide_path_values`](crate::ClientBuilder::hide_path_values) replaces the path by
/// its template.
///
/// ```
/// # use openapi_bindings_runtime::Error;
/// # fn handle(error: &Error) {
/// if error.is_not_found() || error.status() == Some(410) {
///     // It has been deleted.
/// }
/// # }
/// ```
pub struct Error(pub(crate) Box<ErrorParts>);

pub(crate) struct ErrorParts {
    pub(crate) kind: ErrorKind,
    pub(crate) operation: Option<&'static Operation>,
    /// The path with its values, which is shown instead of the template.
    pub(crate) path: Option<Box<str>>,
    message: Option<String>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether the whole body was received.
    pub(crate) is_whole: bool,
    pub(crate) attempts: u32,
    pub(crate) transient: bool,
    pub(crate) retry_after: Option<Duration>,
    /// The reason why the call was not retried although its cause is transient.
    pub(crate) not_retried: Option<&'static str>,
    /// The server's identifier of the request, where its message has it.
    request_id: Option<Box<str>>,
    /// What is redacted in the text of the response.
    pub(crate) withheld: Option<Withheld>,
    source: Option<BoxError>,
    /// The part of the reply that was kept.
    #[cfg(feature = "fs")]
    pub(crate) part: Option<Part>,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The configuration of the client is invalid; nothing was sent.
    Config,
    /// The request is invalid, for example because of an empty path parameter, and nothing was sent; or its body could not
    /// be read, and at most the beginning was sent.
    Request,
    /// The credentials are missing or could not be obtained; the request was not sent.
    Auth,
    /// The connection failed; nothing was sent.
    Connect,
    /// A timeout was exceeded; the server may have acted on the request, unless the text says that nothing was sent.
    Timeout,
    /// The connection broke during the exchange; the server may have acted on the request.
    Interrupted,
    /// The server refused the request without acting on it, as it can with HTTP/2.
    Unprocessed,
    /// The status of the response is not success.
    Status,
    /// The content that a download continues has changed, or may have: see
    /// [`Opening::if_unchanged`](crate::Opening::if_unchanged).
    Changed,
    /// The reply cannot be written to a file, for example on a full disk; the server has acted on the request.
    File,
    /// The response is a redirect that is not followed; see [`Error::location`].
    Redirect,
    /// The body of the response does not match the spec.
    Decode,
    /// The body of the response is larger than the limit.
    TooLarge,
    /// Paging would not end: the server returned a page token or the items of a page for the second time, or 1,000
    /// pages without items in a row. Or the number of a page is not a number.
    Paging,
    /// A wait ended at its deadline; the error has the body of the last reply.
    Unfinished,
    /// A blocking call was made on a thread that it would stall; nothing was sent.
    Blocking,
}

impl ErrorKind {
    /// Returns the kind as one word, for logs and metrics: the `error.type` of spans without a status.
    pub fn name(self) -> &'static str {
        self.texts().0
    }

    pub(crate) fn description(self) -> &'static str {
        self.texts().1
    }

    /// Returns the name and the description.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Config => ("config", "invalid client configuration"),
            Self::Request => ("request", "invalid request"),
            Self::Auth => ("auth", "failed to obtain credentials"),
            Self::Connect => ("connect", "failed to connect"),
            Self::Timeout => ("timeout", "timed out"),
            Self::Interrupted => ("interrupted", "the connection broke"),
            Self::Unprocessed => {
                ("unprocessed", "the server rejected the request without processing it")
            }
            Self::Status => ("status", "the server returned an error"),
            Self::Changed => ("changed", "the content has changed"),
            Self::File => ("file", "the reply was not saved"),
            Self::Redirect => ("redirect", "the server redirected"),
            Self::Decode => ("decode", "failed to decode the response"),
            Self::TooLarge => ("too_large", "the response is too large"),
            Self::Paging => ("paging", "endless paging"),
            Self::Unfinished => ("unfinished", "not finished"),
            Self::Blocking => ("blocking", "a blocking call would stall this thread"),
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(Box::new(ErrorParts {
            kind,
            operation: None,
            path: None,
            message: None,
            status: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            is_whole: true,
            attempts: 0,
            transient: matches!(
                kind,
                ErrorKind::Connect
                    | ErrorKind::Timeout
                    | ErrorKind::Interrupted
                    | ErrorKind::Unprocessed
                    | ErrorKind::Unfinished
            ),
            retry_after: None,
            not_retried: None,
            request_id: None,
            withheld: None,
            source: None,
            #[cfg(feature = "fs")]
            part: None,
        }))
    }

    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Config).with_message(message)
    }

    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Request).with_message(message)
    }

    pub(crate) fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = Some(message.into());
        self
    }

    /// Returns the message without the operation, for tests.
    #[cfg(feature = "test-util")]
    pub(crate) fn reason(&self) -> Option<&str> {
        self.0.message.as_deref()
    }

    pub(crate) fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    pub(crate) fn with_operation(mut self, operation: &'static Operation) -> Self {
        self.0.operation = Some(operation);
        self
    }

    /// Adds the response. Its status decides about retries if the kind is `Status`.
    pub(crate) fn with_response(
        mut self,
        status: StatusCode,
        headers: HeaderMap,
        body: Bytes,
    ) -> Self {
        if self.0.kind == ErrorKind::Status {
            self.0.transient = matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504);
        }
        self.0.status = Some(status);
        self.0.headers = headers;
        self.0.body = body;
        self
    }

    /// Sets what errors do not show of the request.
    pub(crate) fn with_withheld(mut self, withheld: Withheld) -> Self {
        self.0.withheld = Some(withheld);
        self
    }

    /// Adds the server's identifier of the request, if its message has one where the pattern says.
    pub(crate) fn with_request_id(mut self, pattern: &str) -> Self {
        let id = self.message().and_then(|message| text::matched(&message, pattern));
        self.0.request_id = id.map(Box::from);
        self
    }

    pub(crate) fn with_transient(mut self, transient: bool) -> Self {
        self.0.transient = transient;
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns whether a timeout was exceeded, of an attempt or in total.
    pub fn is_timeout(&self) -> bool {
        self.0.kind == ErrorKind::Timeout
    }

    /// Returns whether the connection failed, so that the server has not seen the request: check the
    /// base URL, the network, the proxy.
    pub fn is_connect(&self) -> bool {
        self.0.kind == ErrorKind::Connect
    }

    /// Returns whether the credentials are the cause: they could not be obtained, or the status is 401
    /// or 403, unless that is a limit.
    pub fn is_auth(&self) -> bool {
        let is_forbidden = self.failed_with(403) && !self.is_rate_limited();
        self.0.kind == ErrorKind::Auth || self.failed_with(401) || is_forbidden
    }

    /// Returns whether the server has no such resource: status 404.
    pub fn is_not_found(&self) -> bool {
        self.failed_with(404)
    }

    /// Returns whether the request conflicts with the state of the resource: status 409.
    pub fn is_conflict(&self) -> bool {
        self.failed_with(409)
    }

    /// Returns whether there were too many requests: status 429, or 403 that says when to try again.
    pub fn is_rate_limited(&self) -> bool {
        self.failed_with(429) || self.failed_with(403) && self.0.retry_after.is_some()
    }

    fn failed_with(&self, status: u16) -> bool {
        self.0.kind == ErrorKind::Status && self.status() == Some(status)
    }

    /// Returns whether the cause is transient, so that the same call can succeed later.
    ///
    /// It does not mean that a retry is safe: after a timeout or a broken connection the server may
    /// have acted on the request. Safe retries have already been made; see
    /// [`attempts`](Self::attempts).
    pub fn is_retryable(&self) -> bool {
        self.0.transient
    }

    /// Returns whether the body of the response could not be decoded.
    pub fn is_decode(&self) -> bool {
        self.0.kind == ErrorKind::Decode
    }

    /// Returns whether a wait ended at its deadline. [`decode_body`](Self::decode_body) returns the last reply, if there was
    /// one.
    pub fn is_unfinished(&self) -> bool {
        self.0.kind == ErrorKind::Unfinished
    }

    /// Returns the status of the response, if there is one.
    pub fn status(&self) -> Option<u16> {
        self.0.status.map(|status| status.as_u16())
    }

    /// Returns the headers of the response; empty without a response.
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// Returns the body of the response as far as it was read: at most 64 KiB if the status is the
    /// cause.
    pub fn body(&self) -> &[u8] {
        &self.0.body
    }

    /// Decodes the body of the response, for example into a model of the API's errors or a
    /// [`Value`](crate::Value).
    ///
    /// # Errors
    ///
    /// Returns an error of the kind [`Decode`](ErrorKind::Decode), with the same call and response, if the body is not
    /// JSON of this type.
    pub fn decode_body<T: DeserializeOwned>(&self) -> Result<T, Self> {
        wire::nearest(&self.0.body).map_err(|error| self.undecoded(error))
    }

    /// Returns the error of a body that could not be decoded. The cause can quote the body, and is redacted where it is
    /// shown.
    fn undecoded(&self, cause: serde_json::Error) -> Self {
        let inner = &*self.0;
        Self(Box::new(ErrorParts {
            operation: inner.operation,
            path: inner.path.clone(),
            status: inner.status,
            headers: inner.headers.clone(),
            body: inner.body.clone(),
            is_whole: inner.is_whole,
            attempts: inner.attempts,
            request_id: inner.request_id.clone(),
            withheld: inner.withheld.clone(),
            ..*Self::new(ErrorKind::Decode).with_source(cause).0
        }))
    }

    /// Returns the server's identifier of the request, from the first of the usual headers, or from the server's
    /// message if `codegen.toml` has a pattern for it.
    pub fn request_id(&self) -> Option<&str> {
        text::request_id(&self.0.headers).or(self.0.request_id.as_deref())
    }

    /// Returns the code of the server's error, a number or a text: the property `code` of the body of a response whose status
    /// is not success, or of the object `error` in it.
    ///
    /// ```
    /// # use openapi_bindings_runtime::Error;
    /// # fn handle(error: &Error) {
    /// if error.code().is_some_and(|code| code == 5 || code == "NOT_FOUND") {
    ///     // It has been deleted.
    /// }
    /// # }
    /// ```
    pub fn code(&self) -> Option<Value> {
        let body = self.rejection()?;
        body.get("code").or_else(|| body.get("error")?.get("code")).cloned()
    }

    /// Returns the message of the server's error, unabridged and not redacted: from the JSON body of a response whose
    /// status is not success.
    pub fn message(&self) -> Option<String> {
        text::message(&self.rejection()?).map(str::to_owned)
    }

    /// Returns the objects that the server added to its error: the property `details` of the body of a response whose status
    /// is not success, or of the object `error` in it.
    pub fn details(&self) -> Vec<TypedObject> {
        let body = self.rejection().unwrap_or_default();
        let details = body
            .get("details")
            .or_else(|| body.get("error")?.get("details"))
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        details.filter_map(|detail| Some(TypedObject::from(detail.as_object()?.clone()))).collect()
    }

    /// Returns the JSON body of a response whose status is not success.
    fn rejection(&self) -> Option<Value> {
        let body = (self.0.kind == ErrorKind::Status).then_some(&self.0.body)?;
        wire::nearest(body).ok()
    }

    /// Returns the wait before a retry that the server asks for, counted from its response: `Retry-After`, or with the
    /// status 403 or 429 the reset of a limit of which nothing is left (`X-RateLimit-Reset`, `RateLimit`).
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns the target of the redirect.
    pub fn location(&self) -> Option<&str> {
        self.0.headers.get(header::LOCATION)?.to_str().ok()
    }

    /// Returns the cause, such as a [`TokenError`](crate::TokenError), a
    /// [`TransportError`](crate::TransportError) or a [`DecodeError`](crate::DecodeError), to downcast it.
    ///
    /// Unlike `Display`, it is not redacted and can contain a response with credentials.
    pub fn cause(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }

    /// Returns the part of the reply that [`save`](crate::ByteStream::save) kept.
    #[cfg(feature = "fs")]
    pub fn part(&self) -> Option<&Part> {
        self.0.part.as_ref()
    }

    /// Returns the operation of the call.
    pub fn operation(&self) -> Option<&'static Operation> {
        self.0.operation
    }

    /// Returns the path of the request with its values, percent-encoded, such as
    /// `/api/v1/automations/42`, not redacted. `None` if the request is invalid.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns the number of attempts; 0 if there was none.
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }
}

/// There is no `source`, because `Display` shows the innermost cause: a report of the whole chain would repeat
/// it. [`cause`](Error::cause) returns the cause.
impl StdError for Error {}
