//! Whom clients tell of responses that say more than the description.

use std::sync::{Arc, Mutex};

use access_governance_runtime::DriftKind;
use access_governance_runtime::internal::{Call, Method, Operation, Request, request_methods};

use crate::support::client;
use crate::support::server::{Server, json};

#[path = "wire/models.rs"]
#[allow(dead_code, reason = "they are made for other tests")]
mod models;

#[must_use]
struct GetTask {
    call: Call,
}

impl Request for GetTask {
    type Output = models::Task;
    const OPERATION: &'static Operation =
        &Operation { id: "tasks.get", method: Method::GET, path: "/api/v1/tasks" };

    fn into_call(self) -> Call {
        self.call
    }
}

request_methods!(GetTask);

#[tokio::test]
async fn findings_come_with_their_operation_once_per_response() {
    let server = Server::new(|number, _| match number {
        0 => json(503, r#"{"oops":1}"#),
        1 => json(200, r#"{"id":"1","new":1,"children":[{"actions":["ACTION_FLY"]}]}"#),
        2 => json(200, r#"{"id":"1"}"#),
        _ => json(200, r#"{"id":"1","parent":{"newer":2}}"#),
    });
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let client = client(server.url())
        .on_drift(move |report| {
            let findings: Vec<_> = report
                .findings
                .iter()
                .map(|drift| (drift.path.clone(), drift.kind, drift.name.clone()))
                .collect();
            let operation = report.operation;
            let told = (operation.id, operation.method.as_str(), findings);
            telling.lock().unwrap().push(told);
        })
        .build()
        .unwrap();
    let get = || GetTask { call: Call::new(&client, GetTask::OPERATION) };
    let finding = |path: &str, kind, name: &str| (path.to_owned(), kind, name.to_owned());

    let task = get().await.unwrap();
    assert_eq!(task.id, "1");
    get().await.unwrap();
    let reply = get().send_raw().await.unwrap();
    assert_eq!(reply.attempts(), 1);
    let told = told.lock().unwrap().clone();
    assert_eq!(
        told,
        [
            (
                "tasks.get",
                "GET",
                vec![
                    finding("children[0].actions[0]", DriftKind::Value, "ACTION_FLY"),
                    finding("", DriftKind::UnionMember, "new"),
                ]
            ),
            ("tasks.get", "GET", vec![finding("parent", DriftKind::UnionMember, "newer")]),
        ],
        "neither a failed attempt nor a response as described is told of"
    );
}
