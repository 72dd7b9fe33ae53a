//! Endpoints of OAuth 2.0: the token endpoint (RFC 6749, section 3.2), and the others of a provider.

use http::uri::Scheme;
use http::{HeaderValue, Method, Uri, header};
use secrecy::ExposeSecret;
use serde_json::{Map, Value};
use tracing::Instrument as _;

use super::context::{TokenContext, TokenSetup};
use super::form::Form;
use super::key_text::has_private_key;
use super::response;
use super::scheme::credentials_in;
use super::secret::SecretSource;
use super::token::TokenError;
use super::trace;
use crate::secrets::Withheld;
use crate::url::origin::{Origin, has_user};
use crate::url::template::unfilled;
use crate::wire::upload::body::RequestBody;

const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Fields that are not secret (RFC 6749, sections 2.3.1 and 4.4.2; RFC 8707, section 2; RFC 8693,
/// section 2.1).
const PUBLIC: [&str; 5] = ["audience", "client_id", "grant_type", "resource", "scope"];

/// An endpoint, with the scope and additional fields of its requests.
#[derive(Clone)]
pub(crate) struct Endpoint {
    /// The kind of the endpoint, for messages: `token`.
    kind: &'static str,
    written: String,
    pub(crate) scope: Option<String>,
    /// Additional fields of the form.
    pub(crate) fields: Vec<(String, SecretSource)>,
}

impl Endpoint {
    /// The kind of endpoints that return tokens.
    pub(crate) const TOKEN: &str = "token";

    pub(crate) fn new(kind: &'static str, written: String) -> Self {
        Self { kind, written, scope: None, fields: Vec::new() }
    }

    /// Returns ` at HOST`, or an empty text if the URL is relative.
    pub(crate) fn at(&self) -> String {
        let url = self.written.parse::<Uri>().ok();
        url.as_ref().and_then(Uri::host).map_or_else(String::new, |host| format!(" at {host}"))
    }

    /// Returns the URL, resolved against the base URL of the API. Refuses a URL that would leak secrets.
    pub(crate) fn url(&self, setup: TokenSetup<'_>) -> Result<Uri, TokenError> {
        let invalid = |why: &str| Err(TokenError::new(format!("the {} URL {why}", self.kind)));
        if self.written.trim().is_empty() {
            return invalid("is empty");
        }
        if let Some(why) = unfilled(&self.written) {
            return invalid(&why);
        }
        let Some(url) = setup.base_url.resolve(&self.written) else {
            return invalid("is not a URL");
        };
        if has_user(&url) {
            return invalid("contains credentials (`@`); remove them");
        }
        let Some(origin) = Origin::new(&url) else {
            return invalid("is not an http or https URL with a valid port");
        };
        if !origin.is_private(setup.allow_http) {
            return invalid(
                "is http, which would send the client's credentials unencrypted; use https, or `allow_http()`",
            );
        }
        Ok(url)
    }

    /// Returns whether requests use https, if the URL is valid.
    pub(crate) fn is_https(&self, setup: TokenSetup<'_>) -> bool {
        self.url(setup).is_ok_and(|url| url.scheme() == Some(&Scheme::HTTPS))
    }

    /// Sends a form, and returns what is read of the JSON object of the response.
    pub(crate) async fn answer<T>(
        &self,
        mut form: Form,
        context: TokenContext<'_>,
        read: impl FnOnce(Map<String, Value>) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        if let Some(scope) = &self.scope {
            form.push("scope", scope);
        }
        for (name, value) in &self.fields {
            let value = value.read(name).await?;
            if has_private_key(value.expose_secret()) {
                let fault = format!("the field `{name}` has a private key, which is never sent");
                return Err(TokenError::new(fault));
            }
            if PUBLIC.contains(&name.as_str()) {
                form.push(name, value.expose_secret());
            } else {
                form.push_secret(name, &value);
            }
        }
        let mut request = http::Request::new(RequestBody::from(form.text));
        *request.method_mut() = Method::POST;
        request.headers_mut().insert(header::CONTENT_TYPE, FORM);
        let mut withheld = Withheld::default();
        withheld.secrets.extend(form.secrets.iter().map(|it| it.expose_secret().to_owned()));
        if withheld.secrets.iter().any(|secret| has_private_key(secret)) {
            return Err(TokenError::new("the form has a private key, which is never sent"));
        }
        self.send(request, form.authorization, withheld, context, read).await
    }

    /// Returns the JSON object at the URL.
    #[cfg(feature = "login")]
    pub(crate) async fn get(
        &self,
        context: TokenContext<'_>,
    ) -> Result<Map<String, Value>, TokenError> {
        let request = http::Request::new(RequestBody::default());
        self.send(request, None, Withheld::default(), context, Ok).await
    }

    async fn send<T>(
        &self,
        mut request: http::Request<RequestBody>,
        authorization: Option<HeaderValue>,
        mut withheld: Withheld,
        context: TokenContext<'_>,
        read: impl FnOnce(Map<String, Value>) -> Result<T, TokenError>,
    ) -> Result<T, TokenError> {
        let url = self.url(context.0.setup())?;
        // The default headers belong to the origin of the base URL.
        let origin = Origin::new(&url);
        let is_within_api = origin.as_ref() == Some(&context.0.base_url.origin);
        *request.uri_mut() = url.clone();
        let headers = request.headers_mut();
        for (name, value) in &*context.0.headers {
            if is_within_api || name == header::USER_AGENT {
                headers.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        headers.remove(header::AUTHORIZATION);
        headers.extend(authorization.map(|value| (header::AUTHORIZATION, value)));
        headers.insert(header::ACCEPT, JSON);
        withheld.add_headers(headers);
        withheld.secrets.extend(credentials_in(headers));
        let span = trace::request(request.method().as_str(), url.path(), origin.as_ref());
        let answer = async {
            let received = context.transport().send(request).await.map_err(|error| {
                let message = format!("the request to the {} endpoint failed", self.kind);
                TokenError::of_transport(message, error)
            })?;
            span.record("http.response.status_code", received.status().as_u16());
            let object = response::object(received, self.kind, &withheld.secrets, context.now());
            read(object.await?)
        };
        answer.instrument(span.clone()).await.map_err(|error| {
            trace::failed(&span, &error);
            error.with_endpoint(&url)
        })
    }
}
