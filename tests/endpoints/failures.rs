//! What errors tell, whatever operation failed.

use std::error::Error as _;

use access_governance::Error;
use access_governance::runtime::{DecodeError, ErrorKind};
use serde_json::json;
use tests::Reply;

use crate::api::Api;
use crate::every;
use crate::sample::Sample;

#[tokio::test]
async fn every_operation_tells_of_a_status() {
    let json = r#"{"code":3,"message":"the action is disabled","details":[]}"#;
    let page = "<html><body>No such tenant</body></html>";
    for (status, media_type, body, said) in [
        (
            400,
            "application/json",
            json,
            "HTTP 400 Bad Request (request id request-1): the action is disabled",
        ),
        (
            404,
            "text/html",
            page,
            "HTTP 404 Not Found (request id request-1): an HTML page of 40 bytes, perhaps from a proxy",
        ),
        (
            500,
            "text/plain",
            "out of order",
            "HTTP 500 Internal Server Error (request id request-1): out of order",
        ),
        (503, "application/json", "", "HTTP 503 Service Unavailable (request id request-1)"),
    ] {
        let reply = Reply::new(status).header("x-request-id", "request-1").body(media_type, body);
        let api = Api::answering(&reply);
        for operation in every::operations(&api.client) {
            let error = operation.call.await.unwrap_err();
            let request = api.request();
            assert_eq!(error.kind(), ErrorKind::Status);
            assert_eq!(error.status().unwrap(), status);
            assert_eq!(error.headers()["content-type"], media_type);
            assert_eq!(error.body(), body.as_bytes());
            assert_eq!(
                (error.operation(), error.request_id()),
                (Some(operation.id), Some("request-1"))
            );
            assert_eq!(error.is_retryable(), status >= 500);
            let shown = error.to_string();
            assert!(
                shown.starts_with(&format!("{}: {} /", operation.id, request.method)),
                "{shown}"
            );
            assert!(shown.ends_with(said), "{shown}");
        }
    }
}

#[tokio::test]
async fn credentials_at_fault_are_told_apart() {
    for status in [401, 403] {
        let api = Api::answering(&Reply::new(status));
        let error = api.client.hooks().list().await.unwrap_err();
        assert!(error.is_auth() && !error.is_retryable());
        assert_eq!(api.requests().len(), 1);
    }
}

#[tokio::test]
async fn every_operation_tells_of_a_body_that_it_cannot_read() {
    for (body, said) in [
        ("[1]", "expected an object, found an array"),
        ("\"text\"", "found a string"),
        ("{\"a\":", "EOF"),
    ] {
        let api = Api::answering(&Reply::json(body));
        for operation in every::operations(&api.client)
            .into_iter()
            .filter(|operation| !operation.returns_nothing)
        {
            let error = operation.call.await.unwrap_err();
            assert!(error.is_decode() && !error.is_retryable());
            assert_eq!(error.operation(), Some(operation.id));
            assert_eq!(error.status().unwrap(), 200);
            assert_eq!(error.body(), body.as_bytes());
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}

#[tokio::test]
async fn operations_that_return_nothing_take_objects_alone() {
    for (body, succeeds) in [
        ("{}", true),
        (r#"{"propertyThatCameLater": {"a": 1}}"#, true),
        ("", false),
        ("null", false),
        ("[1]", false),
        ("{", false),
        ("<html>Please log in</html>", false),
    ] {
        let api = Api::answering(&Reply::json(body));
        for operation in
            every::operations(&api.client).into_iter().filter(|operation| operation.returns_nothing)
        {
            match operation.call.await {
                Ok(value) => assert!(succeeds && value.is_null(), "{} of {body:?}", operation.id),
                Err(error) => assert!(!succeeds && error.is_decode(), "{error}"),
            }
        }
    }
    let api = Api::answering(&Reply::new(204));
    let nothing: Vec<_> = every::operations(&api.client)
        .into_iter()
        .filter(|operation| operation.returns_nothing)
        .collect();
    assert_eq!(nothing.len(), 4);
    for operation in nothing {
        operation.call.await.unwrap();
    }
}

#[tokio::test]
async fn errors_lead_to_the_place() {
    for (pointer, value, path) in [
        (
            "/automation/automationSteps/3/connectorCreateAccount",
            json!(7),
            "automation.automationSteps[3].connectorCreateAccount",
        ),
        (
            "/automation/triggers/5/schedule/start",
            json!("soon"),
            "automation.triggers[5].schedule.start",
        ),
        ("/automation/circuitBreakerMax", json!(0.5), "automation.circuitBreakerMax"),
        ("/automation/enabled", json!("yes"), "automation.enabled"),
    ] {
        let mut body = Sample::of("automations.get").body;
        *body.pointer_mut(pointer).unwrap() = value;
        let error =
            Api::answering(&Reply::json(&body)).client.automations().get("1").await.unwrap_err();
        assert_eq!(cause(&error).path(), path);
        let shown = error.to_string();
        assert!(
            shown.starts_with(
                "automations.get: GET /api/v1/automations/1 failed: failed to decode the response: "
            ),
            "{shown}"
        );
        assert!(shown.contains(path), "{shown}");
    }
}

#[tokio::test]
async fn a_url_can_be_too_long() {
    let api = Api::new();
    let error = api.client.automations().get("1".repeat(100_000)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    let said = error.to_string();
    assert!(said.contains("too long") && said.contains("`id`"), "{said}");
    assert!(said.len() < 1000, "{said}");
    assert!(api.requests().is_empty());
}

#[tokio::test]
async fn nobody_listening_is_a_failed_connection() {
    let client = access_governance::Client::builder("http://127.0.0.1:1")
        .retry(access_governance::runtime::RetryPolicy::never());
    for operation in every::operations(&client.build().unwrap()) {
        let error = operation.call.await.unwrap_err();
        assert!(error.is_connect() && error.is_retryable(), "{error}");
        assert_eq!(
            (error.operation(), error.status(), error.attempts()),
            (Some(operation.id), None, 1)
        );
    }
}

fn cause(error: &Error) -> &DecodeError {
    error.source().and_then(|source| source.downcast_ref()).unwrap()
}
