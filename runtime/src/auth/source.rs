//! Sources of access tokens.

use std::borrow::Cow;
use std::sync::Arc;

use super::context::{TokenContext, TokenSetup};
use super::token::{Token, TokenError};
use crate::time::future::{BoxError, BoxFuture};
use crate::time::pointers::forward;

/// A source of access tokens.
///
/// The client caches a token until shortly before it expires or until the server rejects it, and
/// requests one at a time, however many calls wait. A source needs neither a cache nor a lock.
///
/// A source can return the tokens of others, such as [`ClientCredentials`](crate::ClientCredentials) that it makes for
/// each token. One that it has when the client is built is checked there if [`check`](Self::check) calls its own.
///
/// Clients can share a source as an `Arc<dyn TokenSource>`. Each obtains its own tokens, except for clients of one another's
/// `to_builder`, which share them.
pub trait TokenSource: Send + Sync + 'static {
    /// Returns a new access token.
    ///
    /// The calls that need the token drive the future. If they are dropped, the next call continues it.
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>>;

    /// Describes the source, without secrets.
    fn describe(&self) -> Cow<'_, str> {
        Cow::Borrowed("a token source")
    }

    /// Checks the source. Called when a client is built.
    ///
    /// # Errors
    ///
    /// An error fails [`ClientBuilder::build`](crate::ClientBuilder::build). Its message names what to
    /// correct.
    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        let _ = setup;
        Ok(())
    }

    /// Returns whether requests for tokens use https; called after [`check`](Self::check). If no request of the client
    /// does, its default transport loads no root certificates.
    fn uses_https(&self, setup: TokenSetup<'_>) -> bool {
        let _ = setup;
        true
    }
}

forward!(TokenSource for Arc, Box => {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>>;
    fn describe(&self) -> Cow<'_, str>;
    fn check(&self, setup: TokenSetup<'_>) -> Result<(), BoxError>;
    fn uses_https(&self, setup: TokenSetup<'_>) -> bool;
});
