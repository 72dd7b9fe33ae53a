//! rustls.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{CertificateError, ClientConfig, InvalidMessage, RootCertStore};
use rustls_platform_verifier::Verifier;
use secrecy::{ExposeSecret, SecretString};

use super::Certificates;
use super::cures::{NOT_NOW, OTHER_NAME, REVOCATION, UNTRUSTED, UNUSABLE, explained, unread_roots};
use super::provider::provider;
use crate::time::future::BoxError;

pub(in crate::transport::reqwest) type Config = ClientConfig;

/// Returns the TLS of a client. Without `secure` no request uses it, and no certificate is trusted.
pub(in crate::transport::reqwest) fn configure(
    certificates: &Certificates,
    secure: bool,
) -> Result<Config, BoxError> {
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
    Ok(config)
}

/// Sets the TLS of a client.
pub(in crate::transport::reqwest) fn apply(
    builder: reqwest::ClientBuilder,
    config: &Config,
) -> reqwest::ClientBuilder {
    builder.tls_backend_preconfigured(config.clone())
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
        let verifier = Verifier::new(provider);
        return Ok(Arc::new(verifier.map_err(|error| format!("{error}{}", unread_roots()))?));
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

/// Explains the error of a handshake that would fail again: the cause, and the setting that helps.
///
/// With TLS 1.3, a server rejects the client's certificate after the client has begun to send, and so during an exchange.
pub(in crate::transport::reqwest) fn refusal(error: &(dyn StdError + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(cause) = next {
        let text = cause.to_string();
        let cure = match cause.downcast_ref::<rustls::Error>() {
            Some(error) => cure(error),
            // HTTP/2 retains the text alone.
            None => text.strip_prefix(ALERT).and_then(cure_of_alert),
        };
        if let Some(cure) = cure {
            return Some(explained(&text, cure));
        }
        // An I/O error hides the error that it wraps from `source`.
        let wrapped = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = wrapped.map_or_else(|| cause.source(), |wrapped| Some(wrapped as _));
    }
    None
}

/// The text before the name of an alert.
const ALERT: &str = "received fatal alert: ";

fn cure(error: &rustls::Error) -> Option<&'static str> {
    match error {
        rustls::Error::InvalidCertificate(why) => Some(cure_of_certificate(why)),
        rustls::Error::PeerIncompatible(_) => Some(NOTHING_IN_COMMON),
        rustls::Error::NoApplicationProtocol => Some("the server speaks no version of HTTP there"),
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            Some("the server does not speak TLS there; check the scheme and the port of the URL")
        }
        rustls::Error::AlertReceived(alert) => cure_of_alert(&format!("{alert:?}")),
        _ => None,
    }
}

fn cure_of_certificate(why: &CertificateError) -> &'static str {
    match why {
        // Another authority has the name of a trusted one.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => UNTRUSTED,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            OTHER_NAME
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => NOT_NOW,
        CertificateError::UnknownRevocationStatus
        | CertificateError::ExpiredRevocationList
        | CertificateError::ExpiredRevocationListContext { .. }
        | CertificateError::InvalidOcspResponse => REVOCATION,
        CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            NOTHING_IN_COMMON
        }
        _ => UNUSABLE,
    }
}

const NOTHING_IN_COMMON: &str = "the server has no version of TLS (1.2, 1.3), cipher suite or signature algorithm in \
                                 common with the client; the features `tls-aws-lc-rs` and `native-tls` have others";

/// Returns the setting that helps against an alert (RFC 8446, section 6.2), unless it may be transient.
fn cure_of_alert(alert: &str) -> Option<&'static str> {
    Some(match alert {
        "ProtocolVersion" | "InsufficientSecurity" => NOTHING_IN_COMMON,
        "HandshakeFailure" => {
            "the server has no cipher suite in common with the client, or requires a client certificate, \
             which `identity` sets"
        }
        "CertificateRequired" | "NoCertificate" => {
            "the server requires a client certificate; set one with `identity`"
        }
        "BadCertificate"
        | "UnsupportedCertificate"
        | "CertificateRevoked"
        | "CertificateExpired"
        | "CertificateUnknown"
        | "UnknownCA"
        | "AccessDenied"
        | "DecryptError" => "the server does not accept the client certificate of `identity`",
        "UnrecognisedName" => "the server has no certificate for the host of the URL",
        "NoApplicationProtocol" => "the server speaks no version of HTTP there",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use CertificateError::*;
    use rustls::pki_types::UnixTime;

    #[test]
    fn certificates_are_refused_with_a_hint_by_the_cause() {
        let time = UnixTime::now();
        let expected = "localhost".try_into().unwrap();
        let signature_algorithm_id = vec![];
        let unsupported = [
            UnsupportedSignatureAlgorithmContext {
                signature_algorithm_id: signature_algorithm_id.clone(),
                supported_algorithms: vec![],
            },
            UnsupportedSignatureAlgorithmForPublicKeyContext {
                signature_algorithm_id,
                public_key_algorithm_id: vec![],
            },
        ];
        let other_name = NotValidForNameContext { expected, presented: vec![] };
        let expired = [Expired, ExpiredContext { time, not_after: time }];
        let early = [NotValidYet, NotValidYetContext { time, not_before: time }];
        let unchecked = [
            UnknownRevocationStatus,
            ExpiredRevocationList,
            ExpiredRevocationListContext { time, next_update: time },
            InvalidOcspResponse,
        ];
        let unusable = [BadEncoding, Revoked, UnhandledCriticalExtension, InvalidPurpose];
        for (causes, hint) in [
            (&[UnknownIssuer, BadSignature][..], "`add_root_certificate`"),
            (&[NotValidForName, other_name], "check the host"),
            (&expired, "renew it"),
            (&early, "renew it"),
            (&unchecked, "cannot be checked"),
            (&unsupported, "signature algorithm"),
            (&unusable, "another certificate"),
        ] {
            for cause in causes {
                let error = rustls::Error::InvalidCertificate(cause.clone());
                let explained = refusal(&error).unwrap();
                assert!(explained.contains(hint), "{explained}");
                assert_eq!(explained.contains("add_root"), hint.contains("add_root"), "{cause:?}");
            }
        }
    }
}
