//! TLS of the default client: rustls with one of three providers, or the operating system's.

#[cfg(any(feature = "native-tls", feature = "__rustls"))]
mod cures;
#[cfg(all(feature = "native-tls", not(feature = "__rustls")))]
mod native;
#[cfg(not(any(feature = "native-tls", feature = "__rustls")))]
mod none;
#[cfg(feature = "__rustls")]
mod provider;
#[cfg(feature = "__rustls")]
mod rustls;

use secrecy::SecretString;

#[cfg(all(feature = "native-tls", not(feature = "__rustls")))]
pub(super) use self::native::{Config, apply, configure, install_provider, refusal};
#[cfg(not(any(feature = "native-tls", feature = "__rustls")))]
pub(super) use self::none::{Config, apply, configure, install_provider, refusal};
#[cfg(feature = "__rustls")]
pub(super) use self::provider::install as install_provider;
#[cfg(feature = "__rustls")]
pub(super) use self::rustls::{Config, apply, configure, refusal};

/// The certificates of the default client, in PEM.
#[derive(Clone, Debug, Default)]
pub(crate) struct Certificates {
    /// Trusted next to the certificates of the operating system.
    pub(crate) roots: Vec<Vec<u8>>,
    /// The client's certificate and private key.
    pub(crate) identity: Option<SecretString>,
}
