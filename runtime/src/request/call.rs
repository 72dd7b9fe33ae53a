//! What emitted code fills in: a call on its way to being made.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::client::Client;
use crate::request::parameter::Param;
use crate::request::path::Path;
use crate::request::query::Query;
use crate::retry::RetryPolicy;
use crate::wire::{self, Wire};

/// An operation of the API, as its description has it.
#[derive(Debug)]
pub struct Operation {
    /// The operationId.
    pub id: &'static str,
    /// The method.
    pub method: Method,
    /// The path template, beginning with a slash.
    pub path: &'static str,
}

/// A request of an emitted crate.
pub trait Request: Sized {
    /// What a successful response holds.
    type Output: Wire + Default;

    /// The operation that is called.
    const OPERATION: &'static Operation;

    /// Returns the call, complete with its body.
    fn into_call(self) -> Call;
}

/// A call: operation, path, query, headers, body and what is special about this one call.
///
/// Requests are moved from setter to setter and into their futures, so it is as small as can be.
#[derive(Clone)]
pub struct Call(Box<CallParts>);

/// What a call is made of.
#[derive(Clone)]
pub(crate) struct CallParts {
    pub(crate) client: Client,
    pub(crate) operation: &'static Operation,
    pub(crate) path: Path,
    pub(crate) query: Query,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Payload>,
    pub(crate) options: CallOptions,
    pub(crate) fault: Option<String>,
}

/// A request body and its media type.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) content_type: HeaderValue,
    pub(crate) bytes: Bytes,
}

/// Settings of one call that take the place of the client's.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallOptions {
    pub(crate) attempt_timeout: Option<Duration>,
    pub(crate) total_timeout: Option<Duration>,
    pub(crate) retry: Option<RetryPolicy>,
    pub(crate) max_response_bytes: Option<usize>,
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl Call {
    /// Begins a call.
    pub fn new(client: &Client, operation: &'static Operation) -> Self {
        Self(Box::new(CallParts {
            client: client.clone(),
            operation,
            path: Path::new(operation.path),
            query: Query::default(),
            headers: HeaderMap::new(),
            body: None,
            options: CallOptions::default(),
            fault: None,
        }))
    }

    pub(crate) fn into_parts(self) -> Box<CallParts> {
        self.0
    }

    /// Fills in a path parameter.
    pub fn set_path(&mut self, name: &'static str, value: &(impl Param + ?Sized)) {
        self.0.path.fill(name, &value.to_param());
    }

    /// Sets a query parameter, replacing every value that it had.
    pub fn set_query(&mut self, name: impl Into<Cow<'static, str>>, value: &(impl Param + ?Sized)) {
        self.0.query.set(name.into(), value.to_param().into_owned());
    }

    /// Sets a query parameter to several values, each as a `name=value` of its own.
    pub fn set_query_list<P: Param>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = P>,
    ) {
        let mut values = values.into_iter();
        if let Some(first) = values.next() {
            self.set_query(name, &first);
        }
        for value in values {
            self.0.query.add(name.into(), value.to_param().into_owned());
        }
    }

    /// Sets a header, replacing every value that it had. A value that no header can carry fails the
    /// call when it is sent.
    pub fn set_header(&mut self, name: &str, value: &(impl Param + ?Sized)) {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value.to_param())) {
            (Ok(name), Ok(value)) => {
                self.0.headers.insert(name, value);
            }
            (Err(_), _) => self.refuse(format!("`{name}` cannot be the name of a header")),
            // The value stays unsaid: it may be a secret.
            (_, Err(_)) => self.refuse(format!(
                "the value of the header `{name}` has characters that no header can carry"
            )),
        }
    }

    /// Sets the body to a JSON value.
    #[must_use]
    pub fn json(self, body: &dyn Wire) -> Self {
        self.payload(JSON, Bytes::from(wire::encode(body)))
    }

    /// Sets the body to `{}`.
    #[must_use]
    pub fn empty_object(self) -> Self {
        self.payload(JSON, Bytes::from_static(b"{}"))
    }

    /// Sets the body to bytes of any media type.
    #[must_use]
    pub fn bytes(self, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        self.payload(HeaderValue::from_static(content_type), body.into())
    }

    fn payload(mut self, content_type: HeaderValue, bytes: Bytes) -> Self {
        self.0.body = Some(Payload { content_type, bytes });
        self
    }

    /// Limits the time of each attempt.
    pub fn set_timeout(&mut self, limit: Duration) {
        self.0.options.attempt_timeout = Some(limit);
    }

    /// Limits the time of all attempts and the pauses between them.
    pub fn set_total_timeout(&mut self, limit: Duration) {
        self.0.options.total_timeout = Some(limit);
    }

    /// Decides whether failed attempts are repeated.
    pub fn set_retry(&mut self, policy: RetryPolicy) {
        self.0.options.retry = Some(policy);
    }

    /// Limits the size of the response's body.
    pub fn set_max_response_bytes(&mut self, limit: usize) {
        self.0.options.max_response_bytes = Some(limit);
    }

    /// Remembers the first reason why the call cannot be sent.
    fn refuse(&mut self, why: String) {
        self.0.fault.get_or_insert(why);
    }
}

/// Shows the template and the names of parameters, no values.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.0.operation.id)
            .field("method", &self.0.operation.method)
            .field("path", &self.0.operation.path)
            .field("query", &self.0.query.names().collect::<Vec<_>>())
            .field("headers", &self.0.headers.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
