//! Responses that deviate from the spec.

use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, Json};
use openapi_bindings_runtime::{Client, DriftKind, Error, ErrorKind};

use crate::models::Task;
use crate::support::api::{Request, operation, request};
use crate::support::client;
use crate::support::server::{Server, json, response};

operation!(GetTask, "tasks.get", GET, "/api/v1/tasks", Task => Task);

fn get(client: &Client) -> Request<GetTask> {
    request(client, None)
}

#[tokio::test]
async fn findings_come_with_their_operation_once_per_response() {
    let server = Server::new(|number, _| match number {
        0 => json(503, r#"{"oops":1}"#),
        1 => json(
            200,
            r#"{"id":"1","owner":{},"new":1,"children":[{"owner":{},"actions":["ACTION_FLY"]}]}"#,
        ),
        2 => json(200, r#"{"id":"1","owner":{}}"#),
        _ => json(200, r#"{"id":"1","owner":{},"parent":{"id":"2","owner":{},"newer":2}}"#),
    });
    let reported = Arc::new(Mutex::new(Vec::new()));
    let reports = Arc::clone(&reported);
    let client = client(server.url())
        .on_drift(move |report| {
            let findings: Vec<_> = report
                .findings
                .iter()
                .map(|drift| (drift.path.clone(), drift.kind, drift.name.clone()))
                .collect();
            let operation = report.operation;
            reports.lock().unwrap().push((operation.id, operation.method, findings));
        })
        .build()
        .unwrap();
    let finding = |path: &str, kind, name: &str| (path.to_owned(), kind, name.to_owned());

    let task = get(&client).await.unwrap();
    assert_eq!(task.id, "1");
    get(&client).await.unwrap();
    let reply = get(&client).send_raw().await.unwrap();
    assert_eq!(reported.lock().unwrap().len(), 1, "a raw response is not decoded");
    assert_eq!(reply.decode().unwrap().id, "1");
    assert_eq!(reply.attempts(), 1);
    let reported = reported.lock().unwrap().clone();
    assert_eq!(
        reported,
        [
            (
                "tasks.get",
                "GET",
                vec![
                    finding("children[0].actions[0]", DriftKind::UnknownValue, "ACTION_FLY"),
                    finding("children[0]", DriftKind::MissingProperty, "id"),
                    finding("", DriftKind::UnknownVariant, "new"),
                ]
            ),
            ("tasks.get", "GET", vec![finding("parent", DriftKind::UnknownVariant, "newer")]),
        ],
        "neither a failed attempt nor a response as described is reported"
    );
}

#[tokio::test]
async fn reports_are_shown_in_one_line_without_values() {
    let body = r#"{"id":"1","owner":{"x\u202ey":1},"actions":["hunter2",null]}"#;
    let server = Server::json(body);
    let shown = Arc::new(Mutex::new(String::new()));
    let report = Arc::clone(&shown);
    let builder =
        client(server.url()).on_drift(move |drift| *report.lock().unwrap() = drift.to_string());
    get(&builder.build().unwrap()).await.unwrap();
    assert_eq!(
        *shown.lock().unwrap(),
        "tasks.get: owner: property `x\\u{202e}y` is not described; actions[0]: value is not listed; \
         actions[1]: element is null"
    );
}

#[tokio::test]
async fn drift_is_an_error_of_a_strict_client() {
    let bodies = [
        (r#"{"id":"1","owner":{},"labels":{"x":1}}"#, None),
        (r#"{"id":"1"}"#, Some("required property `owner` is missing or null")),
        (r#"{"id":"1","owner":{},"x":1}"#, Some("union property `x` is not described")),
        (r#"{"id":"1","owner":{"x":1}}"#, Some("owner: property `x` is not described")),
        (
            r#"{"id":"1","owner":{"seenAt":"2024-01-01 00:00:00Z"}}"#,
            Some("owner.seenAt: value does not have the described format"),
        ),
        (r#"{"id":"1","owner":{},"actions":["FLY"]}"#, Some("actions[0]: value is not listed")),
        (r#"{"id":"1","owner":{},"actions":[null]}"#, Some("actions[0]: element is null")),
        (
            r#"{"id":"1","owner":{},"wait":{},"times":"1"}"#,
            Some("union has `times` next to another property"),
        ),
    ];
    let server = Server::new(move |number, _| json(200, bodies[number / 2].0));
    let client = client(server.url()).strict().build().unwrap();
    for (body, expected) in bodies {
        let typed = get(&client).await.err();
        let raw = get(&client).send_raw().await.unwrap().decode().err();
        for error in [typed, raw] {
            assert_eq!(
                error.as_ref().map(Error::kind),
                expected.map(|_| ErrorKind::Decode),
                "{body}"
            );
            let message = error.map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains(expected.unwrap_or_default()), "{message}");
        }
    }
}

/// A broken emoji costs neither a reply, an event or a line, nor the message of an error.
#[tokio::test]
async fn an_unpaired_surrogate_is_drift_of_every_kind_of_reply() {
    let server = Server::new(|number, _| match number {
        0 => json(200, r#"{"id":"\ud83d","owner":{}}"#),
        1 => response(200, &[], "{\"id\":\"\\ud83d\",\"owner\":{}}\n"),
        2 => response(200, &[], "data: {\"id\":\"\\ud83d\",\"owner\":{}}\n\n"),
        _ => json(400, r#"{"message":"\ud83d","code":7}"#),
    });
    let reported = Arc::new(Mutex::new(Vec::new()));
    let reports = Arc::clone(&reported);
    let builder = client(server.url()).on_drift(move |report| {
        let findings = report.findings.iter().map(|it| (it.path.clone(), it.name.clone()));
        reports.lock().unwrap().extend(findings);
    });
    let client = builder.build().unwrap();
    assert_eq!(get(&client).await.unwrap().id, "\u{fffd}");
    let mut lines = internal::lines::<Task, Json>(get(&client), (&[200], "application/x-ndjson"));
    assert_eq!(lines.try_next().await.unwrap().unwrap().id, "\u{fffd}");
    let mut events = internal::events::<Task, Json>(get(&client), (&[200], "text/event-stream"));
    assert_eq!(events.try_next().await.unwrap().unwrap().data.id, "\u{fffd}");
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.message().as_deref(), error.code()), (Some("\u{fffd}"), Some(7.into())));
    let expected = ("id".to_owned(), r"\ud83d".to_owned());
    assert_eq!(*reported.lock().unwrap(), vec![expected; 3]);
}
