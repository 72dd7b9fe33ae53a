//! Related objects in recordings, and in their replays.

use openapi_bindings_runtime::internal::related;
use openapi_bindings_runtime::{
    Client, ClientBuilder, Recorder, Secret, TypedObject, UnknownProperties, Value, internal, json,
};

use super::{Memory, replayed};
use crate::models::User;
use crate::support::api::{SERVICE, operation, request};
use crate::support::server::Server;

/// A response with a view and related objects.
#[derive(Clone, Default)]
pub struct Viewed {
    path: Option<String>,
    other: Option<String>,
    code: Option<Secret<i64>>,
    expanded: Option<Vec<TypedObject>>,
    hidden: Option<Secret<Vec<TypedObject>>>,
    unknown: UnknownProperties,
}

internal::object! { Viewed {
    path: "path", other: "other", code: "code", expanded: "expanded", hidden: "hidden",
} unknown }

operation!(View, "views.create", POST, "/views", Viewed => Viewed, |call, body| call.json(body));

const REPLY: &str = r#"{
    "path": "$.expanded[0,1]", "other": "$.expanded[918273645]", "code": 918273645, "extra": "$.expanded[0]",
    "expanded": [
        {"@type": "x/User", "name": "Ann", "profile": {"ann@x": "Ann"}, "deep": {"@type": "x/Deep", "kind": 1}},
        {"@type": "x/User", "name": "Bob"},
        {"Zoe": "$.expanded"}, {"@type": 5, "Zoe": 1}
    ],
    "hidden": [{"@type": "x/Hidden", "Eve": 2}]
}"#;

async fn record() -> (Value, Viewed) {
    let server = Server::json(REPLY);
    let memory = Memory::default();
    let recorder = Recorder::to_writer(memory.clone());
    let builder = ClientBuilder::<Client>::new(&SERVICE, server.url()).record(recorder.clone());
    let client = builder.allow_anonymous().build().unwrap();
    let body = || Viewed { code: Some(Secret::new(918_273_645)), ..Viewed::default() };
    request::<View>(&client, body()).await.unwrap();
    recorder.flush();
    let text = memory.entries()[0]["response"]["content"]["text"].as_str().unwrap().to_owned();
    let reply = request::<View>(&replayed(&memory.replay()), body()).await.unwrap();
    (serde_json::from_str(&text).unwrap(), reply)
}

fn is_placeholder(value: &Value) -> bool {
    value.as_str().unwrap().starts_with("redacted-")
}

#[tokio::test]
async fn a_replay_has_the_related_objects_and_their_types() {
    let (body, reply) = record().await;
    let users: Vec<_> = related(&reply.expanded.unwrap()[..], reply.path.as_deref())
        .map(|user| (user.type_name().unwrap().to_owned(), user.decode::<User>().unwrap().name))
        .collect();
    assert_eq!(users.len(), 2, "{body}");
    for (type_name, name) in users {
        assert_eq!(type_name, "User", "{body}");
        assert!(name.unwrap().starts_with("redacted-"), "{body}");
    }
    let deep = &body["expanded"][0]["deep"];
    assert_eq!(deep, &json!({"@type": "x/Deep", "kind": 1}));
    // `@type` is the name of a type only if it is a text.
    assert_eq!(body["expanded"][3]["@type"], 5);
}

#[tokio::test]
async fn names_of_maps_and_secrets_in_paths_stay_placeholders() {
    let (body, _) = record().await;
    let text = body.to_string();
    for hidden in ["918273645", "ann@x", "Zoe", "Eve", "x/Hidden"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    // A property that the type does not have is not decoded.
    assert!(is_placeholder(&body["extra"]) && is_placeholder(&body["other"]), "{text}");
}
