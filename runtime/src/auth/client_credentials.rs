//! The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4).

use std::sync::Arc;

use super::assertion::{self, AssertionSigner};
use super::context::TokenContext;
use super::form::Form;
use super::grant::{Grant, Party};
use super::key_text::KeyText;
use super::secret::{self, SecretSource};
use super::token::TokenError;
use crate::secrets::debug::shown;
use http::Uri;
use secrecy::ExposeSecret;

const SECRET: &str = "client secret";
const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Requests tokens for the client itself, with its credentials in the body of the request, or in a header.
///
/// ```
/// # use openapi_bindings_runtime::ClientCredentials;
/// let credentials = ClientCredentials::new("/auth/v1/token", "client-id", "client-secret")
///     .scope("read write")
///     .form_field("audience", "https://tenant.example.com");
/// ```
pub type ClientCredentials = Grant<OAuthClient>;

/// A client with its identifier, and a secret or a signer of assertions.
#[derive(Clone)]
pub struct OAuthClient {
    pub(crate) id: String,
    pub(crate) proof: Proof,
}

#[derive(Clone)]
pub(crate) enum Proof {
    /// None: a public client.
    Nothing,
    /// The secret, in the form.
    Secret(SecretSource),
    /// The secret, in the header `Authorization`.
    SecretInHeader(SecretSource),
    Assertion(Arc<dyn AssertionSigner>),
}

shown!(OAuthClient, |it| client_id: it.id);

impl OAuthClient {
    /// Adds the client's authentication to a form.
    pub(crate) async fn authenticate(
        &self,
        form: &mut Form,
        url: &Uri,
        context: TokenContext<'_>,
    ) -> Result<(), TokenError> {
        let secret = match &self.proof {
            Proof::Secret(secret) | Proof::SecretInHeader(secret) => {
                Some(secret.read(SECRET).await?)
            }
            Proof::Nothing | Proof::Assertion(_) => None,
        };
        let signer = match (&self.proof, &secret) {
            (Proof::Assertion(signer), _) => Some(Arc::clone(signer)),
            (_, Some(secret)) => signer(secret.expose_secret())?,
            (_, None) => None,
        };
        if let (Proof::SecretInHeader(_), Some(secret), None) = (&self.proof, &secret, &signer) {
            return form.authenticate(&self.id, secret);
        }
        form.push("client_id", &self.id);
        if let Some(signer) = signer {
            let assertion = assertion::sign(&*signer, &self.id, &self.id, url, context).await?;
            form.push("client_assertion_type", ASSERTION_TYPE);
            form.push_secret("client_assertion", &assertion);
        } else if let Some(secret) = secret {
            form.push_secret("client_secret", &secret);
        }
        Ok(())
    }

    /// Moves the secret, if there is one, into the header.
    pub(crate) fn with_secret_in_header(mut self) -> Self {
        if let Proof::Secret(secret) = self.proof {
            self.proof = Proof::SecretInHeader(secret);
        }
        self
    }
}

impl Grant<OAuthClient> {
    /// Authenticates the client with its secret, which a [`SecretSource`] can read for each request.
    ///
    /// A secret that is a private key is never sent. With the feature `jwk`, it signs an assertion for each request, as a
    /// `ClientKey` does: a JWK, a key in PEM, or a `secret-token:` that ends with a JWK.
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn new(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        secret: impl Into<SecretSource>,
    ) -> Self {
        let proof = Proof::Secret(secret.into());
        Self::with_party(token_url.into(), OAuthClient { id: client_id.into(), proof })
    }

    /// Authenticates the client with a signed assertion (RFC 7523, section 2.2).
    ///
    /// The token URL is absolute, or relative to the base URL of the API.
    pub fn with_assertion(
        token_url: impl Into<String>,
        client_id: impl Into<String>,
        signer: impl AssertionSigner,
    ) -> Self {
        let proof = Proof::Assertion(Arc::new(signer));
        Self::with_party(token_url.into(), OAuthClient { id: client_id.into(), proof })
    }

    /// Sends the identifier and the secret in the header `Authorization`, for servers that do not take
    /// them in the body (RFC 6749, section 2.3.1).
    #[must_use]
    pub fn secret_in_header(mut self) -> Self {
        self.party = self.party.with_secret_in_header();
        self
    }
}

impl Party for OAuthClient {
    async fn form(&self, url: &Uri, context: TokenContext<'_>) -> Result<Form, TokenError> {
        let mut form = Form::new("client_credentials");
        self.authenticate(&mut form, url, context).await?;
        Ok(form)
    }

    fn describe(&self) -> String {
        format!("OAuth 2.0 client credentials of `{}`", self.id)
    }

    fn fault(&self) -> Option<String> {
        let fixed = match &self.proof {
            Proof::Secret(secret) | Proof::SecretInHeader(secret) => secret.fixed(),
            Proof::Nothing | Proof::Assertion(_) => None,
        };
        let fault = |it| secret::fault(SECRET, it).or_else(|| Some(signer(it).err()?.to_string()));
        secret::fault("client id", &self.id).or_else(|| fixed.and_then(fault))
    }
}

/// Returns what signs in place of a client secret that is a private key.
fn signer(secret: &str) -> Result<Option<Arc<dyn AssertionSigner>>, TokenError> {
    match KeyText::of(secret) {
        None => Ok(None),
        #[cfg(feature = "jwk")]
        Some(key) => match super::client_key::ClientKey::of(key) {
            Ok(key) => Ok(Some(Arc::new(key))),
            Err(why) => {
                Err(TokenError::new(format!("the client secret is an unusable private key: {why}")))
            }
        },
        #[cfg(not(feature = "jwk"))]
        Some(_) => Err(TokenError::new(
            "the client secret is a private key, which is never sent: enable the feature `jwk`, which signs with it",
        )),
    }
}
