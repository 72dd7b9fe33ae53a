//! The credentials of a call.

use http::{HeaderMap, HeaderValue};

use super::credential::{SentCredential, sets};
use super::exchange::Exchange;
use super::trace;
use super::withheld::withheld;
use crate::auth::cache::{Lookup, TokenCache};
use crate::auth::credentials::ValueSource;
use crate::auth::token::TokenError;
use crate::error::{Error, ErrorKind};
use crate::time::deadline::within;

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
        let caches = rejected.iter().filter_map(|rejected| {
            Some((self.shared.credentials.cache(rejected.scheme)?, &rejected.written))
        });
        let caches: Vec<_> = caches.collect();
        if caches.is_empty() {
            return Ok(None);
        }
        trace::refreshes(self.call.operation);
        for (cache, written) in caches {
            cache.reject(written);
        }
        let obtained = self.obtain(&mut Vec::new()).await.map_err(|error| {
            error.with_withheld(withheld(self.call, &HeaderMap::new(), &rejected))
        })?;
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
        let allowed = self.deadline.allowed;
        let late =
            || TokenError::transient(format!("no access token within the {allowed:?} of the call"));
        outcome.unwrap_or_else(|_| Err(late())).map_err(|failure| {
            let mut error = Error::new(ErrorKind::Auth)
                .with_message(failure.to_string())
                .with_transient(failure.is_transient());
            error.0.retry_after = failure.retry_after();
            error.with_source(failure)
        })
    }
}
