//! Paged lists whose pages have numbers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use openapi_bindings_runtime::internal::{
    self, Endpoint, NextPage, Operation, PagedEndpoint, Parameter, SafeEndpoint, Style,
    TakesPageParameter, TakesPageToken,
};
use openapi_bindings_runtime::{Client, ErrorKind, Items, Map, Value};

use crate::support::api::{ListGroups, ListRoles, ListRuns, Request, request, request_of};
use crate::support::client;
use crate::support::server::{Seen, Server, json, response};

/// Returns the number that a request sends, or a default.
fn number(seen: &Seen, parameter: &str, default: usize) -> usize {
    let query = seen.target.split_once('?').map_or("", |(_, query)| query);
    let mut values = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = values.find(|(name, _)| *name == parameter);
    value.map_or(default, |(_, number)| number.parse().unwrap())
}

/// Returns a server with a list of five items, two in a page, and a client. The list begins at `first` items before the
/// one that the request asks for.
fn five(
    first: impl Fn(&Seen) -> usize + Send + Sync + 'static,
    total: &'static str,
) -> (Server, Client) {
    let server = Server::new(move |_, seen| {
        let items: Vec<usize> = (1..=5).skip(first(seen)).take(2).collect();
        json(200, &format!(r#"{{"list":{items:?}{total}}}"#))
    });
    let client = client(server.url()).build().unwrap();
    (server, client)
}

fn groups(total: &'static str) -> (Server, Request<ListGroups>) {
    let (server, client) = five(|seen| number(seen, "startIndex", 1) - 1, total);
    (server, request::<ListGroups>(&client, None))
}

fn roles(total: &'static str) -> (Server, Request<ListRoles>) {
    let (server, client) = five(|seen| number(seen, "page", 0) * 2, total);
    (server, request::<ListRoles>(&client, None))
}

/// Returns the queries that were sent since the last time.
fn queries(server: &Server) -> Vec<String> {
    let seen = server.take();
    let query = |seen: &Seen| seen.target.split_once('?').map_or("", |(_, query)| query).to_owned();
    seen.iter().map(query).collect()
}

#[tokio::test]
async fn offsets_count_items_until_the_total_or_an_empty_page() {
    for (total, rest) in [(",\"total\":5", None), ("", Some("startIndex=6"))] {
        let (server, list) = groups(total);
        assert_eq!(list.clone().items().collect().await.unwrap(), [1, 2, 3, 4, 5]);
        let sent = ["", "startIndex=3", "startIndex=5"].into_iter().chain(rest);
        assert_eq!(queries(&server), sent.collect::<Vec<_>>());
        let started = list.with_query("startIndex", "4");
        assert_eq!(started.items().collect().await.unwrap(), [4, 5]);
        let sent = ["startIndex=4"].into_iter().chain(rest);
        assert_eq!(queries(&server), sent.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn numbers_count_pages_until_the_total_or_an_empty_page() {
    for (total, rest) in
        [(",\"total\":5", None), (",\"total\":0", Some("page=3")), ("", Some("page=3"))]
    {
        let (server, list) = roles(total);
        assert_eq!(list.clone().items().collect().await.unwrap(), [1, 2, 3, 4, 5]);
        let sent = ["", "page=1", "page=2"].into_iter().chain(rest);
        assert_eq!(queries(&server), sent.collect::<Vec<_>>());
        let started = list.with_query("page", "1");
        assert_eq!(started.items().collect().await.unwrap(), [3, 4, 5]);
        let sent = ["page=1", "page=2"].into_iter().chain(rest);
        assert_eq!(queries(&server), sent.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_number_of_a_page_is_its_token() {
    let (server, list) = groups(",\"total\":5");
    let mut pages = list.clone().pages();
    assert_eq!(pages.page_token(), None);
    pages.try_next().await.unwrap().unwrap();
    assert_eq!(pages.page_token(), Some("3"));
    let rest = list.clone().items().resume_from("3");
    assert_eq!(rest.collect().await.unwrap(), [3, 4, 5]);
    assert_eq!(list.clone().with_query("startIndex", "5").pages().page_token(), Some("5"));
    assert_eq!(queries(&server), ["", "startIndex=3", "startIndex=5"]);
    let (server, list) = roles(",\"total\":5");
    let mut items = list.items().resume_from("1");
    assert_eq!(items.try_next().await.unwrap().unwrap(), 3);
    assert_eq!(items.page_token(), Some("2"));
    assert_eq!(items.collect().await.unwrap(), [4, 5]);
    assert_eq!(queries(&server), ["page=1", "page=2"]);
}

/// A list whose body counts its clones.
struct ListCounted;

struct Counted(Arc<AtomicUsize>);

impl internal::Wire for Counted {}

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(&self.0))
    }
}

impl Endpoint for ListCounted {
    type Body = Counted;
    type Output = Map;
    type Format = internal::Json;
    const OPERATION: &'static Operation = ListRoles::OPERATION;
}

impl PagedEndpoint for ListCounted {
    type Item = Value;
    const NEXT: NextPage = ListRoles::NEXT;
    const TOKEN_PARAMETER: Option<&'static str> = ListRoles::TOKEN_PARAMETER;
    const TOTAL_HEADER: Option<&'static str> = Some("x-total-count");

    fn items(page: &mut Map) -> Option<&mut Vec<Value>> {
        ListRoles::items(page)
    }
}

impl TakesPageToken for ListCounted {}

impl TakesPageParameter for ListCounted {}

impl SafeEndpoint for ListCounted {}

#[tokio::test]
async fn a_request_is_cloned_once_for_each_call() {
    let (server, client) = five(|seen| number(seen, "page", 0) * 2, "");
    let clones = Arc::default();
    let list = || request::<ListCounted>(&client, Counted(Arc::clone(&clones)));
    assert_eq!(list().items().collect().await.unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(list().items_by("page").collect().await.unwrap(), [1, 2, 3, 4, 5]);
    list().poll().next_reply().await.unwrap();
    assert_eq!(clones.load(Ordering::Relaxed), server.take().len());
}

#[tokio::test]
async fn the_number_can_be_a_property_of_an_object() {
    let (server, client) = five(|seen| number(seen, "page", 0) * 2, ",\"total\":5");
    let list = |page: &str| {
        let value: Value = serde_json::from_str(page).unwrap();
        let pageable = Parameter::query("pageable").style(Style::Form, true);
        request_of::<ListRoles>(internal::call::<ListRoles>(&client).value(pageable, value), None)
    };
    assert_eq!(list(r#"{"size":2}"#).items().collect().await.unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(queries(&server), ["size=2", "size=2&page=1", "size=2&page=2"]);
    let started = list(r#"{"page":1,"size":2}"#);
    assert_eq!(started.clone().pages().page_token(), Some("1"));
    assert_eq!(started.items().collect().await.unwrap(), [3, 4, 5]);
    assert_eq!(queries(&server), ["size=2&page=1", "size=2&page=2"]);
}

#[tokio::test]
async fn a_header_can_have_the_number_of_items() {
    let server = Server::new(|_, seen| match number(seen, "page", 0) {
        page @ 0..=1 => {
            response(200, &[("X-Total-Count", " 2")], &format!(r#"{{"list":[{page}]}}"#))
        }
        _ => json(404, "{}"),
    });
    let client = client(server.url()).build().unwrap();
    let list = request::<ListCounted>(&client, Counted(Arc::default()));
    assert_eq!(list.items().collect().await.unwrap(), [0, 1]);
    assert_eq!(queries(&server), ["", "page=1"]);
}

#[tokio::test]
async fn a_page_without_items_is_the_last() {
    let server = Server::json(r#"{"total":9}"#);
    let list = request::<ListRoles>(&client(server.url()).build().unwrap(), None);
    assert!(list.items().collect().await.unwrap().is_empty());
    assert_eq!(queries(&server), [""]);
}

/// Reads items until an error about the pages, and returns those before it.
async fn until_error(mut items: Items<Request<ListRoles>>, expected: &str) -> Vec<Value> {
    let mut before = Vec::new();
    loop {
        match items.try_next().await {
            Ok(item) => before.push(item.unwrap()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Paging);
                assert!(error.to_string().contains(expected), "{error}");
                assert!(items.try_next().await.unwrap().is_none());
                return before;
            }
        }
    }
}

/// A server that ignores the parameter, and one that returns the last page for all numbers after its own.
#[tokio::test]
async fn an_equal_page_is_an_error() {
    for (last, items) in [(0, &[1, 2][..]), (1, &[1, 2, 3, 4])] {
        let (_server, client) = five(move |seen| number(seen, "page", 0).min(last) * 2, "");
        let list = request::<ListRoles>(&client, None);
        assert_eq!(until_error(list.items(), "ignore the parameter `page`").await, items);
    }
}

#[tokio::test]
async fn a_token_that_is_not_a_number_is_an_error() {
    let (_server, client) = five(|_| 0, "");
    let items = request::<ListRoles>(&client, None).items().resume_from("-1");
    assert_eq!(until_error(items, "the page token is not a number").await, [1, 2]);
}

#[tokio::test]
async fn the_first_page_can_need_a_token() {
    let server = Server::new(|_, seen| {
        let next =
            if seen.target.ends_with("page_token=") { r#","nextPageToken":"2""# } else { "" };
        json(200, &format!(r#"{{"list":[1]{next}}}"#))
    });
    let list = request::<ListRuns>(&client(server.url()).build().unwrap(), None);
    assert_eq!(list.clone().items().collect().await.unwrap(), [1, 1]);
    assert_eq!(queries(&server), ["page_token=", "page_token=2"]);
    assert_eq!(list.items().resume_from("3").collect().await.unwrap(), [1]);
    assert_eq!(queries(&server), ["page_token=3"]);
}

#[tokio::test]
async fn an_empty_page_with_the_token_that_was_sent_is_the_last() {
    let server = Server::new(|_, seen| {
        let items = if seen.target.ends_with("page_token=") { "[1]" } else { "[]" };
        json(200, &format!(r#"{{"list":{items},"nextPageToken":"2"}}"#))
    });
    let list = request::<ListRuns>(&client(server.url()).build().unwrap(), None);
    assert_eq!(list.items().collect().await.unwrap(), [1]);
    assert_eq!(queries(&server), ["page_token=", "page_token=2"]);
}

#[tokio::test]
async fn pages_with_equal_ends_are_different_pages() {
    let pages = ["[0,3,0]", "[0,7,0]", "[]"];
    let server =
        Server::new(move |number, _| json(200, &format!(r#"{{"list":{}}}"#, pages[number])));
    let list = request::<ListGroups>(&client(server.url()).build().unwrap(), None);
    assert_eq!(list.items().collect().await.unwrap(), [0, 3, 0, 0, 7, 0]);
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_lists_count_as_others() {
    let (server, list) = groups(",\"total\":5");
    let items: Vec<_> = list.clone().items_blocking().map(Result::unwrap).collect();
    assert_eq!(items, [1, 2, 3, 4, 5]);
    let mut pages = list.pages_blocking().resume_from("5");
    assert_eq!(pages.next().unwrap().unwrap()["list"], serde_json::json!([5]));
    assert!(pages.next().is_none() && pages.page_token().is_none());
    assert_eq!(queries(&server), ["", "startIndex=3", "startIndex=5", "startIndex=5"]);
}
