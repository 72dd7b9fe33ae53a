//! The default client over TLS, and over HTTP/2, which it agrees on with the server.
//!
//! Which authorities a process trusts is decided when it starts, so the calls are made by a process
//! of their own.

use std::convert::Infallible;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use access_governance_runtime::{Backoff, Bytes, Client, ClientBuilder, RetryPolicy, http};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::api::{SERVICE, create, get};
#[cfg(feature = "http2")]
use crate::support::http2;
use crate::support::tls::{self, TemporaryFile};

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
    let (config, authority) = tls::server(&[b"h2"]);
    let server = http2::Server::with_tls(config, |number| match number {
        0 => http2::Act::Reset(http2::REFUSED_STREAM),
        _ => http2::Act::Answer("{}"),
    });
    let output = call(server.port(), Some(&authority)).await;
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the GET took 2 attempts"), "{said}");
    assert_eq!(server.seen(), 3);
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
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (config, authority) = tls::server(protocols);
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
