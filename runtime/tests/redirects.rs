//! Redirects: followed by this crate, or by a client of the user.

use std::sync::{Arc, OnceLock};

use openapi_bindings_runtime::{ErrorKind, Map, ReplyHeader, ReqwestTransport, internal};

use crate::support::api::{create, get, request};
use crate::support::clock::TestClock;
use crate::support::server::{Server, json, response, unused_port};
use crate::support::tls::plain_client;
use crate::support::{Before, client, timed};

#[tokio::test]
async fn redirects_are_followed_only_within_the_origin_and_only_where_nothing_changes() {
    let elsewhere = Server::json("{}");
    let target = elsewhere.url();
    let server = Server::new(move |_, seen| match seen.target.as_str() {
        "/api/v1/pets/here" => response(302, &[("location", "/moved?x=1")], ""),
        "/api/v1/pets/away" => {
            response(307, &[("location", &format!("{target}/api?key=hunter2"))], "")
        }
        "/api/v1/pets/loop" | "/loop" => response(308, &[("location", "/loop")], ""),
        "/api/v1/pets" => response(302, &[("location", "/moved")], ""),
        _ => json(200, r#"{"moved":true}"#),
    });
    let client = client(server.url()).build().unwrap();

    assert_eq!(get(&client, "here").await.unwrap()["moved"], true);
    assert_eq!(server.seen()[1].headers["authorization"], "Bearer s3cr3t-token");

    let error = get(&client, "away").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.location()),
        (ErrorKind::Redirect, Some(format!("{}/api?key=hunter2", elsewhere.url()).as_str()))
    );
    assert!(elsewhere.seen().is_empty());
    let text = format!(
        "redirect with HTTP 307 Temporary Redirect is not followed to `{}/api`",
        elsewhere.url()
    );
    assert!(error.to_string().contains(&text) && !error.to_string().contains("hunter2"), "{error}");

    let error = get(&client, "loop").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Redirect);
    assert!(error.to_string().contains("consecutive redirects: the last is to `/loop`"), "{error}");

    let before = server.seen().len();
    let error = create(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.location()), (ErrorKind::Redirect, Some("/moved")));
    assert_eq!(server.seen().len(), before + 1, "a POST is neither retried nor converted to a GET");
}

#[tokio::test]
async fn redirects_to_other_origins_are_followed_without_credentials_if_allowed() {
    let home = Arc::new(OnceLock::<String>::new());
    let back = Arc::clone(&home);
    let elsewhere = Server::new(move |_, seen| match seen.target.as_str() {
        "/back" => response(302, &[("location", &format!("{}/secret", back.get().unwrap()))], ""),
        _ => json(200, r#"{"moved":true}"#),
    });
    let target = elsewhere.url();
    let server = Server::new(move |_, seen| match seen.target.as_str() {
        "/api/v1/pets/away" => response(307, &[("location", &format!("{target}/file?x=1"))], ""),
        "/api/v1/pets/back" => response(302, &[("location", &format!("{target}/back"))], ""),
        "/api/v1/pets" => response(307, &[("location", &target)], ""),
        _ => json(200, "{}"),
    });
    home.set(server.url()).unwrap();
    let added = Before(|request| {
        request.headers_mut().insert("x-signature", "s1gned".parse()?);
        Ok(())
    });
    let client = client(server.url())
        .default_header("x-tenant", "t3nant")
        .interceptor(added)
        .follow_redirects_to_other_origins()
        .build()
        .unwrap();
    let call = get(&client, "away").with_header("cookie", "a=b").with_header("range", "bytes=0-");
    assert_eq!(call.await.unwrap()["moved"], true);
    let seen = elsewhere.only();
    assert_eq!(seen.headers["accept"], "application/json");
    assert_eq!((seen.method.as_str(), seen.target.as_str()), ("GET", "/file?x=1"));
    let mut names: Vec<&str> = seen.headers.keys().map(String::as_str).collect();
    names.retain(|name| *name != "accept-encoding");
    names.sort_unstable();
    assert_eq!(names, ["accept", "host", "range", "user-agent"]);

    let photo = internal::open(get(&client, "away"), (&[200], "image/png")).await.unwrap();
    assert_eq!(photo.status(), 200);
    assert_eq!(elsewhere.seen()[1].headers["accept"], "image/png");

    get(&client, "back").await.unwrap();
    let last = server.seen().pop().unwrap();
    assert_eq!(last.target, "/secret");
    assert!(!last.headers.contains_key("authorization"), "another origin cannot choose its path");

    assert_eq!(create(&client).await.unwrap_err().kind(), ErrorKind::Redirect);
    assert_eq!(elsewhere.seen().len(), 3, "a POST is not sent to another origin");
}

/// A declared redirect is what the operation returns; an undeclared one of the same operation is followed.
#[tokio::test]
async fn a_declared_redirect_is_the_result() {
    struct Authorize;

    impl internal::Endpoint for Authorize {
        type Body = ();
        type Output = Option<Map>;
        type Format = internal::Optional<internal::Json>;
        const OPERATION: &'static internal::Operation =
            &internal::Operation { id: "logins.authorize", method: "GET", path: "/authorize" };
        const EMPTY: &'static [u16] = &[302, 304];
    }

    for (status, is_declared) in [(302, true), (304, true), (303, false)] {
        let server = Server::new(move |number, _| match number {
            0 => response(status, &[("location", "/other")], "<html>Moved</html>"),
            _ => json(200, "{}"),
        });
        let client = client(server.url()).strict().build().unwrap();
        let reply = request::<Authorize>(&client, ()).send_raw().await.unwrap();
        assert_eq!(reply.decode().unwrap().is_none(), is_declared);
        assert_eq!(reply.status(), if is_declared { status } else { 200 });
        let location = reply.header(ReplyHeader::<String>::new("location"));
        assert_eq!(location.as_deref(), is_declared.then_some("/other"));
        assert_eq!(server.seen().len(), if is_declared { 1 } else { 2 });
    }
}

#[tokio::test]
async fn a_response_from_another_origin_is_refused() {
    let elsewhere = Server::json("{}");
    let target = elsewhere.url();
    let server = Server::new(move |_, _| response(302, &[("location", &target)], ""));
    // Configured against the documentation.
    let following = plain_client().build().unwrap();
    let client = client(server.url()).reqwest_client(following).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("followed a redirect to another origin"), "{error}");
    assert!(elsewhere.seen().iter().all(|seen| !seen.headers.contains_key("authorization")));
}

#[tokio::test]
async fn failures_after_a_redirect_are_not_retried() {
    for (status, target) in
        [(303, unused_port()), (307, unused_port()), (303, "ftp://a.example".into())]
    {
        let server = Server::new(move |_, _| response(status, &[("location", &target)], ""));
        let following = plain_client().build().unwrap();
        let client = client(server.url()).reqwest_client(following).build().unwrap();
        let error = create(&client).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}");
        assert_eq!(server.seen().len(), 1, "a POST was executed twice");
    }
}

#[tokio::test]
async fn failed_connections_are_retried_without_redirects() {
    for (attempts, transport) in
        [(1, ReqwestTransport::new as fn(_) -> _), (4, ReqwestTransport::without_redirects)]
    {
        let unfollowing = plain_client().redirect(reqwest::redirect::Policy::none());
        let builder = client(unused_port()).transport(transport(unfollowing.build().unwrap()));
        let client = timed(builder, &TestClock::new()).build().unwrap();
        assert_eq!(create(&client).await.unwrap_err().attempts(), attempts);
        assert_eq!(get(&client, "7").await.unwrap_err().attempts(), 4);
    }
}
