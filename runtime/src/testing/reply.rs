//! Replies of a fake transport.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::json;

use super::failure::refuse;
use crate::client::drift::{DriftHook, DriftOf};
use crate::reply::format::ReplyFormat;
use crate::reply::raw::RawReply;
use crate::reply::received::{Declared, Received};
use crate::reply::rejection::{Fails, Rejection};
use crate::send::request::Request;
use crate::transport::body::Body;
use crate::transport::error::TransportError;

/// A reply of a [`FakeTransport`](super::FakeTransport): a response, or a fault of the connection.
#[derive(Clone, Debug)]
pub struct Reply {
    delay: Duration,
    /// The number of bytes of the body after which the connection breaks.
    cut: Option<usize>,
    outcome: Result<RawReply, Arc<TransportError>>,
}

impl Reply {
    /// Returns a response with status 200 and a JSON body: a model, or a `json!` value.
    ///
    /// # Panics
    ///
    /// Panics if the body cannot be serialized.
    #[track_caller]
    pub fn json(body: impl Serialize) -> Self {
        Self::status(200).json_body(body)
    }

    /// Returns the reply to a request for an access token.
    pub(super) fn token(number: usize) -> Self {
        let token = format!("fake-{number}");
        Self::json(json!({"access_token": token, "token_type": "bearer", "expires_in": 3600}))
    }

    /// Returns a recorded response.
    pub(super) fn of(reply: RawReply) -> Self {
        Self { outcome: Ok(reply), ..Self::status(200) }
    }

    /// Returns a successful response with a status and a media type that an operation declares.
    pub(super) fn declared(mut reply: RawReply, declared: Declared) -> Self {
        let has_body = reply.status != StatusCode::NO_CONTENT;
        let statuses = if has_body { declared.statuses } else { declared.empty };
        let status = statuses.first().and_then(|status| StatusCode::from_u16(*status).ok());
        reply.status = status.unwrap_or(reply.status);
        let mut names = declared.accept.into_iter().flat_map(|accept| accept.split(", "));
        let name = names.find(|name| !name.contains('*')).map(HeaderValue::from_static);
        if let (Some(value), Some(name)) = (reply.headers.get_mut(header::CONTENT_TYPE), name) {
            *value = name;
        }
        Self::of(reply)
    }

    /// Decodes the response as the client does that reports drift as errors. A fault is a message.
    pub(super) fn decode<R: Request>(&self) -> Result<R::Output, String> {
        let head = self.outcome.as_ref().map_err(ToString::to_string)?;
        let hook = DriftHook { strict: true, ..DriftHook::default() };
        let reply = Received {
            declared: R::DECLARED,
            drift: Some(DriftOf { hook: &hook, response: None }),
            ..Received::new(head.status, &head.headers, &head.body, R::OPERATION)
        };
        R::Format::decode(&reply)
            .map_err(|error| error.reason().map_or_else(|| error.to_string(), str::to_owned))
    }

    /// Returns a response with status 200 and a text.
    pub fn text(text: impl Into<String>) -> Self {
        let text: String = text.into();
        Self::ok("text/plain; charset=utf-8", text.into())
    }

    /// Returns a response with status 200 and bytes of a media type.
    ///
    /// # Panics
    ///
    /// Panics if the media type is invalid.
    #[track_caller]
    pub fn bytes(media_type: &str, bytes: impl Into<Bytes>) -> Self {
        Self::ok(media_type, bytes.into())
    }

    /// Returns a response with status 200 and server-sent events with these data, each JSON on one line or a text.
    ///
    /// # Panics
    ///
    /// Panics if the data cannot be serialized.
    #[track_caller]
    pub fn events(values: impl IntoIterator<Item = impl Serialize>) -> Self {
        let events = values.into_iter().map(|value| format!("data: {}\n\n", data(&value)));
        Self::ok("text/event-stream", events.collect::<String>().into())
    }

    /// Returns a response with status 200 and a line of JSON for each value.
    ///
    /// # Panics
    ///
    /// Panics if a value cannot be serialized.
    #[track_caller]
    pub fn lines(values: impl IntoIterator<Item = impl Serialize>) -> Self {
        let lines = values.into_iter().map(|value| json(&value) + "\n");
        Self::ok("application/x-ndjson", lines.collect::<String>().into())
    }

    /// Returns a response with the body that an operation declares for the status of an error:
    /// `Reply::failure::<tasks::Get>(404, &problem)`.
    ///
    /// # Panics
    ///
    /// Panics if the operation declares no body for the status, or the body does not have its type.
    #[track_caller]
    pub fn failure<R: Fails>(status: u16, body: &impl Serialize) -> Self {
        let reply = Self::status(status).json_body(body);
        let is_declared = reply.outcome.as_ref().is_ok_and(|head| {
            let reply = Received::new(head.status, &head.headers, &head.body, R::FAILING);
            R::failure(&Rejection::new(reply)).is_some()
        });
        if !is_declared || status < 400 {
            let id = R::FAILING.id;
            refuse(&format!("`{id}` declares no such body for the status {status}"));
        }
        reply
    }

    #[track_caller]
    fn ok(media_type: &str, body: Bytes) -> Self {
        Self::status(200).header("content-type", media_type).body(body)
    }

    /// Breaks the connection after a number of bytes of the body.
    #[must_use]
    pub fn broken_after(mut self, bytes: usize) -> Self {
        self.cut = Some(bytes);
        self
    }

    /// Returns a response with a status and an empty body.
    ///
    /// # Panics
    ///
    /// Panics if the status is not one between 200 and 999.
    #[track_caller]
    pub fn status(status: u16) -> Self {
        match StatusCode::from_u16(status) {
            Ok(status) if status.as_u16() >= 200 => {
                let headers = HeaderMap::new();
                let body = Bytes::new();
                Self {
                    delay: Duration::ZERO,
                    cut: None,
                    outcome: Ok(RawReply { status, headers, body }),
                }
            }
            _ => refuse(&format!("{status} is not the status of a response")),
        }
    }

    /// Returns a fault instead of a response.
    pub fn fault(error: TransportError) -> Self {
        Self { delay: Duration::ZERO, cut: None, outcome: Err(Arc::new(error)) }
    }

    /// Adds a header, unless the reply is a fault.
    ///
    /// # Panics
    ///
    /// Panics if the name or the value is invalid.
    #[must_use]
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => {
                if let Ok(head) = &mut self.outcome {
                    head.headers.append(name, value);
                }
            }
            _ => refuse(&format!("`{name}: {value}` is not a header")),
        }
        self
    }

    /// Sets the body, unless the reply is a fault.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        if let Ok(head) = &mut self.outcome {
            head.body = body.into();
        }
        self
    }

    /// Sets a JSON body: a model, or a `json!` value, as in `Reply::status(409).json_body(conflict)`.
    ///
    /// # Panics
    ///
    /// Panics if the body cannot be serialized.
    #[must_use]
    #[track_caller]
    pub fn json_body(self, body: impl Serialize) -> Self {
        match serde_json::to_vec(&body) {
            Ok(body) => self.header("content-type", "application/json").body(body),
            Err(error) => refuse(&format!("the body cannot be serialized: {error}")),
        }
    }

    /// Delays the reply. With tokio's time paused, no time passes.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(super) async fn send(self) -> Result<http::Response<Body>, TransportError> {
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        let RawReply { status, headers, body } = self.outcome.map_err(|error| {
            Arc::try_unwrap(error).unwrap_or_else(|shared| {
                let source = shared.source.to_string().into();
                TransportError { kind: shared.kind, lasting: shared.lasting, source }
            })
        })?;
        let body = match self.cut {
            None => Body::from(body),
            Some(cut) => Body::from_stream(Broken(Some(body.slice(..cut.min(body.len()))))),
        };
        let mut response = http::Response::new(body);
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// The beginning of a body, after which the connection breaks.
struct Broken(Option<Bytes>);

impl Stream for Broken {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let broken = TransportError::interrupted("the connection broke, as the reply asks for");
        Poll::Ready(Some(self.0.take().ok_or(broken)))
    }
}

/// Returns the data of an event: JSON on one line, or a text as it is.
#[track_caller]
fn data(value: &impl Serialize) -> String {
    let json = json(value);
    serde_json::from_str::<String>(&json).map_or(json, |text| text.replace('\n', "\ndata: "))
}

#[track_caller]
fn json(value: &impl Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(json) => json,
        Err(error) => refuse(&format!("the value cannot be serialized: {error}")),
    }
}
