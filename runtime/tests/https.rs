//! The default client over TLS, and over HTTP/2, which it agrees on with the server.
//!
//! Which authorities a process trusts is decided when it starts, so the calls are made by a process
//! of their own.

use std::convert::Infallible;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use access_governance_runtime::{Bytes, ClientBuilder, http};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::api::{SERVICE, create, get};

/// The variable that tells the process of its own which server to call.
const URL: &str = "RUNTIME_TEST_URL";

#[tokio::test]
async fn http2_by_agreement() {
    let server = Server::new(&[b"h2", b"http/1.1"]).await;
    let output = call(&server, true).await;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(
        server.seen(),
        ["GET /api/v1/pets/7 HTTP/2.0", "POST /api/v1/pets HTTP/2.0"]
    );
}

#[tokio::test]
async fn http1_where_the_server_has_nothing_newer() {
    let server = Server::new(&[b"http/1.1"]).await;
    let output = call(&server, true).await;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert_eq!(
        server.seen(),
        ["GET /api/v1/pets/7 HTTP/1.1", "POST /api/v1/pets HTTP/1.1"]
    );
}

#[tokio::test]
async fn authorities_that_nobody_trusts() {
    let server = Server::new(&[b"http/1.1"]).await;
    let output = call(&server, false).await;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        said.contains("failed: could not connect: invalid peer certificate: UnknownIssuer"),
        "{said}"
    );
    assert!(said.contains("attempts: 1"), "{said}");
    assert_eq!(server.seen(), Vec::<String>::new());
}

/// Makes the calls of [`calls_in_a_process_of_its_own`].
async fn call(server: &Server, trusts_the_authority: bool) -> Output {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args([
            "--exact",
            "https::calls_in_a_process_of_its_own",
            "--ignored",
            "--nocapture",
        ])
        .env(URL, &server.url);
    if trusts_the_authority {
        process.env(
            "SSL_CERT_FILE",
            concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/support/tls/authority.pem"
            ),
        );
    }
    tokio::task::spawn_blocking(move || process.output().unwrap())
        .await
        .unwrap()
}

#[tokio::test]
#[ignore = "the other tests run it"]
async fn calls_in_a_process_of_its_own() {
    let url = std::env::var(URL).unwrap();
    let client = ClientBuilder::<access_governance_runtime::Client>::new(&SERVICE, url)
        .bearer_token("t")
        .build()
        .unwrap();
    get(&client, "7").await.unwrap();
    create(&client).await.unwrap();
}

struct Server {
    url: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers every request with `{}`, in one of these protocols.
    async fn new(protocols: &[&[u8]]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!(
            "https://localhost:{}",
            listener.local_addr().unwrap().port()
        );
        let seen = Arc::<Mutex<Vec<String>>>::default();
        tokio::spawn(serve(
            listener,
            TlsAcceptor::from(Arc::new(config(protocols))),
            Arc::clone(&seen),
        ));
        Self { url, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn config(protocols: &[&[u8]]) -> rustls::ServerConfig {
    let certificate =
        CertificateDer::from_pem_slice(include_bytes!("support/tls/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("support/tls/server.key")).unwrap();
    let mut config =
        rustls::ServerConfig::builder_with_provider(rustls_graviola::default_provider().into())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    config
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
                hyper::server::conn::http1::Builder::new()
                    .serve_connection(stream, service)
                    .await
            }
        });
    }
}
