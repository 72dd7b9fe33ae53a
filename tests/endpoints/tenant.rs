//! The fake tenant serves every operation without drift, and returns written values.

use access_governance::models::{Empty, SsoClientAuthentication, SsoClientUpdate};
use access_governance::{Client, ErrorKind};
use tests::{Server, Tenant};

use crate::every;

pub fn client() -> Client {
    let tenant = Tenant::default();
    let server = Server::new(move |_, request| tenant.answer(request));
    let client = Client::builder(server.url()).client_credentials("/oauth/token", "id", "secret");
    client.strict().build().unwrap()
}

#[tokio::test]
async fn every_operation_is_answered_without_drift() {
    let mut failures = Vec::new();
    for operation in every::operations(&client()) {
        if let Err(error) = operation.call.await {
            // The plain arguments refer to objects that do not exist.
            if error.status() != Some(404) {
                failures.push(format!("{error}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[tokio::test]
async fn written_values_are_read() {
    let client = client();
    let catalogs = client.catalogs();
    catalogs.create_requestable_entry("catalog-1", "app-9", "entitlement-9").await.unwrap();
    let references = catalogs.list_requestable_entitlement_ids("catalog-1").await.unwrap().refs;
    let last = references.unwrap().pop().unwrap();
    assert_eq!(
        (last.app_id.as_deref(), last.id.as_deref()),
        (Some("app-9"), Some("entitlement-9"))
    );

    client.bridges().delete("bridge-1").await.unwrap();
    assert!(client.bridges().delete("bridge-1").await.unwrap_err().is_not_found());

    let update = |name: &str| {
        let update = client.sso_clients().update("app-1", "sso-1").client_id("client-1");
        update.client(SsoClientUpdate::new().display_name(name))
    };
    update("First").await.unwrap();
    let kept = client.sso_clients().update("app-1", "sso-1").client_id("client-1").await.unwrap();
    assert_eq!(kept.client.unwrap().display_name.as_deref(), Some("First"));
    let other = SsoClientUpdate::new()
        .authentication(SsoClientAuthentication::ClientSecretBasic(Empty::new()));
    let change = client.sso_clients().update("app-1", "sso-1").client_id("client-1").client(other);
    assert!(change.await.is_err(), "the method is immutable");
}

#[tokio::test]
async fn lists_are_paged() {
    let client = client();
    let list = || client.entitlement_owners().list("app-1", "entitlement-1");
    let all = list().await.unwrap().list.unwrap();
    let mut items = list().page_size(1).items();
    let mut paged = Vec::new();
    while let Some(item) = items.try_next().await.unwrap() {
        paged.push(item);
    }
    assert!(all.len() > 1);
    assert_eq!(paged, all);
}

#[tokio::test]
async fn faults_are_injected_on_request() {
    let client = client();
    let call = |fault: &str| client.hooks().list().with_query("fault", fault);
    let never = access_governance::RetryPolicy::never;
    for (fault, kind) in [
        ("503", ErrorKind::Status),
        ("html", ErrorKind::Decode),
        ("garbage", ErrorKind::Decode),
        ("hangup", ErrorKind::Interrupted),
    ] {
        let error = call(fault).with_retry(never()).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{fault}: {error}");
    }
}
