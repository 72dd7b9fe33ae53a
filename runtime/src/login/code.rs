//! Random texts, and the proof key for code exchange (RFC 7636).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};

use crate::auth::token::TokenError;

/// Returns 256 random bits as 43 characters that need no encoding in a URL (RFC 7636, section 4.1).
pub(super) fn random() -> Result<SecretString, TokenError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        TokenError::new(format!("the system provides no random numbers: {error}"))
    })?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes).into())
}

/// Returns the challenge of a verifier, by the method `S256` (RFC 7636, section 4.2).
pub(super) fn challenge(verifier: &SecretString) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.expose_secret()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_equals_the_example_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned().into();
        assert_eq!(challenge(&verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn random_texts_differ() {
        let one = random().unwrap();
        let other = random().unwrap();
        assert_eq!(one.expose_secret().len(), 43);
        assert_ne!(one.expose_secret(), other.expose_secret());
    }
}
