//! The texts of a request that errors do not show although a server repeats them.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName, header};

use super::{MIN_PART, names, redact};
use crate::url::query::decoded;

/// Headers of credentials, whatever the spec describes (RFC 9110, sections 11.6.2 and 11.7.2; RFC 6265, section 5.4).
pub(crate) const OF_CREDENTIALS: [HeaderName; 3] =
    [header::AUTHORIZATION, header::COOKIE, header::PROXY_AUTHORIZATION];

/// The texts of a request that errors do not show.
#[derive(Clone)]
pub(crate) struct Withheld {
    /// Secrets, by their types or by their names.
    pub(crate) secrets: Vec<String>,
    /// Other values of the query, which can be shown in the path: that is not a text of the server.
    values: Vec<String>,
}

impl Withheld {
    /// Returns the secrets of a request, and the values of its query with their parts: the elements of a list, and the
    /// literals of a filter or of JSON.
    pub(crate) fn new(secrets: &[String], url: &str) -> Self {
        let mut all = Self { secrets: secrets.to_owned(), values: Vec::new() };
        let (_, query) = url.split_once('?').unwrap_or_default();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            let value = decoded(value);
            let parts = value.split([',', '|', '"', '\'']).chain([&*value]);
            if names::is_secret(&decoded(name)) {
                all.secrets.extend(parts.map(str::to_owned));
            } else {
                let long = parts.filter(|part| part.len() >= MIN_PART);
                all.values.extend(long.map(str::to_owned));
            }
        }
        all
    }

    /// Adds the values of headers with the names of secrets.
    pub(crate) fn add_headers(&mut self, headers: &HeaderMap) {
        let named = headers
            .iter()
            .filter(|(name, _)| !OF_CREDENTIALS.contains(name) && names::is_secret(name.as_str()));
        let texts = named.filter_map(|(_, value)| str::from_utf8(value.as_bytes()).ok());
        self.secrets.extend(texts.map(|text| text.trim().to_owned()));
    }

    /// Redacts a text of the server, or of a cause.
    pub(crate) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let all: Vec<_> = self.secrets.iter().chain(&self.values).collect();
        redact(text, &all)
    }

    /// Redacts the secrets in a text of the request.
    pub(crate) fn redact_secrets<'t>(&self, text: &'t str) -> Cow<'t, str> {
        redact(text, &self.secrets)
    }
}
