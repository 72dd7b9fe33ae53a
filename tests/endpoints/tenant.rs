//! The fake tenant serves every operation without drift, and returns written values.

use access_governance::models::{Empty, SsoClientAuthentication, SsoClientUpdate};
use access_governance::{Client, ClientBuilder, Error, ErrorKind};
use tests::{Server, Tenant};

use crate::every;

pub fn client() -> Client {
    let builder = builder(Tenant::default());
    builder.client_credentials("/oauth/token", "id", "secret").build().unwrap()
}

fn builder(tenant: Tenant) -> ClientBuilder {
    let server = Server::new(move |_, request| tenant.answer(request));
    Client::builder(server.url()).strict()
}

/// Calls the operations, and returns the errors.
async fn errors(client: &Client) -> Vec<Error> {
    let mut errors = Vec::new();
    for operation in every::operations(client) {
        errors.extend(operation.call.await.err());
    }
    errors
}

#[tokio::test]
async fn operations_are_answered_without_drift() {
    let mut errors = errors(&client()).await;
    // The plain arguments refer to objects that do not exist.
    errors.retain(|error| error.status() != Some(404));
    assert!(errors.is_empty(), "{errors:#?}");
}

#[tokio::test]
async fn operations_are_answered_by_the_spec_alone_without_drift() {
    let client = builder(Tenant::described()).bearer_token("any").build().unwrap();
    let errors = errors(&client).await;
    assert!(errors.is_empty(), "{errors:#?}");
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
