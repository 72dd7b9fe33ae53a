//! Keys of the model gateway.

use serde_json::json;

use crate::api::{Api, at, text};
use crate::sample::Sample;

#[tokio::test]
async fn mint_sends() {
    let api = Api::new();
    api.client.gateway_keys().mint().await.unwrap();
    api.sent_json("POST /api/v1/llm-gateway/keys", &json!({}));
    api.client.gateway_keys().mint().display_name("Notebook").await.unwrap();
    api.sent_json("POST /api/v1/llm-gateway/keys", &json!({ "displayName": "Notebook" }));
}

#[tokio::test]
async fn mint_receives() {
    let api = Api::with_sample("gatewayKeys.mint");
    let reply = api.client.gateway_keys().mint().await.unwrap();
    assert_eq!(json!(reply), Sample::of("gatewayKeys.mint").body);

    let key = reply.gateway_key.unwrap();
    assert_eq!(
        (key.id, key.display_name, key.key_prefix),
        (text("key-1"), text("Notebook"), text("gw_ab12"))
    );
    assert_eq!(key.created_at, Some(at("2025-03-04T05:06:07Z")));
    assert_eq!(key.updated_at, Some(at("2025-03-05T05:06:07Z")));
    assert_eq!(key.revoked_at, Some(at("2025-03-06T05:06:07Z")));
    assert_eq!(reply.plaintext_key.unwrap().expose(), "gw_ab12-plaintext-that-nobody-may-see");
}
