//! Logins with a browser on this machine.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;

use openapi_bindings_runtime::SystemClock;

use super::{fields, forms, issuer, provider};
use crate::support::client;
use crate::support::server::Server;

/// Returns the redirect URI and the state in the URL of a login.
fn redirect(url: &str) -> (String, String) {
    let sent = fields(url);
    let uri = sent["redirect_uri"].replace("%3A", ":").replace("%2F", "/");
    (uri, sent["state"].clone())
}

fn connect(redirect_uri: &str) -> TcpStream {
    let address = redirect_uri.strip_prefix("http://").unwrap().trim_end_matches('/');
    TcpStream::connect(address).unwrap()
}

/// Sends a request to a server on this machine as a browser does, and returns the answer.
pub fn browse(redirect_uri: &str, target: &str) -> String {
    let mut stream = connect(redirect_uri);
    let head = format!("GET {target} HTTP/1.1\r\nhost: {redirect_uri}\r\ncookie: other=");
    // Browsers send the cookies of other ports, as they were set.
    stream.write_all(&[head.as_bytes(), b"\xe9\r\n\r\n"].concat()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Logs in with a browser that does this with the redirect URI and the state, and returns what it returns.
async fn log_in<T: Send + 'static>(
    server: &Server,
    browse: impl FnOnce(&str, &str) -> T + Send + 'static,
) -> T {
    let client = client(server.url()).clock(SystemClock).build().unwrap();
    let browser = Arc::new(Mutex::new(None));
    let opened = Arc::clone(&browser);
    let login = client.login(provider(), "app");
    let session = login.loopback(move |url| {
        let (uri, state) = redirect(url);
        *opened.lock().unwrap() = Some(thread::spawn(move || browse(&uri, &state)));
    });
    session.await.unwrap();
    let thread = browser.lock().unwrap().take().unwrap();
    thread.join().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_redirected_to_this_machine() {
    let server = issuer();
    let answers = log_in(&server, |uri, state| {
        drop(connect(uri));
        [
            browse(uri, "/favicon.ico"),
            browse(uri, "/?code=evil&state=guessed"),
            browse(uri, &format!("/?code=c0de&state={state}")),
        ]
    });
    let [icon, evil, answer] = answers.await;
    assert!(icon.is_empty());
    assert!(evil.starts_with("HTTP/1.1 404"), "{evil}");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("logged in"), "{answer}");
    let sent = fields(&forms(&server).concat());
    assert_eq!(sent["code"], "c0de");
    assert!(sent["redirect_uri"].starts_with("http%3A%2F%2F127.0.0.1%3A"), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_without_a_request_delay_no_login() {
    let server = issuer();
    let answer = log_in(&server, |uri, state| {
        // One after another, they would take longer than the login may.
        let spare: Vec<TcpStream> = (0..200).map(|_| connect(uri)).collect();
        let mut slow = connect(uri);
        slow.write_all(b"GET /?code=").unwrap();
        let answer = browse(uri, &format!("/?code=c0de&state={state}"));
        drop(spare);
        answer
    });
    let answer = answer.await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
