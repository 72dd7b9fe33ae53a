//! Secrets are not shown anywhere.

mod doors;
mod later;
mod named;
mod repeated;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::Parameter;
use openapi_bindings_runtime::{
    Client, ClientBuilder, ClientCredentials, Map, Model as _, RetryPolicy, Secret, Token,
    TokenError, UnknownProperties, internal,
};
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Metadata, Subscriber, dispatcher};

use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, create, get, operation, request, request_of};
use crate::support::server::{Act, Seen, Server, json, response};
use crate::support::{Before, Signer, client};

const SECRETS: [&str; 5] =
    ["s3cr3t-token", "cl1ent-s3cr3t", "acc3ss-token", "hunter2", "f0rm-field"];

#[track_caller]
fn assert_clean(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} shows in: {text}");
    }
}

#[tokio::test]
async fn debug_and_errors_of_a_client_show_no_secret() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" => json(200, r#"{"access_token":"acc3ss-token","expires_in":3600}"#),
        _ => response(500, &[("set-cookie", "hunter2")], r#"{"message":"broken"}"#),
    });
    let credentials = ClientCredentials::new("/token", "me", "cl1ent-s3cr3t")
        .form_field("audience", "f0rm-field");
    assert_clean(&format!("{credentials:?} {:?}", Token::new("acc3ss-token")));
    let builder =
        client(server.url()).token_source(credentials).default_header("x-api-key", "hunter2");
    assert_clean(&format!("{builder:?}"));
    let client = builder.build().unwrap();
    let call = create(&client).with_query("key", "hunter2").with_header("x-key", "hunter2");
    assert_clean(&format!("{client:?} {call:?}"));
    let sending = call.send();
    assert_clean(&format!("{sending:?}"));
    let error = sending.await.unwrap_err();
    assert_clean(&format!("{error} {error:?} {error:#?}"));
    let broken = crate::support::client("https://me:hunter2@pets.example");
    assert_clean(&format!("{broken:?}"));
    assert_clean(&broken.build().unwrap_err().to_string());
}

#[tokio::test]
async fn the_error_of_a_failed_connection_shows_no_secret() {
    let client = client(crate::support::server::unused_port()).build().unwrap();
    let error = get(&client, "7").with_query("key", "hunter2").await.unwrap_err();
    let mut text = format!("{error} {error:?}");
    let mut source = error.cause();
    while let Some(cause) = source {
        write!(text, " {cause} {cause:?}").unwrap();
        source = cause.source();
    }
    assert_clean(&text);
}

#[tokio::test]
async fn the_error_of_a_token_response_without_a_token_shows_no_secret() {
    let server = Server::new(|_, _| json(200, r#"{"token":"acc3ss-token"}"#));
    let client =
        client(server.url()).client_credentials("/token", "me", "cl1ent-s3cr3t").build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("no `access_token`"), "{error}");
    assert_clean(&format!("{error} {error:?}"));
}

/// Repeats the request, as some servers do, in every place that errors show.
fn parrot(seen: &Seen) -> Act {
    let sent = seen.headers.get("authorization").unwrap_or(&seen.body);
    let body = match seen.target.as_str() {
        "/api/v1/pets/text" => format!("what is {sent}?"),
        "/api/v1/pets/long" => format!("{}{sent}", "x".repeat(2030)),
        "/api/v1/pets/unknown" => format!(r#"{{"code":5,"sent":["{sent}"]}}"#),
        "/token" => format!(r#"{{"error":"invalid_client","error_description":"{sent}?"}}"#),
        _ => format!(r#"{{"message":"what is {sent}?"}}"#),
    };
    response(400, &[("x-request-id", sent)], &body)
}

#[tokio::test]
async fn secrets_that_a_server_repeats_are_redacted() {
    let server = Server::new(|_, seen| parrot(seen));
    let plain = client(server.url()).build().unwrap();
    for id in ["message", "text", "long", "unknown"] {
        for own in [None, Some("hunter2"), Some("Basic hunter2")] {
            let call = get(&plain, id);
            let call = match own {
                Some(own) => call.with_header("authorization", own),
                None => call,
            };
            let error = call.await.unwrap_err();
            let text = format!("{error} {error:?}");
            assert_clean(&text);
            // The beginning of a secret reveals much of it, too.
            assert!(!text.contains("hun") && !text.contains("s3c"), "{text}");
            assert!(text.contains("[redacted]"), "{text}");
            assert!(String::from_utf8_lossy(error.body()).contains(own.unwrap_or("s3cr3t-token")));
        }
    }

    let always = ClientBuilder::<Client>::new(&SERVICE, server.url())
        .default_header("authorization", "Basic hunter2")
        .build()
        .unwrap();
    let error = get(&always, "message").await.unwrap_err();
    assert_clean(&error.to_string());

    for credentials in [
        ClientCredentials::new("/token", "me", "cl1ent-s3cr3t").form_field("pin", "f0rm-field"),
        ClientCredentials::new("/token", "me", "hunter2/%&"),
        ClientCredentials::with_assertion("/token", "me", Signer(|_| Ok("hunter2.hunter2".into()))),
    ] {
        let builder = client(server.url()).token_source(credentials);
        let error = get(&builder.build().unwrap(), "7").await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert_clean(&text);
        assert!(text.contains("invalid_client") && text.contains("=[redacted]"), "{text}");
    }
}

/// A program can send a password to an API that declares bearer tokens.
#[tokio::test]
async fn passwords_in_headers_are_redacted_without_base64() {
    let server = Server::new(|_, _| json(400, r#"{"message":"me is not hunter2:3"}"#));
    let client = client(server.url()).build().unwrap();
    for name in ["authorization", "proxy-authorization"] {
        let call = get(&client, "7").with_header(name, "basic bWU6aHVudGVyMjoz");
        let text = call.await.unwrap_err().to_string();
        assert!(text.ends_with("me is not [redacted]"), "{name}: {text}");
    }
}

#[tokio::test]
async fn cookies_and_credentials_of_proxies_are_redacted() {
    let server = Server::new(|_, seen| {
        let sent = ["cookie", "proxy-authorization"].map(|name| &*seen.headers[name]);
        json(400, &format!(r#"{{"message":"what is {}?"}}"#, sent.join("?")))
    });
    let sent = [("cookie", "lang=en; sid=hunter2"), ("proxy-authorization", "Basic f0rm-field")];
    let [plain, defaults] = [false, true].map(|is_default| {
        let sent = sent.iter().filter(|_| is_default);
        let builder = client(server.url());
        sent.fold(builder, |it, (name, value)| it.default_header(name, value)).build().unwrap()
    });
    let own = sent.iter().fold(get(&plain, "7"), |it, (name, value)| it.with_header(name, value));
    for call in [own, get(&defaults, "7")] {
        let text = call.await.unwrap_err().to_string();
        let expected = "what is lang=en; sid=[redacted]?Basic [redacted]?";
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn the_error_of_a_body_that_is_not_decoded_shows_no_secret() {
    let server = Server::new(|_, _| json(404, r#"{"message":"bad s3cr3t-token"}"#));
    let error = get(&client(server.url()).build().unwrap(), "7").await.unwrap_err();
    let undecoded = error.decode_body::<BTreeMap<String, u32>>().unwrap_err();
    assert_clean(&format!("{undecoded} {undecoded:?}"));
    let text = undecoded.to_string();
    assert!(text.starts_with("pets.get: GET /api/v1/pets/7 failed: failed to decode"), "{text}");
    assert!(text.contains(r#"invalid type: string "bad [redacted]", expected u32"#), "{text}");
    assert_eq!((undecoded.is_decode(), undecoded.status()), (true, Some(404)));
    assert_eq!((undecoded.body(), undecoded.attempts()), (error.body(), 1));
}

#[derive(Clone, Default)]
pub struct Login {
    password: Option<Secret<String>>,
    answers: Option<Vec<Secret<String>>>,
    more: Option<Secret<Map>>,
    inner: Option<Box<Login>>,
    pins: Option<Vec<Secret<i64>>>,
    unknown: UnknownProperties,
}

internal::object! {
    Login { password: "password", answers: "answers", more: "more", inner: "inner", pins: "pins" }
    unknown
}

operation!(Json, "logins", PUT, "/logins", Login => (), |call, body| call.json(body));
operation!(Patch, "logins", PUT, "/logins", Login => (), |call, body| {
    let mut call = call;
    call.add_null(vec!["gone".to_owned()]);
    call.merge_patch(Some(body), "application/merge-patch+json")
});
operation!(Form, "logins", PUT, "/logins", Login => (), |call, body| call.form_body(body, &[]));
operation!(Parts, "logins", PUT, "/logins", Login => (), |call, body| {
    call.multipart_body(body, "multipart/form-data", &[])
});

#[tokio::test]
async fn secrets_of_a_body_that_a_server_repeats_are_redacted() {
    let server = Server::new(|_, _| {
        json(400, r#"{"message":"not hunter2, s3cr3t-token, acc3ss-token, cl1ent-s3cr3t"}"#)
    });
    let client = client(server.url()).build().unwrap();
    let more =
        Map::from_iter([("a".to_owned(), openapi_bindings_runtime::json!(["acc3ss-token"]))]);
    let inner = Login { password: Some("cl1ent-s3cr3t".into()), ..Login::default() };
    let login = Login {
        password: Some("hunter2".into()),
        answers: Some(vec!["s3cr3t-token".into()]),
        more: Some(more.into()),
        inner: Some(Box::new(inner)),
        ..Login::default()
    };
    for error in [
        request::<Json>(&client, login.clone()).await.unwrap_err(),
        request::<Patch>(&client, login.clone()).await.unwrap_err(),
        request::<Form>(&client, login.clone()).await.unwrap_err(),
        request::<Parts>(&client, login.clone()).await.unwrap_err(),
    ] {
        let text = format!("{error} {error:?}");
        assert_clean(&text);
        let expected = "not [redacted], [redacted], [redacted], [redacted]";
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn secrets_that_a_server_escapes_are_redacted() {
    let key = "-----BEGIN \"KEY\"-----\nhunter/2\\ä";
    let json_text = openapi_bindings_runtime::json!(key).to_string();
    for sent in [
        format!(r#"[{{"msg":"too short","input":{json_text}}}]"#),
        r#""what is -----BEGIN+%22KEY%22-----%0ahunter/2%5c%c3%a4?""#.to_owned(),
        r#""what is -----BEGIN &quot;KEY&quot;-----\nhunter&#x2F;2\\\u00e4?""#.to_owned(),
    ] {
        let body = format!(r#"{{"detail":{sent}}}"#);
        let server = Server::new(move |_, _| json(422, &body));
        let login = Login { password: Some(key.into()), ..Login::default() };
        let call = request::<Json>(&client(server.url()).build().unwrap(), login);
        let error = call.await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(text.contains("[redacted]") && !text.contains("unter"), "{text}");
    }
}

operation!(GetBot, "bots.get", GET, "/bot{token}/me", Map => Map);

#[tokio::test]
async fn secret_parameters_are_redacted_in_every_error() {
    let call = |builder: ClientBuilder<Client>| {
        let client = builder.retry(RetryPolicy::never()).build().unwrap();
        let login = Login { password: Some("hunter2".into()), ..Login::default() };
        let call = internal::call::<GetBot>(&client)
            .text(Parameter::path("token").secret(), "1:s3cr3t-token")
            .text(Parameter::query("code").secret(), "acc3ss-token")
            .integers::<i64>(Parameter::query("pins").secret(), [47_114_711])
            .list(Parameter::cookie("fields").secret(), ["f0rm-field"])
            .text(Parameter::header("x-key").secret(), "cl1ent-s3cr3t")
            .value(Parameter::query("login"), login);
        async move { request_of::<GetBot>(call, None).await.unwrap_err() }
    };
    let answering = |act: fn(&Seen) -> Act| Server::new(move |_, seen| act(seen));
    let repeats = answering(|seen| {
        let sent = format!("{} {:?}", seen.target, seen.headers).replace('"', "'");
        json(400, &format!(r#"{{"message":"what is {sent}?"}}"#))
    });
    let undecodable = answering(|_| json(200, "7"));
    let moves = answering(|seen| response(302, &[("location", &seen.target)], ""));
    let no_token = answering(|_| json(400, r#"{"error":"invalid_client"}"#));
    for error in [
        call(client(repeats.url())).await,
        call(client(undecodable.url())).await,
        call(client(moves.url())).await,
        call(client(no_token.url()).client_credentials("/token", "me", "hunter2")).await,
        call(client(crate::support::server::unused_port())).await,
    ] {
        let text = format!("{error} {error:?}");
        assert_clean(&text);
        assert!(!text.contains("47114711"), "{text}");
        assert!(text.starts_with("bots.get: GET /bot[redacted]/me failed: "), "{text}");
    }
}

#[tokio::test]
async fn a_secret_with_more_digits_than_its_type_is_redacted() {
    let server = Server::new(|_, seen| {
        assert!(seen.body.contains("123456789012345678901"), "{}", seen.body);
        json(400, r#"{"message":"not 123456789012345678901"}"#)
    });
    let client = client(server.url()).build().unwrap();
    let login = Login::from_json(br#"{"pins":[1,123456789012345678901]}"#).unwrap();
    for error in [
        request::<Json>(&client, login.clone()).await.unwrap_err(),
        request::<Patch>(&client, login.clone()).await.unwrap_err(),
        request::<Form>(&client, login.clone()).await.unwrap_err(),
    ] {
        let text = format!("{error} {error:?} {login:?}");
        assert!(text.contains("not [redacted]") && !text.contains("12345678901234567"), "{text}");
    }
}

#[tokio::test]
async fn the_proof_of_credentials_is_redacted_alone() {
    let server = Server::new(|_, _| json(400, r#"{"message":"hunter2 of ann is wrong"}"#));
    let client = client(server.url()).build().unwrap();
    for own in [
        r#"Digest username="ann", uri="/x", response="hunter2", qop=auth"#,
        "Signature keyId=ann,signature=\"hunter2\"",
        "Hawk id=\"ann\", MAC = hunter2",
    ] {
        let error = get(&client, "7").with_header("authorization", own).await.unwrap_err();
        assert!(error.to_string().contains(": [redacted] of ann is wrong"), "{error}");
    }
}

#[tokio::test]
async fn non_ascii_credentials_and_those_of_interceptors_are_redacted() {
    // Repeats the part after the scheme.
    let server = Server::new(|_, seen| {
        let sent = &seen.headers["authorization"];
        let token = sent.split_whitespace().last().unwrap();
        json(400, &format!(r#"{{"message":"what is {token}?"}}"#))
    });
    let plain = client(server.url()).build().unwrap();
    for own in [" Bearer   hunter2-é\t", "hunter2-é ", "Bearer\thunter2"] {
        let call = get(&plain, "message").with_header("authorization", own);
        let error = call.await.unwrap_err();
        assert_clean(&format!("{error} {error:?}"));
        assert!(error.to_string().contains("is [redacted]?"), "{error}");
    }
    let signs = Before(|request| {
        request.headers_mut().insert("authorization", "Signature hunter2".parse()?);
        Ok(())
    });
    let signing = client(server.url()).interceptor(signs).build().unwrap();
    let error = get(&signing, "message").await.unwrap_err();
    assert!(error.to_string().contains("is [redacted]?"), "{error}");
}

#[tokio::test]
async fn causes_from_interceptors_are_redacted_in_debug() {
    let fails = Before(|request| {
        let sent = request.headers()["authorization"].to_str()?;
        let root = format!("{}cannot sign {sent}", "x".repeat(2020));
        Err(TokenError::new(format!("no signature for {sent}")).with_source(root).into())
    });
    let client = client("https://pets.example").interceptor(fails);
    let error = get(&client.build().unwrap(), "7").await.unwrap_err();
    let text = format!("{error:?}");
    assert_clean(&text);
    assert!(text.contains("source: \"no signature for Bearer [redacted]: xxx"), "{text}");
    assert!(text.len() < 5000, "{text}");
    assert!(std::error::Error::source(&error).is_none(), "chains would repeat the text");
    assert!(error.cause().unwrap().to_string().contains("s3cr3t-token"), "not redacted");
}

#[tokio::test]
async fn only_text_from_servers_is_redacted() {
    let message = async |secret: &'static str, field: &str, code: &'static str| {
        let server = Server::new(move |_, _| {
            let answer = format!(r#"{{"error":"{code}","error_description":"not {secret}"}}"#);
            json(400, &answer)
        });
        let credentials = ClientCredentials::new("/token", "me", "cl1ent-s3cr3t");
        let builder = client(server.url()).token_source(credentials.form_field(field, secret));
        let error = get(&builder.build().unwrap(), "7").await.unwrap_err();
        let text = error.to_string();
        let (_, answer) = text.split_once("the token endpoint ").unwrap();
        answer.strip_suffix(&format!(" ({}/token)", server.url())).unwrap().to_owned()
    };
    for (secret, field, code, expected) in [
        ("HTTP", "pin", "no", "HTTP 400 Bad Request: no (not [redacted])"),
        (
            "no-such-code",
            "pin",
            "no-such-code",
            "HTTP 400 Bad Request: [redacted] (not [redacted])",
        ),
        ("pets", "scope", "no", "HTTP 400 Bad Request: no (not pets)"),
        ("pets", "audience", "no", "HTTP 400 Bad Request: no (not pets)"),
    ] {
        let message = message(secret, field, code).await;
        assert_eq!(message, format!("returned {expected}"));
    }

    // The same for the words of the runtime itself.
    let server = Server::new(|_, _| Act::Flood {
        head: b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n".to_vec(),
        chunk: vec![b' '; 1000],
    });
    let call = get(&client(server.url()).build().unwrap(), "7")
        .with_header("authorization", "Bearer bytes")
        .with_max_response_bytes(10);
    let error = call.await.unwrap_err();
    assert!(error.to_string().contains("larger than 10 bytes"), "{error}");
}

#[tokio::test]
async fn spans_and_events_show_no_secret() {
    let server = Server::new(|number, seen| match (number, seen.target.as_str()) {
        (_, "/token") => json(200, &format!(r#"{{"access_token":"acc3ss-token{number}"}}"#)),
        (1, _) => json(401, r#"{"message":"hunter2"}"#),
        (3, _) => json(503, "{}"),
        _ => json(200, r#"{"secret":"hunter2"}"#),
    });
    let client =
        client(server.url()).client_credentials("/token", "me", "cl1ent-s3cr3t").build().unwrap();
    let recorded = Recorder::default();
    let text = Arc::clone(&recorded.0);
    let guard = dispatcher::set_default(&Dispatch::new(recorded));
    get(&client, "s3cr3t-token")
        .with_query("key", "hunter2")
        .with_header("x-key", "f0rm-field")
        .await
        .unwrap();
    drop(guard);
    let text = text.lock().unwrap().clone();
    assert_clean(&text);
    for expected in [
        "otel.name=GET /api/v1/pets/{id}",
        "http.request.method=GET",
        "url.template=/api/v1/pets/{id}",
        "server.address=127.0.0.1",
        "http.response.status_code=401",
        "error.type=401",
        "error.type=503",
        "http.request.resend_count=1",
        "http.request.resend_count=2",
        "http.response.status_code=200",
    ] {
        assert!(text.contains(expected), "{expected} is not in: {text}");
    }
}

/// Records all spans and events.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Mutex<String>>);

impl Recorder {
    /// Returns the recorded text.
    pub fn text(&self) -> Arc<Mutex<String>> {
        Arc::clone(&self.0)
    }
}

impl Visit for Recorder {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        writeln!(self.0.lock().unwrap(), "{}={value:?}", field.name()).unwrap();
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        writeln!(self.0.lock().unwrap(), "{}={value}", field.name()).unwrap();
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("openapi_bindings_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
