//! Proxies of the builder and of the environment, for which child processes make the calls.

use std::io::{Read as _, Write as _};
use std::process::{Command, Output};

use openapi_bindings_runtime::{Client, ClientBuilder, Error, RetryPolicy, SecretString};

use crate::support::api::{SERVICE, create, get};
use crate::support::clock::TestClock;
use crate::support::server::{Act, Server, json, listen, response, unused_port};
use crate::support::{client, timed};

const URL: &str = "RUNTIME_TESTS_PROXIED_URL";

/// A host that does not resolve (RFC 6761, section 6.4), so that only a proxy can reach it.
const HOST: &str = "pets.invalid";

/// Responds for any host, and opens no tunnel.
fn proxy() -> Server {
    Server::new(|_, seen| match seen.method.as_str() {
        "CONNECT" => response(502, &[], ""),
        _ => json(200, "{}"),
    })
}

fn targets(server: &Server) -> Vec<String> {
    server.seen().into_iter().map(|seen| format!("{} {}", seen.method, seen.target)).collect()
}

#[tokio::test]
async fn all_requests_to_other_machines_go_through_the_proxy() {
    let proxy = proxy();
    let http = client(format!("http://{HOST}")).allow_http().proxy(proxy.url()).build().unwrap();
    get(&http, "7").await.unwrap();
    let https = client(format!("https://{HOST}")).retry(RetryPolicy::never());
    let error = get(&https.proxy(proxy.url()).build().unwrap(), "7").await.unwrap_err();
    assert!(error.is_connect(), "{error}");
    assert_eq!(
        targets(&proxy),
        [format!("GET http://{HOST}/api/v1/pets/7"), format!("CONNECT {HOST}:443")]
    );
    assert!(!proxy.seen()[1].headers.contains_key("authorization"), "only the tunnel has it");
}

#[tokio::test]
async fn requests_to_this_machine_bypass_the_proxy() {
    let proxy = proxy();
    let server = Server::json("{}");
    for url in [server.url(), server.url().replace("127.0.0.1", "localhost")] {
        get(&client(url).proxy(proxy.url()).build().unwrap(), "7").await.unwrap();
    }
    assert_eq!((server.seen().len(), proxy.seen().len()), (2, 0));
}

#[tokio::test]
async fn a_proxy_gets_the_password_of_its_url_and_no_error_shows_it() {
    let proxy = proxy();
    let url = proxy.url().replace("http://", "http://me:hunter2@");
    let client = client(format!("http://{HOST}")).allow_http().proxy(url).build().unwrap();
    get(&client, "7").await.unwrap();
    assert_eq!(proxy.only().headers["proxy-authorization"], "Basic bWU6aHVudGVyMg==");
    let refused = |url: &str| {
        let builder = ClientBuilder::<Client>::new(&SERVICE, "https://pets.example")
            .proxy(SecretString::from(url));
        assert!(!format!("{builder:?}").contains("hunter2"));
        shown(&builder.build().unwrap_err())
    };
    for url in ["socks5://me:hunter2@localhost", "http://me:hunter2@", "http://me:hunter2@h:99999"]
    {
        let shown = refused(url);
        assert!(shown.contains("the proxy is not an http or https URL"), "{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

fn shown(error: &Error) -> String {
    format!("{error} {error:?}")
}

#[test]
fn proxies_do_not_apply_to_your_own_transport() {
    let transport = openapi_bindings_runtime::ReqwestTransport::new(
        crate::support::tls::plain_client().build().unwrap(),
    );
    let error = client("https://pets.example").transport(transport).no_proxy().build();
    assert!(error.unwrap_err().to_string().contains("configure the transport"));
}

#[tokio::test]
async fn errors_of_a_proxy_name_it() {
    let rejecting = Server::new(|_, _| response(407, &[], ""));
    let refusing = Server::new(|_, _| response(403, &[], ""));
    let tunnel = Server::new(|_, _| response(200, &[], ""));
    let closing = Server::new(|_, _| Act::Close(Vec::new()));
    let dead = unused_port();
    for (proxy, url, attempts, why) in [
        (rejecting.url(), "https://pets.invalid", 1, "(HTTP 407), for `pets.invalid`"),
        (refusing.url(), "https://pets.invalid", 4, "refused to connect to `pets.invalid`"),
        (tunnel.url(), "https://[2001:db8::1]", 1, "the IPv6 address `[2001:db8::1]`"),
        (closing.url(), "https://pets.invalid", 4, "unexpected end of file"),
        (dead.clone(), "https://pets.invalid", 4, "refused"),
        (dead, "http://pets.invalid", 4, "refused"),
    ] {
        let clock = TestClock::new();
        let with_password = proxy.replace("http://", "http://me:hunter2@");
        let builder = timed(client(url), &clock).allow_http().proxy(with_password);
        let error = create(&builder.build().unwrap()).await.unwrap_err();
        assert!(error.is_connect(), "{error}");
        assert_eq!((error.attempts(), error.is_retryable()), (attempts, attempts > 1), "{error}");
        let name = format!("the proxy `{}`: ", proxy.trim_start_matches("http://"));
        let text = shown(&error);
        assert!(text.contains(&name) && text.contains(why), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
    assert_eq!((rejecting.seen().len(), refusing.seen().len()), (1, 4));
}

#[tokio::test]
async fn errors_of_a_server_behind_a_proxy_are_its_own() {
    let address = listen(0, |mut socket| {
        let _ = socket.read(&mut [0; 4096]);
        let _ = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        let _ = socket.read(&mut [0; 4096]);
        // A fatal alert: the server requires a certificate (RFC 8446, section 6).
        let _ = socket.write_all(&[21, 3, 3, 0, 2, 2, 116]);
        let _ = std::io::copy(&mut socket, &mut std::io::sink());
    });
    let proxy = format!("http://{}", address.unwrap());
    let client = client("https://pets.invalid").proxy(proxy).build().unwrap();
    let error = create(&client).await.unwrap_err();
    assert!(error.is_connect() && !error.is_retryable(), "{error}");
    assert!(error.to_string().contains("set one with `identity`"), "{error}");
}

#[tokio::test]
async fn proxies_of_the_environment_are_used() {
    let proxy = proxy();
    let http = format!("http://{HOST}");
    let https = format!("https://{HOST}");
    let through = format!("GET {http}/api/v1/pets/7");
    let tunnel = format!("CONNECT {HOST}:443");
    for (url, variables, seen) in [
        (&http, &["HTTP_PROXY"][..], Some(&through)),
        (&http, &["http_proxy"], Some(&through)),
        (&http, &["ALL_PROXY"], Some(&through)),
        (&http, &["HTTPS_PROXY"], None),
        (&http, &["HTTP_PROXY", "NO_PROXY"], None),
        (&http, &["HTTP_PROXY", "REQUEST_METHOD"], None),
        (&https, &["HTTPS_PROXY"], Some(&tunnel)),
        (&https, &["all_proxy"], Some(&tunnel)),
        (&https, &["HTTP_PROXY"], None),
        (&https, &["HTTPS_PROXY", "no_proxy"], None),
    ] {
        let before = proxy.seen().len();
        call(url, variables, &proxy.url()).await;
        let after = targets(&proxy).split_off(before);
        assert_eq!(after, seen.into_iter().cloned().collect::<Vec<_>>(), "{url} {variables:?}");
    }
}

#[tokio::test]
async fn loopback_requests_bypass_proxies_of_the_environment() {
    let proxy = proxy();
    let server = Server::json("{}");
    let output =
        call(&server.url(), &["HTTP_PROXY", "http_proxy", "ALL_PROXY"], &proxy.url()).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!((server.seen().len(), proxy.seen().len()), (1, 0));
}

#[tokio::test]
async fn a_proxy_variable_with_an_invalid_url_is_named() {
    let output = call("https://pets.invalid", &["HTTPS_PROXY"], "socks5://me:hunter2@h").await;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("`HTTPS_PROXY` is not an http or https URL"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

/// Runs [`child_that_makes_a_call`] with these variables alone, each with this value.
async fn call(url: &str, variables: &[&str], value: &str) -> Output {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process
        .args(["--exact", "proxies::child_that_makes_a_call", "--ignored", "--nocapture"])
        .env(URL, url);
    for variable in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        process.env_remove(variable).env_remove(variable.to_lowercase());
    }
    for variable in variables {
        let is_list = variable.eq_ignore_ascii_case("NO_PROXY");
        process.env(variable, if is_list { "other.invalid, pets.invalid" } else { value });
    }
    tokio::task::spawn_blocking(move || process.output().unwrap()).await.unwrap()
}

#[tokio::test]
#[ignore = "a child process"]
async fn child_that_makes_a_call() {
    let client = client(std::env::var(URL).unwrap()).allow_http().retry(RetryPolicy::never());
    get(&client.build().unwrap(), "7").await.unwrap();
}
