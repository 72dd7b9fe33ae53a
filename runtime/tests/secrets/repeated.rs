//! What a server repeats of the query, the headers and the cookies of a request.

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, Call, Parameter, Style};
use openapi_bindings_runtime::{
    Body, BoxFuture, Client, ClientBuilder, Error, ErrorKind, Map, RequestBody, RetryPolicy, Token,
    TokenContext, TokenError, TokenSource, Transport, TransportError, UnknownProperties, http,
};

use crate::support::FirstScheme as _;
use crate::support::api::{GetPet, Request, get, list_linked, operation, request_of};
use crate::support::server::{Act, Seen, Server, json, response};
use crate::support::{Before, client};

/// The values that no error shows.
const DATA: [&str; 9] = [
    "jane.doe@corp.example",
    "2026-11-27",
    "first-element",
    "second-element",
    "k3y1",
    "k3y2",
    "k3y3",
    "k3y4",
    "c00kie",
];

#[track_caller]
pub fn assert_withheld(error: &Error) {
    assert_shows_none(&format!("{error} {error:?} {error:#?}"));
}

#[track_caller]
pub fn assert_shows_none(text: &str) {
    for value in DATA {
        assert!(!text.contains(value), "{value} shows in: {text}");
    }
}

/// Returns a call with values in every place that is not the path.
pub fn filled(client: &Client) -> Request<GetPet> {
    let call: Call = internal::call::<GetPet>(client)
        .path("id", "limit=1")
        .query("since", "2026-11-27")
        .query("limit", "1")
        .list(Parameter::query("kinds").style(Style::Form, false), DATA[2..4].iter())
        .text(Parameter::query("pin"), "k3y1")
        .text(Parameter::cookie("theme"), "c00kie")
        .text(Parameter::header("x-auth-token"), "k3y2");
    request_of::<GetPet>(call, None)
        .with_query("filter", "jane.doe@corp.example")
        .with_query("api_token", "k3y3")
        .with_header("x-access-key", "k3y4")
}

/// Returns everything that the client sent, encoded and decoded.
pub fn sent(seen: &Seen) -> String {
    let target = percent_encoding::percent_decode_str(&seen.target).decode_utf8().unwrap();
    format!("{} {target} {:?}", seen.target, seen.headers).replace('"', "'")
}

fn never(server: &Server) -> Client {
    client(server.url()).retry(RetryPolicy::never()).build().unwrap()
}

#[tokio::test]
async fn values_that_a_server_repeats_are_redacted() {
    for reply in [
        |sent: &str| {
            response(400, &[("x-request-id", sent)], &format!(r#"{{"message":"not {sent}"}}"#))
        },
        |sent| {
            response(
                422,
                &[("content-type", "application/problem+json")],
                &format!(r#"{{"title":"not","detail":"{sent}"}}"#),
            )
        },
        |sent| response(500, &[], sent),
        |sent| response(302, &[("location", &format!("/moved/{}", sent.replace('?', "/")))], ""),
    ] as [fn(&str) -> Act; 4]
    {
        let server = Server::new(move |_, seen| reply(&sent(seen)));
        let error = filled(&never(&server)).await.unwrap_err();
        assert_withheld(&error);
        let text = error.to_string();
        assert!(text.contains("[redacted]") && text.contains("limit=1"), "{text}");
        if let Err(undecoded) = error.decode_body::<BTreeMap<String, u32>>() {
            assert_withheld(&undecoded);
        }
    }
}

#[tokio::test]
async fn the_path_is_shown_although_it_is_in_the_query_too() {
    let server = Server::new(|_, _| json(404, r#"{"message":"no pet jane.doe@corp.example"}"#));
    let call = get(&never(&server), "jane.doe@corp.example");
    let error = call.with_query("filter", "jane.doe@corp.example").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "pets.get: GET /api/v1/pets/jane.doe%40corp.example failed: HTTP 404 Not Found: no pet [redacted]"
    );
}

#[tokio::test]
async fn values_of_default_headers_interceptors_and_links_are_redacted() {
    let server = Server::new(|_, seen| json(400, &format!(r#"{{"message":"{}"}}"#, sent(seen))));
    let signs = Before(|request| {
        request.headers_mut().insert("x-amz-security-token", "k3y2".parse()?);
        Ok(())
    });
    let builder: ClientBuilder<Client> = client(server.url()).default_header("x-api-key", "k3y1");
    let error = get(&builder.interceptor(signs).build().unwrap(), "7").await.unwrap_err();
    assert_withheld(&error);

    let server = Server::new(|number, seen| match number {
        0 => {
            response(200, &[("link", "<?filter=jane.doe@corp.example&token=k3y1>; rel=next")], "[]")
        }
        _ => json(400, &format!(r#"{{"message":"{}"}}"#, sent(seen))),
    });
    let error = list_linked(&never(&server)).items().try_next().await.unwrap_err();
    assert_withheld(&error);
}

#[derive(Clone, Default)]
pub struct Nothing {
    unknown: UnknownProperties,
}

internal::object! { Nothing { } unknown }

operation!(Undescribed, "nothing.get", GET, "/nothing", Map => Nothing);

#[tokio::test]
async fn values_that_a_cause_repeats_are_redacted() {
    let fails = Before(|request| Err(format!("cannot sign {}", request.uri()).into()));
    let client = client("https://pets.example").interceptor(fails).build().unwrap();
    assert_withheld(&filled(&client).await.unwrap_err());

    // The names of a reply are a part of the error of a strict client.
    let server = Server::new(|_, _| json(200, r#"{"jane.doe@corp.example":1}"#));
    let strict = crate::support::client(server.url()).strict().build().unwrap();
    let call = internal::call::<Undescribed>(&strict).query("filter", "jane.doe@corp.example");
    assert_withheld(&request_of::<Undescribed>(call, None).await.unwrap_err());
}

#[tokio::test]
async fn the_place_of_a_decode_error_is_shown_although_the_query_selects_it() {
    let server = Server::new(|_, _| json(200, r#"{"description":1}"#));
    let strict = client(server.url()).strict().build().unwrap();
    let call = internal::call::<Undescribed>(&strict).query("fields", "id,description");
    let error = request_of::<Undescribed>(call, None).await.unwrap_err();
    assert!(error.to_string().contains("description"), "{error}");
}

/// A source of a token that is not known before.
struct Obtained;

impl TokenSource for Obtained {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async { Ok(Token::new("k3y1")) })
    }
}

/// A transport that repeats the token of the first request in the errors of the next ones.
#[derive(Clone)]
struct Repeats(fn(String) -> TransportError, Arc<Mutex<Option<String>>>);

impl Transport for Repeats {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let sent = format!("{:?}", request.headers()["authorization"].to_str());
        let mut first = self.1.lock().unwrap();
        let outcome = match &*first {
            Some(sent) => Err(self.0(format!("cannot send {sent}"))),
            None => Ok(http::Response::new(Body::from("{}"))),
        };
        *first = Some(sent);
        Box::pin(ready(outcome))
    }
}

#[tokio::test]
async fn an_obtained_token_is_redacted_in_errors_of_every_kind() {
    let mut kinds = Vec::new();
    let mut check = |error: Error| {
        assert_withheld(&error);
        assert!(error.to_string().contains("[redacted]"), "{error}");
        kinds.push(error.kind());
    };
    for fail in [
        TransportError::connect,
        TransportError::timeout,
        TransportError::interrupted,
        TransportError::unprocessed,
        TransportError::refused,
    ] as [fn(String) -> TransportError; 5]
    {
        let transport = Repeats(fail, Arc::default());
        let builder = client("https://pets.example").transport(transport).token_source(Obtained);
        let client = builder.retry(RetryPolicy::never()).build().unwrap();
        get(&client, "7").await.unwrap();
        check(get(&client, "7").await.unwrap_err());
        // Its credentials are chosen before its interceptors fail, and it has its own.
        let once = get(&client, "7").with_header("authorization", "Bearer 0nce");
        check(once.await.unwrap_err());
    }
    for reply in [
        |_: &str| json(401, r#"{"message":"no"}"#),
        |token| json(400, &format!(r#"{{"message":"not {token}"}}"#)),
        |token| response(302, &[("location", &format!("https://other.example/{token}"))], ""),
        |token| response(200, &[("link", &format!("<https://{token}/>; rel=next"))], "[]"),
    ] as [fn(&str) -> Act; 4]
    {
        let server = Server::new(move |_, seen| {
            reply(seen.headers["authorization"].trim_start_matches("Bearer "))
        });
        let builder = client(server.url()).token_source(Refusing::default());
        let client = builder.retry(RetryPolicy::never()).build().unwrap();
        check(list_linked(&client).items().try_next().await.unwrap_err());
    }
    let all = [
        ErrorKind::Connect,
        ErrorKind::Timeout,
        ErrorKind::Interrupted,
        ErrorKind::Unprocessed,
        ErrorKind::Request,
        ErrorKind::Auth,
        ErrorKind::Status,
        ErrorKind::Redirect,
        ErrorKind::Paging,
    ];
    assert!(all.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

/// A source whose second error repeats its first token.
#[derive(Default)]
struct Refusing(AtomicBool);

impl TokenSource for Refusing {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        let is_first = !self.0.swap(true, Ordering::Relaxed);
        let refused = || TokenError::new("k3y1 was used").with_source("it was k3y1");
        Box::pin(ready(if is_first { Ok(Token::new("k3y1")) } else { Err(refused()) }))
    }
}

#[tokio::test]
async fn credentials_are_redacted_in_decode_errors() {
    let signs = Before(|request| {
        request.headers_mut().insert("x-amz-security-token", "k3y2".parse()?);
        Ok(())
    });
    let server = Server::new(|_, seen| json(200, &format!(r#"{{"{}":1}}"#, sent(seen))));
    let client = || client(server.url()).strict();
    for builder in [
        client().bearer_token("k3y3"),
        client().token_source(Obtained),
        client().interceptor(signs),
    ] {
        let call = internal::call::<Undescribed>(&builder.build().unwrap());
        let error = request_of::<Undescribed>(call, None).await.unwrap_err();
        assert_withheld(&error);
        assert!(error.to_string().contains("[redacted]"), "{error}");
    }
}
