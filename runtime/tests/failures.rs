//! The declared bodies of errors.

use openapi_bindings_runtime::internal::{FailingEndpoint, Rejection};
use openapi_bindings_runtime::{Map, internal};

use crate::models::{Bank, Task};
use crate::support::api::{ListPets, Request, operation, request};
use crate::support::client;
use crate::support::server::{Server, json, response};

operation!(GetTask, "tasks.get", GET, "/api/v1/tasks", Task => Task);
operation!(ListTasks, "tasks.list", GET, "/api/v1/tasks", Task => Task);

#[derive(Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "as emitted enums are")]
pub enum Failure {
    Bank(Bank),
    Task(Task),
    Text(String),
}

impl FailingEndpoint for GetTask {
    type Failure = Failure;

    fn failure(reply: &Rejection<'_>) -> Option<Failure> {
        match reply.status() {
            404 => reply.json().map(Failure::Bank),
            412 => match reply.media_type().as_str() {
                "application/problem+json" => reply.json().map(Failure::Task),
                _ => reply.json().map(Failure::Bank),
            },
            400..=499 => reply.json().map(Failure::Task),
            500 => reply.text().map(Failure::Text),
            _ => None,
        }
    }
}

impl FailingEndpoint for ListTasks {
    type Failure = Map;

    fn failure(reply: &Rejection<'_>) -> Option<Map> {
        reply.json()
    }
}

/// A body is decoded as the type of its status; one that does not fit stays as it was received.
#[tokio::test]
async fn the_status_decides_the_body() {
    let bank = Failure::Bank(Bank { iban: Some("DE1".to_owned()), ..Bank::default() });
    let task = Failure::Task(Task { id: "7".to_owned(), ..Task::default() });
    for (status, body, failure) in [
        (404, r#"{"iban":"DE1"}"#, Some(bank)),
        (409, r#"{"id":"7"}"#, Some(task)),
        (500, "out of order", Some(Failure::Text("out of order".to_owned()))),
        (404, "{}", None),
        (404, r#"{"error":{"message":"upstream"}}"#, None),
        (409, r#"{"iban":"DE1"}"#, None),
        (409, r#"{"id":null}"#, Some(Failure::Task(Task::default()))),
        (404, "<html>", None),
        (404, "[1]", None),
        (404, "", None),
        (500, "", None),
        (500, "\u{feff}", Some(Failure::Text(String::new()))),
        (501, r#"{"id":"7"}"#, None),
    ] {
        let server = Server::new(move |_, _| response(status, &[], body));
        let client = client(server.url()).retry(no_retries()).build().unwrap();
        let error = request::<GetTask>(&client, None).await.unwrap_err();
        assert_eq!(error.failure::<Request<GetTask>>(), failure, "{status} {body}");
        assert_eq!(error.status(), Some(status));
        assert_eq!(error.body(), body.as_bytes());
    }
}

/// The media type decides between the bodies of a status; any other has the most common one.
#[tokio::test]
async fn the_media_type_decides_between_bodies_of_a_status() {
    for (media_type, is_task) in [
        ("application/problem+json", true),
        ("Application/Problem+JSON ; charset=utf-8", true),
        ("application/json", false),
        ("text/plain", false),
    ] {
        let headers = [("content-type", media_type)];
        let server = Server::new(move |_, _| response(412, &headers, r#"{"id":"7","iban":"7"}"#));
        let client = client(server.url()).build().unwrap();
        let error = request::<GetTask>(&client, None).await.unwrap_err();
        let failure = error.failure::<Request<GetTask>>();
        assert_eq!(matches!(failure, Some(Failure::Task(_))), is_task, "{media_type}: {failure:?}");
    }
}

/// Any bytes are a text in Latin-1, also encoded ones.
#[tokio::test]
async fn an_encoded_body_is_no_text() {
    let headers =
        [("content-type", "text/plain; charset=iso-8859-1"), ("content-encoding", "zstd")];
    let server = Server::new(move |_, _| response(500, &headers, "coded"));
    let client = client(server.url()).retry(no_retries()).build().unwrap();
    let error = request::<GetTask>(&client, None).await.unwrap_err();
    assert_eq!(error.failure::<Request<GetTask>>(), None);
    assert_eq!(error.body(), b"coded");
}

fn no_retries() -> openapi_bindings_runtime::RetryPolicy {
    openapi_bindings_runtime::RetryPolicy::never()
}

/// Another operation declares other bodies for the same statuses.
#[tokio::test]
async fn errors_of_other_operations_have_no_body() {
    let server = Server::new(|_, _| json(404, r#"{"iban":"DE1"}"#));
    let client = client(server.url()).build().unwrap();
    let error = request::<GetTask>(&client, None).await.unwrap_err();
    assert_eq!(error.failure::<Request<ListTasks>>(), None);
    assert_eq!(error.failure_as::<Bank>().unwrap().iban.as_deref(), Some("DE1"));
    assert_eq!(error.failure_as::<Vec<Bank>>(), None);
}

/// Only the status of a response makes it a failure: one that cannot be decoded is another error.
#[tokio::test]
async fn other_errors_have_no_declared_body() {
    let server = Server::new(|_, _| json(200, "[1]"));
    let client = client(server.url()).build().unwrap();
    let error = request::<ListTasks>(&client, None).await.unwrap_err();
    assert!(error.is_decode(), "{error}");
    assert_eq!(error.failure::<Request<ListTasks>>(), None);
    assert_eq!(error.failure_as::<Vec<i64>>(), None);
    let error = request::<ListPets>(&client, None).await.unwrap_err();
    assert!(error.failure_as::<Map>().is_none());
}
