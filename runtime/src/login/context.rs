//! The timeouts of the requests of a login.

use std::pin::pin;
use std::time::{Duration, Instant};

use crate::auth::client_credentials::OAuthClient;
use crate::auth::context::AuthContext;
use crate::auth::endpoint::Endpoint;
use crate::auth::form::Form;
use crate::auth::response;
use crate::auth::token::{Token, TokenError};
use crate::login::Login;
use crate::time::deadline::within;

impl Login {
    /// Requests a token with a form and the client's authentication.
    pub(super) async fn token(
        &self,
        mut form: Form,
        endpoint: &Endpoint,
    ) -> Result<Token, TokenError> {
        self.context.authenticate(&self.client, &mut form, endpoint).await?;
        let token = endpoint.answer(form, self.context.of_tokens(), |it| response::token(&it));
        self.context.within(token).await
    }
}

impl AuthContext {
    /// Awaits a request up to its timeout.
    pub(super) async fn within<T>(
        &self,
        request: impl Future<Output = Result<T, TokenError>>,
    ) -> Result<T, TokenError> {
        let limit = self.limit;
        let begun = Instant::now();
        within(&*self.clock, limit, pin!(request)).await.unwrap_or_else(|_| {
            self.transport.timed_out(begun);
            let message = format!("no response of the provider within {limit:?}");
            Err(TokenError::transient(message))
        })
    }

    /// Adds the client's authentication to a form for an endpoint, up to the timeout of a request.
    pub(super) async fn authenticate(
        &self,
        client: &OAuthClient,
        form: &mut Form,
        endpoint: &Endpoint,
    ) -> Result<(), TokenError> {
        let limit = self.limit;
        let late = format!("the source of the credentials did not answer within {limit:?}");
        let url = endpoint.url(self.setup())?;
        let authenticated = client.authenticate(form, &url, self.of_tokens());
        self.within_limit(limit, authenticated, TokenError::transient(late)).await
    }

    pub(super) async fn within_limit<T>(
        &self,
        limit: Duration,
        future: impl Future<Output = Result<T, TokenError>>,
        late: TokenError,
    ) -> Result<T, TokenError> {
        within(&*self.clock, limit, pin!(future)).await.unwrap_or(Err(late))
    }
}
