//! Request schemas bound to app entitlements.

use access_governance::models::AppEntitlementRef;
use serde_json::json;

use crate::api::{Api, entitlement, text};
use crate::sample::Sample;

#[tokio::test]
async fn find_binding_sends() {
    let api = Api::new();
    let line = "PUT /api/v1/request_schema_entitlement_binding";
    api.client.request_schemas().find_binding().await.unwrap();
    api.sent_json(line, &json!({}));
    let reference = AppEntitlementRef::new().app_id("app-1").id("entitlement-1");
    api.client.request_schemas().find_binding().entitlement_ref(reference).await.unwrap();
    api.sent_json(line, &json!({ "entitlementRef": entitlement("app-1", "entitlement-1") }));
}

#[tokio::test]
async fn find_binding_receives() {
    let api = Api::with_sample("requestSchemas.findBinding");
    let binding = api.client.request_schemas().find_binding().await.unwrap();
    assert_eq!(json!(binding), Sample::of("requestSchemas.findBinding").body);
    assert_eq!(
        binding.entitlement_ref,
        Some(AppEntitlementRef::new().app_id("app-1").id("entitlement-1"))
    );
    assert_eq!(binding.request_schema_id, text("schema-1"));
}
