//! Sessions of users who have logged in.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::runtime::Handle;
use tokio::task::yield_now;
use tracing::Instrument as _;

use super::Login;
use super::store::{LockedStore, StoredTokens};
use crate::auth::cache::ahead;
use crate::auth::context::{TokenContext, TokenSetup};
use crate::auth::endpoint::Endpoint;
use crate::auth::form::Form;
use crate::auth::source::TokenSource;
use crate::auth::token::{Token, TokenError};
use crate::secrets::debug::shown;
use crate::time::future::{BoxError, BoxFuture};

/// The pause before the lock of a store is tried again.
const PAUSE: Duration = Duration::from_millis(50);

/// A session of a user who has logged in: a source of tokens for the builder of a client, such as `token_source`.
///
/// It refreshes tokens while the provider allows it (RFC 6749, section 6). Clones, and sessions with the same store in
/// other processes, share the tokens: one of them refreshes, and the others use the new token. A refresh that has begun
/// is completed in the background, even if the call that needs it is dropped, so that a new refresh token is stored.
pub struct LoginSession {
    inner: Arc<SharedSession>,
    /// The token that was returned last. If it is asked for another one, that one has expired or was rejected.
    returned: Mutex<Option<SecretString>>,
}

struct SharedSession {
    login: Login,
    endpoint: Endpoint,
    /// Held by the clone that obtains a token; the others wait for it in order.
    turn: tokio::sync::Mutex<Option<Unsaved>>,
}

/// Tokens that the store failed to save: the provider no longer accepts the tokens that they replace.
struct Unsaved {
    tokens: StoredTokens,
    /// The access token that is stored.
    replaces: SecretString,
}

impl Login {
    /// Returns the session of a store that has tokens, and `None` if the user has to log in.
    ///
    /// # Errors
    ///
    /// Fails if the store or the provider is invalid.
    pub async fn resume(&self) -> Result<Option<LoginSession>, TokenError> {
        let session = self.session()?;
        let store = session.inner.lock().await?;
        let (_, tokens) = session.inner.load(store).await?;
        Ok(tokens.map(|_| session))
    }

    /// Returns a session with tokens, which are stored.
    pub(super) async fn begin(&self, token: Token) -> Result<LoginSession, TokenError> {
        let session = self.session()?;
        let tokens = session.inner.tokens(token, None);
        let store = session.inner.lock().await?;
        session.inner.save(store, tokens).await?;
        Ok(session)
    }

    fn session(&self) -> Result<LoginSession, TokenError> {
        let endpoint = self.endpoint(Endpoint::TOKEN, self.provider.token_url.as_deref())?;
        let turn = tokio::sync::Mutex::default();
        let inner = Arc::new(SharedSession { login: self.clone(), endpoint, turn });
        Ok(LoginSession { inner, returned: Mutex::default() })
    }
}

impl SharedSession {
    /// Locks the store, after all sessions that hold the lock now.
    async fn lock(&self) -> Result<Box<dyn LockedStore>, TokenError> {
        let lock = async {
            loop {
                let store = Arc::clone(&self.login.store);
                if let Some(locked) = self.step(move || store.try_lock()).await? {
                    return Ok(locked);
                }
                self.login.context.clock.sleep(PAUSE).await;
                yield_now().await;
            }
        };
        let late = TokenError::transient("another session has locked the store of the tokens");
        self.login.context.within_limit(self.login.context.limit, lock, late).await
    }

    /// Returns the stored tokens, and their store.
    async fn load(
        &self,
        mut store: Box<dyn LockedStore>,
    ) -> Result<(Box<dyn LockedStore>, Option<StoredTokens>), TokenError> {
        self.step(move || store.load().map(|tokens| (store, tokens))).await
    }

    async fn save(
        &self,
        mut store: Box<dyn LockedStore>,
        tokens: StoredTokens,
    ) -> Result<Box<dyn LockedStore>, TokenError> {
        self.step(move || store.save(&tokens).map(|()| store)).await
    }

    /// Takes a step of the store, which may wait for a file, on a thread for that, up to the timeout of a request.
    async fn step<T: Send + 'static>(
        &self,
        step: impl FnOnce() -> Result<T, BoxError> + Send + 'static,
    ) -> Result<T, TokenError> {
        // Without a runtime, the call takes the step.
        let Ok(runtime) = Handle::try_current() else {
            return step().map_err(|error| stored(&error));
        };
        let taken = async {
            let taken = runtime.spawn_blocking(step).await.map_err(|error| {
                TokenError::transient("the store of the tokens was interrupted").with_source(error)
            })?;
            taken.map_err(|error| stored(&error))
        };
        let limit = self.login.context.limit;
        let late = format!("the store of the tokens did not answer within {limit:?}");
        self.login.context.within_limit(limit, taken, TokenError::transient(late)).await
    }

    /// Returns a stored token that the session has not returned yet, or else a new one.
    async fn token(self: Arc<Self>, last: Option<SecretString>) -> Result<Token, TokenError> {
        let mut unsaved = self.turn.lock().await;
        let store = self.lock().await?;
        let (mut store, tokens) = self.load(store).await?;
        let Some(mut tokens) = tokens else {
            return Err(TokenError::new("the session has ended: the user has to log in again"));
        };
        // Unless the user has logged in again.
        if let Some(Unsaved { tokens: newer, replaces }) = &*unsaved
            && replaces.expose_secret() == tokens.access.expose_secret()
        {
            tokens.clone_from(newer);
            store = self.save(store, tokens.clone()).await?;
        }
        *unsaved = None;
        let is_new = last.is_none_or(|last| last.expose_secret() != tokens.access.expose_secret());
        if let Some(token) = self.valid(&tokens).filter(|_| is_new) {
            return Ok(token);
        }
        let Some(refresh) = tokens.refresh else {
            return Err(TokenError::new(
                "the access token has expired, and the provider returned no refresh token: the user has to log in again",
            ));
        };
        let mut form = Form::new("refresh_token");
        form.push_secret("refresh_token", &refresh);
        let token = self.login.token(form, &self.endpoint).await?;
        let newer = self.tokens(token.clone(), Some(refresh));
        *unsaved = Some(Unsaved { tokens: newer.clone(), replaces: tokens.access });
        self.save(store, newer).await?;
        *unsaved = None;
        Ok(token)
    }

    /// Returns a stored token, unless it has expired, or is due for a refresh that is possible.
    fn valid(&self, tokens: &StoredTokens) -> Option<Token> {
        let token = Token::new(tokens.access.clone());
        let Some(expires_at) = tokens.expires_at else { return Some(token) };
        let left = expires_at.duration_since(self.login.context.clock.wall());
        let ahead = match tokens.refresh {
            Some(_) => ahead(tokens.lifetime.unwrap_or(Duration::MAX)),
            None => Duration::ZERO,
        };
        let left = Duration::try_from(left).ok().filter(|left| *left > ahead)?;
        Some(token.expires_in(left))
    }

    /// Returns a token as it is stored. The old refresh token remains valid unless there is a new one.
    fn tokens(&self, token: Token, refresh: Option<SecretString>) -> StoredTokens {
        let now = self.login.context.clock.wall();
        let expires_at =
            token.lifetime.map(|lifetime| now.saturating_add(lifetime).unwrap_or(Timestamp::MAX));
        StoredTokens {
            access: token.secret,
            expires_at,
            lifetime: token.lifetime,
            refresh: token.refresh.or(refresh),
        }
    }
}

impl TokenSource for LoginSession {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move {
            let last = self.returned.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let token = Arc::clone(&self.inner).token(last);
            // Without a runtime, the call drives the refresh.
            let token = match Handle::try_current() {
                Ok(runtime) => runtime.spawn(token.in_current_span()).await.map_err(|error| {
                    TokenError::transient("the refresh was interrupted").with_source(error)
                })?,
                Err(_) => token.await,
            }?;
            let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
            *returned = Some(token.secret.clone());
            drop(returned);
            Ok(token)
        })
    }

    fn describe(&self) -> Cow<'_, str> {
        let SharedSession { login, endpoint, .. } = &*self.inner;
        Cow::Owned(format!("a session of `{}`{}", login.client.id, endpoint.at()))
    }

    fn uses_https(&self, _: TokenSetup<'_>) -> bool {
        self.inner.endpoint.is_https(self.inner.login.context.setup())
    }
}

fn stored(error: &BoxError) -> TokenError {
    TokenError::new(format!("the store of the tokens failed: {error}"))
}

impl Clone for LoginSession {
    /// Returns a session with the same tokens, for another client.
    fn clone(&self) -> Self {
        let returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { inner: Arc::clone(&self.inner), returned: Mutex::new(returned) }
    }
}

shown!(LoginSession, |it| client_id: it.inner.login.client.id);
