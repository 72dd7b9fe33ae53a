//! The credentials that an operation needs are sent whole, and nothing else is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{Alternatives, Parameter, Place, Scheme, Service, call};
use openapi_bindings_runtime::{
    BoxFuture, Client, ClientBuilder, ClientCredentials, ErrorKind, RefreshToken, RetryPolicy,
    Secret, Token, TokenContext, TokenError, TokenSource,
};

use tracing_core::{Dispatch, dispatcher};

use crate::secrets::Recorder;
use crate::support::api::{GetPet, get, get_with, request_of};
use crate::support::server::{Seen, Server, json, response};
use crate::support::{Before, FirstScheme as _};

const BASIC: usize = 0;
const BEARER: usize = 1;
const HEADER: usize = 2;
const QUERY: usize = 3;
const COOKIE: usize = 4;
const DIGEST: usize = 5;
const CERTIFICATE: usize = 6;

const fn scheme(method: &'static str, place: Place) -> Scheme {
    Scheme { method, variable: "", place, client_credentials: None, scope: "" }
}

static SERVICE: Service = Service {
    package: "pets",
    version: "1.2.3",
    env_prefix: "PETS",
    request_id: None,
    schemes: &[
        scheme("basic", Place::Basic),
        scheme("bearer_token", Place::Bearer),
        scheme("api_key", Place::Header("x-api-key")),
        scheme("query_key", Place::Query("api key")),
        scheme("session", Place::Cookie("session")),
        scheme("digest", Place::Http("Digest")),
        scheme("certificate", Place::Certificate),
    ],
    security: &[&[BEARER]],
    servers: &[],
};

const SECRETS: [(usize, &str); 6] = [
    (BASIC, "me:passw0rd"),
    (BEARER, "t0ken"),
    (HEADER, "header-k3y"),
    (QUERY, "query&k3y"),
    (COOKIE, "cookie-k3y"),
    (DIGEST, "d1gest"),
];

fn builder(url: impl Into<String>, given: &[usize]) -> ClientBuilder<Client> {
    let builder = ClientBuilder::new(&SERVICE, url).retry(RetryPolicy::never());
    SECRETS.iter().filter(|(scheme, _)| given.contains(scheme)).fold(
        builder,
        |builder, (scheme, secret)| {
            // A secret of a reply can be a credential.
            builder.credential(*scheme, Secret::<String>::from(*secret))
        },
    )
}

/// Returns the credentials of a request: all headers that the client adds for them, and the query.
fn credentials(seen: &Seen) -> BTreeMap<String, String> {
    let headers = seen
        .headers
        .iter()
        .filter(|(name, _)| ["authorization", "cookie", "x-api-key"].contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.clone(), value.clone()));
    let query = seen.target.split_once('?').map(|(_, query)| ("?".to_owned(), query.to_owned()));
    headers.chain(query).collect()
}

/// Returns why a builder refuses credentials.
fn refusal(scheme: usize, secret: &str) -> String {
    let builder = builder("http://localhost", &[]).credential(scheme, secret);
    builder.build().unwrap_err().to_string()
}

#[test]
fn blank_padded_and_repeated_credentials_are_refused() {
    for scheme in BEARER..CERTIFICATE {
        for blank in ["", " ", "\n"] {
            assert!(refusal(scheme, blank).ends_with(" is empty"), "{scheme}");
        }
        for padded in [" hunter2", "hunter2 ", "hunter2\n"] {
            let error = refusal(scheme, padded);
            assert!(error.ends_with(" begins or ends with white space; trim it"), "{error}");
        }
    }
    assert!(refusal(BASIC, ":").ends_with(" is empty"));
    assert!(refusal(BASIC, "me:hunter2\n").contains("a control character, such as a line break"));
    for (scheme, repeated) in [(BEARER, "bearer hunter2"), (DIGEST, "Digest hunter2")] {
        let error = refusal(scheme, repeated);
        assert!(error.ends_with(", which the client adds; remove it"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn private_keys_are_refused_wherever_credentials_are_sent() {
    let jwk = r#"{"kty":"OKP","crv":"Ed25519","d":"aHVudGVyMg"}"#;
    let token = "secret-token:example:v1:eyJrdHkiOiJPS1AiLCJkIjoiaHVudGVyMiJ9";
    let pem = "-----BEGIN PRIVATE KEY-----\naHVudGVyMg==\n-----END PRIVATE KEY-----";
    for scheme in BEARER..CERTIFICATE {
        for key in [jwk, token, pem] {
            let key = if scheme == BASIC { format!("me:{key}") } else { key.to_owned() };
            let error = refusal(scheme, &key);
            assert!(error.contains("a private key, which is never sent"), "{scheme}: {error}");
            assert!(!error.contains("hunter2") && !error.contains("aHVudGVyMg"), "{error}");
        }
    }
    let header = |key| builder("https://pets.test", &[]).default_header("x-proof", key).build();
    for key in [jwk, token] {
        let error = header(key).unwrap_err().to_string();
        assert!(error.ends_with("the header `x-proof` has a private key, which is never sent"));
    }
    header(r#"{"kty":"OKP","crv":"Ed25519","x":"aHVudGVyMg"}"#).unwrap();
}

#[tokio::test]
async fn private_keys_are_refused_in_headers_of_calls_and_in_fields_for_tokens() {
    let key = r#"{"kty":"oct","k":"aHVudGVyMg"}"#;
    let server = Server::json("{}");
    let client = builder(server.url(), &[BEARER]).build().unwrap();
    let error = get(&client, "1").with_header("x-proof", key).await.unwrap_err().to_string();
    assert!(error.contains("the header `x-proof` has a private key"), "{error}");
    let source = ClientCredentials::new("/token", "me", "hunter2").form_field("proof", key);
    let client = crate::support::client(server.url()).token_source(source).build().unwrap();
    let error = get(&client, "1").await.unwrap_err().to_string();
    assert!(error.contains("the field `proof` has a private key"), "{error}");
    assert!(!error.contains("aHVudGVyMg") && server.seen().is_empty(), "{error}");
    let source = RefreshToken::new("/token", "me", key);
    let client = crate::support::client(server.url()).token_source(source).build().unwrap();
    let error = get(&client, "1").await.unwrap_err().to_string();
    assert!(error.contains("the form has a private key, which is never sent"), "{error}");
    assert!(!error.contains("aHVudGVyMg") && server.seen().is_empty(), "{error}");
}

const BASIC_SENT: (&str, &str) = ("authorization", "Basic bWU6cGFzc3cwcmQ=");
const BEARER_SENT: (&str, &str) = ("authorization", "Bearer t0ken");
const HEADER_SENT: (&str, &str) = ("x-api-key", "header-k3y");
const QUERY_SENT: (&str, &str) = ("?", "api%20key=query%26k3y");
const COOKIE_SENT: (&str, &str) = ("cookie", "session=cookie-k3y");
const DIGEST_SENT: (&str, &str) = ("authorization", "Digest d1gest");

#[tokio::test]
async fn a_default_cookie_that_the_call_replaces_leaves_the_credentials() {
    let server = Server::json("{}");
    let builder = builder(server.url(), &[COOKIE]).default_header("cookie", "session=default");
    let client = builder.build().unwrap();
    get_with(&client, &[&[COOKIE]]).await.unwrap();
    get_with(&client, &[&[COOKIE]]).with_header("cookie", "lang=de").await.unwrap();
    let sent: Vec<_> = server.seen().iter().map(|seen| seen.headers["cookie"].clone()).collect();
    assert_eq!(sent, ["session=default", "lang=de; session=cookie-k3y"]);
}

#[tokio::test]
async fn the_most_specific_satisfied_set_is_sent() {
    const ALL: &[usize] = &[BASIC, BEARER, HEADER, QUERY, COOKIE, DIGEST];
    type Row = (&'static [usize], Alternatives, &'static [(&'static str, &'static str)]);
    let table: &[Row] = &[
        (ALL, &[], &[]),
        (ALL, &[&[]], &[]),
        (ALL, &[&[BASIC]], &[BASIC_SENT]),
        (ALL, &[&[BEARER]], &[BEARER_SENT]),
        (ALL, &[&[HEADER]], &[HEADER_SENT]),
        (ALL, &[&[QUERY]], &[QUERY_SENT]),
        (ALL, &[&[COOKIE]], &[COOKIE_SENT]),
        (ALL, &[&[DIGEST]], &[DIGEST_SENT]),
        (ALL, &[&[], &[HEADER]], &[HEADER_SENT]),
        (ALL, &[&[HEADER], &[HEADER, COOKIE]], &[HEADER_SENT, COOKIE_SENT]),
        (ALL, &[&[BEARER], &[BASIC]], &[BEARER_SENT]),
        (
            ALL,
            &[&[BASIC, HEADER, QUERY, COOKIE]],
            &[BASIC_SENT, HEADER_SENT, QUERY_SENT, COOKIE_SENT],
        ),
        (&[BASIC], &[&[BEARER], &[BASIC]], &[BASIC_SENT]),
        (&[HEADER], &[&[HEADER, COOKIE], &[HEADER]], &[HEADER_SENT]),
        (&[], &[&[BEARER], &[]], &[]),
    ];
    let server = Server::json("{}");
    for (given, security, expected) in table {
        let client = builder(server.url(), given).build().unwrap();
        get_with(&client, security).await.unwrap();
        let seen = server.take().pop().unwrap();
        let expected = expected
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .zip(expected.iter().map(|(_, value)| (*value).to_owned()));
        assert_eq!(credentials(&seen), expected.collect(), "{given:?} for {security:?}");
    }
}

#[tokio::test]
async fn without_credentials_nothing_is_sent() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[HEADER]).build().unwrap();
    let error = get_with(&client, &[&[BASIC, HEADER], &[BEARER]]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Auth);
    assert!(!error.is_retryable());
    let text = error.to_string();
    assert!(text.contains("call `basic` and `api_key`, or `bearer_token` of"), "{text}");
    assert!(text.contains("has `api_key`"), "{text}");
    assert!(server.seen().is_empty());
    let client = builder(server.url(), &[]).allow_anonymous().build().unwrap();
    get_with(&client, &[&[BEARER]]).await.unwrap();
    assert!(credentials(&server.seen()[0]).is_empty());
}

#[tokio::test]
async fn credentials_of_the_call_replace_those_of_the_client() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[HEADER, COOKIE]).build().unwrap();
    let request = get_with(&client, &[&[BEARER, HEADER, QUERY, COOKIE]])
        .with_header("authorization", "Bearer own")
        .with_header("x-api-key", "own")
        .with_header("cookie", "theme=dark")
        .with_query("api key", "own");
    request.await.unwrap();
    let expected = [
        ("authorization", "Bearer own"),
        ("x-api-key", "own"),
        ("cookie", "theme=dark; session=cookie-k3y"),
        ("?", "api%20key=own"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(credentials(&server.seen()[0]), BTreeMap::from(expected));
}

#[tokio::test]
async fn cookies_of_parameters_and_credentials_are_in_one_header() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[COOKIE]).build().unwrap();
    let with = |name, value: &str| {
        let call = call::<GetPet>(&client).path("id", "7").security(&[&[COOKIE]]);
        let call =
            call.text(Parameter::cookie(name), value).list(Parameter::cookie("size"), [1, 2]);
        request_of::<GetPet>(call, None)
    };
    with("theme", "dark blue").await.unwrap();
    with("theme", "light").with_header("cookie", "own=1").await.unwrap();
    with("session", "own").await.unwrap();
    let cookies: Vec<_> =
        server.seen().into_iter().map(|seen| seen.headers["cookie"].clone()).collect();
    let expected = [
        "theme=dark%20blue; size=1; size=2; session=cookie-k3y",
        "own=1; theme=light; size=1; size=2; session=cookie-k3y",
        "session=own; size=1; size=2",
    ];
    assert_eq!(cookies, expected);
}

#[tokio::test]
async fn a_default_header_replaces_credentials() {
    let server = Server::json("{}");
    let given = builder(server.url(), &[BEARER, COOKIE]);
    let given = given.default_header("authorization", "own").default_header("cookie", "session=o");
    get_with(&given.build().unwrap(), &[&[BEARER, COOKIE]]).await.unwrap();
    let headers = &server.only().headers;
    assert_eq!((&*headers["authorization"], &*headers["cookie"]), ("own", "session=o"));
}

#[tokio::test]
async fn values_of_headers_with_credentials_are_sensitive() {
    let server = Server::json("{}");
    let shown = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&shown);
    let logs = Before(move |request| {
        *log.lock().unwrap() = format!("{:?}", request.headers());
        Ok(())
    });
    let names = ["authorization", "cookie", "proxy-authorization", "x-api-key"];
    let defaults = builder(server.url(), &[]).allow_anonymous().interceptor(logs);
    let defaults = names.iter().fold(defaults, |it, name| it.default_header(name, "a=default-k3y"));
    let client = defaults.default_header("x-team", "blue").build().unwrap();
    let plain = || get_with(&client, &[&[BEARER]]);
    let own = names.iter().fold(plain(), |call, name| call.with_header(name, "a=call-k3y"));
    let pin = Parameter::header("x-pin").secret();
    let pin =
        request_of::<GetPet>(call::<GetPet>(&client).path("id", "7").text(pin, "p1n-k3y"), None);
    for call in [plain(), own, pin] {
        call.await.unwrap();
        let shown = shown.lock().unwrap().clone();
        assert!(shown.contains(r#""x-team": "blue""#) && !shown.contains("k3y"), "{shown}");
    }
}

#[tokio::test]
async fn default_headers_count_as_credentials() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[]).default_header("x-api-key", "own").build().unwrap();
    get_with(&client, &[&[HEADER]]).await.unwrap();
    assert_eq!(server.seen()[0].headers["x-api-key"], "own");
}

#[tokio::test]
async fn keys_of_the_query_follow_redirects_within_the_origin_only() {
    let server = Server::new(|number, _| match number {
        0 => response(302, &[("location", "/moved?page=2")], ""),
        1 => response(302, &[("location", "/again?api%20key=query%26k3y")], ""),
        2 => response(302, &[("location", "http://127.0.0.2:9/elsewhere")], ""),
        _ => json(200, "{}"),
    });
    let client = builder(server.url(), &[QUERY, HEADER]).build().unwrap();
    let error = get_with(&client, &[&[QUERY, HEADER]]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Redirect);
    let targets: Vec<_> = server.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(
        targets[1..],
        ["/moved?page=2&api%20key=query%26k3y", "/again?api%20key=query%26k3y"]
    );
}

#[tokio::test]
async fn errors_and_debug_show_no_credentials() {
    let sets: [Alternatives; 6] =
        [&[&[BASIC]], &[&[BEARER]], &[&[HEADER]], &[&[QUERY]], &[&[COOKIE]], &[&[DIGEST]]];
    let server = Server::new(|_, seen| {
        let mut repeated = seen.target.replace("%26", "&") + &seen.target;
        repeated.extend(seen.headers.values().map(String::as_str));
        if repeated.contains("Basic") {
            repeated += "the password of me is passw0rd";
        }
        response(400, &[], &serde_json::json!({ "message": repeated }).to_string())
    });
    for security in sets {
        let builder = builder(server.url(), security[0]);
        let of_builder = format!("{builder:?}");
        let client = builder.build().unwrap();
        let call = get_with(&client, security);
        let of_call = format!("{client:?} {call:?}");
        let error = call.await.unwrap_err();
        let text = format!("{of_builder} {of_call} {error} {error:?} {error:#?}");
        assert!(text.contains("[redacted]"), "{text}");
        for secret in ["passw0rd", "bWU6cGFzc3cwcmQ=", "t0ken", "k3y", "d1gest"] {
            assert!(!text.contains(secret), "{secret} shows in: {text}");
        }
    }
    let refused = builder("http://pets.example", &[QUERY]).build().unwrap_err().to_string();
    assert!(refused.contains("unencrypted"), "{refused}");
    assert!(!refused.contains("k3y"), "{refused}");
}

#[tokio::test]
async fn credentials_that_a_call_sets_itself_are_redacted() {
    let server = Server::new(|_, seen| {
        let cookies = seen.headers.get("cookie").cloned().unwrap_or_default();
        let repeated = format!("{} {cookies}", seen.target);
        response(403, &[], &serde_json::json!({ "message": repeated }).to_string())
    });
    let client = builder(server.url(), &[]).build().unwrap();
    for call in [
        get_with(&client, &[&[QUERY]]).with_query("api key", "own/k3y"),
        get_with(&client, &[&[COOKIE]]).with_header("cookie", "theme=dark; session=own/k3y"),
    ] {
        let error = call.await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains("[redacted]"), "{text}");
        assert!(!text.contains("k3y"), "{text}");
    }
}

#[tokio::test]
async fn spans_show_no_credentials_of_any_kind() {
    const SETS: [Alternatives; 3] =
        [&[&[BASIC, HEADER, QUERY, COOKIE]], &[&[BEARER]], &[&[DIGEST]]];

    let server = Server::json("{}");
    let recorded = Recorder::default();
    let text = recorded.text();
    let guard = dispatcher::set_default(&Dispatch::new(recorded));
    let all = [BASIC, BEARER, HEADER, QUERY, COOKIE, DIGEST];
    let client = builder(server.url(), &all).build().unwrap();
    for security in SETS {
        get_with(&client, security).await.unwrap();
    }
    drop(guard);
    let text = text.lock().unwrap().clone();
    assert!(text.contains("http.response.status_code=200"), "{text}");
    for secret in ["passw0rd", "bWU6cGFzc3cwcmQ=", "t0ken", "k3y", "d1gest", "api key", "api%20key"]
    {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}

/// A source of keys, numbered.
struct Keys(AtomicUsize);

impl TokenSource for Keys {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Ok(Token::new(format!("key-{number}")))))
    }
}

#[tokio::test]
async fn a_rejected_key_is_replaced_by_its_source() {
    let server = Server::new(|_, seen| match seen.headers["x-api-key"].as_str() {
        "key-0" => response(401, &[], ""),
        _ => json(200, "{}"),
    });
    let client =
        builder(server.url(), &[COOKIE]).credential_source(HEADER, Keys(0.into())).build().unwrap();
    get_with(&client, &[&[HEADER, COOKIE]]).await.unwrap();
    get_with(&client, &[&[HEADER, COOKIE]]).await.unwrap();
    let keys: Vec<_> =
        server.seen().into_iter().map(|seen| seen.headers["x-api-key"].clone()).collect();
    assert_eq!(keys, ["key-0", "key-1", "key-1"]);
    assert!(server.seen().iter().all(|seen| seen.headers["cookie"] == "session=cookie-k3y"));
}

#[tokio::test]
async fn a_certificate_is_never_satisfied_by_the_client() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[HEADER]).build().unwrap();
    let error = get_with(&client, &[&[CERTIFICATE, HEADER]]).await.unwrap_err();
    assert!(error.to_string().contains("call `certificate` and `api_key` of"), "{error}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn interceptors_see_the_credentials() {
    let server = Server::json("{}");
    let client = builder(server.url(), &[QUERY])
        .interceptor(Before(|request| {
            assert_eq!(request.uri().query(), Some("api%20key=query%26k3y"));
            Ok(())
        }))
        .build()
        .unwrap();
    get_with(&client, &[&[QUERY]]).await.unwrap();
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn a_user_with_a_colon_is_refused() {
    let password = |user| builder("https://pets.test", &[]).password(BASIC, user, "a:b").build();
    assert!(password("me").is_ok());
    let error = password("me:too").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(error.to_string().contains("contains a colon"), "{error}");
}
