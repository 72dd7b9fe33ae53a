//! Calls, which emitted code fills in.

use std::borrow::Cow;
use std::fmt;

use http::HeaderMap;

use crate::auth::scheme::Alternatives;
use crate::client::{Client, Options};
use crate::error::Error;
use crate::operation::Operation;
use crate::request::header;
use crate::request::path::Path;
use crate::request::payload::Payload;
use crate::request::query::Query;
use crate::time::deadline::Deadline;
use crate::wire::{Model, Param};

/// A request of an emitted crate.
///
/// It is sent by its methods `send` and `send_raw`, or by `.await`.
pub trait Request: Sized {
    /// The value of a successful response.
    type Output: Model;

    /// The operation.
    const OPERATION: &'static Operation;

    /// Returns the call with its body.
    #[doc(hidden)]
    fn into_call(self) -> Call;
}

/// A call: operation, path, query, headers, body and options.
///
/// Boxed, because setters and futures move requests.
#[derive(Clone)]
pub struct Call(Box<CallParts>);

/// The parts of a call.
#[derive(Clone)]
pub(crate) struct CallParts {
    pub(crate) client: Client,
    pub(crate) operation: &'static Operation,
    pub(crate) security: Alternatives,
    /// The servers that it can be sent to, if not to the base URL.
    pub(crate) servers: &'static [usize],
    pub(crate) path: Path,
    pub(crate) query: Query,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Payload>,
    pub(crate) options: Options,
    /// Whether the body of the response is not decoded, because the spec describes none.
    pub(crate) ignores_response: bool,
    /// The deadline, if it is not that of this call alone.
    pub(crate) deadline: Option<Deadline>,
    /// The reason why the call cannot be sent.
    pub(crate) fault: Option<String>,
}

impl CallParts {
    /// Returns whether the call can be sent: streams of its body can be sent once.
    pub(crate) fn is_replayable(&self) -> bool {
        self.body.as_ref().is_none_or(|payload| payload.body.is_replayable())
    }

    /// Returns a deadline that begins now.
    pub(crate) fn begin_deadline(&self) -> Deadline {
        Deadline::new(&*self.client.shared.settings.clock, self.options.total_timeout)
    }

    /// Adds the operation, its path and the number of attempts to an error.
    pub(crate) fn locate(&self, error: Error, attempts: u32) -> Error {
        let mut error = error.with_operation(self.operation);
        error.0.attempts = attempts;
        if let Some(pattern) = self.client.shared.settings.service.request_id {
            error.find_request_id(pattern);
        }
        if !self.client.shared.settings.hides_path_values {
            error.0.path = self.path.finish().ok().map(Box::from);
        }
        error
    }
}

impl Call {
    /// Returns a call without parameters and body.
    pub fn new(client: &Client, operation: &'static Operation) -> Self {
        Self(Box::new(CallParts {
            client: client.clone(),
            operation,
            security: client.shared.settings.service.security,
            servers: &[],
            path: Path::new(operation.path),
            query: Query::default(),
            headers: HeaderMap::new(),
            body: None,
            options: client.shared.settings.options.clone(),
            ignores_response: false,
            deadline: None,
            fault: None,
        }))
    }

    pub(crate) fn parts_mut(&mut self) -> &mut CallParts {
        &mut self.0
    }

    /// Sets the credentials that the operation needs.
    #[must_use]
    pub fn security(mut self, alternatives: Alternatives) -> Self {
        self.0.security = alternatives;
        self
    }

    /// Sets the servers that the operation has instead of the base URL.
    #[must_use]
    pub fn servers(mut self, servers: &'static [usize]) -> Self {
        self.0.servers = servers;
        self
    }

    pub(crate) fn into_parts(self) -> Box<CallParts> {
        self.0
    }

    /// Sets a path parameter.
    #[must_use]
    pub fn path(mut self, name: &'static str, value: &(impl Param + ?Sized)) -> Self {
        self.0.path.fill(name, &value.to_param());
        self
    }

    /// Sets a query parameter.
    #[must_use]
    pub fn query(mut self, name: &'static str, value: &(impl Param + ?Sized)) -> Self {
        self.set_query(name, value);
        self
    }

    /// Sets a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &(impl Param + ?Sized)) -> Self {
        self.set_header(name, value);
        self
    }

    /// Sets a query parameter, replacing all its values.
    pub fn set_query(&mut self, name: impl Into<Cow<'static, str>>, value: &(impl Param + ?Sized)) {
        self.0.query.set(name.into(), value.to_param().into_owned());
    }

    /// Sets a query parameter to several values.
    #[must_use]
    pub fn query_list(
        mut self,
        name: &'static str,
        values: impl IntoIterator<Item = impl Param>,
        separator: Option<&str>,
    ) -> Self {
        self.set_query_list(name, values, separator);
        self
    }

    /// Sets a query parameter to several values, replacing all that it has: one text with a separator between them, or a
    /// pair for each. No values remove it.
    pub fn set_query_list(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = impl Param>,
        separator: Option<&str>,
    ) {
        self.0.query.remove(name);
        let texts = values.into_iter().map(|value| value.to_param().into_owned());
        let Some(separator) = separator else {
            texts.for_each(|text| self.0.query.add(name.into(), text));
            return;
        };
        let joined = texts.reduce(|joined, text| joined + separator + &text);
        if let Some(joined) = joined {
            self.0.query.add(name.into(), joined);
        }
    }

    /// Adds a value to a query parameter.
    pub fn add_query(&mut self, name: impl Into<Cow<'static, str>>, value: &(impl Param + ?Sized)) {
        self.0.query.add(name.into(), value.to_param().into_owned());
    }

    /// Sets a header, replacing all its values. An invalid name or value fails the call when it is
    /// sent.
    pub fn set_header(&mut self, name: &str, value: &(impl Param + ?Sized)) {
        match header::parse(name, &value.to_param()) {
            Ok((name, value)) => {
                self.0.headers.insert(name, value);
            }
            Err(why) => self.fail(why),
        }
    }

    /// Fails the call when it is sent. The first reason is reported.
    pub(crate) fn fail(&mut self, why: String) {
        self.0.fault.get_or_insert(why);
    }

    /// Accepts any body of a successful response, because the spec describes none.
    #[must_use]
    pub fn ignore_response(mut self) -> Self {
        self.0.ignores_response = true;
        self
    }

    /// Returns the options of this call, which are the client's unless they are set.
    pub fn options(&mut self) -> &mut Options {
        &mut self.0.options
    }
}

/// Shows names of parameters and headers, and no values: they may be secret.
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
