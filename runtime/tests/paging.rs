//! Paged lists.

use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt, TryStreamExt};
use openapi_bindings_runtime::{
    Body, BoxFuture, Client, ErrorKind, RequestBody, Transport, TransportError, http,
};

use crate::support::FirstScheme as _;
use crate::support::api::{list, list_linked};
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Bell, Seen, Server, Silence, json, response};
use crate::support::{client, timed};

/// Returns a server with three pages, one of them empty, and a client.
pub(crate) fn three_pages() -> (Server, Client) {
    let server = Server::new(|_, seen| {
        let page = match token(seen) {
            None => r#"{"list":[1,2],"nextPageToken":"a&b"}"#,
            Some("a%26b") => r#"{"list":[],"nextPageToken":"c"}"#,
            Some("c") => r#"{"list":[3],"nextPageToken":""}"#,
            Some(_) => r#"{"message":"what token?"}"#,
        };
        json(if page.contains("what") { 400 } else { 200 }, page)
    });
    let client = client(server.url()).build().unwrap();
    (server, client)
}

fn token(seen: &Seen) -> Option<&str> {
    let (_, query) = seen.target.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut tokens = pairs.filter(|(name, _)| ["page_token", "start"].contains(name));
    tokens.next().map(|(_, token)| token).filter(|token| !token.is_empty())
}

#[tokio::test]
async fn items_of_all_pages_are_returned_one_by_one() {
    let (server, client) = three_pages();
    let mut items = list(&client).with_query("page_size", "2").items();
    assert_eq!(server.seen().len(), 0, "nothing is fetched before it is polled");
    for (item, requests) in [(1, 1), (2, 1), (3, 3)] {
        assert_eq!(items.try_next().await.unwrap().unwrap(), item);
        assert_eq!(server.seen().len(), requests);
    }
    assert!(items.try_next().await.unwrap().is_none());
    assert!(items.try_next().await.unwrap().is_none());
    assert_eq!(server.seen().len(), 3);
    assert!(server.seen().iter().all(|seen| seen.target.contains("page_size=2")));
}

#[tokio::test]
async fn pages_and_items_are_streams() {
    let (_server, client) = three_pages();
    let sizes = list(&client).pages().map_ok(|page| page["list"].as_array().unwrap().len());
    assert_eq!(sizes.try_collect::<Vec<_>>().await.unwrap(), [2, 0, 1]);
    let items: Vec<_> = StreamExt::collect::<Vec<_>>(list(&client).items()).await;
    assert_eq!(items.len(), 3);
}

#[tokio::test]
async fn lists_can_be_resumed() {
    let (_server, client) = three_pages();
    let mut pages = list(&client).pages();
    assert_eq!(pages.page_token(), None);
    pages.try_next().await.unwrap();
    let token = pages.page_token().unwrap().to_owned();
    assert_eq!(token, "a&b");
    let mut rest = list(&client).items().resume_from(token);
    assert_eq!(rest.try_next().await.unwrap().unwrap(), 3);
    assert_eq!(rest.page_token(), None);
}

#[tokio::test]
async fn absent_null_and_empty_tokens_end_a_list() {
    for page in [
        r#"{"list":[1]}"#,
        r#"{"list":[1],"nextPageToken":null}"#,
        r#"{"list":[1],"nextPageToken":""}"#,
    ] {
        let server = Server::json(page);
        let client = client(server.url()).build().unwrap();
        let items: Vec<_> = list(&client).items().try_collect().await.unwrap();
        assert_eq!((items.len(), server.seen().len()), (1, 1), "{page}");
    }
}

#[tokio::test]
async fn endless_paging_is_an_error() {
    let server = Server::new(|number, _| {
        json(
            200,
            if number % 2 == 0 {
                r#"{"list":[1],"nextPageToken":"a"}"#
            } else {
                r#"{"list":[2],"nextPageToken":"b"}"#
            },
        )
    });
    let client = client(server.url()).build().unwrap();
    let mut pages = list(&client).pages();
    pages.try_next().await.unwrap().unwrap();
    pages.try_next().await.unwrap().unwrap();
    assert_eq!(pages.try_next().await.unwrap().unwrap()["list"], serde_json::json!([1]));
    let error = pages.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Paging);
    assert!(pages.try_next().await.unwrap().is_none());
    assert_eq!(server.seen().len(), 3);
}

/// APIs whose last page has the token with which it was requested.
#[tokio::test]
async fn the_items_of_a_page_precede_its_repeated_token() {
    let pages = [r#"{"list":[1,2],"nextPageToken":"c"}"#, r#"{"list":[3,4],"nextPageToken":"c"}"#];
    let server = Server::new(move |number, _| json(200, pages[number.min(1)]));
    let client = client(server.url()).build().unwrap();
    let mut items = list(&client).items();
    for item in 1..=4 {
        assert_eq!(items.try_next().await.unwrap().unwrap(), item);
    }
    assert_eq!(items.try_next().await.unwrap_err().kind(), ErrorKind::Paging);
    assert!(items.try_next().await.unwrap().is_none());
    assert_eq!(server.seen().len(), 2);
    let mut items = items.resume_from("c");
    assert_eq!(items.try_next().await.unwrap().unwrap(), 3);
}

#[tokio::test]
async fn the_items_of_a_page_precede_its_link_to_itself() {
    let (server, client) = linked_pages(&["<?page=2>; rel=next", "<?page=2>; rel=next"]);
    let mut items = list_linked(&client).items();
    for item in 0..2 {
        assert_eq!(items.try_next().await.unwrap().unwrap(), item);
    }
    assert_eq!(items.try_next().await.unwrap_err().kind(), ErrorKind::Paging);
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_failed_page_ends_the_stream_and_can_be_resumed() {
    let server = Server::new(|number, _| match number {
        0 => json(200, r#"{"list":[1],"nextPageToken":"a"}"#),
        1 => json(403, "{}"),
        _ => json(200, r#"{"list":[2]}"#),
    });
    let client = client(server.url()).build().unwrap();
    let mut items = list(&client).items();
    assert_eq!(items.try_next().await.unwrap().unwrap(), 1);
    assert!(items.try_next().await.unwrap_err().is_auth());
    assert!(items.try_next().await.unwrap().is_none());
    let token = items.page_token().unwrap().to_owned();
    let mut items = items.resume_from(token);
    assert_eq!(items.try_next().await.unwrap().unwrap(), 2);
}

#[tokio::test]
async fn items_are_collected_and_limited() {
    let (server, client) = three_pages();
    assert_eq!(list(&client).items().collect().await.unwrap(), [1, 2, 3]);
    assert_eq!(server.seen().len(), 3);
    assert_eq!(list(&client).items().take(2).collect().await.unwrap(), [1, 2]);
    assert_eq!(server.seen().len(), 4, "no page beyond the items is fetched");
    assert_eq!(list(&client).items().take(9).collect().await.unwrap().len(), 3);
    assert!(list(&client).items().take(0).collect().await.unwrap().is_empty());
    assert_eq!(server.seen().len(), 7);
    let lost = list(&client).items().resume_from("lost").collect().await.unwrap_err();
    assert_eq!(lost.status(), Some(400));
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_lists_return_all_items() {
    let (server, client) = three_pages();
    let mut items = list(&client).items_blocking();
    assert_eq!(server.seen().len(), 0);
    assert_eq!(items.next().unwrap().unwrap(), 1);
    assert_eq!((server.seen().len(), items.page_token()), (1, Some("a&b")));
    let rest: Vec<_> = items.map(Result::unwrap).collect();
    assert_eq!(rest, [2, 3]);
    let mut lost = list(&client).items_blocking().resume_from("lost");
    assert_eq!(lost.next().unwrap().unwrap_err().status(), Some(400));
    assert!(lost.next().is_none());
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_lists_return_all_pages() {
    let (server, client) = three_pages();
    let mut pages = list(&client).pages_blocking();
    assert_eq!(pages.next().unwrap().unwrap()["list"], serde_json::json!([1, 2]));
    assert_eq!((server.seen().len(), pages.page_token()), (1, Some("a&b")));
    assert_eq!(pages.by_ref().map(Result::unwrap).count(), 2);
    let mut lost = pages.resume_from("lost");
    assert_eq!(lost.next().unwrap().unwrap_err().status(), Some(400));
    assert!(lost.next().is_none() && lost.page_token() == Some("lost"));
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_lists_are_limited() {
    let (server, client) = three_pages();
    let items = list(&client).items().take(2).into_blocking();
    assert_eq!(items.map(Result::unwrap).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(server.seen().len(), 1, "no page beyond the items is fetched");
}

/// A transport that answers at once, with the page that a function makes of the number of the request.
struct Ready<F>(F, AtomicUsize);

impl<F: Fn(usize) -> String + Send + Sync + 'static> Transport for Ready<F> {
    fn send(
        &self,
        _: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let page = (self.0)(self.1.fetch_add(1, Ordering::Relaxed));
        Box::pin(ready(Ok(http::Response::new(Body::from(page)))))
    }
}

/// Returns a client whose pages come at once.
pub(crate) fn ready_pages(page: impl Fn(usize) -> String + Send + Sync + 'static) -> Client {
    client("https://pets.example").transport(Ready(page, AtomicUsize::new(0))).build().unwrap()
}

#[tokio::test]
async fn many_empty_pages_in_a_row_are_an_error() {
    let empty = |number| format!(r#"{{"list":[],"nextPageToken":"{number}"}}"#);
    let mut items = list(&ready_pages(empty)).items();
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Paging);
    assert!(error.to_string().contains("1000 consecutive empty pages"), "{error}");
    assert_eq!(items.page_token(), Some("999"), "the thousandth page is the last");

    let sparse = |number: usize| match number {
        2_000 => r#"{"list":[2]}"#.to_owned(),
        _ => format!(
            r#"{{"list":[{}],"nextPageToken":"{number}"}}"#,
            if number.is_multiple_of(900) { "1" } else { "" }
        ),
    };
    let items = list(&ready_pages(sparse)).items().collect().await.unwrap();
    assert_eq!(items, [1, 1, 1, 2]);
}

#[tokio::test]
async fn a_list_over_a_ready_transport_yields_between_pages() {
    for item in ["", "1"] {
        let page = move |number| format!(r#"{{"list":[{item}],"nextPageToken":"{number}"}}"#);
        let client = ready_pages(page);
        let mut collected = Box::pin(list(&client).items().collect());
        assert!(collected.as_mut().now_or_never().is_none());
        let mut pages = Box::pin(list(&client).pages().count());
        assert!(pages.as_mut().now_or_never().is_none());
    }
}

#[tokio::test]
async fn the_total_timeout_is_that_of_one_item_however_many_pages_are_empty() {
    let clock = TestClock::new();
    let passing = clock.clone();
    let page = move |number| {
        passing.pass(Duration::from_secs(300));
        let item = if number == 2 { "1" } else { "" };
        format!(r#"{{"list":[{item}],"nextPageToken":"{number}"}}"#)
    };
    let builder = client("https://pets.example").transport(Ready(page, AtomicUsize::new(0)));
    let client = timed(builder, &clock).build().unwrap();
    let mut items = list(&client).items();
    assert_eq!(items.try_next().await.unwrap().unwrap(), 1, "three pages take 900 s of 1,000");
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.to_string().contains("within 1000s in total"), "{error}");
    assert_eq!(items.page_token(), Some("6"), "it can be resumed from there");
}

#[tokio::test]
async fn the_total_timeout_is_that_of_one_page() {
    let clock = TestClock::new();
    let passing = clock.clone();
    let page = move |number| {
        passing.pass(Duration::from_secs(600));
        format!(r#"{{"list":[1],"nextPageToken":"{number}"}}"#)
    };
    let builder = client("https://pets.example").transport(Ready(page, AtomicUsize::new(0)));
    let client = timed(builder, &clock).build().unwrap();
    let mut pages = list(&client).pages();
    for _ in 0..3 {
        assert!(pages.try_next().await.unwrap().is_some(), "each takes 600 s of 1,000");
    }
}

#[tokio::test]
async fn items_are_resumed_with_a_new_deadline() {
    let clock = TestClock::new();
    let bell = clock.clone();
    let bell: Bell = Arc::new(move |silence| {
        if silence == Silence::Begins {
            bell.ring();
        }
    });
    let server = Server::new(move |number, _| match number {
        0 => json(200, r#"{"list":[1],"nextPageToken":"a"}"#),
        1 => Act::Stall(Vec::new(), Arc::clone(&bell)),
        _ => json(200, r#"{"list":[2]}"#),
    });
    let client = timed(client(server.url()), &clock).total_timeout(TIMER).build().unwrap();
    let mut items = list(&client).items();
    assert_eq!(items.try_next().await.unwrap().unwrap(), 1);
    let error = items.try_next().await.unwrap_err();
    assert!(error.to_string().contains("within 100s in total"), "{error}");
    let mut items = items.resume_from("a");
    assert_eq!(items.try_next().await.unwrap().unwrap(), 2);
}

#[tokio::test]
async fn resuming_drops_the_rest_of_a_page() {
    let (_server, client) = three_pages();
    let mut items = list(&client).items();
    assert_eq!(items.try_next().await.unwrap().unwrap(), 1);
    assert_eq!(items.resume_from("c").collect().await.unwrap(), [3]);
}

#[tokio::test]
async fn a_page_can_be_read_again() {
    let (_server, client) = three_pages();
    let mut pages = list(&client).pages();
    pages.try_next().await.unwrap();
    let token = pages.page_token().unwrap().to_owned();
    pages.try_next().await.unwrap();
    let rest: Vec<_> = pages.resume_from(&token).try_collect().await.unwrap();
    assert_eq!(rest.len(), 2);
    // Its first item is the first of all of this list, both times.
    let mut pages = list(&client).pages_by("page_token").resume_from("c");
    pages.try_next().await.unwrap().unwrap();
    pages.resume_from("c").try_next().await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_that_ignores_the_page_parameter_is_an_error() {
    let client =
        ready_pages(|number| format!(r#"{{"list":["a","b"],"nextPageToken":"{number}"}}"#));
    let mut pages = list(&client).pages_by("cursor");
    pages.try_next().await.unwrap().unwrap();
    let error = pages.try_next().await.unwrap_err();
    assert!(error.to_string().contains("`cursor`"), "{error}");
    assert!(pages.try_next().await.unwrap().is_none());
    let mut items = list(&client).items_by("cursor");
    items.try_next().await.unwrap().unwrap();
    items.try_next().await.unwrap().unwrap();
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Paging);
    assert!(error.to_string().contains("`cursor`"), "{error}");
    assert!(items.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn an_empty_token_is_not_one_to_resume_from() {
    let client = ready_pages(|_| r#"{"list":[1]}"#.to_owned());
    let mut items = list(&client).items().resume_from("");
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    assert!(error.to_string().contains("the page token is empty"), "{error}");
    assert!(items.try_next().await.unwrap().is_none());
}

/// Returns a page with a `Link` header.
pub(crate) fn linked(body: &str, link: &str) -> Act {
    response(200, &[("link", link), ("content-type", "application/json")], body)
}

/// Returns a server whose pages have these links, one after the other, and a client of a base URL with a path.
fn linked_pages(links: &'static [&'static str]) -> (Server, Client) {
    let server = Server::new(move |number, _| match links.get(number) {
        Some(link) => linked(&format!("[{number}]"), link),
        None => json(200, &format!("[{number}]")),
    });
    let client = client(format!("{}/base", server.url())).bearer_token("hunter2").build().unwrap();
    (server, client)
}

#[tokio::test]
async fn pages_are_found_by_links() {
    let (server, client) = linked_pages(&[
        r#"</base/api/v1/owners?page=9>; rel="last", <?page=2&q=a%20b>; rel="next""#,
        r#"<../v2/./owners?page=3>; title="a, <b>"; rel="self next""#,
    ]);
    let list = list_linked(&client).with_query("page_size", "1").with_header("x-tenant", "7");
    let mut items = list.clone().items();
    assert_eq!(items.try_next().await.unwrap().unwrap(), 0);
    let second = format!("{}/base/api/v1/owners?page=2&q=a%20b", server.url());
    assert_eq!(items.page_token(), Some(second.as_str()));
    assert_eq!(items.collect().await.unwrap(), [1, 2]);
    let seen = server.take();
    let targets: Vec<_> = seen.iter().map(|seen| seen.target.as_str()).collect();
    let expected = [
        "/base/api/v1/owners?page_size=1",
        "/base/api/v1/owners?page=2&q=a%20b",
        "/base/api/v2/owners?page=3",
    ];
    assert_eq!(targets, expected);
    for seen in seen {
        assert_eq!(seen.headers["authorization"], "Bearer hunter2");
        assert_eq!(seen.headers["x-tenant"], "7");
    }
    list.items().resume_from(second).collect().await.unwrap();
    assert_eq!(server.take()[0].target, "/base/api/v1/owners?page=2&q=a%20b");
}

#[tokio::test]
async fn links_to_other_origins_are_errors_after_their_page() {
    for link in [
        "<https://evil.example/x?page=2&key=hunter2>; rel=next",
        "<//evil.example/x>; rel=next",
        "<http://user:hunter2@127.0.0.1/x>; rel=next",
        "<ftp://127.0.0.1/x>; rel=next",
        "<mailto:x>; rel=next",
        "<http://a b/>; rel=next",
    ] {
        let server = Server::new(move |_, _| linked("[1]", link));
        let client = client(server.url()).bearer_token("hunter2").build().unwrap();
        let mut items = list_linked(&client).items();
        assert_eq!(items.try_next().await.unwrap().unwrap(), 1, "{link}");
        let error = items.try_next().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Paging, "{link}: {error}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        assert!(items.try_next().await.unwrap().is_none());
        assert_eq!(server.seen().len(), 1, "{link}");
        let error =
            list_linked(&client).items().resume_from("https://evil.example").collect().await;
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Paging);
        assert_eq!(server.seen().len(), 1, "{link}");
    }
}

/// Relative links belong to the URL that answered (RFC 8288, section 3.2). Those of another server are not followed.
#[tokio::test]
async fn redirected_pages_have_links() {
    let server = Server::new(|number, _| match number {
        0 => response(307, &[("location", "/moved/owners")], ""),
        1 => linked("[1]", "<?page=2>; rel=next"),
        _ => json(200, "[2]"),
    });
    let client_of = |server: &Server| client(server.url()).bearer_token("hunter2");
    let items = list_linked(&client_of(&server).build().unwrap()).items();
    assert_eq!(items.collect().await.unwrap(), [1, 2]);
    let last = server.take().pop().unwrap();
    assert_eq!(
        (last.target.as_str(), &*last.headers["authorization"]),
        ("/moved/owners?page=2", "Bearer hunter2")
    );

    for is_back in [false, true] {
        let own = Arc::new(OnceLock::<String>::new());
        let target = Arc::clone(&own);
        let other = Server::new(move |_, _| {
            let link = if is_back { target.get().unwrap().as_str() } else { "" };
            linked("[1]", &format!("<{link}?page=2>; rel=next"))
        });
        let location = other.url();
        let server = Server::new(move |_, _| response(307, &[("location", &location)], ""));
        own.set(server.url()).unwrap();
        let client = client_of(&server).follow_redirects_to_other_origins().build().unwrap();
        let mut pages = list_linked(&client).pages();
        let first = pages.try_next().await;
        assert_eq!(first.unwrap().unwrap(), [1]);
        assert_eq!(pages.try_next().await.unwrap_err().kind(), ErrorKind::Paging);
        assert_eq!(pages.page_token().is_none(), is_back, "the page was returned");
        assert_eq!((server.seen().len(), other.seen().len()), (1, 1));
    }
}

#[tokio::test]
async fn links_that_lead_back_are_errors() {
    for links in [
        &["<?page=2>; rel=next", "<?page=3>; rel=next", "<?page=2>; rel=next"][..],
        &["<?page=2>; rel=next", "</base/api/v1/owners>; rel=next"],
        &["<>; rel=next"],
    ] {
        let (server, client) = linked_pages(links);
        let error = list_linked(&client).items().collect().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Paging, "{links:?}");
        assert!(error.to_string().contains("the same link to a page twice"), "{error}");
        assert_eq!(server.seen().len(), links.len());
    }
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_lists_follow_links() {
    let (server, client) = linked_pages(&["<?page=2>; rel=next", "<?page=3>; rel=next"]);
    let items: Vec<_> = list_linked(&client).items_blocking().map(Result::unwrap).collect();
    assert_eq!(items, [0, 1, 2]);
    assert_eq!(server.seen()[2].target, "/base/api/v1/owners?page=3");
}
