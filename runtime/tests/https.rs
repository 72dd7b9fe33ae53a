//! The default client over TLS and over HTTP/2, which is negotiated.
//!
//! The trusted authorities of a process are read when it starts, so a child process makes the calls.

use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Output};
use std::time::Duration;

use openapi_bindings_runtime::{
    Backoff, Client, ClientBuilder, ReqwestTransport, RetryPolicy, reqwest,
};
use rcgen::{
    CertificateParams, ExtendedKeyUsagePurpose, KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_ED25519,
    date_time_ymd,
};

use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, create, get};
use crate::support::client;
#[cfg(feature = "http2")]
use crate::support::http2;
use crate::support::server::{Seen, Server, json, listen};
use crate::support::tls::{Authority, tls};

/// The variable with the URL for the child process.
const URL: &str = "RUNTIME_TEST_URL";

/// Starts a server that supports only HTTP/1.1, and returns its URL and its authority.
fn serve() -> (Server, String, Authority) {
    let authority = Authority::new();
    let server = Server::over(tls(authority.server(&[b"http/1.1"])), |_, _| json(200, "{}"));
    let url = https(&server.url());
    (server, url, authority)
}

fn https(url: &str) -> String {
    url.replace("http://127.0.0.1", "https://localhost")
}

#[cfg(feature = "http2")]
#[tokio::test]
async fn http2_is_negotiated_and_reqwest_retries_nothing() {
    let authority = Authority::new();
    let config = authority.server(&[b"h2", b"http/1.1"]);
    let server = http2::Server::over(tls(config), |number| match number {
        0 => vec![http2::Act::Reset(http2::REFUSED_STREAM)],
        _ => http2::answer("{}"),
    });
    let output = call(&https(&server.url()), Some(&authority)).await;
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the GET took 2 attempts"), "{text}");
    assert_eq!(server.seen(), 3);
}

#[tokio::test]
async fn http1_is_used_if_the_server_offers_nothing_newer() {
    let (server, url, authority) = serve();
    let output = call(&url, Some(&authority)).await;
    assert!(output.status.success(), "{}", text(&output));
    let seen: Vec<_> = server.seen().iter().map(Seen::line).collect();
    assert_eq!(seen, ["GET /api/v1/pets/7", "POST /api/v1/pets"]);
}

#[tokio::test]
async fn untrusted_authorities_fail_without_retries() {
    let (server, url, _) = serve();
    let output = call(&url, None).await;
    let text = text(&output);
    assert!(!output.status.success());
    assert!(
        text.contains("failed: failed to connect: invalid peer certificate: UnknownIssuer"),
        "{text}"
    );
    assert!(text.contains("attempts: 1"), "{text}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn refused_certificates_are_explained_by_the_cause() {
    type Change = fn(&mut CertificateParams);
    let authority = Authority::new();
    let changes: [(Change, &str); 4] = [
        (|it| it.subject_alt_names.clear(), "check the host of the URL"),
        (|it| it.not_after = date_time_ymd(2001, 1, 1), "renew it"),
        (|it| it.not_before = date_time_ymd(2999, 1, 1), "renew it"),
        (
            |it| it.extended_key_usages.push(ExtendedKeyUsagePurpose::ClientAuth),
            "another certificate",
        ),
    ];
    for (change, why) in changes {
        let server = Server::over(tls(authority.server_with(change)), |_, _| json(200, "{}"));
        let trusting = client(https(&server.url())).add_root_certificate(authority.pem());
        let error = get(&trusting.build().unwrap(), "7").await.unwrap_err().to_string();
        assert!(error.contains("invalid peer certificate: ") && error.contains(why), "{error}");
        assert!(!error.contains("add_root_certificate"), "{error}");
    }
}

#[tokio::test]
async fn unread_files_of_trusted_authorities_are_named() {
    let (_server, url, _) = serve();
    let folder = tempfile::tempdir().unwrap();
    // The name is a hash of the subject, as in the folders of OpenSSL.
    let another = folder.path().join("0123abcd.0");
    for authority in [None, Some(Authority::new())] {
        let mut process = child(&url);
        process.env("SSL_CERT_FILE", folder.path().join("absent.pem"));
        process.env("SSL_CERT_DIR", folder.path());
        if let Some(authority) = &authority {
            fs::write(&another, authority.pem()).unwrap();
        }
        let output = tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap();
        let text = text(&output);
        assert_eq!(authority.is_some(), text.contains("no trusted authority"), "{text}");
        assert!(text.contains("`SSL_CERT_FILE` names "), "{text}");
        assert!(text.contains("absent.pem, which cannot be read: No such file"), "{text}");
    }
}

#[tokio::test]
async fn root_certificates_of_the_builder_are_trusted() {
    let (_server, url, authority) = serve();
    let builder = || client(&url);
    let trusting = builder().add_root_certificate(authority.pem()).build().unwrap();
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

/// The provider has no cipher suites, unlike that of the feature.
#[test]
fn a_provider_of_the_process_takes_precedence() {
    let test = "https::child_with_its_own_provider";
    let mut process = Command::new(std::env::current_exe().unwrap());
    let output = process.args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
#[ignore = "a child process"]
fn child_with_its_own_provider() {
    let mut provider = rustls::crypto::ring::default_provider();
    provider.cipher_suites.clear();
    provider.install_default().unwrap();
    let error = client("https://localhost").build().unwrap_err().to_string();
    assert!(error.contains("no usable cipher suites"), "{error}");
}

/// A program's own reqwest may have no TLS, and has rustls without a provider because of this crate.
#[test]
fn the_first_client_installs_a_provider_for_other_clients() {
    let test = "https::child_with_another_client";
    let mut process = Command::new(std::env::current_exe().unwrap());
    let output = process.args(["--exact", test, "--ignored", "--nocapture"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
#[ignore = "a child process"]
fn child_with_another_client() {
    client("http://localhost").build().unwrap();
    drop(::reqwest::Client::new());
}

#[tokio::test]
async fn client_certificates_of_all_key_formats_are_presented() {
    let authority = Authority::new();
    let server = Server::over(tls(authority.server_for_known_clients()), |_, _| json(200, "{}"));
    let builder = || {
        client(https(&server.url()))
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

/// Answers the first bytes of connections with these.
fn answers(reply: &'static [u8]) -> String {
    let address = listen(0, move |mut socket| {
        let _ = socket.read(&mut [0; 4096]);
        let _ = socket.write_all(reply);
        let _ = std::io::copy(&mut socket, &mut std::io::sink());
    });
    format!("https://{}", address.unwrap())
}

/// Returns a fatal alert (RFC 8446, section 6).
macro_rules! alert {
    ($description:literal) => {
        &[21, 3, 3, 0, 2, 2, $description]
    };
}

#[tokio::test]
async fn handshakes_that_would_fail_again_are_not_retried() {
    let certificate = "`identity`";
    for (reply, why) in [
        (&alert!(40)[..], certificate),
        (alert!(42), certificate),
        (alert!(43), certificate),
        (alert!(44), certificate),
        (alert!(45), certificate),
        (alert!(46), certificate),
        (alert!(48), certificate),
        (alert!(49), certificate),
        (alert!(51), certificate),
        (alert!(70), "no version of TLS"),
        (alert!(71), "no version of TLS"),
        (alert!(112), "no certificate for the host"),
        (alert!(116), "requires a client certificate"),
        (alert!(120), "no version of HTTP"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak TLS"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not speak TLS"),
    ] {
        let client = client(answers(reply)).build().unwrap();
        let error = create(&client).await.unwrap_err();
        assert!(error.is_connect() && !error.is_retryable(), "{error}");
        assert_eq!(error.attempts(), 1, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    // An internal error may pass.
    let never = RetryPolicy::never();
    let client = client(answers(alert!(80))).retry(never).build().unwrap();
    let error = create(&client).await.unwrap_err();
    assert!(error.is_connect() && error.is_retryable(), "{error}");
}

#[tokio::test]
async fn servers_that_require_a_client_certificate_get_no_request() {
    for protocols in [&[&b"http/1.1"[..]][..], &[b"h2"]] {
        let authority = Authority::new();
        let mut config = authority.server_for_known_clients();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        let open = tls(config);
        let address = listen(0, move |mut socket| {
            let mut connection = open(socket.try_clone().unwrap());
            assert!(connection.read(&mut [0]).is_err());
            // Closed at once, it would be reset, and the alert lost.
            let _ = std::io::copy(&mut socket, &mut std::io::sink());
        });
        let url = format!("https://localhost:{}", address.unwrap().port());
        let builder = || client(&url).add_root_certificate(authority.pem());
        let unknown = Authority::new().identity();
        for (client, why) in [
            (builder(), "requires a client certificate; set one with `identity`"),
            (builder().identity(unknown), "does not accept the client certificate"),
        ] {
            let error = create(&client.build().unwrap()).await.unwrap_err();
            assert!(error.is_connect() && !error.is_retryable(), "{error}");
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}

const RSA: &str = include_str!("support/keys/rsa.pkcs8.pem");
const P256: &str = include_str!("support/keys/p256.pkcs8.pem");

#[test]
fn unusable_client_certificates_fail_the_build() {
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
async fn a_client_of_the_re_exported_reqwest_is_a_transport() {
    let (_server, url, authority) = serve();
    let certificate = reqwest::Certificate::from_pem(authority.pem().as_bytes()).unwrap();
    // An error type that `anyhow` and `Box<dyn Error>` take.
    let builder: Result<_, openapi_bindings_runtime::Error> = reqwest::client_builder();
    let http = builder.unwrap().add_root_certificate(certificate);
    let transport = ReqwestTransport::without_redirects(http.build().unwrap());
    get(&client(url).transport(transport).build().unwrap(), "7").await.unwrap();
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// Returns the command that runs [`child_that_makes_calls`].
fn child(url: &str) -> Command {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args(["--exact", "https::child_that_makes_calls", "--ignored", "--nocapture"])
        .env(URL, url);
    process
}

/// Runs [`child_that_makes_calls`] with an additional trusted authority.
async fn call(url: &str, authority: Option<&Authority>) -> Output {
    let mut process = child(url);
    let file = tempfile::NamedTempFile::new().unwrap();
    if let Some(authority) = authority {
        fs::write(&file, authority.pem()).unwrap();
        process.env("SSL_CERT_FILE", file.path());
    }
    tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap()
}

#[tokio::test]
async fn credentials_over_http_on_this_machine_need_no_certificates() {
    let empty = tempfile::tempdir().unwrap();
    let file = empty.path().join("none.pem");
    fs::write(&file, "").unwrap();
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "https::child_that_builds_clients", "--ignored", "--nocapture"]);
    process.env("SSL_CERT_FILE", &file).env("SSL_CERT_DIR", empty.path());
    let output = tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
#[ignore = "a child process"]
fn child_that_builds_clients() {
    let build = |token_url: &str| {
        let builder = ClientBuilder::<Client>::new(&SERVICE, "http://localhost:8080");
        builder.client_credentials(token_url, "id", "secret").build()
    };
    build("/token").unwrap();
    build("http://127.0.0.1/token").unwrap();
    build("https://login.example/token").unwrap_err();
}

#[tokio::test]
#[ignore = "a child process"]
async fn child_that_makes_calls() {
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
