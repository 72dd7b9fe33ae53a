//! Fixed access tokens.

use std::borrow::Cow;

use secrecy::{ExposeSecret, SecretString};

use super::source::{TokenContext, TokenSetup, TokenSource};
use super::token::{Token, TokenError, authorization};
use crate::future::{BoxError, BoxFuture};

/// A fixed access token (RFC 6750).
#[derive(Clone, Debug)]
pub struct BearerToken(SecretString);

impl BearerToken {
    /// Wraps a token.
    pub fn new(token: impl Into<SecretString>) -> Self {
        Self(token.into())
    }
}

impl TokenSource for BearerToken {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(std::future::ready(Ok(Token::new(self.0.clone()))))
    }

    fn describe(&self) -> Cow<'_, str> {
        Cow::Borrowed("a fixed bearer token")
    }

    fn prepare(&mut self, _: TokenSetup<'_>) -> Result<(), BoxError> {
        if self.0.expose_secret().is_empty() {
            return Err("the access token is empty".into());
        }
        authorization(&self.0)?;
        Ok(())
    }

    fn uses_https(&self) -> bool {
        false
    }
}
