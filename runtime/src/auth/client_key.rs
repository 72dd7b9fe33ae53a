//! Private keys that sign the assertions of a client (RFC 7523, section 2.2), by ring.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD as BASE64_URL};
use http::Uri;
use ring::rand::{SecureRandom, SystemRandom};
use ring::rsa::{KeyPairComponents, PublicKeyComponents};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::assertion::{AssertionClaims, AssertionSigner, SigningFuture};
use super::key_text::KeyText;
use crate::secrets::debug::shown;
use crate::time::future::BoxError;

/// How much earlier than its issue an assertion is valid, in seconds: for servers whose clocks are behind.
const LEEWAY: i64 = 60;

/// A private key that authenticates a client: it signs an assertion for each request of a token (RFC 7523, section 2.2),
/// and is never sent. Requires the feature `jwk`.
///
/// Its text is a JWK (RFC 7517), a key in PEM (PKCS #8, or PKCS #1 for RSA), or a `secret-token:` (RFC 8959) that ends with a
/// JWK in base64url. The key is of Ed25519 (`EdDSA`), P-256 (`ES256`) or RSA (`RS256`).
///
/// [`ClientCredentials::new`](crate::ClientCredentials::new) takes such a text in place of the secret. A `ClientKey` has
/// options, and is passed to [`with_assertion`](crate::ClientCredentials::with_assertion).
///
/// ```
/// # use openapi_bindings_runtime::{ClientCredentials, ClientKey};
/// # fn read(text: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let key = ClientKey::new(text)?.key_id("2026-11").audience("https://login.example.com");
/// let credentials = ClientCredentials::with_assertion("/auth/v1/token", "client-id", key);
/// # Ok(())
/// # }
/// ```
pub struct ClientKey {
    pair: SigningKey,
    key_id: Option<String>,
    /// The audience of assertions, if it is fixed.
    audience: Option<String>,
    /// Whether it is a `secret-token:`: servers that issue these expect the host of the token endpoint as the audience, and
    /// not its URL.
    is_token: bool,
}

enum SigningKey {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl ClientKey {
    /// Reads a key.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a private key of a supported kind. The error does not show the key.
    pub fn new(text: &str) -> Result<Self, BoxError> {
        let text = KeyText::of(text);
        Self::of(text.ok_or("it is neither a JWK, a key in PEM nor a `secret-token:` with a JWK")?)
    }

    pub(super) fn of(text: KeyText<'_>) -> Result<Self, BoxError> {
        let (pair, key_id, is_token) = match text {
            KeyText::Pem { label, body } => (of_pem(label, &body)?, None, false),
            KeyText::Jwk { jwk, is_token } => {
                (of_jwk(&jwk)?, jwk["kid"].as_str().map(str::to_owned), is_token)
            }
        };
        Ok(Self { pair, key_id, audience: None, is_token })
    }

    /// Sets the identifier of the key, which the header of the assertion contains (`kid`). A JWK can have its own.
    #[must_use]
    pub fn key_id(mut self, id: impl Into<String>) -> Self {
        self.key_id = Some(id.into());
        self
    }

    /// Sets the audience of the assertions: by default the URL of the token endpoint, and its host for a `secret-token:`.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Some(audience.into());
        self
    }

    /// Returns an assertion in the compact form of a JWT.
    fn assertion(&self, claims: AssertionClaims<'_>) -> Result<SecretString, BoxError> {
        let random = SystemRandom::new();
        let mut id = [0; 16];
        random.fill(&mut id).map_err(|_| "the operating system has no random bytes")?;
        let audience = match &self.audience {
            Some(audience) => audience.clone(),
            None if self.is_token => {
                let url: Uri = claims.audience.parse()?;
                url.host().unwrap_or_default().to_owned()
            }
            None => claims.audience.to_owned(),
        };
        let mut header = json!({ "alg": self.algorithm(), "typ": "JWT" });
        if let Some(id) = &self.key_id {
            header["kid"] = json!(id);
        }
        let issued = claims.issued_at.as_second();
        let payload = json!({
            "iss": claims.issuer,
            "sub": claims.subject,
            "aud": audience,
            "iat": issued,
            "nbf": issued - LEEWAY,
            "exp": claims.expires_at.as_second() - LEEWAY,
            "jti": BASE64_URL.encode(id),
        });
        let [header, payload] = [header, payload].map(|it| BASE64_URL.encode(it.to_string()));
        let signed = format!("{header}.{payload}");
        let signature = self.pair.sign(signed.as_bytes(), &random)?;
        Ok(format!("{signed}.{}", BASE64_URL.encode(signature)).into())
    }

    /// Returns the name of the algorithm (RFC 7518, section 3.1; RFC 8037, section 3.1).
    fn algorithm(&self) -> &'static str {
        match self.pair {
            SigningKey::Ed25519(_) => "EdDSA",
            SigningKey::P256(_) => "ES256",
            SigningKey::Rsa(_) => "RS256",
        }
    }
}

impl SigningKey {
    fn sign(&self, message: &[u8], random: &SystemRandom) -> Result<Vec<u8>, BoxError> {
        let signed = match self {
            Self::Ed25519(pair) => Ok(pair.sign(message).as_ref().to_vec()),
            Self::P256(pair) => pair.sign(random, message).map(|signed| signed.as_ref().to_vec()),
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let signed = pair.sign(&RSA_PKCS1_SHA256, random, message, &mut signature);
                signed.map(|()| signature)
            }
        };
        Ok(signed.map_err(|_| "the key cannot sign")?)
    }
}

/// Reads the content of a PEM text.
fn of_pem(label: &str, body: &str) -> Result<SigningKey, BoxError> {
    let der = BASE64_STANDARD.decode(body).map_err(|_| "the PEM text is not valid base64")?;
    let pair = match label {
        "PRIVATE KEY" => Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der)
            .map(SigningKey::Ed25519)
            .or_else(|_| {
                let random = SystemRandom::new();
                EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &random)
                    .map(SigningKey::P256)
            })
            .or_else(|_| RsaKeyPair::from_pkcs8(&der).map(Box::new).map(SigningKey::Rsa)),
        "RSA PRIVATE KEY" => RsaKeyPair::from_der(&der).map(Box::new).map(SigningKey::Rsa),
        _ => {
            let advice = "convert it: `openssl pkcs8 -topk8 -nocrypt`";
            return Err(
                format!("PEM texts of the kind `{label}` are not supported; {advice}").into()
            );
        }
    };
    pair.map_err(|why| format!("it is not a key of Ed25519, P-256 or RSA: {why}").into())
}

/// Reads a JWK (RFC 7518, section 6; RFC 8037, section 2).
fn of_jwk(jwk: &Value) -> Result<SigningKey, BoxError> {
    let part = |name: &str| -> Result<Vec<u8>, BoxError> {
        let text = jwk[name].as_str().ok_or_else(|| format!("the JWK has no text `{name}`"))?;
        let invalid = |_| format!("`{name}` of the JWK is not valid base64url");
        Ok(BASE64_URL.decode(text.trim_end_matches('=')).map_err(invalid)?)
    };
    let kind = jwk["kty"].as_str().unwrap_or_default();
    let pair = match (kind, jwk["crv"].as_str().unwrap_or_default()) {
        ("OKP", "Ed25519") => Ed25519KeyPair::from_seed_and_public_key(&part("d")?, &part("x")?)
            .map(SigningKey::Ed25519),
        ("EC", "P-256") => {
            let public = [&[4], &*part("x")?, &*part("y")?].concat();
            EcdsaKeyPair::from_private_key_and_public_key(
                &ECDSA_P256_SHA256_FIXED_SIGNING,
                &part("d")?,
                &public,
                &SystemRandom::new(),
            )
            .map(SigningKey::P256)
        }
        ("RSA", _) => RsaKeyPair::from_components(&KeyPairComponents {
            public_key: PublicKeyComponents { n: part("n")?, e: part("e")? },
            d: part("d")?,
            p: part("p")?,
            q: part("q")?,
            dP: part("dp")?,
            dQ: part("dq")?,
            qInv: part("qi")?,
        })
        .map(Box::new)
        .map(SigningKey::Rsa),
        (kind, curve) => {
            let kind = format!("{kind} {curve}");
            return Err(format!("keys of the kind `{}` are not supported", kind.trim()).into());
        }
    };
    pair.map_err(|why| format!("the JWK is not a valid key: {why}").into())
}

impl AssertionSigner for ClientKey {
    fn sign<'a>(&'a self, claims: AssertionClaims<'a>) -> SigningFuture<'a> {
        Box::pin(async move { self.assertion(claims) })
    }
}

shown!(ClientKey, |it| algorithm: it.algorithm(), key_id: it.key_id);
