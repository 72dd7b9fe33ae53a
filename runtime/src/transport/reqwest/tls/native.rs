//! The TLS of the operating system.

use std::error::Error as StdError;

use secrecy::ExposeSecret;

use super::Certificates;
use crate::future::BoxError;

pub(in crate::transport::reqwest) fn configure(
    mut builder: reqwest::ClientBuilder,
    certificates: &Certificates,
    _: bool,
) -> Result<reqwest::ClientBuilder, BoxError> {
    for root in &certificates.roots {
        builder = builder.add_root_certificate(reqwest::Certificate::from_pem(root)?);
    }
    if let Some(identity) = &certificates.identity {
        let pem = identity.expose_secret().as_bytes();
        let identity = reqwest::Identity::from_pkcs8_pem(pem, pem)
            .map_err(|_| "the identity is not a certificate and a PKCS #8 key in PEM")?;
        builder = builder.identity(identity);
    }
    Ok(builder)
}

#[expect(clippy::unnecessary_wraps, reason = "rustls's providers can fail")]
pub(in crate::transport::reqwest) fn install_provider() -> Result<(), BoxError> {
    Ok(())
}

/// Returns whether an untrusted certificate is the cause of an error, as far as that can be known: errors
/// of native-tls have no code. OpenSSL's text is always this; those of macOS and Windows are localized.
pub(in crate::transport::reqwest) fn is_untrusted(error: &(dyn StdError + 'static)) -> bool {
    std::iter::successors(Some(error), |&cause| cause.source())
        .any(|cause| cause.to_string().contains("certificate verify failed"))
}
