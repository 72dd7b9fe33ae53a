//! Replies of a fake transport.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

use super::failure::refuse;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::wire::{self, Wire};

/// A reply of a [`FakeTransport`](super::FakeTransport): a response, or a fault of the connection.
#[derive(Debug)]
pub struct Reply {
    delay: Duration,
    outcome: Result<Head, TransportError>,
}

#[derive(Debug)]
struct Head {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
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

    /// Returns a response with status 200 and a value of the wire format.
    #[track_caller]
    pub(super) fn from_wire(value: &dyn Wire) -> Self {
        match wire::encode_checked(value) {
            Ok(body) => Self::status(200).header("content-type", "application/json").body(body),
            Err(why) => refuse(&format!("the value cannot be a reply: {why}")),
        }
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
                Self { delay: Duration::ZERO, outcome: Ok(Head { status, headers, body }) }
            }
            _ => refuse(&format!("{status} is not the status of a response")),
        }
    }

    /// Returns a fault instead of a response.
    pub fn fault(error: TransportError) -> Self {
        Self { delay: Duration::ZERO, outcome: Err(error) }
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

    /// Returns the body, unless the reply is a fault.
    pub(super) fn content(&self) -> Option<&Bytes> {
        self.outcome.as_ref().ok().map(|head| &head.body)
    }

    pub(super) async fn send(self) -> Result<http::Response<Body>, TransportError> {
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        let Head { status, headers, body } = self.outcome?;
        let mut response = http::Response::new(Body::from(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}
