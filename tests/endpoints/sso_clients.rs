//! OAuth/OIDC clients of an app's SSO application.

use access_governance::models::{
    Empty, PrivateKeyJwtAuthentication, SsoClient, SsoClientAuthentication, SsoClientUpdate,
};
use serde_json::json;
use tests::Reply;

use crate::api::{Api, at, model};
use crate::hostile::values_stay_in_their_segments;
use crate::sample::Sample;

const LINE: &str = "POST /api/v1/apps/app-1/sso/applications/sso-1/clients/update";

#[tokio::test]
async fn update_sends() {
    let api = Api::new();
    api.client.sso_clients().update("app-1", "sso-1").await.unwrap();
    api.sent_json(LINE, &json!({}));
    let configuration = SsoClientUpdate::new()
        .authentication(PrivateKeyJwtAuthentication::new().public_jwks("{}"))
        .display_name("Time sheets")
        .redirect_uris(["https://time.example.com/callback"]);
    let update = api.client.sso_clients().update("app-1", "sso-1");
    update.client(configuration).client_id("generated-client-id").await.unwrap();
    api.sent_json(
        LINE,
        &json!({
            "client": {
                "authentication": { "privateKeyJwt": { "publicJwks": "{}" } },
                "displayName": "Time sheets",
                "redirectUris": ["https://time.example.com/callback"],
            },
            "clientId": "generated-client-id",
        }),
    );
}

#[tokio::test]
async fn update_sends_authentication_of_every_kind() {
    let api = Api::new();
    for (authentication, body) in [
        (SsoClientAuthentication::client_secret_basic(), json!({ "clientSecretBasic": {} })),
        (SsoClientAuthentication::client_secret_post(), json!({ "clientSecretPost": {} })),
        (SsoClientAuthentication::none(), json!({ "none": {} })),
        (PrivateKeyJwtAuthentication::new().into(), json!({ "privateKeyJwt": {} })),
    ] {
        let configuration = SsoClientUpdate::new().authentication(authentication);
        api.client.sso_clients().update("app-1", "sso-1").client(configuration).await.unwrap();
        api.sent_json(LINE, &json!({ "client": { "authentication": body } }));
    }
}

#[tokio::test]
async fn update_keeps_values_in_their_segments() {
    values_stay_in_their_segments(
        "POST /api/v1/apps/{app_id}/sso/applications/{id}/clients/update",
        |client, [app_id, id]| client.sso_clients().update(app_id, id),
    )
    .await;
}

#[tokio::test]
async fn update_receives() {
    let authentication = [
        SsoClientAuthentication::PrivateKeyJwt(
            PrivateKeyJwtAuthentication::new().public_jwks(r#"{"keys":[]}"#),
        ),
        SsoClientAuthentication::ClientSecretBasic(Empty::new()),
        SsoClientAuthentication::ClientSecretPost(Empty::new()),
        SsoClientAuthentication::none(),
    ];
    let bodies = Sample::of("ssoClients.update").bodies();
    assert_eq!(bodies.len(), authentication.len());
    for (body, authentication) in bodies.iter().zip(authentication) {
        let api = Api::answering(&Reply::json(body));
        let reply = api.client.sso_clients().update("app-1", "sso-1").await.unwrap();
        assert_eq!(json!(reply), *body);
        let client = model!(SsoClient {
            app_id: "app-1",
            sso_application_id: "sso-1",
            client_id: "generated-client-id",
            display_name: "Time sheets",
            redirect_uris: ["https://time.example.com/callback", "http://127.0.0.1/callback"]
                .map(String::from),
            authentication: authentication,
            created_at: at("2024-12-31T23:59:59Z"),
            updated_at: at("2025-01-01T00:00:00.500Z")
        });
        assert_eq!(reply.client, Some(client));
    }
}
