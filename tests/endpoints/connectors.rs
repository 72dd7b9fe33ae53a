//! Connectors.

use access_governance::models::{AppEntitlementRef, UserRef};
use serde_json::json;

use crate::api::{Api, entitlement};
use crate::hostile::values_stay_in_their_segments;

#[tokio::test]
async fn pause_sync_sends() {
    let api = Api::new();
    api.client.connectors().pause_sync("app-1", "connector-1").await.unwrap();
    api.sent_json("POST /api/v1/apps/app-1/connectors/connector-1/pause", &json!({}));
}

#[tokio::test]
async fn pause_sync_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "POST /api/v1/apps/{app_id}/connectors/{connector_id}/pause",
        |client, [app_id, connector_id]| client.connectors().pause_sync(app_id, connector_id),
    )
    .await;
}

#[tokio::test]
async fn set_owners_sends() {
    let api = Api::new();
    let line = "PUT /api/v2/apps/app-1/connectors/connector-1/owners";
    let set_owners = || api.client.connectors().set_owners("app-1", "connector-1");
    set_owners().await.unwrap();
    api.sent_json(line, &json!({}));
    set_owners()
        .role_slug("app_owner")
        .user_refs([UserRef::new().id("user-1"), UserRef::new().id("user-2")])
        .app_entitlement_refs([AppEntitlementRef::new().app_id("app-2").id("entitlement-1")])
        .await
        .unwrap();
    api.sent_json(
        line,
        &json!({
            "roleSlug": "app_owner",
            "userRefs": [{ "id": "user-1" }, { "id": "user-2" }],
            "appEntitlementRefs": [entitlement("app-2", "entitlement-1")],
        }),
    );
    set_owners().user_refs(Vec::<UserRef>::new()).await.unwrap();
    api.sent_json(line, &json!({ "userRefs": [] }));
}

#[tokio::test]
async fn set_owners_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "PUT /api/v2/apps/{app_id}/connectors/{connector_id}/owners",
        |client, [app_id, connector_id]| client.connectors().set_owners(app_id, connector_id),
    )
    .await;
}
