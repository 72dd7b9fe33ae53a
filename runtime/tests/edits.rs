//! Edits: the changes, those that are sent, and those that are refused.

use openapi_bindings_runtime::internal::{self, EditEndpoint, Mask, MaskPlace};
use openapi_bindings_runtime::{Edit, ErrorKind, Map, Model, Property, Value, json};

use crate::models::{Kind, Labels, Task, User};
use crate::support::api::{Request, request};
use crate::support::client;
use crate::support::server::Server;

/// The body of an update with a mask of each form.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Update {
    task: Option<Task>,
    mask: Option<String>,
    names: Option<Vec<String>>,
    field_mask: Option<FieldMask>,
    size: Option<i64>,
    pub(crate) unknown: openapi_bindings_runtime::UnknownProperties,
}

internal::object! {
    Update {
        task: "task",
        mask: "updateMask",
        names: "names",
        field_mask: "fieldMask",
        size: "size",
    }
    unknown
}

#[derive(Clone, Default)]
#[non_exhaustive]
pub struct FieldMask {
    paths: Option<Vec<String>>,
    pub(crate) unknown: openapi_bindings_runtime::UnknownProperties,
}

internal::object! {
    FieldMask { paths: "paths" }
    unknown
}

#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Note {
    text: Option<String>,
    count: Option<i64>,
    total: Option<i128>,
    pub(crate) unknown: openapi_bindings_runtime::UnknownProperties,
}

internal::object! {
    Note { text: "text" null, count: "count", total: "total" }
    unknown
}

/// Declares operations, with their masks.
macro_rules! updates {
    ($($name:ident: $body:ty => $object:ty, $mask:expr;)+) => {$(
        pub struct $name;

        impl internal::Endpoint for $name {
            type Body = $body;
            type Output = Map;
            type Format = internal::Json;
            const OPERATION: &'static internal::Operation = &internal::Operation {
                id: "tasks.update",
                method: "POST",
                path: "/tasks/1",
            };

            fn encode(call: internal::Call, body: &Self::Body) -> internal::Call {
                call.json(body)
            }
        }

        impl EditEndpoint for $name {
            type Object = $object;
            const MASK: &'static Mask = &$mask;
        }
    )+};
}

const MASK: Mask = Mask {
    object: Some("task"),
    place: MaskPlace::BodyText("updateMask"),
    separator: ",",
    nested: false,
};

updates! {
    Text: Update => Task, MASK;
    Nested: Update => Task, Mask { nested: true, ..MASK };
    List: Update => Task, Mask { place: MaskPlace::BodyList("names"), ..MASK };
    Paths: Update => Task, Mask { place: MaskPlace::BodyPaths("fieldMask"), ..MASK };
    Query: Task => Task, Mask { object: None, place: MaskPlace::Query("mask"), ..MASK };
    QueryList: Task => Task, Mask { object: None, place: MaskPlace::QueryList("mask"), ..MASK };
    NoText: Update => Task, Mask { place: MaskPlace::BodyText("size"), ..MASK };
    NoObject: Update => Task, Mask { object: Some("missing"), ..MASK };
    Notes: Note => Note, Mask { object: None, place: MaskPlace::Query("mask"), ..MASK };
}

const ORIGINAL: &str = r#"{"id":"1","owner":{"name":"Ann","seenAt":"2026-01-01T00:00:00Z"},
    "createdAt":"2026-01-01T01:00:00+01:00","limit":3,"wait":{"duration":"5s"},"later":[1]}"#;

fn original() -> Task {
    Task::from_json(ORIGINAL.as_bytes()).unwrap()
}

/// Sends an edit, and returns the target and the body of the request, if there was one.
async fn sent<E: EditEndpoint<Output = Map>, T: Model>(edit: &Edit<T>) -> Option<(String, Value)> {
    let server = Server::json(r#"{"ok":true}"#);
    let client = client(server.url()).build().unwrap();
    let update = request::<E>(&client, E::Body::default());
    let outcome = update.send_edit(edit).await.unwrap();
    let seen = server.seen();
    assert_eq!(outcome.is_some(), !seen.is_empty());
    let seen = seen.first()?;
    Some((seen.target.clone(), serde_json::from_str(&seen.body).unwrap()))
}

fn refusal<E: EditEndpoint>(edit: &Edit<Task>) -> String {
    let client = client("https://tasks.test").build().unwrap();
    let error = request::<E>(&client, E::Body::default()).with_edit(edit).unwrap_err();
    assert_eq!(
        (error.kind(), error.operation().map(|it| it.id)),
        (ErrorKind::Request, Some("tasks.update"))
    );
    error.to_string()
}

#[tokio::test]
async fn changed_fields_are_sent_and_named_in_the_mask() {
    let mut edit = Edit::new(original());
    edit.level = Some(7);
    edit.limit = None;
    edit.kind = Some(Kind::Times(2));
    assert!(edit.set_unknown("later", json!([1, 2])));
    assert!(edit.set_unknown("more", json!({ "a": null })));
    assert_eq!(edit.changes(), ["later", "level", "limit", "more", "times", "wait"]);
    let (_, body) = sent::<Text, _>(&edit).await.unwrap();
    assert_eq!(
        body,
        json!({
            "task": {
                "later": [1, 2], "level": 7, "more": { "a": null }, "times": "2",
                // The body requires it.
                "owner": { "name": "Ann" },
            },
            "updateMask": "later,level,limit,more,times,wait",
        })
    );
}

#[tokio::test]
async fn a_field_that_is_set_in_place_of_a_retained_value_is_changed() {
    let task = Task::from_json(br#"{"id": "1", "owner": {}, "level": 1.5, "createdAt": "today"}"#);
    let mut edit = Edit::new(task.unwrap());
    edit.level = Some(7);
    assert_eq!(edit.changes(), ["level"]);
    let (_, body) = sent::<Text, _>(&edit).await.unwrap();
    assert_eq!(body["task"]["level"], 7);
}

#[tokio::test]
async fn a_property_that_is_set_to_null_is_sent_and_one_that_is_cleared_is_not() {
    let original = || Note { text: Some("a".to_owned()), ..Note::default() };
    let mut null = original();
    internal::set_null(&mut null, "text");
    for (value, body) in [(Note::default(), json!({})), (null.clone(), json!({ "text": null }))] {
        let sent = sent::<Notes, _>(&Edit::between(original(), value)).await;
        assert_eq!(sent, Some(("/tasks/1?mask=text".to_owned(), body)));
    }
    assert!(!Edit::between(Note::default(), null).is_changed());
}

#[tokio::test]
async fn an_edit_without_changes_sends_nothing() {
    let mut edit = Edit::new(original());
    edit.created_at = Some("2026-01-01T00:00:00Z".parse().unwrap());
    edit.limit = Some(4);
    edit.limit = Some(3);
    assert!(!edit.is_changed(), "{:?}", edit.changes());
    assert_eq!(sent::<Text, _>(&edit).await, None);
    let client = client("https://tasks.test").build().unwrap();
    let none = request::<Text>(&client, Update::default()).with_edit(&edit).unwrap();
    assert!(none.is_none());
}

#[test]
fn a_union_that_holds_several_properties_names_those_that_differ() {
    let task = |json: &str| Task::from_json(json.as_bytes()).unwrap();
    let one = task(r#"{"id":"1","owner":{},"times":"5"}"#);
    let several = task(r#"{"id":"1","owner":{},"times":"5","wait":{}}"#);
    assert_eq!(Edit::between(one.clone(), several.clone()).changes(), ["wait"]);
    assert_eq!(Edit::between(several, one).changes(), ["wait"]);
}

#[tokio::test]
async fn masks_are_strings_lists_or_field_masks() {
    let mut edit = Edit::new(original());
    edit.level = Some(7);
    edit.limit = None;
    let task = json!({ "level": 7, "owner": { "name": "Ann" } });
    let (_, body) = sent::<List, _>(&edit).await.unwrap();
    assert_eq!(body, json!({ "task": task, "names": ["level", "limit"] }));
    let (_, body) = sent::<Paths, _>(&edit).await.unwrap();
    assert_eq!(body, json!({ "task": task, "fieldMask": { "paths": ["level", "limit"] } }));
    let (target, body) = sent::<Query, _>(&edit).await.unwrap();
    assert_eq!((target.as_str(), body), ("/tasks/1?mask=level%2Climit", task.clone()));
    let (target, body) = sent::<QueryList, _>(&edit).await.unwrap();
    assert_eq!((target.as_str(), body), ("/tasks/1?mask=level&mask=limit", task));
}

#[tokio::test]
async fn paths_name_what_changed_within_objects() {
    let mut edit = Edit::new(original());
    edit.owner.name = Some("Bob".into());
    edit.labels = Some(Labels::default());
    let (_, body) = sent::<Text, _>(&edit).await.unwrap();
    assert_eq!(body["updateMask"], "labels,owner");
    assert_eq!(body["task"], json!({ "labels": {}, "owner": { "name": "Bob" } }));
    let (_, body) = sent::<Nested, _>(&edit).await.unwrap();
    assert_eq!(body["updateMask"], "labels,owner.name");
    assert_eq!(body["task"], json!({ "labels": {}, "owner": { "name": "Bob" } }));
    edit.owner.name = None;
    let (_, body) = sent::<Nested, _>(&edit).await.unwrap();
    assert_eq!(body["task"], json!({ "labels": {}, "owner": {} }));
}

#[tokio::test]
async fn objects_on_a_path_have_their_required_properties() {
    let json =
        br#"{"id":"1","owner":{},"parent":{"id":"2","owner":{"name":"Ann"},"level":1,"limit":5},
        "run":{"id":"3","owner":{"name":"Bob"},"level":1}}"#;
    let mut edit = Edit::new(Task::from_json(json).unwrap());
    edit.parent.as_mut().unwrap().level = Some(2);
    if let Some(Kind::Run(task)) = &mut edit.kind {
        task.level = None;
    }
    let (_, body) = sent::<Nested, _>(&edit).await.unwrap();
    assert_eq!(body["updateMask"], "parent.level,run.level");
    assert_eq!(
        body["task"],
        json!({
            "owner": {}, "parent": { "owner": { "name": "Ann" }, "level": 2 },
            "run": { "owner": { "name": "Bob" } },
        })
    );
}

#[tokio::test]
async fn values_that_their_fields_cannot_hold_are_replaced_and_cleared() {
    let json =
        br#"{"id": "1", "owner": {}, "level": 1.5, "createdAt": "today", "limit": -1, "times": "x",
        "parent": {"id": "2", "owner": {}, "level": 2.5}}"#;
    let mut edit = Edit::new(Task::from_json(json).unwrap());
    edit.level = Some(0);
    assert_eq!(edit.remove_unknown("createdAt"), Some(json!("today")));
    assert_eq!(edit.remove_unknown("limit"), Some(json!(-1)));
    assert_eq!(edit.remove_unknown("times"), Some(json!("x")));
    let parent = edit.parent.as_mut().unwrap();
    assert_eq!(parent.remove_unknown("level"), Some(json!(2.5)));
    assert_eq!(parent.remove_unknown("level"), None);
    assert_eq!(edit.changes(), ["createdAt", "level", "limit", "parent", "times"]);
    let (_, body) = sent::<Nested, _>(&edit).await.unwrap();
    assert_eq!(body["updateMask"], "createdAt,level,limit,parent.level,times");
    assert_eq!(body["task"], json!({ "level": 0, "owner": {}, "parent": { "owner": {} } }));
}

#[tokio::test]
async fn numbers_in_an_edit_keep_their_digits() {
    let note = |json: &str| Note::from_json(json.as_bytes()).unwrap();
    for (original, value) in [
        ("{}", r#"{"total":18446744073709551617}"#),
        (r#"{"total":18446744073709551618}"#, r#"{"total":18446744073709551617}"#),
        (r#"{"count":1e400}"#, r#"{"count":1e401}"#),
        ("{}", r#"{"count":-9223372036854775809}"#),
    ] {
        let server = Server::json("{}");
        let client = client(server.url()).build().unwrap();
        let edit = Edit::between(note(original), note(value));
        request::<Notes>(&client, Note::default()).send_edit(&edit).await.unwrap();
        assert_eq!(server.only().body, value);
    }
    let [original, same] = [note(r#"{"count":1e400}"#), note(r#"{"count":1e400}"#)];
    assert!(!Edit::between(original, same).is_changed());
}

#[tokio::test]
async fn body_fields_that_were_set_before_the_edit_are_kept() {
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let mut edit = Edit::new(original());
    edit.level = Some(7);
    edit.limit = None;
    let task = Task { urgent: Some(true), limit: Some(9), level: Some(9), ..Task::default() };
    let body = Update { task: Some(task), size: Some(1), ..Update::default() };
    let update = request::<Text>(&client, body).with_edit(&edit).unwrap().unwrap();
    update.send_raw().await.unwrap();
    let seen: Value = serde_json::from_str(&server.seen()[0].body).unwrap();
    let owner = json!({ "name": "Ann" });
    assert_eq!(
        seen,
        json!({
            "task": { "urgent": true, "level": 7, "owner": owner }, "size": 1, "updateMask": "level,limit",
        })
    );
}

#[tokio::test]
async fn changes_are_not_added_to_a_mask_of_all_properties() {
    let client = client("https://tasks.test").build().unwrap();
    let mut edit = Edit::new(original());
    edit.level = Some(7);
    let body = Update { mask: Some("*".into()), ..Update::default() };
    let error = request::<Text>(&client, body).with_edit(&edit).unwrap_err();
    assert!(error.to_string().contains("`*`, which is all properties"), "{error}");
}

#[test]
fn read_only_properties_are_refused() {
    let mut edit = Edit::new(original());
    edit.id = "2".into();
    edit.numeric_id = Some(1);
    edit.owner.seen_at = None;
    edit.level = Some(1);
    let error = refusal::<Text>(&edit);
    for name in ["`id` (read-only)", "`numericId` (read-only)", "`owner.seenAt` (read-only)"] {
        assert!(error.contains(name), "{error}");
    }
    assert!(!error.contains("level"), "{error}");
}

#[tokio::test]
async fn an_edit_that_does_not_fit_the_object_is_refused() {
    let client = client("https://tasks.test").build().unwrap();
    let mut edit = Edit::new(User::default());
    edit.name = Some("Ann".into());
    let error = request::<Text>(&client, Update::default()).with_edit(&edit).unwrap_err();
    assert!(error.to_string().ends_with("this operation cannot change the property `name`"));
    let mut edit = Edit::new(Map::from_iter([("level".to_owned(), json!(1))]));
    edit["level"] = json!("high");
    let error = request::<Text>(&client, Update::default()).with_edit(&edit).unwrap_err();
    assert!(error.to_string().contains("level: expected a 32-bit integer"), "{error}");
}

#[test]
fn masks_that_cannot_be_written_are_errors() {
    let mut edit = Edit::new(original());
    edit.level = Some(1);
    assert!(refusal::<NoText>(&edit).contains("invalid update mask"));
    assert!(refusal::<NoObject>(&edit).contains("the body has no object to update"));
    for (name, refusal) in [
        ("a.b", refusal::<Nested> as fn(&Edit<Task>) -> String),
        ("", refusal::<Nested>),
        ("", refusal::<List>),
        ("", refusal::<QueryList>),
        ("*", refusal::<Text>),
        ("*", refusal::<Paths>),
    ] {
        let mut edit = edit.clone();
        edit.set_unknown(name, 1);
        let expected = format!("an update mask cannot name the property {name:?}");
        assert!(refusal(&edit).contains(&expected), "{name}");
    }
    edit.owner.set_unknown("x.y", 1);
    assert!(refusal::<Nested>(&edit).contains("cannot name the property \"x.y\""));
    edit.set_unknown("a,b", 1);
    assert!(refusal::<Text>(&edit).contains("an update mask cannot name the property \"a,b\""));
    edit.data = (0..200).fold(None, |inner, _| {
        Some(Map::from_iter([("inner".to_owned(), Value::from(inner.unwrap_or_default()))]))
    });
    assert!(refusal::<List>(&edit).contains("recursion limit"), "{}", refusal::<List>(&edit));
}

/// A comparison of each name with all before would take minutes.
#[test]
fn a_mask_has_many_names() {
    let client = client("https://tasks.test").build().unwrap();
    let names = (0..1 << 17).map(|name| &*format!("property-{name}").leak()).map(Property::new);
    let _ = request::<Query>(&client, Task::default()).set_mask(names);
}

#[tokio::test]
async fn masks_are_written_by_hand() {
    const LEVEL: Property<Task> = Property::new("level");
    const ODD: Property<Task> = Property::new("a,b");
    const DOTTED: Property<Task> = Property::new("owner.name");
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    request::<Text>(&client, Update::default()).set_mask([LEVEL]).await.unwrap();
    assert_eq!(server.seen()[0].body, r#"{"updateMask":"level"}"#);
    let error = request::<Text>(&client, Update::default()).set_mask([ODD]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Request);
    let update = request::<Nested>(&client, Update::default()).set_mask([DOTTED]);
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::Request);
    assert_eq!((LEVEL.to_string(), format!("{LEVEL:?}")), ("level".into(), "\"level\"".into()));
}

#[tokio::test]
async fn an_edit_adds_to_the_mask_of_the_request() {
    const KIND: Property<Task> = Property::new("kind");
    const LIMIT: Property<Task> = Property::new("limit");
    let server = Server::json("{}");
    let client = client(server.url()).build().unwrap();
    let mut edit = Edit::new(original());
    edit.level = Some(7);
    edit.limit = None;
    request::<Text>(&client, Update::default())
        .set_mask([KIND, LIMIT])
        .send_edit(&edit)
        .await
        .unwrap();
    request::<List>(&client, Update::default())
        .set_mask([KIND, LIMIT])
        .send_edit(&edit)
        .await
        .unwrap();
    request::<Paths>(&client, Update::default())
        .set_mask([KIND, LIMIT])
        .send_edit(&edit)
        .await
        .unwrap();
    request::<Query>(&client, Task::default())
        .set_mask([KIND, LIMIT])
        .send_edit(&edit)
        .await
        .unwrap();
    request::<QueryList>(&client, Task::default())
        .set_mask([KIND, LIMIT])
        .send_edit(&edit)
        .await
        .unwrap();
    let own = Update { mask: Some(String::new()), ..Update::default() };
    let update = request::<Text>(&client, own).with_edit(&edit).unwrap().unwrap();
    update.clone().await.unwrap();
    update.set_mask([KIND]).await.unwrap();
    let masks: Vec<_> = server
        .seen()
        .iter()
        .map(|seen| {
            let body: Map = serde_json::from_str(&seen.body).unwrap();
            let in_query = seen.target.split_once('?').map(|(_, query)| Value::from(query));
            let names = ["updateMask", "names", "fieldMask"];
            in_query.or_else(|| names.iter().find_map(|name| body.get(*name)).cloned()).unwrap()
        })
        .collect();
    assert_eq!(
        Value::from(masks),
        json!([
            "kind,limit,level",
            ["kind", "limit", "level"],
            { "paths": ["kind", "limit", "level"] },
            "mask=kind%2Climit%2Clevel",
            "mask=kind&mask=limit&mask=level",
            "level,limit",
            "kind"
        ])
    );
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_edits_are_sent() {
    use crate::models::Wait;
    use crate::support::server::json as reply;

    let server = Server::new(|_, _| reply(200, r#"{"ok":1}"#));
    let client = client(server.url()).build().unwrap();
    let mut edit = Edit::new(original());
    let update = || request::<Text>(&client, Update::default());
    assert_eq!(update().send_edit_blocking(&edit).unwrap(), None);
    edit.kind = Some(Kind::Wait(Wait::default()));
    assert_eq!(update().send_edit_blocking(&edit).unwrap().unwrap()["ok"], 1);
    edit.id = "2".into();
    assert!(update().send_edit_blocking(&edit).is_err());
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn secrets_are_edited_and_not_shown() {
    let mut edit = Edit::new(original());
    edit.token = Some("s3cr3t".into());
    assert_eq!(edit.changes(), ["token"]);
    assert!(!format!("{edit:?}").contains("s3cr3t"));
    assert_eq!(edit.original().token, None);
    assert!(edit.into_value().token.is_some());
    let _: Option<Request<Text>> = None;
}
