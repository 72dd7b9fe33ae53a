//! The default client over TLS, and over HTTP/2, which it agrees on with the server.
//!
//! Which authorities a process trusts is decided when it starts, so the calls are made by a process
//! of their own.

use std::convert::Infallible;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use access_governance_runtime::{
    Backoff, Bytes, Client, ClientBuilder, ReqwestTransport, RetryPolicy, http, reqwest,
};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_ED25519};
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::api::{SERVICE, create, get};
use crate::support::client;
#[cfg(feature = "http2")]
use crate::support::http2;
use crate::support::tls::{Authority, TemporaryFile};

/// The variable that tells the process of its own which server to call.
const URL: &str = "RUNTIME_TEST_URL";

#[tokio::test]
async fn http2_by_agreement() {
    speaks("HTTP/2.0", &[b"h2", b"http/1.1"]).await;
}

#[tokio::test]
async fn http1_where_the_server_has_nothing_newer() {
    speaks("HTTP/1.1", &[b"http/1.1"]).await;
}

/// Asserts that calls to a server that has these protocols are made in this version.
async fn speaks(version: &str, protocols: &[&[u8]]) {
    let server = Server::new(protocols).await;
    let output = call(server.port, Some(&server.authority)).await;
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(
        server.seen(),
        [format!("GET /api/v1/pets/7 {version}"), format!("POST /api/v1/pets {version}")]
    );
}

#[tokio::test]
async fn authorities_that_nobody_trusts() {
    let server = Server::new(&[b"http/1.1"]).await;
    let output = call(server.port, None).await;
    let said = said(&output);
    assert!(!output.status.success());
    assert!(
        said.contains("failed: failed to connect: invalid peer certificate: UnknownIssuer"),
        "{said}"
    );
    assert!(said.contains("attempts: 1"), "{said}");
    assert_eq!(server.seen(), Vec::<String>::new());
}

#[cfg(feature = "http2")]
#[tokio::test]
async fn nothing_is_made_again_behind_the_policys_back() {
    let authority = Authority::new();
    let server = http2::Server::with_tls(authority.server(&[b"h2"]), |number| match number {
        0 => http2::Act::Reset(http2::REFUSED_STREAM),
        _ => http2::Act::Answer("{}"),
    });
    let output = call(server.port(), Some(&authority.pem())).await;
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the GET took 2 attempts"), "{said}");
    assert_eq!(server.seen(), 3);
}

#[tokio::test]
async fn root_certificates_of_the_builder() {
    let server = Server::new(&[b"http/1.1"]).await;
    let builder = || client(format!("https://localhost:{}", server.port));
    let trusting = builder().add_root_certificate(server.authority.clone()).build().unwrap();
    get(&trusting, "7").await.unwrap();
    let trusting_another = builder().add_root_certificate(Authority::new().pem()).build().unwrap();
    let error = get(&trusting_another, "7").await.unwrap_err();
    assert!(error.is_connect() && !error.is_retryable(), "{error}");
    for (pem, why) in [
        ("no certificate", "a root certificate is not in PEM"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate"),
        ("-----BEGIN CERTIFICATE-----\nAA", "invalid root certificate"),
    ] {
        let error = builder().add_root_certificate(pem).build().unwrap_err().to_string();
        assert!(error.contains("failed to set up the HTTP client: "), "{error}");
        assert!(error.contains(why), "{error}");
    }
}

/// A provider without cipher suites cannot be mistaken for that of a feature.
#[test]
fn a_provider_of_the_process_takes_precedence() {
    let test = "https::a_process_with_a_provider_of_its_own";
    let mut process = Command::new(std::env::current_exe().unwrap());
    let output = process.args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
#[ignore = "another test runs it"]
fn a_process_with_a_provider_of_its_own() {
    let mut provider = rustls::crypto::ring::default_provider();
    provider.cipher_suites.clear();
    provider.install_default().unwrap();
    let error = client("https://localhost").build().unwrap_err().to_string();
    assert!(error.contains("no usable cipher suites"), "{error}");
}

#[tokio::test]
async fn clients_have_an_identity() {
    let authority = Authority::new();
    let server = Server::for_clients_of(&authority).await;
    let builder = || {
        client(format!("https://localhost:{}", server.port))
            .add_root_certificate(authority.pem())
            .retry(RetryPolicy::never())
    };
    let generated =
        |algorithm| KeyPair::generate_for(algorithm).map(|key| key.serialize_pem()).unwrap();
    for (pkcs8, written) in [
        (&*generated(&PKCS_ECDSA_P384_SHA384), None),
        (&*generated(&PKCS_ED25519), None),
        (RSA, None),
        (RSA, Some(include_str!("support/keys/rsa.pkcs1.pem"))),
        (P256, None),
        (P256, Some(include_str!("support/keys/p256.sec1.pem"))),
    ] {
        let certificate = authority.certificate(&KeyPair::from_pem(pkcs8).unwrap());
        let known = builder().identity(certificate + written.unwrap_or(pkcs8)).build().unwrap();
        get(&known, "7").await.unwrap();
    }
    assert_eq!(server.seen().len(), 6);
    let unknown = Authority::new().identity();
    for client in [builder(), builder().identity(unknown)] {
        get(&client.build().unwrap(), "7").await.unwrap_err();
    }
    assert_eq!(server.seen().len(), 6);
}

const RSA: &str = include_str!("support/keys/rsa.pkcs8.pem");
const P256: &str = include_str!("support/keys/p256.pkcs8.pem");

#[test]
fn identities_that_cannot_be_used_fail_the_build() {
    let whole = Authority::new().identity();
    let (certificate, key) = whole.split_at(whole.find("-----BEGIN PRIVATE").unwrap());
    let refused = |pem: &str| {
        let builder = client("https://localhost").identity(pem.to_owned());
        let error = builder.build().unwrap_err();
        let shown = format!("{error} {error:?}");
        let secret = key.lines().nth(1).unwrap();
        assert!(!shown.contains(secret), "{shown}");
        shown
    };
    assert!(refused(key).contains("contains no certificate"), "{}", refused(key));
    assert!(refused(certificate).contains("contains no private key"));
    // ring does not have this curve.
    let p521 = [certificate, include_str!("support/keys/p521.pkcs8.pem")].concat();
    assert!(refused(&p521).contains("the private key of the identity is not supported"));
}

#[tokio::test]
async fn clients_of_the_re_exported_reqwest() {
    let server = Server::new(&[b"http/1.1"]).await;
    let certificate = reqwest::Certificate::from_pem(server.authority.as_bytes()).unwrap();
    let http = reqwest::client_builder().unwrap().add_root_certificate(certificate);
    let transport = ReqwestTransport::without_redirects(http.build().unwrap());
    let url = format!("https://localhost:{}", server.port);
    get(&client(url).transport(transport).build().unwrap(), "7").await.unwrap();
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said)).concat()
}

/// Makes the calls of [`calls_in_a_process_of_its_own`], with one more authority to trust.
async fn call(port: u16, authority: Option<&str>) -> Output {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args(["--exact", "https::calls_in_a_process_of_its_own", "--ignored", "--nocapture"])
        .env(URL, format!("https://localhost:{port}"));
    let file = authority.map(|authority| TemporaryFile::new(&format!("{port}.pem"), authority));
    if let Some(file) = &file {
        process.env("SSL_CERT_FILE", file.path());
    }
    tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap()
}

#[tokio::test]
#[ignore = "the other tests run it"]
async fn calls_in_a_process_of_its_own() {
    let url = std::env::var(URL).unwrap();
    let at_once = Backoff::new(Duration::ZERO, Duration::ZERO);
    let client = ClientBuilder::<Client>::new(&SERVICE, url)
        .bearer_token("t")
        .retry(RetryPolicy::standard().with_backoff(at_once))
        .build()
        .unwrap();
    let reply = get(&client, "7").send_raw().await.unwrap();
    println!("the GET took {} attempts", reply.attempts());
    create(&client).await.unwrap();
}

struct Server {
    port: u16,
    authority: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers every request with `{}`, in one of these protocols.
    async fn new(protocols: &[&[u8]]) -> Self {
        let authority = Authority::new();
        Self::start(authority.server(protocols), authority.pem()).await
    }

    /// Answers clients that have an identity of this authority.
    async fn for_clients_of(authority: &Authority) -> Self {
        Self::start(authority.server_for_known_clients(), authority.pem()).await
    }

    async fn start(config: ServerConfig, authority: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server =
            Self { port: listener.local_addr().unwrap().port(), authority, seen: Arc::default() };
        let acceptor = TlsAcceptor::from(Arc::new(config));
        tokio::spawn(serve(listener, acceptor, Arc::clone(&server.seen)));
        server
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, seen: Arc<Mutex<Vec<String>>>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        // A client that trusts nobody goes away within the handshake.
        let Ok(stream) = acceptor.accept(stream).await else {
            continue;
        };
        let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let seen = Arc::clone(&seen);
        let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
            seen.lock().unwrap().push(format!(
                "{} {} {:?}",
                request.method(),
                request.uri().path(),
                request.version()
            ));
            async { Ok::<_, Infallible>(http::Response::new(Full::new(Bytes::from("{}")))) }
        });
        tokio::spawn(async move {
            let stream = TokioIo::new(stream);
            if is_http2 {
                hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                    .serve_connection(stream, service)
                    .await
            } else {
                hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await
            }
        });
    }
}
