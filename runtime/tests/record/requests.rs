//! Requests that a replay recognizes.

use openapi_bindings_runtime::{Client, Recorder, json};

use super::{Memory, recorded, replayed};
use crate::support::api::{ListOwners, request};
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
