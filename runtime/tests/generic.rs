//! Functions of programs that take the requests of any operation.

use futures_util::TryStreamExt;
use futures_util::future::join_all;
use openapi_bindings_runtime::{
    Error, ErrorKind, Items, Paged, Pages, Polling, Request, Value, Waited, Waits,
};

use crate::page_tokens::ListCounts;
use crate::paging::three_pages;
use crate::support::api::{create, get, list, request};
use crate::support::client;
use crate::support::server::Server;

fn for_tenant<R: Request>(request: R) -> R {
    request.with_header("x-tenant", "t").with_query("dry_run", "1")
}

async fn sent<R: Request>(request: R) -> Result<R::Output, Error> {
    tokio::spawn(for_tenant(request).send()).await.unwrap()
}

async fn all<R: Paged>(request: R) -> Result<Vec<R::Item>, Error> {
    tokio::spawn(request.items().collect()).await.unwrap()
}

async fn count<R: Paged>(items: Items<R>, pages: Pages<R>) -> Result<(usize, usize), Error> {
    let items = items.try_fold(0, |count, _| async move { Ok(count + 1) }).await?;
    Ok((items, pages.try_fold(0, |count, _| async move { Ok(count + 1) }).await?))
}

async fn finished<R: Waits>(requests: [R; 2]) -> Vec<Result<Waited<R::Output>, Error>> {
    let [first, second] = requests.map(R::wait);
    let first = tokio::spawn(first.finish()).await.unwrap();
    let mut all = join_all([second].map(Polling::finish)).await;
    all.push(first);
    all
}

#[tokio::test]
async fn requests_of_any_operation_are_changed_and_sent() {
    let server = Server::json(r#"{"n":1}"#);
    let client = client(server.url()).build().unwrap();
    sent(get(&client, "7")).await.unwrap();
    sent(create(&client)).await.unwrap();
    for seen in server.take() {
        assert_eq!(seen.headers["x-tenant"], "t");
        assert!(seen.target.ends_with("?dry_run=1"), "{}", seen.target);
    }
    let raw = for_tenant(get(&client, "7")).send_raw().await.unwrap();
    assert_eq!(raw.status(), 200);
    let waits = finished([get(&client, "1"), get(&client, "2")]).await;
    assert!(waits.iter().all(|waited| matches!(waited, Ok(Waited::Finished(_)))), "{waits:?}");
}

#[tokio::test]
async fn lists_of_any_operation_are_read() {
    let (_server, client) = three_pages();
    let values = all(list(&client)).await.unwrap();
    assert_eq!(values, [1, 2, 3].map(Value::from));
    assert_eq!(count(list(&client).items(), list(&client).pages()).await.unwrap(), (3, 3));
}

/// `items()` of such a request does not compile, but the bound of a function cannot tell.
#[tokio::test]
async fn a_list_without_a_described_token_is_an_error() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let error = all(request::<ListCounts>(&client, None)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(error.to_string().contains("call `items_by` or `pages_by`"), "{error}");
    assert!(server.seen().is_empty());
}
