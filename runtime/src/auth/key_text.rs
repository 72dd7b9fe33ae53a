//! Texts that are private keys, and must not be sent as secrets.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64_URL;
use serde_json::Value;

/// A text with a private key.
#[cfg_attr(not(feature = "jwk"), expect(dead_code, reason = "keys are only recognized"))]
pub(super) enum KeyText<'a> {
    /// PEM (RFC 7468): its label, and its content in base64.
    Pem { label: &'a str, body: String },
    /// A JWK (RFC 7517), which can be the end of a `secret-token:` (RFC 8959).
    Jwk { jwk: Value, is_token: bool },
}

/// Returns whether a text is or contains a private key, which is never sent.
pub(crate) fn has_private_key(text: &str) -> bool {
    match KeyText::of(text) {
        None => false,
        Some(KeyText::Pem { .. }) => true,
        // RFC 7518, sections 6.2.2, 6.3.2 and 6.4.
        Some(KeyText::Jwk { jwk, .. }) => ["d", "k"].iter().any(|name| jwk[name].is_string()),
    }
}

impl<'a> KeyText<'a> {
    /// Returns the key that a text has, if it has one.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        // Other text and other objects can come first (RFC 7468, section 2).
        for pem in text.split("-----BEGIN ").skip(1) {
            let Some((label, rest)) = pem.split_once("-----") else { continue };
            let Some((body, _)) = rest.split_once("-----END") else { continue };
            if label.ends_with("PRIVATE KEY") {
                return Some(Self::Pem { label, body: body.split_whitespace().collect() });
            }
        }
        let is_token = text.starts_with("secret-token:");
        let jwk: Value = if is_token {
            let (_, last) = text.rsplit_once(':')?;
            serde_json::from_slice(&BASE64_URL.decode(last.trim_end_matches('=')).ok()?).ok()?
        } else {
            serde_json::from_str(text).ok()?
        };
        jwk["kty"].is_string().then_some(Self::Jwk { jwk, is_token })
    }
}
