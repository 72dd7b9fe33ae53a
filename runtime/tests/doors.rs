//! What is not declared is never silent, at every door to a reply.

use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, Binary, Json};
use openapi_bindings_runtime::{BoxFuture, Client, Error, ErrorKind, Map, Value};

use crate::replies;
use crate::support::api::{Request, get, request};
use crate::support::client;
use crate::support::server::{Server, response};

type Call = fn(Client) -> BoxFuture<'static, Result<(), Error>>;

/// A way to read a reply: its media type, and a body of it.
struct Door {
    name: &'static str,
    media_type: &'static str,
    body: &'static str,
    call: Call,
}

fn text(client: &Client) -> Request<replies::Text> {
    request::<replies::Text>(client, ())
}

const DOORS: [Door; 9] = [
    Door {
        name: "JSON",
        media_type: "application/json",
        body: "{}",
        call: |client| Box::pin(async move { get(&client, "7").await.map(drop) }),
    },
    Door {
        name: "send_raw",
        media_type: "application/json",
        body: "{}",
        call: |client| {
            Box::pin(async move { get(&client, "7").send_raw().await?.decode().map(drop) })
        },
    },
    Door {
        name: "an option",
        media_type: "application/json",
        body: "{}",
        call: |client| {
            Box::pin(async move { request::<replies::NoOption>(&client, ()).await.map(drop) })
        },
    },
    Door {
        name: "text",
        media_type: "text/csv",
        body: "a",
        call: |client| Box::pin(async move { text(&client).await.map(drop) }),
    },
    Door {
        name: "bytes",
        media_type: "image/png",
        body: "a",
        call: |client| {
            Box::pin(async move { request::<replies::Binary>(&client, ()).await.map(drop) })
        },
    },
    Door {
        name: "send_as",
        media_type: "application/pdf",
        body: "a",
        call: |client| {
            let sent = internal::send_as::<_, Binary>(text(&client), (&[200], "application/pdf"));
            Box::pin(async move { sent.await.map(drop) })
        },
    },
    Door {
        name: "stream",
        media_type: "image/png",
        body: "a",
        call: |client| {
            let opening = internal::open(text(&client), (&[200], "image/*"));
            Box::pin(async move { opening.await?.try_next().await.map(drop) })
        },
    },
    Door {
        name: "events",
        media_type: "text/event-stream",
        body: "data: 1\n\n",
        call: |client| {
            let content = (&[200][..], "text/event-stream");
            let mut events = internal::events::<Value, Json>(get(&client, "7"), content);
            Box::pin(async move { events.try_next().await.map(drop) })
        },
    },
    Door {
        name: "lines",
        media_type: "application/x-ndjson",
        body: "{}\n",
        call: |client| {
            let content = (&[200][..], "application/x-ndjson");
            let mut lines = internal::lines::<Map, Json>(get(&client, "7"), content);
            Box::pin(async move { lines.try_next().await.map(drop) })
        },
    },
];

/// Calls a door, and returns the kind of the error, and the drift.
async fn called(
    door: &Door,
    (status, media_type): (u16, &str),
    is_strict: bool,
) -> (Option<ErrorKind>, Vec<String>) {
    let body = if status == 204 { "" } else { door.body };
    let media_type = media_type.to_owned();
    let server = Server::new(move |_, _| {
        let header = ("content-type", media_type.as_str());
        response(
            status,
            if media_type.is_empty() { &[] } else { std::slice::from_ref(&header) },
            body,
        )
    });
    let found = Arc::new(Mutex::new(Vec::new()));
    let report = Arc::clone(&found);
    let client = client(server.url());
    let client = if is_strict { client.strict() } else { client };
    let client = client.on_drift(move |drift| report.lock().unwrap().push(drift.to_string()));
    let error = (door.call)(client.build().unwrap()).await.err();
    let drift = found.lock().unwrap().clone();
    (error.map(|error| error.kind()), drift)
}

#[tokio::test]
async fn what_is_not_declared_is_never_silent() {
    let failed = Some(ErrorKind::Decode);
    for door in &DOORS {
        let Door { name, media_type, .. } = *door;
        for is_strict in [false, true] {
            let with_charset = format!("{}; charset=utf-8", media_type.to_uppercase());
            for declared in [media_type, &with_charset, ""] {
                let outcome = called(door, (200, declared), is_strict).await;
                assert_eq!(outcome, (None, Vec::new()), "{name} {declared}");
            }
            for other in ["text/html; charset=utf-8", "application/x-other"] {
                let (error, drift) = called(door, (200, other), is_strict).await;
                let essence = other.split(';').next().unwrap();
                let [found] = &drift[..] else { panic!("{name} {other}: {drift:?}") };
                assert!(
                    found.ends_with(&format!("media type `{essence}` is not described")),
                    "{found}"
                );
                // HTML is text, and JSON is read as such; nothing but events is read as events.
                let is_read = ["JSON", "send_raw", "an option", "text"].contains(&name);
                let is_error = is_strict || name == "events" || essence == "text/html" && !is_read;
                assert_eq!(error, failed.filter(|_| is_error), "{name} {other}");
            }
            let (error, drift) = called(door, (202, media_type), is_strict).await;
            assert_eq!(error, failed, "{name} 202");
            let [found] = &drift[..] else { panic!("{name}: {drift:?}") };
            assert!(found.ends_with("status 202 is not described"), "{found}");
            // Events end with this status.
            let (error, drift) = called(door, (204, media_type), is_strict).await;
            let is_end = name == "events";
            assert_eq!(error, failed.filter(|_| !is_end), "{name} 204");
            assert_eq!(drift.is_empty(), is_end, "{name} 204");
        }
    }
}
