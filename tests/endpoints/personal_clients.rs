//! Personal client credentials.

use access_governance::models::{PersonalClient, PersonalClientUpdate};
use serde_json::json;

use crate::api::{Api, at, model};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn update_sends() {
    let api = Api::new();
    let line = "POST /api/v1/iam/personal_clients/credential-1";
    api.client.personal_clients().update("credential-1").await.unwrap();
    api.sent_json(line, &json!({}));
    let changes = PersonalClientUpdate::new()
        .allow_source_cidr(["192.0.2.0/24"])
        .display_name("Nightly export")
        .expires_time(at("2025-12-31T23:59:59+01:00"))
        .scoped_roles(["role-reader"]);
    let update = api.client.personal_clients().update("credential-1");
    update.client(changes).update_mask("displayName,scopedRoles").await.unwrap();
    api.sent_json(
        line,
        &json!({
            "client": {
                "allowSourceCidr": ["192.0.2.0/24"],
                "displayName": "Nightly export",
                "expiresTime": "2025-12-31T22:59:59Z",
                "scopedRoles": ["role-reader"],
            },
            "updateMask": "displayName,scopedRoles",
        }),
    );
}

#[tokio::test]
async fn update_keeps_values_in_their_segments() {
    values_stay_in_their_segments("POST /api/v1/iam/personal_clients/{id}", |client, [id]| {
        client.personal_clients().update(id)
    })
    .await;
}

#[tokio::test]
async fn update_receives() {
    let api = Api::with_sample("personalClients.update");
    let reply = api.client.personal_clients().update("credential-1").await.unwrap();
    assert_eq!(json!(reply), Sample::of("personalClients.update").body);
    let client = model!(PersonalClient {
        allow_source_cidr: ["192.0.2.0/24", "2001:db8::/32"].map(String::from),
        client_id: "generated-client-id",
        created_at: at("2025-01-01T00:00:00Z"),
        deleted_at: at("2025-06-01T00:00:00Z"),
        expires_time: at("2025-12-31T23:59:59Z"),
        last_used_at: at("2025-05-05T05:05:05.050Z"),
        updated_at: at("2025-02-01T00:00:00Z"),
        display_name: "Nightly export",
        id: "credential-1",
        scoped_roles: ["role-reader", "role-auditor"].map(String::from),
        user_id: "user-1"
    });
    assert_eq!(reply.client, Some(client));
}
