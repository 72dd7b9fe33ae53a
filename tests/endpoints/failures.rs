//! What errors report, whatever operation failed.

use std::error::Error as _;

use access_governance::Error;
use access_governance::runtime::DecodeError;
use serde_json::json;
use tests::Reply;

use crate::api::Api;
use crate::every;
use crate::sample::Sample;

#[tokio::test]
async fn every_operation_reports_a_status() {
    let body = r#"{"code":3,"message":"the action is disabled"}"#;
    let reply = Reply::new(400).header("x-request-id", "r-1").body("application/json", body);
    let api = Api::answering(&reply);
    for operation in every::operations(&api.client) {
        let error = operation.call.await.unwrap_err();
        let request = api.request();
        assert_eq!((error.status(), error.body()), (Some(400), body.as_bytes()));
        assert_eq!((error.operation(), error.request_id()), (Some(operation.id), Some("r-1")));
        assert_eq!(
            error.to_string(),
            format!(
                "{}: {} failed: HTTP 400 Bad Request (request id r-1): the action is disabled",
                operation.id,
                request.line()
            )
        );
    }
}

#[tokio::test]
async fn every_operation_reports_a_body_that_is_no_object() {
    for body in ["[1]", "{\"a\":", "<html>Please log in</html>"] {
        let api = Api::answering(&Reply::json(body));
        for operation in every::operations(&api.client) {
            let error = operation.call.await.unwrap_err();
            assert!(error.is_decode() && !error.is_retryable(), "{error}");
            assert_eq!((error.operation(), error.status()), (Some(operation.id), Some(200)));
            assert_eq!(error.body(), body.as_bytes());
        }
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

fn cause(error: &Error) -> &DecodeError {
    error.source().and_then(|source| source.downcast_ref()).unwrap()
}
