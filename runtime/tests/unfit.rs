//! Values that their places cannot hold, in the bodies of errors, events and lines.

use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::internal::{self, FailingEndpoint, Json, Rejection};
use openapi_bindings_runtime::{Client, Drift, ErrorKind, Model, RetryPolicy};
use serde_json::{Value, json};

use crate::kinds::{Case, Optional, Required, cases};
use crate::support::api::{Request, operation, request};
use crate::support::client;
use crate::support::server::{Server, response};

operation!(GetKinds, "kinds.get", GET, "/api/v1/kinds", Optional => Optional);

impl FailingEndpoint for GetKinds {
    type Failure = Required;

    fn failure(reply: &Rejection<'_>) -> Option<Required> {
        reply.json()
    }
}

fn get(client: &Client) -> Request<GetKinds> {
    request(client, None)
}

fn body(case: &Case) -> String {
    case.object().0.to_string()
}

#[track_caller]
fn check_sent(case: &Case, value: &impl Model) {
    let sent: Value = serde_json::from_slice(&value.to_json()).unwrap();
    assert_eq!(sent, json!({case.field: case.sent()}));
}

/// Returns a client that adds the drift of each reply, event and line to the list.
fn reporting(server: &Server) -> (Client, Arc<Mutex<Vec<Drift>>>) {
    let found = Arc::new(Mutex::new(Vec::new()));
    let reports = Arc::clone(&found);
    let client = client(server.url())
        .retry(RetryPolicy::never())
        .on_drift(move |report| reports.lock().unwrap().extend_from_slice(report.findings))
        .build();
    (client.unwrap(), found)
}

#[tokio::test]
async fn an_error_is_typed_whatever_its_values_are() {
    let bodies: Vec<String> = cases().iter().map(body).collect();
    let server = Server::new(move |number, _| response(404, &[], &bodies[number]));
    let (client, _) = reporting(&server);
    for case in cases() {
        let error = get(&client).await.unwrap_err();
        check_sent(&case, &error.failure::<Request<GetKinds>>().unwrap());
    }
}

#[tokio::test]
async fn events_and_lines_go_on_after_any_values() {
    let bodies: Vec<String> = cases().iter().map(body).collect();
    let events: String = bodies.iter().flat_map(|body| ["data: ", body, "\n\n"]).collect();
    let lines = bodies.join("\n");
    let server = Server::new(move |number, _| match number {
        0 => response(200, &[("content-type", "text/event-stream")], &events),
        _ => response(200, &[("content-type", "application/x-ndjson")], &lines),
    });
    let (client, found) = reporting(&server);
    let mut events =
        internal::events::<Optional, Json>(get(&client), (&[200], "text/event-stream"));
    for case in cases() {
        check_sent(&case, &events.try_next().await.unwrap().unwrap().data);
        case.check(case.field, &std::mem::take(&mut *found.lock().unwrap()));
    }
    let mut lines =
        internal::lines::<Optional, Json>(get(&client), (&[200], "application/x-ndjson"));
    for case in cases() {
        check_sent(&case, &lines.try_next().await.unwrap().unwrap());
        case.check(case.field, &std::mem::take(&mut *found.lock().unwrap()));
    }
}

#[tokio::test]
async fn a_strict_client_refuses_an_unfit_value_with_its_path_and_both_kinds() {
    let server = Server::new(|_, _| response(200, &[], r#"{"list":["a",1]}"#));
    let client = client(server.url()).strict().build().unwrap();
    let error = get(&client).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(format!("{error:?}{error}").contains("list[1]"), "{error:?}");
    let message = "expected a string, found a number";
    assert!(format!("{error:?}{error}").contains(message), "{error:?}");
}
