//! JSON merge patches, with nulls for the properties that they remove.

use openapi_bindings_runtime::internal::{Endpoint, MergePatchEndpoint};
use openapi_bindings_runtime::{ErrorKind, Map, Model as _, UnknownProperties, Value, internal};
use serde_json::json;

use crate::support::api::{Request, operation, request};
use crate::support::client;
use crate::support::server::Server;

#[derive(Clone, Default)]
pub struct Patch {
    name: Option<String>,
    owner: Option<Map>,
    tags: Option<Vec<String>>,
    id: Option<i64>,
    unknown: UnknownProperties,
}

internal::object! {
    Patch { name: "name", owner: "owner", tags: "tags" null, id: "id" }
    unknown
}

operation!(Update, "Update", PATCH, "/pets", Patch => (), |call, body| {
    call.merge_patch(Some(body), MEDIA_TYPE)
});
operation!(UpdateIfSet, "UpdateIfSet", PATCH, "/pets", Option<Patch> => (), |call, body| {
    call.merge_patch(body.as_ref(), MEDIA_TYPE)
});

impl MergePatchEndpoint for Update {}
impl MergePatchEndpoint for UpdateIfSet {}

const MEDIA_TYPE: &str = "application/merge-patch+json";

fn patch() -> Patch {
    Patch {
        name: Some("Rex".to_owned()),
        owner: Some(Map::from_iter([("email".to_owned(), Value::from("a@b"))])),
        id: Some(i64::MAX),
        ..Patch::default()
    }
}

/// Sends a request, and returns its body.
async fn sent<E: Endpoint<Output = ()>>(
    body: E::Body,
    add: impl FnOnce(Request<E>) -> Request<E>,
) -> Option<Value> {
    let server = Server::json("{}");
    add(request::<E>(&client(server.url()).build().unwrap(), body)).await.unwrap();
    let seen = server.only();
    let media_type = seen.headers.get("content-type").map(String::as_str);
    assert_eq!(media_type, (!seen.body.is_empty()).then_some(MEDIA_TYPE));
    (!seen.body.is_empty()).then(|| serde_json::from_str(&seen.body).unwrap())
}

#[tokio::test]
async fn a_null_of_the_body_is_sent() {
    let mut patch = Patch { tags: Some(vec!["a".to_owned()]), ..Patch::default() };
    internal::set_null(&mut patch, "tags");
    assert_eq!(sent::<Update>(patch, |request| request).await, Some(json!({"tags": null})));
}

#[tokio::test]
async fn a_null_replaces_what_is_set() {
    let plain = json!({"name": "Rex", "owner": {"email": "a@b"}, "id": i64::MAX});
    assert_eq!(sent::<Update>(patch(), |request| request).await, Some(plain));
    let with_nulls = sent::<Update>(patch(), |request| {
        request
            .with_null(["tags"])
            .with_null(["name"])
            .with_null(["owner", "phone"])
            .with_null(["home", "a/b", "city"])
    });
    let expected = json!({
        "name": null,
        "tags": null,
        "owner": {"email": "a@b", "phone": null},
        "home": {"a/b": {"city": null}},
        "id": i64::MAX,
    });
    assert_eq!(with_nulls.await, Some(expected));
}

#[tokio::test]
async fn numbers_keep_their_digits_beside_a_null() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    for digits in ["123456789012345678901", "1e400"] {
        let body = format!(r#"{{"owner":{{"age":1}},"id":{digits}}}"#);
        let patch = Patch::from_json(body.as_bytes()).unwrap();
        request::<Update>(&client, patch).with_null(["owner", "phone"]).await.unwrap();
        let expected = format!(r#"{{"owner":{{"age":1,"phone":null}},"id":{digits}}}"#);
        assert_eq!(server.take().pop().unwrap().body, expected);
    }
}

#[tokio::test]
async fn a_null_is_sent_without_a_body() {
    assert_eq!(sent::<UpdateIfSet>(None, |request| request).await, None);
    let null = sent::<UpdateIfSet>(None, |request| request.with_null(["name"])).await;
    assert_eq!(null, Some(json!({"name": null})));
}

#[tokio::test]
async fn a_null_outside_of_objects_fails_the_call() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    for path in [&["name", "first"][..], &["tags", "0"], &["gone", "name"], &[]] {
        let body = Patch { tags: Some(vec!["a".to_owned()]), ..patch() };
        let request = request::<Update>(&client, body).with_null(["gone"]);
        let error = request.with_null(path.iter().copied()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Request);
        assert!(error.to_string().contains(&format!("`{}`", path.join("/"))), "{error}");
    }
    assert!(server.seen().is_empty());
}
