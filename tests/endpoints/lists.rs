//! Paged lists.

use access_governance::{ErrorKind, Model as _};
use serde_json::json;
use tests::server;

use crate::api::{Api, text};

#[tokio::test]
async fn parameters_of_a_page_are_sent() {
    let api = Api::new();
    let line = "GET /api/v1/apps/a/entitlements/e/owners";
    let list = || api.client.entitlement_owners().list("a", "e");
    list().page_size(50).page_token("a+b/c=&d ü").await.unwrap();
    api.sent(&format!("{line}?page_size=50&page_token=a%2Bb%2Fc%3D%26d%20%C3%BC"));
    list().page_size(1).page_size(2).with_query("trace", "on").await.unwrap();
    api.sent(&format!("{line}?page_size=2&trace=on"));
}

#[tokio::test]
async fn items_are_those_of_all_pages() {
    let api = Api::serving(|request| {
        let page = match request.target.split_once('?').unwrap().1 {
            "page_size=2" => {
                json!({ "list": [{ "id": "user-1" }, { "id": "user-2" }], "nextPageToken": "after 2" })
            }
            "page_size=2&page_token=after%202" => json!({ "list": [], "nextPageToken": "after-2" }),
            "page_size=2&page_token=after-2" => {
                json!({ "list": [{ "id": "user-3" }], "nextPageToken": "" })
            }
            other => panic!("{other}"),
        };
        server::json(200, &page.to_string())
    });
    let users = api.client.entitlement_owners().list("a", "e").page_size(2).items();
    let ids = users.collect().await.unwrap().into_iter().map(|user| user.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["user-1", "user-2", "user-3"].map(text));
    assert_eq!(api.requests().len(), 3);
}

#[tokio::test]
async fn items_go_on_after_a_value_that_does_not_fit() {
    let api = Api::serving(|request| {
        let page = match request.target.split_once('?') {
            None => {
                json!({ "list": [{ "id": 7 }, "user-2", { "id": "user-3" }], "nextPageToken": "2" })
            }
            Some(_) => json!({ "list": [{ "id": "user-4" }], "nextPageToken": "" }),
        };
        server::json(200, &page.to_string())
    });
    let users = api.client.entitlement_owners().list("a", "e").items().collect().await.unwrap();
    let ids = users.iter().map(|user| user.id.clone().unwrap_or_default());
    assert_eq!(ids.collect::<Vec<_>>(), ["", "user-3", "user-4"]);
    assert_eq!(users[0].unknown_properties()["id"], 7);
    assert_eq!(api.requests().len(), 2);
}

#[tokio::test]
async fn items_by_takes_a_page_parameter_that_the_spec_does_not_describe() {
    let api = Api::serving(|request| {
        let query = request.target.split_once('?').map_or("", |(_, query)| query);
        let page = match query {
            "after=hooks-3" => json!({ "list": [{ "id": "hook-3" }] }),
            "after=hooks%202" => json!({ "list": [], "nextPageToken": "hooks-3" }),
            _ => json!({ "list": [{ "id": "hook-1" }], "nextPageToken": "hooks 2" }),
        };
        server::json(200, &page.to_string())
    });
    let list = || api.client.hooks().list();
    let first = list().await.unwrap();
    assert_eq!((first.list.unwrap().len(), api.requests().len()), (1, 1));

    let hooks = list().items_by("after").collect().await.unwrap();
    let ids = hooks.into_iter().map(|hook| hook.id);
    assert_eq!(ids.collect::<Vec<_>>(), ["hook-1", "hook-3"].map(text));
    assert_eq!(api.requests().len(), 3);

    let mut pages = list().pages_by("after").resume_from("hooks-3");
    assert_eq!(pages.try_next().await.unwrap().unwrap().list.unwrap().len(), 1);
    assert!(pages.try_next().await.unwrap().is_none());
    assert_eq!(api.request().target, "/api/v1/hooks?after=hooks-3");

    // A parameter that the server does not know.
    let error = list().items_by("cursor").collect().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.operation().map(|it| it.id)),
        (ErrorKind::Paging, Some("hooks.list"))
    );
    assert_eq!(api.requests().len(), 2);
}

#[test]
fn lists_are_read_without_async() {
    let api = Api::answering(&json!({ "list": [{ "id": "1" }] }));
    let list = || api.client.entitlement_owners().list("a", "e");
    assert_eq!(list().send_blocking().unwrap().list.unwrap().len(), 1);
    assert_eq!(
        list().items_blocking().map(|user| user.unwrap().id).collect::<Vec<_>>(),
        [text("1")]
    );
    let mut hooks = api.client.hooks().list().items_by("after").into_blocking();
    assert_eq!(hooks.next().unwrap().unwrap().id, text("1"));
    assert!(hooks.next().is_none());
}
