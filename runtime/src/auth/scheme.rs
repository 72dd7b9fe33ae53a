//! The security schemes of an API: where their credentials are sent.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use percent_encoding::percent_decode_str;

use super::key_text::has_private_key;
use super::secret;
use super::token::TokenError;
use crate::secrets::MIN_LENGTH;
use crate::url::percent;

/// The sets of schemes, one of which is needed, by their indexes in [`Service`](crate::client::Service).
///
/// An empty set needs no credentials. Without a set, none are sent.
pub type Alternatives = &'static [&'static [usize]];

/// A security scheme.
#[derive(Debug)]
pub struct Scheme {
    /// The method of the builder that sets its credentials.
    pub method: &'static str,
    /// The prefix of its environment variables, after the prefix of the API.
    pub variable: &'static str,
    /// Where its credentials are sent.
    pub place: Place,
    /// The token URL of the client credentials grant, if the scheme has it; empty if the user must give it.
    pub client_credentials: Option<&'static str>,
    /// The scope that client credentials request by default; empty for none.
    pub scope: &'static str,
}

impl Scheme {
    /// A bearer token from anywhere: the scheme of an API that declares none.
    pub const BEARER: Self = Self {
        method: "bearer_token",
        variable: "",
        place: Place::Bearer,
        client_credentials: Some(""),
        scope: "",
    };
}

/// Where credentials are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An access token, in `Authorization: Bearer` (RFC 6750, section 2.1).
    Bearer,
    /// A user and a password, in `Authorization: Basic` (RFC 7617).
    Basic,
    /// Credentials of another scheme, in `Authorization` (RFC 9110, section 11.4).
    Http(&'static str),
    /// A key in a header.
    Header(&'static str),
    /// A key in the query.
    Query(&'static str),
    /// A key in a cookie.
    Cookie(&'static str),
    /// A certificate, which the transport has.
    Certificate,
}

impl Place {
    /// Returns the name of the credentials.
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Bearer => "access token",
            Self::Basic => "user and password",
            Self::Http(_) => "credentials",
            Self::Header(_) | Self::Query(_) | Self::Cookie(_) => "API key",
            Self::Certificate => "client certificate",
        }
    }

    /// Returns the header that the credentials replace. Cookies are added to others.
    pub(crate) fn header(self) -> Option<HeaderName> {
        match self {
            Self::Bearer | Self::Basic | Self::Http(_) => Some(header::AUTHORIZATION),
            Self::Header(name) => name.parse().ok(),
            Self::Query(_) | Self::Cookie(_) | Self::Certificate => None,
        }
    }

    /// Returns the credentials as they are sent: the value of a header, or a pair of the query or of a cookie.
    pub(crate) fn encode(self, secret: &str) -> Result<HeaderValue, TokenError> {
        if let Some(fault) = self.fault(secret) {
            return Err(TokenError::new(fault));
        }
        let text = match self {
            Self::Bearer => Cow::Owned(format!("Bearer {secret}")),
            Self::Basic => Cow::Owned(format!("Basic {}", BASE64_STANDARD.encode(secret))),
            Self::Http(scheme) => Cow::Owned(format!("{scheme} {secret}")),
            Self::Header(_) => Cow::Borrowed(secret),
            Self::Query(name) => {
                Cow::Owned(format!("{}={}", percent::encode(name), percent::encode(secret)))
            }
            Self::Cookie(name) => Cow::Owned(format!("{name}={secret}")),
            Self::Certificate => Cow::Borrowed(""),
        };
        let is_written = match self {
            Self::Cookie(_) => secret.bytes().all(is_cookie_octet),
            // RFC 6750, section 2.1.
            Self::Bearer => secret.bytes().all(|byte| byte.is_ascii_graphic()),
            _ => true,
        };
        let value = HeaderValue::try_from(&*text).ok().filter(|_| is_written);
        let Some(mut value) = value else {
            let what = self.what();
            let place = self.place();
            return Err(TokenError::new(format!(
                "the {what} contains characters that are invalid in a {place}"
            )));
        };
        value.set_sensitive(true);
        Ok(value)
    }

    /// Returns why a secret is none, or is more than the secret.
    fn fault(self, secret: &str) -> Option<String> {
        let what = self.what();
        let password = secret.split_once(':').filter(|_| matches!(self, Self::Basic));
        if has_private_key(password.map_or(secret, |(_, password)| password)) {
            return Some(format!(
                "the {what} is or contains a private key, which is never sent; the client secret of \
                 `client_credentials` can be one"
            ));
        }
        let scheme = match self {
            Self::Basic if secret == ":" => return Some(format!("the {what} is empty")),
            // RFC 7617, section 2.
            Self::Basic if secret.contains(char::is_control) => {
                return Some(format!(
                    "the {what} contain a control character, such as a line break; remove it"
                ));
            }
            Self::Basic => return None,
            Self::Bearer => "Bearer",
            Self::Http(scheme) => scheme,
            Self::Header(_) | Self::Query(_) | Self::Cookie(_) | Self::Certificate => "",
        };
        secret::fault(what, secret).or_else(|| {
            let (first, _) = secret.split_once(' ')?;
            first.eq_ignore_ascii_case(scheme).then(|| {
                format!("the {what} begins with `{scheme}`, which the client adds; remove it")
            })
        })
    }

    fn place(self) -> &'static str {
        match self {
            Self::Bearer => "bearer token",
            Self::Cookie(_) => "cookie",
            _ => "header",
        }
    }

    /// Returns the secrets in credentials as they are sent, for redaction.
    pub(crate) fn secrets(self, written: &HeaderValue) -> Vec<String> {
        // Bytes that are not UTF-8 cannot be in a text.
        let text = str::from_utf8(written.as_bytes()).unwrap_or_default().trim();
        let after = |separators: &[char]| {
            text.split_once(separators).map_or(text, |(_, secret)| secret.trim_start()).to_owned()
        };
        match self {
            Self::Bearer | Self::Http(_) => {
                let all = after(&[' ', '\t']);
                let proofs = all.split(',').filter_map(proof).map(str::to_owned);
                proofs.chain([all.clone()]).collect()
            }
            Self::Basic => {
                let encoded = after(&[' ', '\t']);
                let decoded = BASE64_STANDARD.decode(&encoded).unwrap_or_default();
                let decoded = String::from_utf8(decoded).unwrap_or_default();
                let password = decoded.split_once(':').map(|(_, password)| password.to_owned());
                [encoded].into_iter().chain(password).collect()
            }
            Self::Header(_) => vec![text.to_owned()],
            Self::Query(_) => {
                let value = after(&['=']);
                vec![percent_decode_str(&value).decode_utf8_lossy().into_owned()]
            }
            Self::Cookie(_) => vec![after(&['='])],
            Self::Certificate => Vec::new(),
        }
    }

    /// Returns whether headers already have credentials in this place.
    pub(crate) fn is_in(self, headers: &HeaderMap) -> bool {
        match self {
            Self::Cookie(name) => cookies(headers).any(|(other, _)| other == name.as_bytes()),
            _ => self.header().is_some_and(|name| headers.contains_key(name)),
        }
    }
}

/// Returns the proof in a parameter of credentials (RFC 9110, section 11.4), such as the `response` of `Digest`.
fn proof(parameter: &str) -> Option<&str> {
    let (name, value) = parameter.split_once('=')?;
    let names = ["response", "signature", "mac", "token"];
    let is_proof = names.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
    is_proof.then(|| value.trim().trim_matches('"'))
}

/// Returns the credentials in headers, whatever the schemes of the API are. Short cookies are none, such as a language.
pub(crate) fn credentials_in(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let names = [header::AUTHORIZATION, header::PROXY_AUTHORIZATION];
    let written = names.into_iter().filter_map(|name| headers.get(name));
    let all = written.flat_map(|it| [Place::Bearer, Place::Basic].map(|place| place.secrets(it)));
    let cookies = cookies(headers).filter(|(_, value)| value.len() >= MIN_LENGTH);
    let cookies = cookies.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
    all.flatten().chain(cookies)
}

/// Returns the cookies in headers: their names and values.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&[u8], &[u8])> {
    let all = headers.get_all(header::COOKIE).into_iter();
    let pairs = all.flat_map(|cookies| cookies.as_bytes().split(|byte| *byte == b';'));
    pairs.filter_map(|pair| {
        let end = pair.iter().position(|byte| *byte == b'=')?;
        Some((pair[..end].trim_ascii(), pair[end + 1..].trim_ascii()))
    })
}

/// RFC 6265, section 4.1.1.
fn is_cookie_octet(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_written_where_they_belong() {
        for (place, secret, written) in [
            (Place::Bearer, "t0ken", "Bearer t0ken"),
            (Place::Basic, "Aladdin:open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (Place::Basic, "user:pässwort", "Basic dXNlcjpww6Rzc3dvcnQ="),
            (Place::Http("Digest"), "username=\"x\"", "Digest username=\"x\""),
            (Place::Header("x-key"), "k3y with spaces", "k3y with spaces"),
            (Place::Query("api key"), "a&b=\nc", "api%20key=a%26b%3D%0Ac"),
            (Place::Cookie("session"), "abc=", "session=abc="),
        ] {
            assert_eq!(place.encode(secret).unwrap(), written);
        }
    }

    #[test]
    fn credentials_that_would_add_a_header_or_a_cookie_are_refused() {
        for (place, secret) in [
            (Place::Bearer, "a\r\nx-admin: 1"),
            (Place::Bearer, "t0ken and more"),
            (Place::Basic, "user:passw0rd\n"),
            (Place::Header("x-key"), "a\nb"),
            (Place::Cookie("session"), "a; admin=1"),
            (Place::Cookie("session"), "with space"),
        ] {
            let error = place.encode(secret).unwrap_err().to_string();
            let why = match place {
                Place::Basic => {
                    "password contain a control character, such as a line break; remove it"
                }
                _ => "characters that are invalid",
            };
            assert!(error.contains(why) && !error.contains(secret), "{error}");
        }
    }

    #[test]
    fn secrets_are_found_in_what_is_written() {
        for (place, secret, secrets) in [
            (Place::Bearer, "t0ken", &["t0ken"][..]),
            (Place::Basic, "me:hunter2:3", &["bWU6aHVudGVyMjoz", "hunter2:3"]),
            (Place::Http("Token"), "t0ken", &["t0ken"]),
            (Place::Header("x-key"), "a b", &["a b"]),
            (Place::Query("key"), "a b&c", &["a b&c"]),
            (Place::Cookie("session"), "abc=", &["abc="]),
        ] {
            let written = place.encode(secret).unwrap();
            assert_eq!(place.secrets(&written), secrets);
        }
    }

    #[test]
    fn credentials_of_the_caller_are_noticed() {
        let mut headers = HeaderMap::new();
        headers.insert("x-key", HeaderValue::from_static("own"));
        headers.insert(header::COOKIE, HeaderValue::from_static("a=1; session=2"));
        assert!(Place::Header("X-Key").is_in(&headers));
        assert!(Place::Cookie("session").is_in(&headers));
        assert!(!Place::Cookie("ses").is_in(&headers));
        assert!(!Place::Bearer.is_in(&headers));
    }
}
