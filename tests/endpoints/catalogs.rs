//! Request catalogs.

use access_governance::models::{AppEntitlementRef, RequestableEntry};
use serde_json::json;

use crate::api::{Api, entitlement, model};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

#[tokio::test]
async fn create_requestable_entry_sends() {
    let api = Api::new();
    let line = "PUT /api/v1/catalogs/catalog-1/requestable_entries/app-1/entitlement-1";
    let create =
        || api.client.catalogs().create_requestable_entry("catalog-1", "app-1", "entitlement-1");
    create().await.unwrap();
    api.sent_json(line, &json!({}));
    create().create_requests(true).await.unwrap();
    api.sent_json(line, &json!({ "createRequests": true }));
    create().create_requests(false).await.unwrap();
    api.sent_json(line, &json!({ "createRequests": false }));
}

#[tokio::test]
async fn create_requestable_entry_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "PUT /api/v1/catalogs/{catalog_id}/requestable_entries/{app_id}/{entitlement_id}",
        |client, [catalog_id, app_id, entitlement_id]| {
            client.catalogs().create_requestable_entry(catalog_id, app_id, entitlement_id)
        },
    )
    .await;
}

#[tokio::test]
async fn create_requestable_entry_receives() {
    let api = Api::with_sample("catalogs.createRequestableEntry");
    let reply = api
        .client
        .catalogs()
        .create_requestable_entry("catalog-1", "app-1", "entitlement-1")
        .await
        .unwrap();
    assert_eq!(json!(reply), Sample::of("catalogs.createRequestableEntry").body);
    let entry = model!(RequestableEntry {
        app_id: "app-1",
        catalog_id: "catalog-1",
        entitlement_id: "entitlement-1"
    });
    assert_eq!(reply.requestable_entry, Some(entry));
}

#[tokio::test]
async fn list_requestable_entitlement_ids_sends() {
    let api = Api::new();
    api.client.catalogs().list_requestable_entitlement_ids("catalog-1").await.unwrap();
    api.sent("GET /api/v1/catalogs/catalog-1/requestable_entitlementIDs");
}

#[tokio::test]
async fn list_requestable_entitlement_ids_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "GET /api/v1/catalogs/{catalog_id}/requestable_entitlementIDs",
        |client, [catalog_id]| client.catalogs().list_requestable_entitlement_ids(catalog_id),
    )
    .await;
}

#[tokio::test]
async fn list_requestable_entitlement_ids_receives() {
    let api = Api::with_sample("catalogs.listRequestableEntitlementIds");
    let reply = api.client.catalogs().list_requestable_entitlement_ids("catalog-1").await.unwrap();
    assert_eq!(json!(reply), Sample::of("catalogs.listRequestableEntitlementIds").body);
    let first = AppEntitlementRef::new().app_id("app-1").id("entitlement-1");
    let second = AppEntitlementRef::new().app_id("app-2").id("entitlement-2");
    assert_eq!(reply.refs, Some(vec![first, second]));
}

#[tokio::test]
async fn remove_access_entitlements_sends() {
    let api = Api::new();
    let line = "DELETE /api/v1/catalogs/catalog-1/visibility_bindings";
    let remove = || api.client.catalogs().remove_access_entitlements("catalog-1");
    remove().await.unwrap();
    api.sent_json(line, &json!({}));
    let bindings = [("app-1", "entitlement-1"), ("app-2", "entitlement-2")];
    let refs = bindings.map(|(app, id)| AppEntitlementRef::new().app_id(app).id(id));
    remove().access_entitlements(refs).await.unwrap();
    let refs = bindings.map(|(app, id)| entitlement(app, id));
    api.sent_json(line, &json!({ "accessEntitlements": refs }));
}

#[tokio::test]
async fn remove_access_entitlements_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "DELETE /api/v1/catalogs/{catalog_id}/visibility_bindings",
        |client, [catalog_id]| client.catalogs().remove_access_entitlements(catalog_id),
    )
    .await;
}
