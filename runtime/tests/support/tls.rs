//! Certificates of test servers and clients.

use std::net::TcpStream;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

fn provider() -> Arc<CryptoProvider> {
    rustls::crypto::ring::default_provider().into()
}

/// An authority that is not trusted by default.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.distinguished_name.push(DnType::CommonName, "a test authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Returns its certificate, in PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Returns a configuration for a server at `localhost` that speaks these protocols.
    pub fn server(&self, protocols: &[&[u8]]) -> ServerConfig {
        let mut config = self.server_with(|_| {});
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        config
    }

    /// Returns a configuration for a server with a certificate that differs from one for `localhost`.
    pub fn server_with(&self, change: fn(&mut CertificateParams)) -> ServerConfig {
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth();
        self.certify(builder, change)
    }

    /// Returns the same for a server that requires clients to have an [`identity`](Self::identity).
    pub fn server_for_known_clients(&self) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let verifier =
            WebPkiClientVerifier::builder_with_provider(roots.into(), provider()).build().unwrap();
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier);
        self.certify(builder, |_| {})
    }

    fn certify(
        &self,
        builder: rustls::ConfigBuilder<ServerConfig, rustls::server::WantsServerCert>,
        change: fn(&mut CertificateParams),
    ) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let mut params = params("localhost");
        change(&mut params);
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        builder.with_single_cert(vec![certificate.der().clone()], key.into()).unwrap()
    }

    /// Returns a client certificate for a key, in PEM.
    pub fn certificate(&self, key: &KeyPair) -> String {
        params("a-test-client").signed_by(key, &self.0).unwrap().pem()
    }

    /// Returns a client certificate and its new key, in PEM.
    pub fn identity(&self) -> String {
        let key = KeyPair::generate().unwrap();
        self.certificate(&key) + &key.serialize_pem()
    }
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// Returns a function that makes connections of TLS of sockets.
pub fn tls(config: ServerConfig) -> impl Fn(TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
    let config = Arc::new(config);
    move |socket| StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), socket)
}

/// Returns a builder of clients that follow redirects, unlike those of the runtime.
pub fn plain_client() -> reqwest::ClientBuilder {
    let builder = openapi_bindings_runtime::reqwest::client_builder().unwrap();
    builder.redirect(reqwest::redirect::Policy::default())
}
