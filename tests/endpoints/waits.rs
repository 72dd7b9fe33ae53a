//! Waits of the emitted crate, against the delayed effects of the fake tenant.

use std::time::Duration;

use access_governance::{Client, Waited};

use crate::tenant::client;

#[tokio::test]
async fn an_execution_is_awaited() {
    let client = client();
    let execution = |client: &Client, id: &str| client.automation_executions().get(id);
    match execution(&client, "4711").wait().await.unwrap() {
        Waited::Finished(reply) => {
            assert!(reply.is_finished());
            assert!(reply.automation_execution.unwrap().completed_at.is_some());
        }
        Waited::Unfinished(last) => panic!("{last:?}"),
    }
    let mut polling = execution(&client, "4712").poll().every(Duration::ZERO);
    let first = polling.next_reply().await.unwrap();
    assert!(!first.is_finished());
    let first = first.automation_execution.unwrap();
    assert!(first.completed_at.is_none());
    assert!(polling.until_finished().await.unwrap().finished().is_some());

    let mut missing = execution(&client, "5000").poll().every(Duration::ZERO);
    assert!(missing.until_finished().await.unwrap_err().is_not_found());
    let mut missing = execution(&client, "5001").poll().every(Duration::ZERO).allow_missing();
    assert!(missing.until_finished().await.unwrap().finished().is_some());
}

#[test]
fn an_execution_is_awaited_without_async() {
    let execution = client().automation_executions().get("4711");
    assert!(execution.wait_blocking().unwrap().finished().is_some());
}
