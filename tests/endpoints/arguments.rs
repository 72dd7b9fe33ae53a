//! Arguments of operations and setters.

use std::borrow::Cow;

use access_governance::models::{SsoClientUpdate, UpdateSsoClientRequest};
use access_governance::resources::entitlement_owners::List;
use access_governance::runtime::Param;
use serde_json::json;

use crate::api::Api;

/// An identifier with a type of the program.
struct AppId(u32);

impl Param for AppId {
    fn to_param(&self) -> Cow<'_, str> {
        format!("app-{}", self.0).into()
    }
}

#[tokio::test]
async fn paths_take_texts_numbers_and_identifiers_of_the_program() {
    let api = Api::new();
    api.client.automations().get(42).await.unwrap();
    api.sent("GET /api/v1/automations/42");
    api.client.automations().get(usize::MAX).await.unwrap();
    api.sent(&format!("GET /api/v1/automations/{}", usize::MAX));
    let owned = "4711".to_owned();
    api.client.entitlement_owners().list(AppId(7), &owned).await.unwrap();
    api.sent("GET /api/v1/apps/app-7/entitlements/4711/owners");
    api.client.entitlement_owners().list(owned, Cow::Borrowed("e")).await.unwrap();
    api.sent("GET /api/v1/apps/4711/entitlements/e/owners");
}

#[tokio::test]
async fn setters_take_integers_that_fit_and_options() {
    let api = Api::new();
    let list = || api.client.entitlement_owners().list("a", "e");
    list().page_size(7_u8).await.unwrap();
    api.sent("GET /api/v1/apps/a/entitlements/e/owners?page_size=7");
    list().page_size(7).set_if_some(Some(9_u32), List::page_size).await.unwrap();
    api.sent("GET /api/v1/apps/a/entitlements/e/owners?page_size=9");
    list().set_if_some(None::<String>, List::page_token).await.unwrap();
    api.sent("GET /api/v1/apps/a/entitlements/e/owners");
}

#[tokio::test]
async fn setters_take_lists_of_all_kinds() {
    let uris = |client: SsoClientUpdate| json!(client)["redirectUris"].clone();
    let new = SsoClientUpdate::new;
    assert_eq!(uris(new().redirect_uris([])), json!([]));
    assert_eq!(uris(new().redirect_uris(["a", "b"])), json!(["a", "b"]));
    assert_eq!(uris(new().redirect_uris(vec!["a".to_owned()])), json!(["a"]));
    assert_eq!(uris(new().redirect_uris("a b".split(' '))), json!(["a", "b"]));
    let kept = vec!["a".to_owned()];
    assert_eq!(uris(new().redirect_uris(&kept)), json!(["a"]));
    assert_eq!(kept, ["a"]);
}

#[tokio::test]
async fn a_body_is_sent_as_a_whole() {
    let api = Api::new();
    let body: UpdateSsoClientRequest =
        serde_json::from_value(json!({ "clientId": "c", "later": 1 })).unwrap();
    api.client.sso_clients().update("a", "s").client_id("replaced").with_body(body).await.unwrap();
    api.sent_body(&json!({ "clientId": "c", "later": 1 }));
}
