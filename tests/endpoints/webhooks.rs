//! Webhook subscriptions.

use access_governance::models::Webhook;
use serde_json::json;

use crate::api::{Api, at, model};
use crate::sample::Sample;

#[tokio::test]
async fn create_sends() {
    let api = Api::new();
    api.client.webhooks().create().await.unwrap();
    api.sent_json("POST /api/v1/webhooks", &json!({}));
    api.client
        .webhooks()
        .create()
        .display_name("Audit trail")
        .url("https://archive.example.com/events?tenant=a%20b")
        .callback_timeout("30s")
        .description("Everything, for the archive")
        .await
        .unwrap();
    api.sent_json(
        "POST /api/v1/webhooks",
        &json!({
            "displayName": "Audit trail",
            "url": "https://archive.example.com/events?tenant=a%20b",
            "callbackTimeout": "30s",
            "description": "Everything, for the archive",
        }),
    );
}

#[tokio::test]
async fn create_receives() {
    let api = Api::with_sample("webhooks.create");
    let reply = api.client.webhooks().create().await.unwrap();
    assert_eq!(json!(reply), Sample::of("webhooks.create").body);
    let webhook = model!(Webhook {
        id: "webhook-1",
        display_name: "Audit trail",
        description: "Everything, for the archive",
        url: "https://archive.example.com/events?tenant=a%20b",
        callback_timeout: "30s",
        created_at: at("2025-01-01T00:00:00Z"),
        updated_at: at("2025-01-02T00:00:00Z"),
        deleted_at: at("2025-01-03T00:00:00Z")
    });
    assert_eq!(reply.webhook, Some(webhook));
}
