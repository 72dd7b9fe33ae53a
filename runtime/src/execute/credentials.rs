//! The credentials of a call.

use http::{HeaderMap, HeaderValue, header};

use super::credential::{SentCredential, sets};
use super::exchange::Exchange;
use super::trace;
use crate::auth::cache::{Lookup, TokenCache};
use crate::auth::credentials::ValueSource;
use crate::auth::scheme::{Place, cookies};
use crate::auth::token::TokenError;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::secrets::{MIN_LENGTH, Withheld};
use crate::time::deadline::within;

/// Returns what was sent and errors do not show.
#[cold]
pub(super) fn withheld(
    call: &CallParts,
    intercepted: &HeaderMap,
    credentials: &[SentCredential],
) -> Withheld {
    let mut withheld = call.withheld();
    withheld.add_headers(intercepted);
    withheld.secrets.extend(secrets(call, intercepted, credentials));
    withheld
}

/// Returns the secrets of a call: credentials, however they were set, and those in its parameters and its body.
pub(super) fn secrets(
    call: &CallParts,
    intercepted: &HeaderMap,
    credentials: &[SentCredential],
) -> Vec<String> {
    let shared = &call.client.shared;
    let sent = credentials.iter().map(|sent| (sent.place, sent.written.clone()));
    let schemes = || shared.credentials.schemes.iter().map(|scheme| scheme.place);
    let all = [&call.headers, &*shared.headers, intercepted];
    let authorizations =
        [header::AUTHORIZATION, header::PROXY_AUTHORIZATION].map(|name| (name, Place::Bearer));
    let names = schemes().filter_map(|place| Some((place.header()?, place)));
    let in_headers = names.chain(authorizations).flat_map(|(name, place)| {
        let values = all.into_iter().filter_map(move |headers| headers.get(&name));
        values.map(move |value| (place, value.clone()))
    });
    let written = sent.chain(in_headers);
    let of_call = schemes().flat_map(|place| match place {
        Place::Query(name) => call.query.texts_of(name).collect(),
        Place::Cookie(name) => call.cookies.texts_of(name).collect(),
        _ => Vec::new(),
    });
    // Those that no scheme names can be short because they are no secrets, such as a language.
    let is_key =
        |name| schemes().any(|place| matches!(place, Place::Cookie(key) if key.as_bytes() == name));
    let in_cookies = all
        .into_iter()
        .flat_map(cookies)
        .filter(|(name, value)| value.len() >= MIN_LENGTH || is_key(*name))
        .map(|(_, value)| String::from_utf8_lossy(value).into_owned());
    let of_credentials = written.flat_map(|(place, written)| place.secrets(&written));
    let of_parameters = call.secrets.iter().cloned();
    of_credentials.chain(of_call).chain(in_cookies).chain(of_parameters).collect()
}

impl<'a> Exchange<'a> {
    /// Returns the credentials to send, and obtains missing ones. Adds the sources that are due for a refresh to
    /// `ageing`. Credentials that the call or the client sets as a header, query parameter or cookie are left out.
    pub(super) async fn obtain(
        &self,
        ageing: &mut Vec<&'a TokenCache>,
    ) -> Result<Vec<SentCredential>, Error> {
        let mut obtained = Vec::with_capacity(self.schemes.len());
        for &scheme in self.schemes {
            let (Some(place), Some(given)) =
                (self.shared.credentials.place(scheme), self.shared.credentials.get(scheme))
            else {
                continue;
            };
            if sets(self.call, self.base_url, place) {
                continue;
            }
            let written = match &given.value {
                ValueSource::Fixed(written) => written.clone(),
                ValueSource::Cached(cache) => self.token(cache, ageing).await?,
                ValueSource::InTransport => continue,
            };
            obtained.push(SentCredential { scheme, place, written });
        }
        Ok(obtained)
    }

    /// Returns others in place of credentials that the server rejected, or `None` if there are none.
    pub(super) async fn replace(
        &self,
        rejected: Vec<SentCredential>,
    ) -> Result<Option<Vec<SentCredential>>, Error> {
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
        let refreshes = match tokens.lookup() {
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
        outcome.unwrap_or_else(|_| Err(self.no_token_in_time())).map_err(|failure| {
            let mut error = Error::new(ErrorKind::Auth)
                .with_message(failure.to_string())
                .with_transient(failure.is_transient());
            error.0.retry_after = failure.retry_after();
            error.with_source(failure)
        })
    }

    fn no_token_in_time(&self) -> TokenError {
        let allowed = self.deadline.allowed();
        TokenError::transient(format!("no access token within the {allowed:?} of the call"))
    }
}
