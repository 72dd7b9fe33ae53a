//! The token in use, and its refresh: one at a time, however many calls wait.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use super::{Token, TokenContext, TokenError, TokenSource};
use crate::clock::Clock;
use crate::execute::deadline::within;
use crate::transport::Transport;

/// The most by which a token is refreshed ahead of its expiry; a tenth of its lifetime if that is
/// less.
const AHEAD: Duration = Duration::from_secs(60);

/// How long to leave the source alone after a refresh ahead of expiry failed: the token in use is
/// still good.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Keeps a token and gets the next one from its source.
///
/// Whoever holds `flight` refreshes; it is held across the refresh and let go by dropping, so a
/// caller who is cancelled hands it to the next. Callers who waited for a flight that ended take
/// what it brought, token or failure. Nothing else is kept of a failure: the next caller tries
/// again.
pub(crate) struct TokenCache {
    source: Box<dyn TokenSource>,
    /// The environment variable that the source was read from.
    variable: Option<String>,
    clock: Arc<dyn Clock>,
    /// The longest that a refresh may take.
    limit: Duration,
    flight: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    held: Option<Held>,
    /// How many flights have ended, in either way.
    flights: u64,
    /// What the last flight brought, if it was a failure.
    failure: Option<TokenError>,
    /// No refresh ahead of expiry before this.
    rest_until: Option<Instant>,
}

#[derive(Clone)]
struct Held {
    header: HeaderValue,
    since: Instant,
    since_wall: Timestamp,
    lifetime: Option<Duration>,
}

/// What can be said of the token in use.
enum Verdict {
    Good(HeaderValue),
    /// Still valid, but it is time for the next one.
    Ageing(HeaderValue),
    /// Expired, refused, or not there yet.
    Useless,
}

impl TokenCache {
    pub(crate) fn new(
        source: Box<dyn TokenSource>,
        clock: Arc<dyn Clock>,
        limit: Duration,
        variable: Option<String>,
    ) -> Self {
        Self {
            source,
            variable,
            clock,
            limit,
            flight: tokio::sync::Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// Says in words where the tokens come from.
    pub(crate) fn describe(&self) -> String {
        match &self.variable {
            None => self.source.describe().into_owned(),
            Some(variable) => format!("{}, from {variable}", self.source.describe()),
        }
    }

    /// Returns the value of the `Authorization` header, if there is nothing to refresh: the way of
    /// nearly every call.
    pub(crate) fn good(&self) -> Option<HeaderValue> {
        match self.look().0 {
            Verdict::Good(header) => Some(header),
            Verdict::Ageing(_) | Verdict::Useless => None,
        }
    }

    /// Returns the value of the `Authorization` header, refreshing the token where it is time to.
    pub(crate) async fn header(
        &self,
        transport: &dyn Transport,
    ) -> Result<HeaderValue, TokenError> {
        let (verdict, flights) = self.look();
        let (_flight, spare) = match verdict {
            Verdict::Good(header) => return Ok(header),
            Verdict::Ageing(header) => match self.flight.try_lock() {
                Ok(flight) => (flight, Some(header)),
                Err(_) => return Ok(header),
            },
            Verdict::Useless => (self.flight.lock().await, None),
        };
        if let Some(outcome) = self.outcome_since(flights) {
            return outcome;
        }
        let context = TokenContext { transport, clock: &*self.clock };
        let mut token = self.source.token(context);
        let token = match within(&*self.clock, self.limit, Pin::new(&mut token)).await {
            Ok(token) => token,
            Err(_) => Err(TokenError::transient(format!(
                "the token did not come within {:?}",
                self.limit
            ))),
        };
        match (self.land(token), spare) {
            (Err(_), Some(header)) => Ok(header),
            (outcome, _) => outcome,
        }
    }

    /// Forgets a token that the server refused, unless another has already taken its place.
    pub(crate) fn refuse(&self, header: &HeaderValue) {
        let mut state = self.lock();
        if state.held.as_ref().is_some_and(|held| held.header == *header) {
            state.held = None;
        }
    }

    /// Judges the token in use, and tells how many flights have ended.
    fn look(&self) -> (Verdict, u64) {
        let state = self.lock();
        let verdict = match &state.held {
            None => Verdict::Useless,
            Some(held) => held.judge(&*self.clock, state.rest_until),
        };
        (verdict, state.flights)
    }

    /// Returns what the last flight brought, if one has ended since `flights` were counted.
    ///
    /// The token counts however short it lasts, or those who waited for it would refresh one after
    /// the other.
    fn outcome_since(&self, flights: u64) -> Option<Result<HeaderValue, TokenError>> {
        let state = self.lock();
        if state.flights == flights {
            return None;
        }
        match (&state.failure, &state.held) {
            (Some(failure), _) => Some(Err(failure.clone())),
            (None, Some(held)) => Some(Ok(held.header.clone())),
            (None, None) => None,
        }
    }

    /// Ends a flight.
    fn land(&self, token: Result<Token, TokenError>) -> Result<HeaderValue, TokenError> {
        let (now, wall) = (self.clock.now(), self.clock.wall());
        let header = token.and_then(|token| Ok((header(&token.secret)?, token.lifetime)));
        let mut state = self.lock();
        state.flights += 1;
        match header {
            Ok((header, lifetime)) => {
                state.held =
                    Some(Held { header: header.clone(), since: now, since_wall: wall, lifetime });
                state.failure = None;
                state.rest_until = None;
                Ok(header)
            }
            Err(failure) => {
                state.failure = Some(failure.clone());
                state.rest_until = now.checked_add(AFTER_FAILURE);
                Err(failure)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that runs under the lock can leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn judge(&self, clock: &dyn Clock, rest_until: Option<Instant>) -> Verdict {
        let Some(lifetime) = self.lifetime else {
            return Verdict::Good(self.header.clone());
        };
        let (now, wall) = (clock.now(), clock.wall());
        // The monotonic clock may stand still while the machine sleeps, and the time of day may
        // jump: whichever says that more time has passed is believed. A jump back then changes
        // nothing, and a jump ahead costs one refresh.
        let by_wall = Duration::try_from(wall.duration_since(self.since_wall)).unwrap_or_default();
        let age = now.saturating_duration_since(self.since).max(by_wall);
        let Some(left) = lifetime.checked_sub(age).filter(|left| !left.is_zero()) else {
            return Verdict::Useless;
        };
        let is_resting = rest_until.is_some_and(|rest_until| now < rest_until);
        if left <= AHEAD.min(lifetime / 10) && !is_resting {
            Verdict::Ageing(self.header.clone())
        } else {
            Verdict::Good(self.header.clone())
        }
    }
}

/// Returns the value of the `Authorization` header that carries a token (RFC 6750, section 2.1).
pub(super) fn header(token: &SecretString) -> Result<HeaderValue, TokenError> {
    let mut header = HeaderValue::try_from(format!("Bearer {}", token.expose_secret()))
        .map_err(|_| TokenError::new("the access token has characters that no header can carry"))?;
    header.set_sensitive(true);
    Ok(header)
}

impl fmt::Debug for TokenCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenCache({})", self.describe())
    }
}
