//! Keys and certificates of test servers, made anew for each, and clients that need none.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use access_governance_runtime::reqwest;
use graviola::hashing::Sha256;
use graviola::signing::ecdsa;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyUsagePurpose,
    PublicKeyData, SignatureAlgorithm,
};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ClientConfig, RootCertStore, ServerConfig};

/// The length of an uncompressed point on P-256, which is the end of the public key's encoding.
const POINT: usize = 65;

/// Returns a configuration for a server at `localhost` that speaks these protocols, and the
/// certificate of the authority that vouches for it, in PEM.
pub fn server(protocols: &[&[u8]]) -> (ServerConfig, String) {
    let authority = authority();
    let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    params.distinguished_name.push(DnType::CommonName, "a test server");
    params.serial_number = Some(2.into());
    let key = Key::new();
    let certificate = params.signed_by(&key, &authority).unwrap();

    let mut config =
        ServerConfig::builder_with_provider(rustls_graviola::default_provider().into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key.to_pkcs8().into())
            .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    (config, authority.pem())
}

fn authority() -> CertifiedIssuer<'static, Key> {
    let mut params = CertificateParams::new([]).unwrap();
    params.distinguished_name.push(DnType::CommonName, "a test authority");
    params.serial_number = Some(1.into());
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    CertifiedIssuer::self_signed(params, Key::new()).unwrap()
}

/// Begins a client that needs no certificates, for servers without TLS.
pub fn plain_client() -> reqwest::ClientBuilder {
    let tls = ClientConfig::builder_with_provider(rustls_graviola::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls)
}

/// A file that is gone with the value.
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// Writes a file whose name is unique among those of this process.
    pub fn new(name: &str, text: &str) -> Self {
        let path = env::temp_dir().join(format!("{}-{name}", process::id()));
        fs::write(&path, text).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// A key on the curve P-256, for ECDSA with SHA-256.
struct Key {
    private: ecdsa::SigningKey<ecdsa::P256>,
    public: Vec<u8>,
}

impl Key {
    fn new() -> Self {
        let private = ecdsa::SigningKey::generate().unwrap();
        let mut buffer = [0; 200];
        let encoded = private.to_spki_der(&mut buffer).unwrap();
        let public = encoded[encoded.len() - POINT..].to_vec();
        Self { private, public }
    }

    fn to_pkcs8(&self) -> PrivatePkcs8KeyDer<'static> {
        let mut buffer = [0; 400];
        let encoded = self.private.to_pkcs8_der(&mut buffer).unwrap();
        encoded.to_vec().into()
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_ECDSA_P256_SHA256
    }
}

impl rcgen::SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        let mut buffer = [0; 200];
        let signature = self.private.sign_asn1::<Sha256>(&[message], &mut buffer);
        Ok(signature.map_err(|_| rcgen::Error::RemoteKeyError)?.to_vec())
    }
}
