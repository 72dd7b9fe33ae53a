//! Requests that a replay recognizes: pages that are linked, and parameters of any name.

use openapi_bindings_runtime::internal::{NextPage, PagedEndpoint, TakesPageToken};
use openapi_bindings_runtime::{
    Client, ErrorKind, Map, Recorder, UnknownProperties, Value, internal, json,
};

use super::{GetAccount, Memory, recorded, replayed};
use crate::support::api::{ListOwners, operation, request, request_of};
use crate::support::server::{Server, json as reply, response};

/// A page with the URL of the next one.
#[derive(Clone, Default)]
pub struct Vets {
    list: Option<Vec<Value>>,
    next: Option<String>,
    unknown: UnknownProperties,
}

internal::object! { Vets { list: "list", next: "next" } unknown }

operation!(ListVets, "vets.list", GET, "/api/v1/vets", Map => Vets);

impl PagedEndpoint for ListVets {
    type Item = Value;
    const NEXT: NextPage = NextPage::Url;

    fn next_page_token(page: &Vets) -> Option<String> {
        page.next.clone()
    }

    fn items(page: &mut Vets) -> Option<&mut Vec<Value>> {
        page.list.as_mut()
    }
}

impl TakesPageToken for ListVets {}

/// Returns the items of all pages.
async fn items<E: TakesPageToken<Body = Option<Map>, Item = Value>>(client: Client) -> Vec<Value> {
    request::<E>(&client, None).items().collect().await.unwrap()
}

#[tokio::test]
async fn linked_pages_are_replayed() {
    let link = r#"</base/api/v1/owners?page=2&cursor=s3cond>; rel="next x"; title="Ada", <https://b.example/x>; rel=last"#;
    let server = Server::new(move |_, seen| match seen.target.as_str() {
        "/token" => reply(200, r#"{"access_token":"acc3ss","expires_in":3600}"#),
        "/base/api/v1/owners" => {
            let headers = [("content-type", "application/json"), ("link", link)];
            response(200, &headers, r#"["2024-01-01","2024-01-02"]"#)
        }
        // The URLs of pages in bodies, and another one.
        "/base/api/v1/vets" => reply(
            200,
            r#"{"list":["2024-01-01"],"next":"?page=2&cursor=s3cond","x":"https://b.example/Ada"}"#,
        ),
        "/base/api/v1/vets?page=2&cursor=s3cond" => reply(
            200,
            &format!(
                r#"{{"list":["2024-01-02"],"next":"http://{}/base/api/v1/vets?cursor=thirdpage"}}"#,
                seen.headers["host"]
            ),
        ),
        target if target.contains("vets") => reply(200, r#"{"list":["2024-01-03"]}"#),
        _ => reply(200, r#"["2024-01-03"]"#),
    });
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let client = recorded(&server, &recorder).build().unwrap();
    let days = json!(["2024-01-01", "2024-01-02", "2024-01-03"]).as_array().unwrap().clone();
    assert_eq!(items::<ListOwners>(client.clone()).await, days);
    assert_eq!(items::<ListVets>(client).await, days);
    recorder.flush();
    let text = memory.text();
    for hidden in ["Ada", "b.example", "s3cond"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }

    let replay = memory.replay();
    assert_eq!(items::<ListOwners>(replayed(&replay)).await, days);
    assert_eq!(items::<ListVets>(replayed(&replay)).await, days);
    replay.verify();
}

#[tokio::test]
async fn names_of_described_parameters_are_kept_and_others_match_any() {
    let server = Server::new(|_, seen| match seen.target.as_str() {
        "/token" => reply(200, r#"{"access_token":"acc3ss","expires_in":3600}"#),
        _ => reply(200, "{}"),
    });
    let call = |client: &Client, other: &str| {
        let call = internal::call::<GetAccount>(client).path("id", "ada");
        let call = call.query("größe", "9").query("where(x)", "a");
        request_of::<GetAccount>(call, None).with_query(other, "b").with_query("zone", "c")
    };
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    call(&recorded(&server, &recorder).build().unwrap(), "Ada Lovelace").await.unwrap();
    recorder.flush();
    let text = memory.text();
    assert!(text.contains(r#""name":"größe""#) && text.contains(r#""name":"where(x)""#), "{text}");
    assert!(!text.contains("Lovelace"), "{text}");

    let replay = memory.replay();
    let client = replayed(&replay);
    for refused in [
        call(&client, "Bob").with_query("more", "d"),
        call(&client, "zone"),
        call(&client, "größe"),
    ] {
        assert_eq!(refused.await.err().unwrap().kind(), ErrorKind::Request);
    }
    call(&client, "Bob").await.unwrap();
}
