//! The credentials of a call.

use http::{HeaderMap, HeaderValue, Uri, header, uri};

use super::exchange::{Exchange, Failure};
use super::trace;
use crate::auth::cache::{Lookup, TokenCache};
use crate::auth::credentials::Value;
use crate::auth::scheme::Place;
use crate::auth::token::TokenError;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::time::deadline::within;

/// The credentials of a scheme, as they are sent.
#[derive(Clone, PartialEq)]
pub(super) struct Credential {
    scheme: usize,
    pub(super) place: Place,
    pub(super) written: HeaderValue,
}

impl<'a> Exchange<'a> {
    /// Adds the secrets that were sent, so that errors redact them.
    #[cold]
    pub(super) fn with_secrets(
        &self,
        mut failure: Failure,
        intercepted: &HeaderMap,
        credentials: &[Credential],
    ) -> Failure {
        let sent = credentials.iter().map(|sent| (sent.place, sent.written.clone()));
        let schemes = self.shared.credentials.schemes.iter().map(|scheme| scheme.place);
        let in_headers = schemes.chain([Place::Bearer]).flat_map(|place| {
            let all = [&self.call.headers, &self.shared.headers, intercepted];
            let name = place.header();
            let values = all.into_iter().filter_map(move |headers| headers.get(name.as_ref()?));
            values.map(move |value| (place, value.clone())).collect::<Vec<_>>()
        });
        let written = sent.chain(in_headers);
        failure.error.0.secrets =
            written.flat_map(|(place, written)| place.secrets(&written)).collect();
        failure
    }

    /// Returns the credentials to send, obtaining those that are not there. Adds the sources that are
    /// due for a refresh to `ageing`. Those that the call or the client sets otherwise are left out.
    pub(super) async fn obtain(
        &self,
        ageing: &mut Vec<&'a TokenCache>,
    ) -> Result<Vec<Credential>, Error> {
        let mut obtained = Vec::with_capacity(self.schemes.len());
        for &scheme in self.schemes {
            let (Some(place), Some(given)) =
                (self.shared.credentials.place(scheme), self.shared.credentials.get(scheme))
            else {
                continue;
            };
            if sets(self.call, place) {
                continue;
            }
            let written = match &given.value {
                Value::Fixed(written) => written.clone(),
                Value::Cached(cache) => self.token(cache, ageing).await?,
                Value::InTransport => continue,
            };
            obtained.push(Credential { scheme, place, written });
        }
        Ok(obtained)
    }

    /// Returns others in place of credentials that the server rejected, or `None` if there are none.
    pub(super) async fn replace(
        &self,
        rejected: Vec<Credential>,
    ) -> Result<Option<Vec<Credential>>, Error> {
        let caches = || {
            let caches = rejected.iter().map(|rejected| {
                (self.shared.credentials.cache(rejected.scheme), &rejected.written)
            });
            caches.filter_map(|(cache, written)| Some((cache?, written)))
        };
        if caches().next().is_none() {
            return Ok(None);
        }
        trace::refreshes(self.call.operation);
        for (cache, written) in caches() {
            cache.reject(written);
        }
        let obtained = self.obtain(&mut Vec::new()).await?;
        Ok((obtained != rejected).then_some(obtained))
    }

    /// Returns a token, obtaining one if there is no valid one.
    async fn token(
        &self,
        tokens: &'a TokenCache,
        ageing: &mut Vec<&'a TokenCache>,
    ) -> Result<HeaderValue, Error> {
        let refreshes = match tokens.look() {
            Lookup::Valid(token) => return Ok(token),
            Lookup::Ageing(token) => {
                ageing.push(tokens);
                return Ok(token);
            }
            Lookup::Missing(refreshes) => refreshes,
        };
        let clock = &*self.shared.settings.clock;
        let mut token = Box::pin(tokens.obtain(refreshes));
        let outcome = within(clock, self.deadline.left(clock), token.as_mut()).await;
        match outcome.unwrap_or_else(|_| Err(self.no_token_in_time())) {
            Ok(token) => Ok(token),
            Err(error) => Err(Error::new(ErrorKind::Auth)
                .with_message(error.to_string())
                .with_transient(error.is_transient())
                .with_source(error)),
        }
    }

    fn no_token_in_time(&self) -> TokenError {
        let allowed = self.deadline.allowed();
        TokenError::transient(format!("no access token within the {allowed:?} of the call"))
    }
}

/// Returns whether a call sets credentials itself.
pub(super) fn sets(call: &CallParts, place: Place) -> bool {
    match place {
        Place::Query(name) => call.query.names().any(|other| other == name),
        _ => place.is_in(&call.headers),
    }
}

/// Adds the keys that are sent in the query to a URL. That of a redirect can have them already.
pub(super) fn with_keys(uri: &Uri, credentials: &[Credential]) -> Result<Uri, http::Error> {
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

/// Adds a cookie to those that the headers have: there is one header for all (RFC 6265, section 5.4).
pub(super) fn add_cookie(headers: &mut HeaderMap, cookie: &HeaderValue) {
    let others = headers.get(header::COOKIE).map(HeaderValue::as_bytes);
    let all = others.map(|others| [others, cookie.as_bytes()].join(&b"; "[..]));
    let all = all.and_then(|all| HeaderValue::from_bytes(&all).ok());
    let mut all = all.unwrap_or_else(|| cookie.clone());
    all.set_sensitive(true);
    headers.insert(header::COOKIE, all);
}
