//! The cryptography under rustls.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;

use crate::time::future::BoxError;

/// Returns the provider that the process has installed. If it has none, installs that of the enabled features: clients of
/// reqwest in other code need one, because this crate enables reqwest's rustls for the whole program.
pub(super) fn provider() -> Result<Arc<CryptoProvider>, BoxError> {
    if let Some(provider) = CryptoProvider::get_default() {
        return Ok(Arc::clone(provider));
    }
    let provider = Arc::new(from_features()?);
    // Another thread may have been faster, which has the same effect.
    let _ = CryptoProvider::clone(&provider).install_default();
    Ok(provider)
}

/// Installs a provider for the process if it has none.
pub(in crate::transport::reqwest) fn install() -> Result<(), BoxError> {
    provider().map(drop)
}

// A feature that is turned on takes precedence over `tls-ring`, which is on by default.

#[cfg(feature = "tls-aws-lc-rs")]
#[expect(clippy::unnecessary_wraps, reason = "other providers can fail")]
fn from_features() -> Result<CryptoProvider, BoxError> {
    Ok(rustls::crypto::aws_lc_rs::default_provider())
}

#[cfg(all(feature = "tls-graviola", not(feature = "tls-aws-lc-rs")))]
fn from_features() -> Result<CryptoProvider, BoxError> {
    graviola::provider()
}

#[cfg(not(any(feature = "tls-aws-lc-rs", feature = "tls-graviola")))]
#[expect(clippy::unnecessary_wraps, reason = "other providers can fail")]
fn from_features() -> Result<CryptoProvider, BoxError> {
    Ok(rustls::crypto::ring::default_provider())
}

/// Graviola, which panics on a processor without these features.
#[cfg(all(feature = "tls-graviola", not(feature = "tls-aws-lc-rs")))]
mod graviola {
    use rustls::crypto::CryptoProvider;

    use crate::time::future::BoxError;

    pub(super) fn provider() -> Result<CryptoProvider, BoxError> {
        match missing_feature() {
            None => Ok(rustls_graviola::default_provider()),
            Some(feature) => Err(format!(
                "this processor lacks `{feature}`, which the feature `tls-graviola` needs; \
                 use `tls-ring` in its place"
            )
            .into()),
        }
    }

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

    #[cfg(target_arch = "aarch64")]
    fn missing_feature() -> Option<&'static str> {
        use std::arch::is_aarch64_feature_detected as has;
        [
            ("neon", has!("neon")),
            ("aes", has!("aes")),
            ("pmull", has!("pmull")),
            ("sha2", has!("sha2")),
        ]
        .into_iter()
        .find_map(|(feature, present)| (!present).then_some(feature))
    }
}
