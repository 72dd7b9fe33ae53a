//! The cache of access tokens.

use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{self, Poll};
use std::time::{Duration, Instant};

use http::HeaderValue;
use secrecy::ExposeSecret;

use super::context::AuthContext;
use super::refresh::{Moment, Refresh, Waiting};
use super::scheme::Place;
use super::source::TokenSource;
use super::token::{Token, TokenError};
use super::trace;
use crate::time::bounds::MAX_REST;
use crate::time::clock::Clock;

/// The shortest pause after a failed refresh of a token that is still valid.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Caches a token and obtains the next one from its source.
///
/// There is one refresh at a time. The cache owns its future, and all calls that need it poll it. Calls without a
/// valid token wait for the refresh and share its outcome, whether token or failure. Calls whose token is valid but
/// due for a refresh poll it during their own exchange and do not wait. If these calls end or are dropped, the next
/// one continues the refresh. If its timeout has passed by then, and it returns no valid token, another one begins, as
/// after the end of the runtime that it began on.
pub(crate) struct TokenCache {
    source: Arc<dyn TokenSource>,
    place: Place,
    client: AuthContext,
    /// Locked only while it is polled, so that no call that is held without being polled keeps the lock.
    refresh: tokio::sync::Mutex<Option<Refresh>>,
    /// The calls that could not poll it because another thread did.
    blocked: Waiting,
    state: Mutex<CacheState>,
}

/// The refresh, locked. The calls that it blocks are woken after it is unlocked.
struct RefreshSlot<'c> {
    refresh: tokio::sync::MutexGuard<'c, Option<Refresh>>,
    _blocked: Blocked<'c>,
}

struct Blocked<'c>(&'c Waiting);

impl Drop for Blocked<'_> {
    fn drop(&mut self) {
        self.0.wake_all();
    }
}

#[derive(Default)]
struct CacheState {
    cached: Option<Cached>,
    /// The number of refreshes that have ended, successfully or not.
    refreshes: u64,
    /// The failure of the last refresh, if it failed.
    failure: Option<TokenError>,
    /// No refresh of a valid token begins before this time.
    rest_until: Option<Instant>,
}

struct Cached {
    header: HeaderValue,
    /// The time of its request: the response may not be read before the next call.
    since: Moment,
    lifetime: Option<Duration>,
}

/// The state of the cached token, for one call.
pub(crate) enum Lookup {
    /// A valid token, as the header value that is sent.
    Valid(HeaderValue),
    /// The same, but the token is due for a refresh.
    Ageing(HeaderValue),
    /// No valid token; the number of refreshes so far.
    Missing(u64),
}

#[derive(PartialEq)]
enum Age {
    Valid,
    /// Valid, but due for a refresh.
    Ageing,
    Expired,
}

impl TokenCache {
    pub(crate) fn new(source: Arc<dyn TokenSource>, place: Place, client: AuthContext) -> Self {
        Self {
            source,
            place,
            client,
            refresh: tokio::sync::Mutex::default(),
            blocked: Waiting::default(),
            state: Mutex::default(),
        }
    }

    /// Returns the cached token.
    pub(crate) fn lookup(&self) -> Lookup {
        let state = self.lock();
        let Some(cached) = &state.cached else {
            return Lookup::Missing(state.refreshes);
        };
        let rests =
            || state.rest_until.is_some_and(|rest_until| self.client.clock.now() < rest_until);
        match cached.age(&*self.client.clock) {
            Age::Expired => Lookup::Missing(state.refreshes),
            Age::Ageing if !rests() => Lookup::Ageing(cached.header.clone()),
            Age::Ageing | Age::Valid => Lookup::Valid(cached.header.clone()),
        }
    }

    /// Waits for a token, after [`Lookup::Missing`] with the number of refreshes that it counted.
    pub(crate) async fn obtain(&self, refreshes: u64) -> Result<HeaderValue, TokenError> {
        let mut is_first = true;
        poll_fn(|context| {
            let Some(mut slot) = self.slot_or_wait(context) else { return Poll::Pending };
            if let Some(outcome) = self.outcome_since(refreshes) {
                return Poll::Ready(outcome);
            }
            if mem::take(&mut is_first) {
                self.resume(&mut slot);
            }
            self.poll_refresh(&mut slot, false, context)
        })
        .await
    }

    /// Begins or continues a refresh ahead of expiry, after [`Lookup::Ageing`]. A failure is an event and has no effect
    /// on the call: the token is still valid.
    pub(crate) fn poll_ahead(&self, context: &mut task::Context<'_>) {
        // Otherwise another call polls the refresh, or the token is no longer due.
        if let Some(mut slot) = self.slot()
            && matches!(self.lookup(), Lookup::Ageing(_))
        {
            self.resume(&mut slot);
            if let Poll::Ready(Err(error)) = self.poll_refresh(&mut slot, true, context) {
                let left =
                    self.lock().cached.as_ref().and_then(|cached| cached.left(&*self.client.clock));
                trace::refresh_failed(&error, left);
            }
        }
    }

    /// Returns the refresh, unless another thread polls it now.
    fn slot(&self) -> Option<RefreshSlot<'_>> {
        let refresh = self.refresh.try_lock().ok()?;
        Some(RefreshSlot { refresh, _blocked: Blocked(&self.blocked) })
    }

    /// Returns the refresh, or wakes the call when the other thread has polled it.
    fn slot_or_wait(&self, context: &mut task::Context<'_>) -> Option<RefreshSlot<'_>> {
        self.slot().or_else(|| {
            self.blocked.add(context.waker());
            // It may have been polled before the call was added.
            self.slot()
        })
    }

    fn resume(&self, slot: &mut RefreshSlot<'_>) {
        if let Some(refresh) = &mut *slot.refresh {
            refresh.resume(&*self.client.clock, self.client.limit);
        }
    }

    fn poll_refresh(
        &self,
        slot: &mut RefreshSlot<'_>,
        is_ahead: bool,
        context: &mut task::Context<'_>,
    ) -> Poll<Result<HeaderValue, TokenError>> {
        loop {
            // Outside of the slot while it is polled: if the source panics, the next call begins another one.
            let begun = slot.refresh.take().filter(|refresh| !refresh.is_orphaned());
            let mut refresh = begun
                .unwrap_or_else(|| Refresh::new(Arc::clone(&self.source), self.client.clone()));
            let Poll::Ready(outcome) =
                refresh.poll(&*self.client.clock, self.client.limit, context)
            else {
                *slot.refresh = Some(refresh);
                return Poll::Pending;
            };
            let token = outcome.unwrap_or_else(|_| {
                Err(refresh.timed_out(&*self.client.transport, self.client.limit))
            });
            // Otherwise another one begins, with the refresh token that a late one has returned. No call waits for one ahead of
            // expiry: if it fails, it rests.
            let age = |token: &Token| Age::of(token.lifetime, refresh.begun, &*self.client.clock);
            if !refresh.is_late || token.as_ref().map_or(is_ahead, |it| age(it) != Age::Expired) {
                return Poll::Ready(self.end(token, refresh.begun));
            }
        }
    }

    fn end(
        &self,
        token: Result<Token, TokenError>,
        since: Moment,
    ) -> Result<HeaderValue, TokenError> {
        let header = token.and_then(|token| {
            let written = self.place.encode(token.secret.expose_secret())?;
            Ok((written, token.lifetime))
        });
        let header = header.map_err(TokenError::of_refresh);
        let mut state = self.lock();
        state.refreshes += 1;
        state.failure = header.as_ref().err().cloned();
        match &header {
            Ok((header, lifetime)) => {
                state.cached = Some(Cached { header: header.clone(), since, lifetime: *lifetime });
                state.rest_until = None;
            }
            Err(failure) => {
                let asked = failure.retry_after().unwrap_or_default();
                let pause = asked.clamp(AFTER_FAILURE, MAX_REST);
                state.rest_until = self.client.clock.now().checked_add(pause);
            }
        }
        header.map(|(header, _)| header)
    }

    /// Returns the cached token as it is sent, whether or not it is valid.
    pub(crate) fn token(&self) -> Option<HeaderValue> {
        self.lock().cached.as_ref().map(|cached| cached.header.clone())
    }

    /// Drops a token that the server rejected, unless another one has replaced it.
    pub(crate) fn reject(&self, header: &HeaderValue) {
        let mut state = self.lock();
        if state.cached.as_ref().is_some_and(|cached| cached.header == *header) {
            state.cached = None;
        }
    }

    /// Returns the outcome of the last refresh if one has ended since `refreshes` were counted.
    ///
    /// Its token counts however short its lifetime is: otherwise the calls that waited for it would
    /// refresh one after the other.
    fn outcome_since(&self, refreshes: u64) -> Option<Result<HeaderValue, TokenError>> {
        let state = self.lock();
        if state.refreshes == refreshes {
            return None;
        }
        let cached = state.cached.as_ref();
        let valid = cached.filter(|cached| cached.age(&*self.client.clock) != Age::Expired);
        match (valid, &state.failure, cached) {
            (Some(cached), ..) | (None, None, Some(cached)) => Some(Ok(cached.header.clone())),
            (None, Some(failure), _) => Some(Err(failure.clone())),
            (None, None, None) => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, CacheState> {
        // Nothing that runs under the lock can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
    fn left(&self, clock: &dyn Clock) -> Option<Duration> {
        Some(self.lifetime?.saturating_sub(self.since.elapsed(clock)))
    }

    fn age(&self, clock: &dyn Clock) -> Age {
        Age::of(self.lifetime, self.since, clock)
    }
}

impl Age {
    fn of(lifetime: Option<Duration>, since: Moment, clock: &dyn Clock) -> Self {
        let Some(lifetime) = lifetime else {
            return Self::Valid;
        };
        match lifetime.checked_sub(since.elapsed(clock)).filter(|left| !left.is_zero()) {
            None => Self::Expired,
            Some(left) if left <= ahead(lifetime) => Self::Ageing,
            Some(_) => Self::Valid,
        }
    }
}

/// Returns the time before expiry at which a refresh begins.
pub(crate) fn ahead(lifetime: Duration) -> Duration {
    Duration::from_secs(60).min(lifetime / 10)
}
