//! rustls.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use secrecy::{ExposeSecret, SecretString};

use super::Certificates;
use super::provider::provider;
use crate::future::BoxError;

/// Sets the TLS of a client. Without `secure` no request uses it, and no certificate is trusted.
pub(in crate::transport::reqwest) fn configure(
    builder: reqwest::ClientBuilder,
    certificates: &Certificates,
    secure: bool,
) -> Result<reqwest::ClientBuilder, BoxError> {
    let provider = provider()?;
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    let config = if secure {
        let verifier = verifier(&certificates.roots, provider)?;
        config.dangerous().with_custom_certificate_verifier(verifier)
    } else {
        config.with_root_certificates(RootCertStore::empty())
    };
    let mut config = match &certificates.identity {
        None => config.with_no_client_auth(),
        Some(identity) => {
            let (chain, key) = parse(identity)?;
            config.with_client_auth_cert(chain, key).map_err(|error| {
                format!("the private key of the identity is not supported: {error}")
            })?
        }
    };
    if cfg!(feature = "http2") {
        config.alpn_protocols.push(b"h2".to_vec());
    }
    config.alpn_protocols.push(b"http/1.1".to_vec());
    Ok(builder.tls_backend_preconfigured(config))
}

/// Returns a verifier that trusts the operating system's root certificates and these.
fn verifier(
    roots: &[Vec<u8>],
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, BoxError> {
    let mut extra = Vec::new();
    for pem in roots {
        let before = extra.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            extra.push(certificate.map_err(|error| format!("invalid root certificate: {error}"))?);
        }
        if extra.len() == before {
            return Err("a root certificate is not in PEM".into());
        }
    }
    if extra.is_empty() {
        return Ok(Arc::new(Verifier::new(provider)?));
    }
    #[cfg(not(target_os = "android"))]
    return Ok(Arc::new(Verifier::new_with_extra_roots(extra, provider)?));
    #[cfg(target_os = "android")]
    return Err(
        "on Android, root certificates can only be added in the settings of the system".into()
    );
}

/// Parses a chain of certificates and a private key. Errors do not show the key.
fn parse(
    identity: &SecretString,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), BoxError> {
    let pem = identity.expose_secret().as_bytes();
    let chain: Vec<_> = CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|_| "the identity contains an invalid certificate")?;
    if chain.is_empty() {
        return Err("the identity contains no certificate in PEM".into());
    }
    let key = PrivateKeyDer::from_pem_slice(pem)
        .map_err(|_| "the identity contains no private key in PEM")?;
    Ok((chain, key))
}

/// Returns whether an untrusted certificate is the cause of an error.
pub(in crate::transport::reqwest) fn is_untrusted(error: &(dyn StdError + 'static)) -> bool {
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
