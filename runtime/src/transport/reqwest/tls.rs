//! The TLS configuration of the default client.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::BoxError;

/// Returns a configuration for HTTPS, or one that trusts nobody where no request will need it.
pub(super) fn config(secure: bool) -> Result<ClientConfig, BoxError> {
    let builder =
        ClientConfig::builder_with_provider(provider()?).with_safe_default_protocol_versions()?;
    let mut config = if secure {
        builder.with_platform_verifier()?.with_no_client_auth()
    } else {
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    };
    if cfg!(feature = "http2") {
        config.alpn_protocols.push(b"h2".to_vec());
    }
    config.alpn_protocols.push(b"http/1.1".to_vec());
    Ok(config)
}

/// Returns whether the server's certificate is the reason for an error.
pub(super) fn is_untrusted(error: &(dyn StdError + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return true;
        }
        // An I/O error hides the error that it wraps from `source`.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        cause = wrapped.map_or_else(|| error.source(), |wrapped| Some(wrapped as _));
    }
    false
}

/// Returns the program's own provider if it has installed one, else the one that builds without C.
fn provider() -> Result<Arc<CryptoProvider>, BoxError> {
    if let Some(provider) = CryptoProvider::get_default() {
        return Ok(Arc::clone(provider));
    }
    without_c()
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn without_c() -> Result<Arc<CryptoProvider>, BoxError> {
    match missing_feature() {
        None => Ok(Arc::new(rustls_graviola::default_provider())),
        Some(feature) => Err(format!(
            "this processor lacks `{feature}`, which the default TLS provider needs; \
             install another rustls provider for the process, \
             or pass a configured `reqwest::Client`"
        )
        .into()),
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn without_c() -> Result<Arc<CryptoProvider>, BoxError> {
    Err("the default TLS provider exists for x86_64 and aarch64 only; \
         install another rustls provider for the process, or pass a configured `reqwest::Client`"
        .into())
}

/// Returns a processor feature that the provider would miss, and panic for.
#[cfg(target_arch = "x86_64")]
fn missing_feature() -> Option<&'static str> {
    use std::arch::is_x86_feature_detected as has;
    [
        ("aes", has!("aes")),
        ("pclmulqdq", has!("pclmulqdq")),
        ("ssse3", has!("ssse3")),
        ("avx", has!("avx")),
        ("avx2", has!("avx2")),
        ("bmi1", has!("bmi1")),
        ("bmi2", has!("bmi2")),
        ("adx", has!("adx")),
    ]
    .into_iter()
    .find_map(|(feature, present)| (!present).then_some(feature))
}

/// Returns a processor feature that the provider would miss, and panic for.
#[cfg(target_arch = "aarch64")]
fn missing_feature() -> Option<&'static str> {
    use std::arch::is_aarch64_feature_detected as has;
    [("neon", has!("neon")), ("aes", has!("aes")), ("pmull", has!("pmull")), ("sha2", has!("sha2"))]
        .into_iter()
        .find_map(|(feature, present)| (!present).then_some(feature))
}
