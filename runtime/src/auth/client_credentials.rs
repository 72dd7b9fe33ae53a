//! The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4).

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Uri, header};
use secrecy::{ExposeSecret, SecretString};

use super::assertion::{AssertionClaims, AssertionSigner};
use super::{Token, TokenContext, TokenError, TokenSetup, TokenSource, grant};
use crate::origin::Origin;
use crate::{BoxError, BoxFuture, percent};

/// How long a signed assertion lasts.
const ASSERTION_LIFETIME: Duration = Duration::from_secs(300);

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Gets tokens for the client itself, with its credentials in the body of the request.
///
/// ```
/// # use access_governance_runtime::ClientCredentials;
/// let credentials = ClientCredentials::new("/auth/v1/token", "client-id", "client-secret")
///     .scope("read write")
///     .form_field("audience", "https://tenant.example.com");
/// ```
#[derive(Clone)]
pub struct ClientCredentials {
    token_url: String,
    endpoint: Option<Uri>,
    client_id: String,
    proof: Proof,
    scope: Option<String>,
    fields: Vec<(String, SecretString)>,
}

#[derive(Clone)]
enum Proof {
    Secret(SecretString),
    Assertion(Arc<dyn AssertionSigner>),
}

impl ClientCredentials {
    /// Proves the client's identity by its secret.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        secret: impl Into<SecretString>,
    ) -> Self {
        Self::with_proof(
            token_url.into(),
            client_id.into(),
            Proof::Secret(secret.into()),
        )
    }

    /// Proves the client's identity by a signature (RFC 7523, section 2.2).
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn with_assertion(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        Self::with_proof(
            token_url.into(),
            client_id.into(),
            Proof::Assertion(Arc::new(signer)),
        )
    }

    fn with_proof(token_url: String, client_id: String, proof: Proof) -> Self {
        Self {
            token_url,
            endpoint: None,
            client_id,
            proof,
            scope: None,
            fields: Vec::new(),
        }
    }

    /// Asks for a scope: names separated by spaces.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = Some(scope.into());
        self
    }

    /// Adds a field to the form that is sent, such as `audience` or `resource`.
    #[must_use]
    pub fn form_field(mut self, name: impl Into<String>, value: impl Into<SecretString>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    async fn request(&self, context: TokenContext<'_>) -> Result<http::Request<Bytes>, TokenError> {
        let Some(endpoint) = &self.endpoint else {
            return Err(TokenError::new(
                "the token source was not prepared by a client builder",
            ));
        };
        http::Request::builder()
            .method(Method::POST)
            .uri(endpoint.clone())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(Bytes::from(self.form(endpoint, context).await?))
            .map_err(|error| TokenError::new("the token request cannot be sent").with_source(error))
    }

    async fn form(&self, endpoint: &Uri, context: TokenContext<'_>) -> Result<String, TokenError> {
        let mut form = String::from("grant_type=client_credentials");
        push(&mut form, "client_id", &self.client_id);
        match &self.proof {
            Proof::Secret(secret) => push(&mut form, "client_secret", secret.expose_secret()),
            Proof::Assertion(signer) => {
                let now = context.now();
                let claims = AssertionClaims {
                    client_id: &self.client_id,
                    audience: &endpoint.to_string(),
                    issued_at: now,
                    expires_at: now.saturating_add(ASSERTION_LIFETIME).unwrap_or(now),
                };
                let assertion = signer.sign(claims).await.map_err(|error| {
                    TokenError::new("the client's assertion could not be signed").with_source(error)
                })?;
                push(&mut form, "client_assertion_type", ASSERTION_TYPE);
                push(&mut form, "client_assertion", assertion.expose_secret());
            }
        }
        if let Some(scope) = &self.scope {
            push(&mut form, "scope", scope);
        }
        for (name, value) in &self.fields {
            push(&mut form, name, value.expose_secret());
        }
        Ok(form)
    }
}

/// Appends a field to a form. `%20` for a space is as good as `+`, and one encoder serves queries
/// and forms alike.
fn push(form: &mut String, name: &str, value: &str) {
    form.push('&');
    percent::push(form, name);
    form.push('=');
    percent::push(form, value);
}

impl TokenSource for ClientCredentials {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async move {
            let request = self.request(context).await?;
            let response = context.transport.send(request).await.map_err(|error| {
                TokenError::transient(format!("the token endpoint could not be asked: {error}"))
                    .with_source(error)
            })?;
            grant::read(response).await
        })
    }

    fn describe(&self) -> Cow<'_, str> {
        let host = self
            .endpoint
            .as_ref()
            .and_then(Origin::of)
            .map_or_else(String::new, |origin| format!(" at {}", origin.host()));
        Cow::Owned(format!(
            "OAuth 2.0 client credentials of `{}`{host}",
            self.client_id
        ))
    }

    fn prepare(&mut self, setup: TokenSetup<'_>) -> Result<(), BoxError> {
        if self.client_id.is_empty() {
            return Err("the client id is empty".into());
        }
        let Some(endpoint) = setup.base_url.resolve(&self.token_url) else {
            return Err("the token URL is not a URL".into());
        };
        if endpoint
            .authority()
            .is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err("the token URL contains `@`: credentials do not belong into it".into());
        }
        let Some(origin) = Origin::of(&endpoint) else {
            return Err("the token URL is neither http nor https".into());
        };
        if !origin.is_https() && !origin.is_loopback() && !setup.allow_http {
            return Err(
                "the token URL is http, which would send the client's secret unencrypted; \
                        use https, or `allow_http()`"
                    .into(),
            );
        }
        self.endpoint = Some(endpoint);
        Ok(())
    }
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCredentials")
            .field("client_id", &self.client_id)
            .field("scope", &self.scope)
            .field(
                "fields",
                &self.fields.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            )
            .finish_non_exhaustive()
    }
}
