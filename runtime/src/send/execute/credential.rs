//! Credentials as they are sent.

use http::{HeaderMap, HeaderValue, Uri, header, uri};

use crate::auth::scheme::Place;
use crate::request::call::CallParts;
use crate::url::base_url::BaseUrl;

/// The credentials of a scheme, as they are sent.
#[derive(Clone, PartialEq)]
pub(super) struct SentCredential {
    pub(super) scheme: usize,
    pub(super) place: Place,
    pub(super) written: HeaderValue,
}

/// Returns whether a call to a server sets credentials itself, or the client does with its default headers.
pub(super) fn sets(call: &CallParts, server: &BaseUrl, place: Place) -> bool {
    let shared = &call.client.shared;
    let has_defaults = shared.has_defaults(&server.origin);
    match place {
        Place::Query(name) => call.query.names().any(|other| other == name),
        Place::Cookie(name) if call.cookies.names().any(|other| other == name) => true,
        // They replace the cookies of the client.
        Place::Cookie(_) if call.headers.contains_key(header::COOKIE) => place.is_in(&call.headers),
        _ => place.is_in(&call.headers) || has_defaults && place.is_in(&shared.headers),
    }
}

/// Adds the keys that are sent in the query to a URL. That of a redirect can have them already.
pub(super) fn with_keys(uri: &Uri, credentials: &[SentCredential]) -> Result<Uri, http::Error> {
    let query = uri.query().unwrap_or_default();
    let mut target = String::new();
    for credential in credentials.iter().filter(|sent| matches!(sent.place, Place::Query(_))) {
        let pair = credential.written.to_str().unwrap_or_default();
        if query.split('&').any(|other| other == pair) {
            continue;
        }
        if target.is_empty() {
            target.push_str(uri.path());
            target.push('?');
            target.push_str(query);
        }
        if !target.ends_with(['?', '&']) {
            target.push('&');
        }
        target.push_str(pair);
    }
    if target.is_empty() {
        return Ok(uri.clone());
    }
    uri::Builder::from(uri.clone()).path_and_query(target).build()
}

/// Adds a cookie to the cookies of the headers, which share one header (RFC 6265, section 5.4).
pub(super) fn add_cookie(headers: &mut HeaderMap, cookie: &HeaderValue) {
    let others = headers.get(header::COOKIE).map(HeaderValue::as_bytes);
    let all = others
        .map(|others| [others, cookie.as_bytes()].join(&b"; "[..]))
        .and_then(|all| HeaderValue::from_bytes(&all).ok());
    let mut all = all.unwrap_or_else(|| cookie.clone());
    all.set_sensitive(true);
    headers.insert(header::COOKIE, all);
}
