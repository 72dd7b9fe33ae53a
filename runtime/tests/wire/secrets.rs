//! Values that no log may show.

use std::collections::BTreeMap;

use openapi_bindings_runtime::{
    Map, Model, Secret, Timestamp, TypedObject, UnknownProperties, UnknownUnion, UnknownVariant,
    internal,
};
use serde_json::{Value, json};

use crate::models::Task;

#[test]
fn debug_does_not_show_secrets() {
    let task =
        Task::from_json(br#"{"token": "hunter2", "settings": {"password": "hunter2"}}"#).unwrap();
    let shown = format!("{task:?} {task:#?} {:?}", task.token);
    assert!(!shown.contains("hunter2") && !shown.contains("password"));
    assert!(shown.contains("token: [redacted]") && shown.contains("settings: [redacted]"));
}

#[test]
fn secrets_are_exposed_on_demand_and_sent() {
    let mut task = Task { token: Some("hunter2".into()), ..Task::default() };
    let settings: Map = serde_json::from_value(json!({"a": ["b"]})).unwrap();
    task.settings = Some(settings.clone().into());
    assert_eq!(task.token.as_ref().map(|token| token.expose().as_str()), Some("hunter2"));
    let copy = Task::from_json(&task.to_json()).unwrap();
    assert_eq!(copy, task);
    assert_eq!(copy.settings.as_ref().map(Secret::expose), Some(&settings));
}

#[derive(Clone, Default)]
pub struct Login {
    password: Option<Secret<String>>,
    keys: Option<Vec<Secret<String>>>,
    user: Option<String>,
    unknown: UnknownProperties,
}

internal::object! { Login { password: "password", keys: "keys", user: "user" } unknown }

#[derive(Clone)]
pub enum Access {
    Login(Login),
    Unknown(UnknownVariant),
}

internal::choice! { Access { Login writes { "kind" = "login" } } object => tag "kind" { "login" => Login } }

#[test]
fn debug_does_not_show_secrets_that_their_fields_cannot_hold() {
    let json = json!({"kind": "login", "password": 1234, "keys": ["1234", 5], "user": 77});
    let access: Access = crate::retained(&json);
    let shown = format!("{access:?}");
    assert!(!shown.contains("1234"), "{shown}");
    assert!(shown.contains(r#""keys": [redacted], "password": [redacted]"#), "{shown}");
    // Nothing says what a value is that replaces another one.
    assert!(shown.contains(r#""user": [redacted]"#), "{shown}");
}

#[derive(Clone, Default)]
pub struct Safe {
    pin: Option<Secret<i32>>,
    amount: Option<Secret<f64>>,
    open: Option<Secret<bool>>,
    since: Option<Secret<Timestamp>>,
    pins: Option<Vec<Secret<i64>>>,
    owner: Option<Secret<TypedObject>>,
    unknown: UnknownProperties,
}

internal::object! {
    Safe { pin: "pin", amount: "amount", open: "open", since: "since", pins: "pins" as text, owner: "owner" }
    unknown
}

#[test]
fn secrets_of_every_type_are_redacted_and_sent() {
    let json = json!({
        "pin": 1234, "amount": 12.5, "open": true, "since": "2001-02-03T04:05:06Z", "pins": ["1234", "77"],
        "owner": {"@type": "x", "pin": 1234},
    });
    let safe: Safe = crate::retained(&json);
    let shown = format!("{safe:?}");
    assert!(!["1234", "12.5", "true", "2001", "77"].iter().any(|it| shown.contains(it)), "{shown}");
    assert_eq!(safe.pin.map(|pin| *pin.expose()), Some(1234));
}

#[derive(Clone)]
pub enum Key {
    Text(Secret<String>),
    Login(Box<Nested>),
    Unknown(UnknownVariant),
}

internal::choice! { Key { Text, Login } string => Text, object, tag "kind", is "login" => Login, end, }

#[derive(Clone, Default)]
pub struct Nested {
    access: Option<Access>,
    again: Option<Box<Nested>>,
    unknown: UnknownProperties,
}

internal::object! { Nested { access: "access", again: "again" } unknown }

#[derive(Clone)]
pub enum Credential {
    Pin(Secret<String>),
    Login(Login),
    Unknown(UnknownUnion),
}

internal::union! { Credential { Pin = "pin", Login = "login" } }

#[derive(Clone, Default)]
pub struct Keys {
    list: Vec<Key>,
    one: Option<Credential>,
    nested: Option<Vec<Nested>>,
    unknown: UnknownProperties,
}

internal::object! { Keys { list: "keys", one: "one", nested: "nested" } unknown }

#[derive(Clone)]
pub enum Ring {
    Keys(Keys),
    Unknown(UnknownVariant),
}

internal::choice! { Ring { Keys } object => tag "kind" { "keys" => Keys, }, }

#[test]
fn debug_shows_of_what_unions_retain_the_names_alone() {
    for (json, shown) in [
        (json!([4321]), "[redacted]"),
        (
            json!([{"kind": "other", "at": {"x": 1}}]),
            r#"{"at": {"x": [redacted]}, "kind": [redacted]}"#,
        ),
        (
            json!([{"kind": "other", "password": {"4321": 1}}]),
            r#"{"kind": [redacted], "password": [redacted]}"#,
        ),
        (json!([["4321", {"x": true}]]), r#"[[redacted], {"x": [redacted]}]"#),
    ] {
        let keys: Vec<Key> = crate::retained(&json);
        assert_eq!(format!("{keys:?}"), format!("[Unknown({shown})]"));
        let [Key::Unknown(unknown)] = &keys[..] else { panic!("{keys:?}") };
        assert!(!format!("{unknown:?}").contains("4321"));
    }
    for json in [
        json!({"pin": "4321", "login": {"password": "4321"}}),
        json!({"pin": 4321}),
        json!({"pen": "4321"}),
    ] {
        let Ok(credential) = Credential::from_json(json.to_string().as_bytes()) else { continue };
        let shown = format!("{credential:?}");
        assert!(shown.starts_with("Unknown({\"") && !shown.contains("4321"), "{shown}");
        let Credential::Unknown(unknown) = &credential else { panic!("{credential:?}") };
        assert!(!format!("{unknown:?}").contains("4321"));
    }
    // Whole lists and objects that contain secrets.
    let json = json!({
        "kind": "keys", "keys": 5, "one": {"pin": 4321},
        "nested": [{"access": {"kind": "login", "password": "4321"}}, 5],
    });
    let ring: Ring = crate::retained(&json);
    let shown = format!("{ring:?}");
    assert!(!shown.contains("4321") && shown.contains(r#""nested": [redacted]"#), "{shown}");
}

#[derive(Clone, Default)]
pub struct Open {
    any: Option<Value>,
    free: Option<Map>,
    typed: Option<TypedObject>,
    texts: Option<BTreeMap<String, String>>,
    lists: Option<BTreeMap<String, Vec<i64>>>,
    models: Option<BTreeMap<String, Bare>>,
    source: Option<Variants>,
    one: Option<Properties>,
    unknown: UnknownProperties,
}

internal::object! {
    Open {
        any: "any", free: "free", typed: "typed", texts: "texts", lists: "lists", models: "models",
        source: "source", one: "one",
    }
    unknown
}

#[derive(Clone, Default)]
pub struct Bare {
    url: Option<String>,
    token: Option<String>,
    unknown: UnknownProperties,
}

internal::object! { Bare { url: "url", token: "token" } unknown }

#[derive(Clone)]
pub enum Variants {
    Bare(Bare),
    Unknown(UnknownVariant),
}

internal::choice! { Variants { Bare } object => tag "kind" { "bare" => Bare, }, }

#[derive(Clone)]
pub enum Properties {
    Bare(Bare),
    Unknown(UnknownUnion),
}

internal::union! { Properties { Bare = "bare" } }

const SIGNED: &str = "https://s3.example/a?X-Amz-Credential=AKIA&X-Amz-Signature=4321abcd";

/// The names and the form of values say what no type does.
#[test]
fn debug_does_not_show_undescribed_values_that_are_probably_secrets() {
    let added = json!({
        "apiKey": "k-4321", "hasPassword": true, "noToken": null, "name": "shown-text", "count": 77,
        "deep": [{"secrets": {"A": "hunter-4321"}, "pin": 4321, "link": SIGNED, "more": "shown-deep"}],
        "callback": "https://me:4321@host/x", "escaped": "a%3Ftoken%3D4321", "https://h/?sig=4321": 1,
    });
    for (place, json) in [
        ("a property", added.clone()),
        ("any value", json!({"any": [added]})),
        ("a map", json!({"free": added})),
        ("an object with a type", json!({"typed": added})),
        ("a property of a variant", json!({"source": {"kind": "bare", "added": added}})),
        ("a map of models", json!({"models": {"token-service": added}})),
    ] {
        let open: Open = crate::retained(&json);
        let shown = format!("{open:?} {open:#?}");
        assert!(!shown.contains("4321") && !shown.contains("AKIA"), "{place}: {shown}");
        assert!(shown.contains("[redacted]"), "{place}: {shown}");
        for expected in ["shown-text", "shown-deep", "77", "true"] {
            assert!(shown.contains(expected), "{place}: {expected} is not in {shown}");
        }
    }
}

#[test]
fn debug_does_not_show_entries_with_names_of_secrets_and_signed_urls() {
    let open: Open = crate::retained(&json!({
        "texts": {"Authorization": "Bearer 4321", "shown": "text", "a.js": SIGNED, "https://h/?sig=4321": "x"},
        "lists": {"pins": [1], "otp": [4321]},
        "models": {"token-service": {"url": SIGNED, "token": "page-2"}},
    }));
    let shown = format!("{open:?}");
    assert_eq!(
        shown,
        "Open { \
         texts: {\"Authorization\": [redacted], \"a.js\": [redacted], [redacted]: \"x\", \"shown\": \"text\"}, \
         lists: {\"otp\": [[redacted]], \"pins\": [1]}, \
         models: {\"token-service\": Bare { url: [redacted], token: [redacted] }} }"
    );
}
