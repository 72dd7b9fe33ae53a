//! Settings of the default transport.

use secrecy::SecretString;

use super::ClientBuilder;
use crate::client::Client;
use crate::transport::reqwest::ReqwestTransport;
use crate::transport::reqwest::proxy::Proxies;

impl<C: From<Client>> ClientBuilder<C> {
    /// Sends all requests through a proxy with an http or https URL, which can contain a user and a
    /// password. Requests to this machine and to the hosts of `NO_PROXY` are sent directly.
    ///
    /// By default, `HTTPS_PROXY` and `HTTP_PROXY` (also in lower case) name the proxies for https and
    /// http URLs, `ALL_PROXY` one for both, and `NO_PROXY` hosts, domains and networks that are
    /// reached directly, separated by commas.
    pub fn proxy(mut self, url: impl Into<SecretString>) -> Self {
        self.http.proxies = Proxies::All(url.into());
        self
    }

    /// Sends all requests directly, without the proxies of the environment.
    pub fn no_proxy(mut self) -> Self {
        self.http.proxies = Proxies::None;
        self
    }

    /// Trusts root certificates, in PEM, in addition to those of the operating system.
    ///
    /// On Linux, the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name replace those of the operating
    /// system.
    pub fn add_root_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.http.certificates.roots.push(pem.into());
        self
    }

    /// Authenticates the client by a certificate: the chain of certificates and the private key
    /// (PKCS #8, PKCS #1 or SEC 1), in PEM.
    ///
    /// Which keys are supported depends on the TLS provider: P-256, P-384, Ed25519 and RSA with
    /// `tls-ring`. [`build`](Self::build) refuses others.
    pub fn identity(mut self, pem: impl Into<SecretString>) -> Self {
        self.http.certificates.identity = Some(pem.into());
        self
    }

    /// Sends requests through a configured reqwest client. [`reqwest::client_builder`] returns a
    /// builder of clients that follow no redirects.
    ///
    /// GET, HEAD, PUT, DELETE and OPTIONS are retried as with the default client. POST and PATCH are
    /// not retried after a failed connection or a refused stream, and fail as
    /// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted): the client may have followed a
    /// redirect, after the server has acted on the call. For all retries of the default, pass a client
    /// that follows none as
    /// [`ReqwestTransport::without_redirects`](crate::ReqwestTransport::without_redirects) to
    /// [`transport`](Self::transport).
    ///
    /// [`reqwest::client_builder`]: crate::reqwest::client_builder
    pub fn reqwest_client(self, client: reqwest::Client) -> Self {
        self.transport(ReqwestTransport::new(client))
    }
}
