//! Logins of users, at a provider that checks what it receives.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use openapi_bindings_runtime::{
    Authorization, ErrorKind, ExposeSecret as _, FileStore, Login, LoginSession, MemoryStore,
    Provider, RetryPolicy, StoredTokens, SystemClock, TokenStore as _,
};
use tokio::task::JoinSet;

use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Act, Seen, Server, json};
use crate::support::{client, timed};

mod faults;
mod processes;

const REDIRECT: &str = "https://app.example/callback";

fn provider() -> Provider {
    Provider::new()
        .authorization_url("https://login.example/authorize?prompt=consent")
        .token_url("/token")
        .device_url("/device")
}

/// Begins a login whose requests go to a server.
fn login(server: &Server, clock: &TestClock) -> Login {
    timed(client(server.url()), clock).build().unwrap().login(provider(), "app")
}

/// Returns the fields of a query or a form.
fn fields(text: &str) -> BTreeMap<String, String> {
    let query = text.split_once('?').map_or(text, |(_, query)| query);
    let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Answers requests for tokens with `t1`, `t2` and so on, valid for an hour, and calls with `{}`.
fn issuer() -> Server {
    let issued = Mutex::new(0);
    Server::new(move |_, seen| {
        if seen.target != "/token" {
            return json(200, "{}");
        }
        let mut issued = issued.lock().unwrap();
        *issued += 1;
        token(*issued)
    })
}

fn token(number: usize) -> Act {
    let token =
        format!(r#"{{"access_token":"t{number}","refresh_token":"r{number}","expires_in":3600}}"#);
    json(200, &token)
}

fn redirect_of(authorization: &Authorization) -> String {
    format!("{REDIRECT}?code=c0de&state={}", authorization.state().expose_secret())
}

async fn logged_in(login: &Login) -> LoginSession {
    let authorization = login.authorize_url(REDIRECT).unwrap();
    let redirect = redirect_of(&authorization);
    login.exchange(authorization, redirect).await.unwrap()
}

/// Makes a call with a session, and returns the token that it carried.
async fn call(server: &Server, session: &LoginSession, clock: &TestClock) -> String {
    let client = client(server.url()).token_source(session.clone());
    let client = timed(client, clock).build().unwrap();
    get(&client, "7").await.unwrap();
    server.seen().last().unwrap().headers["authorization"].clone()
}

fn forms(server: &Server) -> Vec<String> {
    let tokens = server.seen().into_iter().filter(|seen| seen.target == "/token");
    tokens.map(|seen| seen.body).collect()
}

#[tokio::test]
async fn a_code_is_exchanged_with_its_verifier() {
    let server = issuer();
    let clock = TestClock::new();
    let login = login(&server, &clock).scope("read write").client_secret("s3cr3t");
    let authorization = login.authorize_url(REDIRECT).unwrap();
    assert!(authorization.url().starts_with("https://login.example/authorize?prompt=consent&"));
    let sent = fields(authorization.url());
    let expected = [
        ("client_id", "app"),
        ("code_challenge_method", "S256"),
        ("redirect_uri", "https%3A%2F%2Fapp.example%2Fcallback"),
        ("response_type", "code"),
        ("scope", "read%20write"),
        ("state", authorization.state().expose_secret()),
    ];
    for (name, value) in expected {
        assert_eq!(sent[name], value, "{name}");
    }
    assert_eq!(sent["code_challenge"].len(), 43);
    let verifier = authorization.verifier().expose_secret().to_owned();
    assert!(!authorization.url().contains(&verifier));
    let redirect = redirect_of(&authorization);
    let session = login.exchange(authorization, &redirect).await.unwrap();
    assert_eq!(
        forms(&server),
        [format!(
            "grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback\
             &code_verifier={verifier}&client_id=app&client_secret=s3cr3t"
        )]
    );
    assert_eq!(call(&server, &session, &clock).await, "Bearer t1");
    assert_eq!(forms(&server).len(), 1, "the token of the code is used");
}

#[tokio::test]
async fn redirects_of_other_logins_send_nothing() {
    let server = issuer();
    let login = login(&server, &TestClock::new());
    for (query, why) in [
        ("code=c0de", "its `state` differs"),
        ("code=c0de&state=wrong", "its `state` differs"),
        ("code=c0de&state=STATE&state=STATE", "its `state` differs"),
        ("state=STATE", "has no `code`"),
        ("code=&state=STATE", "has no `code`"),
        ("error=access_denied&error_description=Not+you&state=STATE", "access_denied (Not you)"),
    ] {
        let authorization = login.authorize_url(REDIRECT).unwrap();
        let query = query.replace("STATE", authorization.state().expose_secret());
        let error = login.exchange(authorization, query).await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn another_instance_completes_a_login() {
    let server = issuer();
    let login = login(&server, &TestClock::new());
    let begun = login.authorize_url(REDIRECT).unwrap();
    let resumed = Authorization::new(begun.state().clone(), begun.verifier().clone(), REDIRECT);
    login.exchange(resumed, redirect_of(&begun)).await.unwrap();
}

#[tokio::test]
async fn a_refused_code_shows_no_secret() {
    let server = Server::new(|_, seen| {
        let error = serde_json::json!({ "error": "invalid_grant", "error_description": seen.body });
        json(400, &error.to_string())
    });
    let login = login(&server, &TestClock::new()).client_secret("s3cr3t");
    let authorization = login.authorize_url(REDIRECT).unwrap();
    let verifier = authorization.verifier().expose_secret().to_owned();
    let state = authorization.state().expose_secret().to_owned();
    let shown = format!("{login:?} {authorization:?}");
    let redirect = redirect_of(&authorization);
    let error = login.exchange(authorization, redirect).await.unwrap_err();
    assert_eq!(error.code(), Some("invalid_grant"));
    let text = format!("{shown} {error} {error:?}");
    for secret in [verifier.as_str(), &state, "c0de", "s3cr3t"] {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}

#[tokio::test]
async fn sessions_refresh_once_for_all_clients() {
    let server = issuer();
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    clock.pass(Duration::from_secs(3600));
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let server = server.clone();
        let session = session.clone();
        let clock = clock.clone();
        calls.spawn(async move { call(&server, &session, &clock).await });
    }
    calls.join_all().await;
    let forms = forms(&server);
    assert_eq!(forms.len(), 2, "{forms:?}");
    assert_eq!(forms[1], "grant_type=refresh_token&refresh_token=r1&client_id=app");
    clock.pass(Duration::from_secs(3600));
    assert_eq!(call(&server, &session, &clock).await, "Bearer t3");
}

#[tokio::test]
async fn a_refresh_token_remains_without_a_new_one() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" if seen.body.contains("refresh_token=r1") => {
            json(200, r#"{"access_token":"t2","expires_in":3600}"#)
        }
        "/token" => token(1),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    for _ in 0..2 {
        clock.pass(Duration::from_secs(3600));
        assert_eq!(call(&server, &session, &clock).await, "Bearer t2");
    }
    assert_eq!(forms(&server).len(), 3);
}

#[tokio::test]
async fn a_rejected_token_is_refreshed() {
    let server = Server::new(|_, seen| match seen.headers.get("authorization") {
        None => token(if seen.body.contains("refresh_token=r1") { 2 } else { 1 }),
        Some(header) if header == "Bearer t1" => json(401, "{}"),
        Some(_) => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    assert_eq!(call(&server, &session, &clock).await, "Bearer t2");
}

#[tokio::test]
async fn a_session_without_refresh_token_ends() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" => json(200, r#"{"access_token":"t","expires_in":61}"#),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let session = logged_in(&login(&server, &clock)).await;
    call(&server, &session, &clock).await;
    clock.pass(Duration::from_secs(61));
    let client = client(server.url()).token_source(session);
    let client = timed(client, &clock).retry(RetryPolicy::never()).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(error.to_string().contains("log in again"), "{error}");
}

/// Issues a token that expires at once, and then others.
fn short_lived() -> Server {
    Server::new(|number, seen| match (number, seen.target.as_str()) {
        (0, "/token") => json(200, r#"{"access_token":"t1","refresh_token":"r1","expires_in":1}"#),
        (_, "/token") => token(2),
        _ => json(200, "{}"),
    })
}

#[tokio::test]
async fn a_dropped_call_does_not_lose_the_new_refresh_token() {
    let server = short_lived();
    let login = client(server.url())
        .build()
        .unwrap()
        .login(provider(), "app")
        .store(MemoryStore::default());
    let session = logged_in(&login).await;
    let client = client(server.url()).token_source(session).build().unwrap();
    // Polled once: the refresh has begun, and no call waits for it any more.
    let begun = tokio::time::timeout(Duration::ZERO, get(&client, "7").send()).await;
    assert!(begun.is_err());
    drop(client);
    let resumed = login.resume().await.unwrap().unwrap();
    assert_eq!(call(&server, &resumed, &TestClock::new()).await, "Bearer t2");
    assert_eq!(forms(&server).len(), 2);
}

#[tokio::test]
async fn a_file_keeps_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let server = short_lived();
    let login =
        client(server.url()).build().unwrap().login(provider(), "app").store(FileStore::new(&path));
    assert!(login.resume().await.unwrap().is_none());
    logged_in(&login).await;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for name in ["tokens", "tokens.lock"] {
            let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
    let mut calls = JoinSet::new();
    for _ in 0..5 {
        // Each opens the file like a process of its own.
        let login = login.clone().store(FileStore::new(&path));
        let client = client(server.url());
        calls.spawn(async move {
            let session = login.resume().await.unwrap().unwrap();
            get(&client.token_source(session).build().unwrap(), "7").await.unwrap();
        });
    }
    calls.join_all().await;
    let seen = server.seen();
    let tokens = seen.iter().filter_map(|seen| seen.headers.get("authorization"));
    assert_eq!(tokens.filter(|token| *token == "Bearer t2").count(), 5);
    assert_eq!(forms(&server).len(), 2);
    std::fs::write(&path, "{\"access_token\":").unwrap();
    let error = login.resume().await.unwrap_err().to_string();
    assert!(error.contains("not a JSON object"), "{error}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let error = login.resume().await.unwrap_err().to_string();
        assert!(error.contains("other users can read"), "{error}");
    }
}

#[test]
fn a_file_has_the_old_tokens_or_the_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let store = FileStore::new(&path);
    let tokens = |number: usize| {
        StoredTokens::from_json(&format!(r#"{{"access_token":"t{number}"}}"#)).unwrap()
    };
    let mut locked = store.try_lock().unwrap().unwrap();
    locked.save(&tokens(0)).unwrap();
    let is_saved = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            // Backups read it without the lock.
            while !is_saved.load(Ordering::Relaxed) {
                let text = std::fs::read_to_string(&path).unwrap();
                StoredTokens::from_json(&text).unwrap();
            }
        });
        let saved = (1..100).try_for_each(|number| locked.save(&tokens(number)));
        is_saved.store(true, Ordering::Relaxed);
        saved.unwrap();
        reader.join().unwrap();
    });
}

const DEVICE: &str = r#"{"device_code":"d3vice","user_code":"WDJB-MJHT",
    "verification_uri":"https://login.example/device","expires_in":1800,"interval":5}"#;

fn error(code: &str) -> Act {
    json(400, &format!(r#"{{"error":"{code}"}}"#))
}

#[tokio::test]
async fn a_device_login_waits_and_slows_down() {
    let server = Server::new(|number, seen| match (seen.target.as_str(), number) {
        ("/device", _) => json(200, DEVICE),
        (_, 1 | 4) => error("authorization_pending"),
        (_, 2) => error("slow_down"),
        (_, 3) => json(503, "busy"),
        ("/token", _) => token(1),
        _ => json(200, "{}"),
    });
    let clock = TestClock::new();
    let device = login(&server, &clock).scope("read").device().await.unwrap();
    assert_eq!(server.seen()[0].body, "client_id=app&scope=read");
    assert_eq!(device.user_code(), "WDJB-MJHT");
    assert_eq!(device.verification_uri(), "https://login.example/device");
    assert!(!format!("{device:?}").contains("d3vice"));
    let session = device.wait().await.unwrap();
    let pauses: Vec<u64> = clock.pauses().iter().map(Duration::as_secs).collect();
    assert_eq!(pauses, [5, 5, 10, 20, 20]);
    let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code\
                &device_code=d3vice&client_id=app";
    assert!(forms(&server).iter().all(|sent| sent == form));
    assert_eq!(call(&server, &session, &clock).await, "Bearer t1");
}

#[tokio::test]
async fn a_device_login_ends_if_it_is_refused_or_expires() {
    for (code, why, requests) in [
        ("access_denied", "access_denied", 2),
        ("expired_token", "expired_token", 2),
        ("authorization_pending", "before the code expired", 12),
    ] {
        let server = Server::new(move |_, seen| match seen.target.as_str() {
            "/device" => json(200, &DEVICE.replace("1800", "60")),
            _ => error(code),
        });
        let device = login(&server, &TestClock::new()).device().await.unwrap();
        let error = device.wait().await.unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(server.seen().len(), requests, "{code}");
    }
}

/// Sends a request to a server on this machine as a browser does, and returns the answer.
pub fn browse(redirect_uri: &str, target: &str) -> String {
    let address = redirect_uri.strip_prefix("http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(format!("GET {target} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_redirected_to_this_machine() {
    let server = issuer();
    let client = client(server.url()).clock(SystemClock).build().unwrap();
    let login = client.login(provider(), "app");
    let browser = Arc::new(Mutex::new(None));
    let opened = Arc::clone(&browser);
    let session = login.loopback(move |url| {
        let sent = fields(url);
        let uri = sent["redirect_uri"].replace("%3A", ":").replace("%2F", "/");
        let state = sent["state"].clone();
        let thread = thread::spawn(move || {
            drop(TcpStream::connect(uri.strip_prefix("http://").unwrap().trim_end_matches('/')));
            [
                browse(&uri, "/favicon.ico"),
                browse(&uri, "/?code=evil&state=guessed"),
                browse(&uri, &format!("/?code=c0de&state={state}")),
            ]
        });
        *opened.lock().unwrap() = Some(thread);
    });
    session.await.unwrap();
    let thread = browser.lock().unwrap().take().unwrap();
    let [icon, evil, answer] = thread.join().unwrap();
    assert!(icon.is_empty());
    assert!(evil.starts_with("HTTP/1.1 404"), "{evil}");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("logged in"), "{answer}");
    let sent = fields(&forms(&server).concat());
    assert_eq!(sent["code"], "c0de");
    assert!(sent["redirect_uri"].starts_with("http%3A%2F%2F127.0.0.1%3A"), "{sent:?}");
}

/// Serves the metadata of a provider, with `ISSUER` in place of its URL.
fn discovered(metadata: &'static str) -> Server {
    let url = Arc::new(Mutex::new(String::new()));
    let issuer = Arc::clone(&url);
    let server = Server::new(move |_, seen: &Seen| match seen.target.as_str() {
        "/.well-known/openid-configuration" => {
            json(200, &metadata.replace("ISSUER", &issuer.lock().unwrap()))
        }
        "/token" => token(1),
        _ => json(404, "{}"),
    });
    *url.lock().unwrap() = server.url();
    server
}

#[tokio::test]
async fn metadata_names_the_urls() {
    let server = discovered(
        r#"{"issuer":"ISSUER","authorization_endpoint":"ISSUER/auth","token_endpoint":"ISSUER/token",
            "authorization_response_iss_parameter_supported":true}"#,
    );
    for url in ["", "/", "/.well-known/openid-configuration"] {
        let provider = Provider::new().discovery_url(server.url() + url);
        let login = client("https://pets.example").build().unwrap().login(provider, "app");
        let error = login.authorize_url(REDIRECT).unwrap_err().to_string();
        assert!(error.contains("call `discover` first"), "{error}");
        let login = login.discover().await.unwrap();
        let authorization = login.authorize_url(REDIRECT).unwrap();
        assert!(authorization.url().starts_with(&(server.url() + "/auth?")));
        let redirect = redirect_of(&authorization);
        let error = login.exchange(authorization, &redirect).await.unwrap_err().to_string();
        assert!(error.contains("`iss` differs"), "{error}");
        let authorization = login.authorize_url(REDIRECT).unwrap();
        let redirect = redirect_of(&authorization) + "&iss=" + &server.url();
        login.exchange(authorization, &redirect).await.unwrap();
    }
}

#[tokio::test]
async fn metadata_of_another_issuer_is_refused() {
    for (metadata, why) in [
        (r#"{"issuer":"https://evil.example","token_endpoint":"ISSUER/token"}"#, "another issuer"),
        (r#"{"token_endpoint":"ISSUER/token"}"#, "another issuer"),
        (r#"{"issuer":"ISSUER","token_endpoint":"http://evil.example/token"}"#, "unencrypted"),
        ("[]", "not a JSON object"),
    ] {
        let server = discovered(metadata);
        let provider = Provider::new().discovery_url(server.url());
        let login = client("https://pets.example").build().unwrap().login(provider, "app");
        let error = login.discover().await.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
