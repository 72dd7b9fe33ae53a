//! The TLS of the operating system.

use std::error::Error as StdError;

use secrecy::ExposeSecret;

use super::Certificates;
use super::cures::{NOT_NOW, OTHER_NAME, REVOCATION, UNTRUSTED, UNUSABLE, explained};
use crate::time::future::BoxError;

/// The TLS of a client.
pub(in crate::transport::reqwest) struct Config {
    roots: Vec<reqwest::Certificate>,
    identity: Option<reqwest::Identity>,
}

/// Parses certificates.
pub(in crate::transport::reqwest) fn configure(
    certificates: &Certificates,
    _: bool,
) -> Result<Config, BoxError> {
    let roots = certificates.roots.iter().map(|root| reqwest::Certificate::from_pem(root));
    let identity = certificates.identity.as_ref().map(|identity| {
        let pem = identity.expose_secret().as_bytes();
        reqwest::Identity::from_pkcs8_pem(pem, pem)
            .map_err(|_| "the identity is not a certificate and a PKCS #8 key in PEM")
    });
    Ok(Config { roots: roots.collect::<Result<_, _>>()?, identity: identity.transpose()? })
}

/// Sets the TLS of a client.
pub(in crate::transport::reqwest) fn apply(
    mut builder: reqwest::ClientBuilder,
    config: &Config,
) -> reqwest::ClientBuilder {
    for root in &config.roots {
        builder = builder.add_root_certificate(root.clone());
    }
    match &config.identity {
        Some(identity) => builder.identity(identity.clone()),
        None => builder,
    }
}

#[expect(clippy::unnecessary_wraps, reason = "rustls's providers can fail")]
pub(in crate::transport::reqwest) fn install_provider() -> Result<(), BoxError> {
    Ok(())
}

/// The texts of OpenSSL for handshakes that fail in the same way every time, and the settings that help.
///
/// The texts in parentheses are causes of `certificate verify failed`, which comes after them for all others.
const REFUSALS: [(&str, &str); 15] = [
    ("(self", UNTRUSTED),
    ("issuer certificate)", UNTRUSTED),
    ("(certificate signature failure)", UNTRUSTED),
    ("(unable to verify the first certificate)", UNTRUSTED),
    ("mismatch)", OTHER_NAME),
    ("(certificate has expired)", NOT_NOW),
    ("(certificate is not yet valid)", NOT_NOW),
    ("(unable to get certificate CRL)", REVOCATION),
    ("(CRL ", REVOCATION),
    ("certificate verify failed", UNUSABLE),
    ("alert certificate required", "set a client certificate with `identity`"),
    ("alert unknown ca", "the server does not trust the client certificate; see `identity`"),
    ("alert certificate expired", "the client certificate of `identity` has expired"),
    ("alert protocol version", "the server and the client have no version of TLS in common"),
    ("wrong version number", "the server does not speak TLS there; check the scheme and the port"),
];

/// Explains the error of a handshake that would fail again, as far as that can be known: errors of native-tls have no
/// code. OpenSSL always has these texts; macOS and Windows localize theirs.
pub(in crate::transport::reqwest) fn refusal(error: &(dyn StdError + 'static)) -> Option<String> {
    let mut texts =
        std::iter::successors(Some(error), |&cause| cause.source()).map(ToString::to_string);
    texts.find_map(|text| {
        let (_, cure) = REFUSALS.iter().find(|(part, _)| text.contains(part))?;
        Some(explained(&text, cure))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_refused_with_a_hint_by_the_cause() {
        for (cause, hint) in [
            ("self signed certificate", UNTRUSTED),
            ("self-signed certificate in certificate chain", UNTRUSTED),
            ("unable to get local issuer certificate", UNTRUSTED),
            ("unable to verify the first certificate", UNTRUSTED),
            ("hostname mismatch", OTHER_NAME),
            ("IP address mismatch", OTHER_NAME),
            ("certificate has expired", NOT_NOW),
            ("certificate is not yet valid", NOT_NOW),
            ("unable to get certificate CRL", REVOCATION),
            ("CRL has expired", REVOCATION),
            ("certificate revoked", UNUSABLE),
            ("EE certificate key too weak", UNUSABLE),
        ] {
            let error = BoxError::from(format!("certificate verify failed:ssl.c:1: ({cause})"));
            assert!(refusal(&*error).unwrap().contains(&format!("); {hint}")), "{cause}");
        }
    }
}
