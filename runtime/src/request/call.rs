//! Calls, which emitted code fills in.

use std::borrow::Cow;

use http::{HeaderMap, HeaderValue};
use serde_json::Number;

use crate::auth::scheme::Alternatives;
use crate::client::given_header;
use crate::client::{CallOptions, Client};
use crate::error::Error;
use crate::error::operation::Operation;
use crate::reply::received::Declared;
use crate::request::pairs::Pairs;
use crate::request::parameter::{Location, Pair, Parameter};
use crate::request::path::Path;
use crate::secrets::debug::shown;
use crate::secrets::{Withheld, is_secret};
use crate::time::deadline::Deadline;
use crate::wire::upload::body::RequestBody;
use crate::wire::{self, Integer, IntoInteger, Param, Plain, Wire};

/// A call: operation, path, query, headers, body and options.
///
/// Boxed, because setters and futures move requests.
#[derive(Clone)]
pub struct Call(pub(crate) Box<CallParts>);

/// One of several contents of successful responses: its statuses, and its media types.
pub type Reading = (&'static [u16], &'static str);

#[derive(Clone)]
pub(crate) struct CallParts {
    pub(crate) client: Client,
    pub(crate) operation: &'static Operation,
    pub(crate) security: Alternatives,
    /// The servers that it can be sent to, if not to the base URL.
    pub(crate) servers: &'static [usize],
    pub(crate) path: Path,
    pub(crate) query: Pairs,
    /// The URL that it is sent to instead of its path and query: the target of a link to the next page.
    pub(crate) target: Option<String>,
    pub(crate) cookies: Pairs,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Payload>,
    /// The paths of the properties that the body removes, if it is a merge patch.
    pub(crate) nulls: Vec<Vec<String>>,
    pub(crate) options: CallOptions,
    /// The header of the operation by which the server recognizes the attempts of a call.
    pub(crate) idempotency_key: Option<&'static str>,
    pub(crate) declared: Declared,
    /// Whether the body of a successful response is read later.
    pub(crate) keeps_open: bool,
    /// The deadline, if the call shares it with other calls.
    pub(crate) deadline: Option<Deadline>,
    /// The secrets in its parameters and its body, which errors and recordings redact.
    pub(crate) secrets: Vec<String>,
    #[cfg(feature = "record")]
    pub(crate) texts: crate::record::CallTexts,
    /// The reasons why the call cannot be sent.
    faults: Vec<Fault>,
}

/// The body of a call, with its media type.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) media_type: HeaderValue,
    pub(crate) body: RequestBody,
}

/// A reason why a call cannot be sent.
#[derive(Clone)]
struct Fault {
    /// The parameter whose value is invalid. Setting it again removes the fault.
    parameter: Option<(Location, Cow<'static, str>)>,
    why: String,
}

/// Adds methods that return the call after it was changed by another method, as arguments of operations need it.
macro_rules! chained {
    ($(
        $(#[$documentation:meta])*
        $name:ident = $change:ident<$($type:ident: ($($bound:tt)*))?>($($argument:ident: $of:ty),*);
    )*) => {$(
        $(#[$documentation])*
        #[must_use]
        pub fn $name<$($type: $($bound)*)?>(mut self, $($argument: $of),*) -> Self {
            self.$change($($argument),*);
            self
        }
    )*};
}

impl CallParts {
    /// Returns whether the call can be sent: streams of its body can be sent once.
    pub(crate) fn is_replayable(&self) -> bool {
        self.body.as_ref().is_none_or(|payload| payload.body.is_replayable())
    }

    /// Returns the first reason why the call cannot be sent, if there is one.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.faults.first().map(|fault| fault.why.as_str())
    }

    pub(crate) fn begin_deadline(&self) -> Deadline {
        Deadline::new(&*self.client.shared.settings.clock, self.options.total_timeout)
    }

    /// Returns what errors of the call do not show.
    #[cold]
    pub(crate) fn withheld(&self) -> Withheld {
        let mut url = self.target.clone().unwrap_or_default();
        self.query.push_to(&mut url);
        let mut withheld = Withheld::new(&self.secrets, &url);
        withheld.secrets.extend(self.cookies.names().flat_map(|name| self.cookies.texts_of(name)));
        withheld.add_headers(&self.headers);
        withheld.add_headers(&self.client.shared.headers);
        withheld.secrets.extend(self.client.shared.credentials.secrets());
        withheld
    }

    /// Adds the operation, its path, the number of attempts and what it does not show to an error.
    pub(crate) fn locate(&self, error: Error, attempts: u32) -> Error {
        let mut error = error.with_operation(self.operation);
        error.0.attempts = attempts;
        // Those of attempts have the credentials that were sent, too.
        error.0.withheld.get_or_insert_with(|| self.withheld());
        if let Some(pattern) = self.client.shared.settings.service.request_id {
            error = error.with_request_id(pattern);
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
            query: Pairs::default(),
            target: None,
            cookies: Pairs::default(),
            headers: HeaderMap::new(),
            body: None,
            nulls: Vec::new(),
            options: client.shared.settings.options.clone(),
            idempotency_key: None,
            declared: Declared { accept: None, ..Declared::ANY },
            keeps_open: false,
            deadline: None,
            secrets: Vec::new(),
            #[cfg(feature = "record")]
            texts: crate::record::CallTexts::default(),
            faults: Vec::new(),
        }))
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

    /// Sets a path parameter.
    #[must_use]
    pub fn path(mut self, name: &'static str, value: &(impl Param + ?Sized)) -> Self {
        if let Some(why) = value.refusal() {
            self.refuse(Location::Path, name, unfit(name, &why));
            return self;
        }
        let text = value.to_param();
        if is_secret(name) {
            self.0.secrets.push(text.clone().into_owned());
        }
        self.0.path.fill(name, &text);
        self
    }

    chained! {
        /// Sets a query parameter.
        query = set_query<>(name: &'static str, value: &(impl Param + ?Sized));
        /// Sets a header.
        header = set_header<>(name: &str, value: &(impl Param + ?Sized));
        /// Sets a parameter to a list.
        list = set_list<>(parameter: Parameter, values: impl IntoIterator<Item = impl Param>);
        /// Sets a parameter to a scalar.
        text = set_text<>(parameter: Parameter, value: &(impl Param + ?Sized));
        /// Sets a parameter to an integer.
        integer = set_integer<T: (Integer + Default + Into<Number>)>(parameter: Parameter, value: impl IntoInteger<T>);
        /// Sets a parameter to a list of integers.
        integers = set_integers<T: (Integer + Default + Into<Number>)>(
            parameter: Parameter,
            values: impl IntoIterator<Item = impl IntoInteger<T>>
        );
        /// Sets a parameter to any value.
        value = set_value<>(parameter: Parameter, value: impl Wire);
    }

    /// Sets a query parameter, replacing all its values.
    pub fn set_query(&mut self, name: impl Into<Cow<'static, str>>, value: &(impl Param + ?Sized)) {
        let name = name.into();
        if let Some(why) = value.refusal() {
            let why = unfit(&name, &why);
            return self.refuse(Location::Query, name, why);
        }
        self.forget_fault(Location::Query, &name);
        self.0.query.set(name, &value.to_param());
    }

    /// Sets a parameter to a list, replacing its value. No values remove it.
    pub fn set_list(&mut self, parameter: Parameter, values: impl IntoIterator<Item = impl Param>) {
        let texts = values.into_iter().map(|value| text_of(&value));
        self.set_checked(parameter, texts.collect::<Result<_, _>>().map(Plain::List));
    }

    /// Sets a parameter to a scalar, replacing its value.
    pub fn set_text(&mut self, parameter: Parameter, value: &(impl Param + ?Sized)) {
        self.set_checked(parameter, text_of(value));
    }

    /// Sets a parameter to an integer, replacing its value.
    pub fn set_integer<T: Integer + Default + Into<Number>>(
        &mut self,
        parameter: Parameter,
        value: impl IntoInteger<T>,
    ) {
        let value = wire::checked(value).map(|value| {
            let number: Number = value.into();
            if parameter.as_text { Plain::Text(number.to_string()) } else { Plain::number(number) }
        });
        self.set_checked(parameter, value);
    }

    /// Sets a parameter to a list of integers, replacing its value. No values remove it.
    pub fn set_integers<T: Integer + Default + Into<Number>>(
        &mut self,
        parameter: Parameter,
        values: impl IntoIterator<Item = impl IntoInteger<T>>,
    ) {
        let values = values.into_iter().map(wire::checked).map(|value| value.map(Plain::number));
        self.set_checked(parameter, values.collect::<Result<_, _>>().map(Plain::List));
    }

    /// Sets a parameter to any value, replacing the one before.
    pub fn set_value(&mut self, parameter: Parameter, value: impl Wire) {
        self.0.secrets.extend(wire::secrets(&value));
        self.set_checked(parameter, wire::placed(&value, parameter.as_text, Plain::new));
    }

    fn set_checked(&mut self, parameter: Parameter, value: Result<Plain, String>) {
        match value {
            Ok(value) => {
                if parameter.is_secret || is_secret(parameter.name) {
                    self.0.secrets.extend(value.scalars());
                }
                self.set_plain(parameter, &value);
            }
            Err(why) => self.refuse(parameter.place, parameter.name, parameter.refusal(&why)),
        }
    }

    fn set_plain(&mut self, parameter: Parameter, value: &Plain) {
        let Parameter { name, place, .. } = parameter;
        self.forget_fault(place, name);
        if place == Location::Path && value.is_empty() {
            return self.0.path.refuse_empty(name);
        }
        let pairs = match parameter.expand(value) {
            Ok(pairs) => pairs,
            Err(why) => return self.refuse(place, name, why),
        };
        match place {
            Location::Path => match parameter.join(&pairs) {
                text if text.is_empty() => self.0.path.refuse_empty(name),
                text => self.0.path.fill_encoded(name, [&*text]),
            },
            Location::Header if pairs.is_empty() => {
                self.0.headers.remove(name);
            }
            Location::Header => {
                self.set_header(name, &parameter.join(&pairs));
                if let Some(value) = self.0.headers.get_mut(name).filter(|_| parameter.is_secret) {
                    value.set_sensitive(true);
                }
            }
            Location::Query | Location::QueryString => {
                self.0.query.remove(name);
                self.0.query.extend(name, pairs);
            }
            Location::Cookie if !pairs.iter().all(is_cookie) => {
                let why = parameter.refusal("a cookie cannot contain some of its characters");
                self.refuse(place, name, why);
            }
            Location::Cookie => {
                self.0.cookies.remove(name);
                self.0.cookies.extend(name, pairs);
            }
        }
    }

    /// Adds a value to a query parameter.
    pub fn add_query(&mut self, name: impl Into<Cow<'static, str>>, value: &(impl Param + ?Sized)) {
        let name = name.into();
        match value.refusal() {
            Some(why) => {
                let why = unfit(&name, &why);
                self.refuse(Location::Query, name, why);
            }
            None => self.0.query.add(name, &value.to_param()),
        }
    }

    /// Returns the last text of a query parameter.
    pub fn query_text(&self, name: &str) -> Option<String> {
        self.0.query.texts_of(name).last()
    }

    /// Sets a header, replacing all its values. An invalid name or value fails the call when it is
    /// sent.
    pub fn set_header(&mut self, name: &str, value: &(impl Param + ?Sized)) {
        self.forget_fault(Location::Header, name);
        let schemes = self.0.client.shared.settings.service.schemes;
        let parsed = match value.refusal() {
            Some(why) => Err(unfit(name, &why)),
            None => given_header::parse(name, &value.to_param(), schemes),
        };
        match parsed {
            Ok((name, value)) => {
                self.0.headers.insert(name, value);
            }
            Err(why) => self.refuse(Location::Header, name.to_owned(), why),
        }
    }

    /// Fails the call when it is sent. The first reason is reported.
    pub(crate) fn fail(&mut self, why: String) {
        self.0.faults.push(Fault { parameter: None, why });
    }

    /// Fails the call when it is sent, unless the parameter is set again.
    fn refuse(&mut self, place: Location, name: impl Into<Cow<'static, str>>, why: String) {
        let name = name.into();
        self.forget_fault(place, &name);
        self.0.faults.push(Fault { parameter: Some((place, name)), why });
    }

    /// Removes the fault of a parameter, which is set again.
    fn forget_fault(&mut self, place: Location, name: &str) {
        self.0.faults.retain(|fault| match &fault.parameter {
            Some((other, _)) if *other != place => true,
            Some((Location::Header, parameter)) => !parameter.eq_ignore_ascii_case(name),
            Some((_, parameter)) => parameter != name,
            None => true,
        });
    }

    /// Returns the call that reads one of the declared contents.
    pub(crate) fn reading(mut self, (statuses, accept): Reading) -> Self {
        self.0.declared = Declared { statuses, accept: Some(accept), ..self.0.declared };
        self
    }

    /// Returns the options of this call, which are the client's unless they are set.
    pub fn options(&mut self) -> &mut CallOptions {
        &mut self.0.options
    }
}

/// Returns the text of a parameter, or the reason why it cannot be sent.
fn text_of(value: &(impl Param + ?Sized)) -> Result<Plain, String> {
    value.refusal().map_or_else(|| Ok(Plain::Text(value.to_param().into_owned())), Err)
}

/// Returns the reason why a call cannot be sent: a parameter has no such value.
fn unfit(name: &str, why: &str) -> String {
    format!("the parameter `{name}` cannot be sent: {why}")
}

/// Returns whether a pair can be a cookie, which ends at a semicolon (RFC 6265, section 4.1.1).
fn is_cookie(pair: &Pair) -> bool {
    let texts = [Some(&pair.text), pair.name.as_ref()];
    texts.iter().flatten().all(|text| !text.contains(';') && HeaderValue::from_str(text).is_ok())
}

// Shows names of parameters and headers, and no values: they may be secret.
shown!(Call, |it|
    operation: it.0.operation.id,
    method: it.0.operation.method,
    path: it.0.operation.path,
    query: it.0.query.names().collect::<Vec<_>>(),
    headers: it.0.headers.keys().collect::<Vec<_>>(),
    cookies: it.0.cookies.names().collect::<Vec<_>>(),
);
