//! Calls that block their thread.

use access_governance::runtime::ErrorKind;

use crate::api::Api;

#[test]
fn requests_can_be_sent_without_a_runtime() {
    let api = Api::with_sample("gatewayKeys.mint");
    let mint = api.client.gateway_keys().mint().display_name("Notebook");
    let reply = mint.send_blocking().unwrap();
    assert!(reply.plaintext_key.is_some());
    api.sent(r#"POST /api/v1/llm-gateway/keys {"displayName":"Notebook"}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_can_be_sent_from_a_runtime_with_threads() {
    let api = Api::new();
    api.client.bridges().delete("1").send_blocking().unwrap();
    api.sent("DELETE /api/v1/iam/tunnel/bridges/1 {}");
}

#[tokio::test]
async fn a_runtime_with_one_thread_is_not_stalled() {
    let api = Api::new();
    let error = api.client.hooks().list().send_blocking().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Blocking);
    assert!(api.requests().is_empty());
}
