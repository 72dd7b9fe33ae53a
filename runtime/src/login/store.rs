//! Storage for the tokens of a session.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::auth::response::seconds;
use crate::secrets::debug::opaque;
use crate::time::future::BoxError;
use crate::time::pointers::forward;

/// Stores the tokens of a session, such as in a file that several processes share.
///
/// Its methods may wait for a file: sessions call them on threads for that, if there is a runtime of tokio.
///
/// Providers replace a refresh token when it is used, and may end a session if an old one is used again. A session
/// therefore holds the lock of its store while it obtains tokens.
pub trait TokenStore: Send + Sync + 'static {
    /// Locks the store for this session, or returns `None` if another one holds the lock. It is called again until it
    /// succeeds.
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token. It must not show tokens.
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError>;
}

/// A locked [`TokenStore`]. Dropping it unlocks the store.
pub trait LockedStore: Send {
    /// Returns the tokens, if there are any.
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token. It must not show tokens.
    fn load(&mut self) -> Result<Option<StoredTokens>, BoxError>;

    /// Replaces the tokens, whole or not at all.
    ///
    /// # Errors
    ///
    /// An error fails the calls that wait for a token, and the next call saves the same tokens. It must not show tokens.
    fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError>;
}

/// The tokens of a session.
#[derive(Clone, Debug)]
pub struct StoredTokens {
    pub(super) access: SecretString,
    pub(super) expires_at: Option<Timestamp>,
    /// The lifetime when the token was issued.
    pub(super) lifetime: Option<Duration>,
    pub(super) refresh: Option<SecretString>,
}

impl StoredTokens {
    /// Returns the tokens as JSON, which is secret.
    pub fn to_json(&self) -> SecretString {
        let tokens = json!({
            "access_token": self.access.expose_secret(),
            "expires_at": self.expires_at.map(|time| time.to_string()),
            "expires_in": self.lifetime.map(|lifetime| lifetime.as_secs()),
            "refresh_token": self.refresh.as_ref().map(ExposeSecret::expose_secret),
        });
        tokens.to_string().into()
    }

    /// Reads tokens from the JSON of [`to_json`](Self::to_json).
    ///
    /// # Errors
    ///
    /// Fails if it is not the JSON of tokens. The error does not show it.
    pub fn from_json(json: &str) -> Result<Self, BoxError> {
        let tokens = serde_json::from_str::<Map<String, Value>>(json)
            .map_err(|_| "the stored tokens are not a JSON object")?;
        let text = |name: &str| tokens.get(name).and_then(Value::as_str);
        let access = text("access_token").ok_or("the stored tokens have no `access_token`")?;
        let expires_at = text("expires_at").map(str::parse).transpose();
        Ok(Self {
            access: access.into(),
            expires_at: expires_at
                .map_err(|_| "`expires_at` of the stored tokens is not a time")?,
            lifetime: seconds(tokens.get("expires_in")),
            refresh: text("refresh_token").map(SecretString::from),
        })
    }
}

/// Stores tokens in memory. Clones share them.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Option<StoredTokens>>>);

struct LockedMemory(OwnedMutexGuard<Option<StoredTokens>>);

impl TokenStore for MemoryStore {
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError> {
        let locked = Arc::clone(&self.0).try_lock_owned().ok();
        Ok(locked.map(|locked| Box::new(LockedMemory(locked)) as _))
    }
}

impl LockedStore for LockedMemory {
    fn load(&mut self) -> Result<Option<StoredTokens>, BoxError> {
        Ok(self.0.clone())
    }

    fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError> {
        *self.0 = Some(tokens.clone());
        Ok(())
    }
}

opaque!(MemoryStore);

forward!(TokenStore for Arc, Box => {
    fn try_lock(&self) -> Result<Option<Box<dyn LockedStore>>, BoxError>;
});

forward!(LockedStore for Box => {
    mut fn load(&mut self) -> Result<Option<StoredTokens>, BoxError>;
    mut fn save(&mut self, tokens: &StoredTokens) -> Result<(), BoxError>;
});

#[cfg(test)]
mod tests {
    use super::*;

    fn call_store(store: &impl TokenStore) {
        fn call_locked(mut locked: impl LockedStore) {
            assert!(locked.load().unwrap().is_none());
            let tokens = StoredTokens::from_json(r#"{"access_token":"t"}"#).unwrap();
            locked.save(&tokens).unwrap();
        }
        call_locked(store.try_lock().unwrap().unwrap());
    }

    #[test]
    fn pointers_forward_every_method() {
        call_store(&(Arc::new(MemoryStore::default()) as Arc<dyn TokenStore>));
        call_store(&(Box::new(MemoryStore::default()) as Box<dyn TokenStore>));
    }
}
