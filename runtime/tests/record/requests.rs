//! Requests that a replay recognizes: pages that are linked, and parameters of any name.

use openapi_bindings_runtime::{Client, ErrorKind, Recorder, internal, json};

use super::{GetAccount, Memory, recorded, replayed};
use crate::support::api::{ListOwners, request, request_of};
use crate::support::server::{Server, json as reply, response};

#[tokio::test]
async fn linked_pages_are_replayed() {
    let link = r#"</base/api/v1/owners?page=2&cursor=s3cond>; rel="next x"; title="Ada", <https://b.example/x>; rel=last"#;
    let server = Server::new(move |_, seen| match seen.target.as_str() {
        "/token" => reply(200, r#"{"access_token":"acc3ss","expires_in":3600}"#),
        "/base/api/v1/owners" => {
            let headers = [("content-type", "application/json"), ("link", link)];
            response(200, &headers, r#"["2024-01-01","2024-01-02"]"#)
        }
        _ => reply(200, r#"["2024-01-03"]"#),
    });
    let items = async |client: Client| {
        let mut items = request::<ListOwners>(&client, None).items();
        let mut found = Vec::new();
        while let Some(item) = items.try_next().await.unwrap() {
            found.push(item);
        }
        found
    };
    for keeps_values in [false, true] {
        let memory = Memory::default();
        let recorder = Recorder::to_writer(memory.clone());
        let recorder = if keeps_values { recorder.keep_values() } else { recorder };
        let original = items(recorded(&server, &recorder).build().unwrap()).await;
        recorder.flush();
        let text = memory.text();
        assert!(!text.contains("Ada") && !text.contains("b.example"), "{text}");
        assert_eq!(text.contains("s3cond"), keeps_values, "{text}");

        let replay = memory.replay();
        assert_eq!(
            original,
            json!(["2024-01-01", "2024-01-02", "2024-01-03"]).as_array().unwrap()[..]
        );
        assert_eq!(items(replayed(&replay)).await, original);
        replay.verify();
    }
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
