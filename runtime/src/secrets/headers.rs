//! Headers of requests with secrets.

use http::{HeaderMap, HeaderName, header};

use super::{Withheld, is_secret};

/// Headers of credentials, whatever the spec describes (RFC 9110, sections 11.6.2 and 11.7.2; RFC 6265, section 5.4).
const OF_CREDENTIALS: [HeaderName; 3] =
    [header::AUTHORIZATION, header::COOKIE, header::PROXY_AUTHORIZATION];

impl Withheld {
    /// Adds the values of headers with the names of secrets.
    pub(crate) fn add_headers(&mut self, headers: &HeaderMap) {
        let named = headers
            .iter()
            .filter(|(name, _)| !OF_CREDENTIALS.contains(name) && is_secret(name.as_str()));
        let texts = named.filter_map(|(_, value)| str::from_utf8(value.as_bytes()).ok());
        self.secrets.extend(texts.map(|text| text.trim().to_owned()));
    }
}
