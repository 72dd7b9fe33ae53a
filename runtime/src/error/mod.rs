//! The one error type of every call.

mod display;
mod text;

use std::error::Error as StdError;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

pub(crate) use self::text::clip;
use crate::BoxError;
use crate::request::call::Operation;

/// Why a client could not be built, or why a call failed.
///
/// It tells an operator what happened when printed, and a program by its predicates. It never shows
/// credentials, not even where the server repeats them, query values or more than 2 KiB of what the
/// server said; [`body`](Self::body) has all of it, as it came.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    operation: Option<&'static Operation>,
    message: Option<String>,
    status: Option<StatusCode>,
    headers: HeaderMap,
    body: Bytes,
    attempts: u32,
    transient: bool,
    retry_after: Option<Duration>,
    /// The `Authorization` of the request, which is not shown.
    credential: Option<HeaderValue>,
    source: Option<BoxError>,
}

/// What went wrong, roughly; the predicates of [`Error`] answer the usual questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The client is configured wrongly; nothing was sent.
    Config,
    /// The request cannot be sent as it is, such as with an empty path parameter; nothing was sent.
    Request,
    /// No access token could be had; the call itself was not sent.
    Auth,
    /// No connection came about; nothing was sent.
    Connect,
    /// The time allowed was used up; the server may have acted on the call.
    Timeout,
    /// The exchange broke off; the server may have acted on the call.
    Interrupted,
    /// The server turned the request away and says that it has not acted on it, as it can with
    /// HTTP/2.
    Unprocessed,
    /// The server answered with a status other than success.
    Status,
    /// The server redirected in a way that is not followed; see [`Error::location`].
    Redirect,
    /// The response is not what the description says.
    Decode,
    /// The response is larger than allowed.
    TooLarge,
    /// The server hands out the same page token again, so that paging would never end.
    Paging,
    /// A blocking call was made where it would stall the program; nothing was sent.
    Blocking,
}

impl ErrorKind {
    /// Returns the kind as one word, for logs and metrics: the `error.type` of spans where no
    /// status is one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Request => "request",
            Self::Auth => "auth",
            Self::Connect => "connect",
            Self::Timeout => "timeout",
            Self::Interrupted => "interrupted",
            Self::Unprocessed => "unprocessed",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::Decode => "decode",
            Self::TooLarge => "too_large",
            Self::Paging => "paging",
            Self::Blocking => "blocking",
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            kind,
            operation: None,
            message: None,
            status: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            attempts: 0,
            transient: matches!(
                kind,
                ErrorKind::Connect
                    | ErrorKind::Timeout
                    | ErrorKind::Interrupted
                    | ErrorKind::Unprocessed
            ),
            retry_after: None,
            credential: None,
            source: None,
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

    pub(crate) fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    pub(crate) fn with_operation(mut self, operation: &'static Operation) -> Self {
        self.0.operation = Some(operation);
        self
    }

    pub(crate) fn with_attempts(mut self, attempts: u32) -> Self {
        self.0.attempts = attempts;
        self
    }

    /// Keeps the response; the kind of failure says whether its status was the failure.
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

    /// Keeps the `Authorization` of the request out of what is shown of the response.
    pub(crate) fn with_credential(mut self, credential: Option<HeaderValue>) -> Self {
        self.0.credential = credential;
        self
    }

    pub(crate) fn with_transient(mut self, transient: bool) -> Self {
        self.0.transient = transient;
        self
    }

    pub(crate) fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.0.retry_after = wait;
        self
    }

    /// Returns what went wrong, roughly.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns whether the time allowed was used up, be it of one attempt or in total.
    pub fn is_timeout(&self) -> bool {
        self.0.kind == ErrorKind::Timeout
    }

    /// Returns whether no connection came about, so that the server has seen nothing: check the
    /// base URL, the network, the proxy.
    pub fn is_connect(&self) -> bool {
        self.0.kind == ErrorKind::Connect
    }

    /// Returns whether the credentials are at fault: no token could be had, or the server answered
    /// 401 or 403.
    pub fn is_auth(&self) -> bool {
        self.0.kind == ErrorKind::Auth
            || self.0.kind == ErrorKind::Status
                && matches!(self.0.status, Some(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN))
    }

    /// Returns whether the cause may pass by itself, so that making the call again later can
    /// succeed.
    ///
    /// Whether it is safe to make it again is another question: after a timeout or a broken
    /// exchange the server may have acted on the call. What is safe has already been repeated when
    /// this error comes; see [`attempts`](Self::attempts).
    pub fn is_retryable(&self) -> bool {
        self.0.transient
    }

    /// Returns whether the response came but could not be read as described.
    pub fn is_decode(&self) -> bool {
        self.0.kind == ErrorKind::Decode
    }

    /// Returns the status of the response, if one came.
    pub fn status(&self) -> Option<StatusCode> {
        self.0.status
    }

    /// Returns the headers of the response; empty if none came.
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// Returns the body of the response as far as it was read: at most 64 KiB where the status was
    /// the failure.
    pub fn body(&self) -> &[u8] {
        &self.0.body
    }

    /// Returns what the server calls this request, for its operators to look up: the first of the
    /// usual headers.
    pub fn request_id(&self) -> Option<&str> {
        text::request_id(&self.0.headers)
    }

    /// Returns how long the server asked to wait before the call is made again (`Retry-After`),
    /// counted from its response.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns where the server redirected to.
    pub fn location(&self) -> Option<&str> {
        self.0.headers.get(header::LOCATION)?.to_str().ok()
    }

    /// Returns the operationId of the call, such as `automations.get`.
    pub fn operation(&self) -> Option<&'static str> {
        self.0.operation.map(|operation| operation.id)
    }

    /// Returns how many times the call was attempted; 0 if it never came to that.
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }
}

impl StdError for Error {
    /// Returns the cause as it came: unlike [`Error`] itself, it may repeat at length what a server
    /// said, credentials included.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
