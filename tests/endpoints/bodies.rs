//! Bodies with all setters.

use access_governance::models::{
    AppEntitlementRef, Empty, PersonalClientUpdate, PrivateKeyJwtAuthentication,
    SsoClientAuthentication, SsoClientUpdate, TaskExpandMask, TaskExpandPath, UserRef,
};
use serde_json::json;

use crate::api::{Api, at, object};

#[tokio::test]
async fn bodies_of_catalogs_are_sent() {
    let api = Api::new();
    let catalogs = api.client.catalogs();
    for value in [true, false] {
        catalogs.create_requestable_entry("c", "a", "e").create_requests(value).await.unwrap();
        api.sent_body(&json!({ "createRequests": value }));
    }
    let refs = [("a-1", "e-1"), ("a-2", "e-2")];
    let bindings = refs.map(|(app, id)| AppEntitlementRef::new().app_id(app).id(id));
    catalogs.remove_access_entitlements("c").access_entitlements(bindings).await.unwrap();
    let refs = refs.map(|(app, id)| json!({ "appId": app, "id": id }));
    api.sent_body(&json!({ "accessEntitlements": refs }));
}

#[tokio::test]
async fn bodies_of_connectors_are_sent() {
    let api = Api::new();
    let set_owners = || api.client.connectors().set_owners("a", "c");
    set_owners()
        .role_slug("app_owner")
        .user_refs([UserRef::new().id("user-1"), UserRef::new().id("user-2")])
        .app_entitlement_refs([AppEntitlementRef::new().app_id("app-2").id("entitlement-1")])
        .await
        .unwrap();
    api.sent_body(&json!({
        "roleSlug": "app_owner",
        "userRefs": [{ "id": "user-1" }, { "id": "user-2" }],
        "appEntitlementRefs": [{ "appId": "app-2", "id": "entitlement-1" }],
    }));
    set_owners().user_refs([]).await.unwrap();
    api.sent_body(&json!({ "userRefs": [] }));
}

#[tokio::test]
async fn bodies_of_functions_are_sent() {
    let api = Api::new();
    let commit = api
        .client
        .functions()
        .create_initial_commit("f")
        .commit_message("First \"light\"\n")
        .filenames(["main.ts", "lib/größe.ts"]);
    commit.await.unwrap();
    api.sent_body(
        &json!({ "commitMessage": "First \"light\"\n", "filenames": ["main.ts", "lib/größe.ts"] }),
    );
}

#[tokio::test]
async fn bodies_of_gateway_keys_and_request_schemas_are_sent() {
    let api = Api::new();
    api.client.gateway_keys().mint().display_name("Notebook").await.unwrap();
    api.sent_body(&json!({ "displayName": "Notebook" }));
    let reference = AppEntitlementRef::new().app_id("a").id("e");
    api.client.request_schemas().find_binding().entitlement_ref(reference).await.unwrap();
    api.sent_body(&json!({ "entitlementRef": { "appId": "a", "id": "e" } }));
}

#[tokio::test]
async fn bodies_of_personal_clients_are_sent() {
    let api = Api::new();
    let changes = PersonalClientUpdate::new()
        .allow_source_cidr(["192.0.2.0/24"])
        .display_name("Nightly export")
        .expires_time(at("2025-12-31T23:59:59+01:00"))
        .scoped_roles(["role-reader"]);
    let update = api.client.personal_clients().update("c");
    update.client(changes).update_mask("displayName,scopedRoles").await.unwrap();
    api.sent_body(&json!({
        "client": {
            "allowSourceCidr": ["192.0.2.0/24"],
            "displayName": "Nightly export",
            "expiresTime": "2025-12-31T22:59:59Z",
            "scopedRoles": ["role-reader"],
        },
        "updateMask": "displayName,scopedRoles",
    }));
}

#[tokio::test]
async fn bodies_of_sso_clients_are_sent() {
    let api = Api::new();
    for (authentication, body) in [
        (
            SsoClientAuthentication::ClientSecretBasic(Empty::new()),
            json!({ "clientSecretBasic": {} }),
        ),
        (
            SsoClientAuthentication::ClientSecretPost(Empty::new()),
            json!({ "clientSecretPost": {} }),
        ),
        (SsoClientAuthentication::None(Empty::new()), json!({ "none": {} })),
        (
            PrivateKeyJwtAuthentication::new().public_jwks("{}").into(),
            json!({ "privateKeyJwt": { "publicJwks": "{}" } }),
        ),
    ] {
        let client = SsoClientUpdate::new()
            .authentication(authentication)
            .display_name("Time sheets")
            .redirect_uris(["https://time.example.com/callback"]);
        api.client.sso_clients().update("a", "s").client(client).client_id("c").await.unwrap();
        api.sent_body(&json!({
            "client": {
                "authentication": body,
                "displayName": "Time sheets",
                "redirectUris": ["https://time.example.com/callback"],
            },
            "clientId": "c",
        }));
    }
}

#[tokio::test]
async fn bodies_of_tasks_are_sent() {
    let api = Api::new();
    let create = |id: &str| api.client.tasks().create_resource_action(id);
    create("").await.unwrap();
    api.sent_body(&json!({ "actionId": "" }));

    let form =
        json!({ "groupName": "platform", "members": [1, 2.5, null, { "id": "u" }], "": true });
    let mask = TaskExpandMask::new().paths(TaskExpandPath::KNOWN.iter().cloned());
    create("a").expand_mask(mask).form_values(object(form.clone())).await.unwrap();
    let paths = [
        "*",
        "access_review_id",
        "user_id",
        "created_by_user_id",
        "app_id",
        "app_user_id",
        "app_entitlement_ids",
        "step_approver_ids",
        "approver_ids",
        "identity_user_id",
        "insight_ids",
        "app_user_last_usage",
        "entitlement_scope_bindings",
        "scope_role_resources",
        "resource",
    ];
    api.sent_body(
        &json!({ "actionId": "a", "expandMask": { "paths": paths }, "formValues": form }),
    );

    let mask = TaskExpandMask::new().paths(["user_id", "policy_ids"]);
    let [TaskExpandPath::UserId, TaskExpandPath::Unknown(_)] = mask.paths.as_deref().unwrap()
    else {
        panic!("{mask:?}")
    };
    create("a").expand_mask(mask).await.unwrap();
    api.sent_body(
        &json!({ "actionId": "a", "expandMask": { "paths": ["user_id", "policy_ids"] } }),
    );
}

#[tokio::test]
async fn bodies_of_webhooks_are_sent() {
    let api = Api::new();
    let create =
        api.client.webhooks().create().display_name("Audit").url("https://a.example/b?c=d%20e");
    create.callback_timeout("30s").description("Everything").await.unwrap();
    api.sent_body(&json!({
        "displayName": "Audit",
        "url": "https://a.example/b?c=d%20e",
        "callbackTimeout": "30s",
        "description": "Everything",
    }));
}
