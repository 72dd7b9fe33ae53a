//! Settings of the default transport.

#[cfg(feature = "http2")]
use std::time::Duration;

use secrecy::SecretString;

use super::ClientBuilder;
use crate::client::Client;
use crate::transport::reqwest::ReqwestTransport;
use crate::transport::reqwest::pool::HttpOptions;
use crate::transport::reqwest::proxy::Proxies;

impl<C: From<Client>> ClientBuilder<C> {
    /// Sends all requests through a proxy with an http or https URL, which can contain a user and a
    /// password. Requests to this machine and to the hosts of `NO_PROXY` are sent directly.
    ///
    /// By default, `HTTPS_PROXY` and `HTTP_PROXY` (also in lower case) name the proxies for https and http URLs,
    /// `ALL_PROXY` one for both, and `NO_PROXY` hosts, domains (also as `*.example.com`) and networks that are reached
    /// directly, separated by commas and without ports. SOCKS is not supported: an `ALL_PROXY` of another kind is
    /// ignored with a warning if one of the other variables is set, and otherwise fails [`build`](Self::build).
    pub fn proxy(mut self, url: impl Into<SecretString>) -> Self {
        self.http().proxies = Proxies::All(url.into());
        self
    }

    /// Sends all requests directly, without the proxies of the environment.
    pub fn no_proxy(mut self) -> Self {
        self.http().proxies = Proxies::None;
        self
    }

    /// Sets the pings of HTTP/2 connections: a connection that has open calls, and receives nothing for `interval`, is
    /// pinged, and closed if the answer takes longer than `timeout`. The calls fail with
    /// [`Timeout`](crate::ErrorKind::Timeout), and later ones use another connection. The default is 20 and 10 seconds;
    /// an interval of `None` sends no pings.
    ///
    /// After an attempt that timed out, later calls use new connections in any case.
    #[cfg(feature = "http2")]
    pub fn http2_keep_alive(
        mut self,
        interval: impl Into<Option<Duration>>,
        timeout: Duration,
    ) -> Self {
        self.http().http2.ping_after = interval.into();
        self.http().http2.ping_timeout = timeout;
        self
    }

    /// Limits the size of the headers of a response over HTTP/2 in bytes, decoded, each with an overhead of 32 (RFC 9113,
    /// section 6.5.2). The default is 64 KiB.
    #[cfg(feature = "http2")]
    pub fn http2_max_header_bytes(mut self, limit: u32) -> Self {
        self.http().http2.max_header_bytes = limit;
        self
    }

    /// Trusts root certificates, in PEM, next to the certificates of the operating system.
    ///
    /// On Linux, the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name replace the files of the
    /// operating system.
    pub fn add_root_certificate(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.http().certificates.roots.push(pem.into());
        self
    }

    /// Authenticates the client by a certificate: the chain of certificates and the private key
    /// (PKCS #8, PKCS #1 or SEC 1), in PEM.
    ///
    /// Which keys are supported depends on the TLS provider: P-256, P-384, Ed25519 and RSA with
    /// `tls-ring`. [`build`](Self::build) refuses others.
    pub fn identity(mut self, pem: impl Into<SecretString>) -> Self {
        self.http().certificates.identity = Some(pem.into());
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

    /// Returns the options of connections, which are then not shared with the parent.
    fn http(&mut self) -> &mut HttpOptions {
        self.sets_http = true;
        &mut self.settings.http
    }
}
