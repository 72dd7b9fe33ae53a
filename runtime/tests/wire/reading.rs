//! Models as users see them.

use openapi_bindings_runtime::internal::decode;
use openapi_bindings_runtime::{Drift, DriftKind, Model};
use serde_json::{Value, json};

use crate::encode;
use crate::models::{Kind, Policy, Task, User, Wait};

#[test]
fn debug_shows_the_fields_that_are_there() {
    let task = Task::from_json(
        br#"{"id": "1", "numericId": "7", "actions": ["ACTION_DENY", "X"], "createdAt": "2024-01-01T00:00:00.000Z", "score": 1,
        "wait": {"duration": "1s"}, "policy": {"after": "2024-01-01T00:00:00Z"}, "totals": {"a": "1"}, "labels": {"@type": "x"}, "new": null}"#,
    )
    .unwrap();
    assert_eq!(
        format!("{task:?}"),
        r#"Task { id: "1", owner: User, actions: ["ACTION_DENY", "X"], numeric_id: 7, totals: {"a": 1}, created_at: 2024-01-01T00:00:00Z, score: 1.0, kind: Wait(Wait { duration: "1s" }), policy: After(2024-01-01T00:00:00Z), labels: Labels { type: "x", additional_properties: {} }, unknown: {"new": null} }"#
    );
    assert_eq!(format!("{:?}", Policy::default()), "Unknown({})");
}

#[test]
fn undescribed_properties_can_be_read() {
    let user = User::from_json(br#"{"name": "a", "x": 1, "y": null}"#).unwrap();
    assert_eq!(Value::from(user.unknown_properties().clone()), json!({"x": 1, "y": null}));
    assert!(User::default().unknown_properties().is_empty());
}

#[test]
fn undescribed_properties_can_be_set() {
    let mut task = Task::default();
    assert!(task.set_unknown("new", 1) && task.set_unknown("newer", json!([null])));
    assert!(task.set_unknown("new", "2"));
    assert_eq!(task.unknown_properties().len(), 2);
    assert_eq!(encode(&task), json!({"id": "", "owner": {}, "new": "2", "newer": [null]}));

    let mut policy = Policy::Manual(Wait::default());
    assert!(policy.set_unknown("beside", true));
    assert_eq!(encode(&policy), json!({"manual": {}, "beside": true}));
    assert!(policy.set_unknown("after", "soon"));
    assert_eq!(encode(&policy), json!({"after": "soon"}));
    assert!(!vec![task].set_unknown("new", 1));
}

#[test]
fn a_property_that_is_set_is_sent_in_place_of_the_field() {
    let mut task = Task {
        created_at: Some("2024-01-01T00:00:00Z".parse().unwrap()),
        kind: Some(Kind::Times(1)),
        ..Task::default()
    };
    task.set_unknown("createdAt", Value::Null);
    task.set_unknown("score", Value::Null);
    task.set_unknown("times", "many");
    assert_eq!(
        encode(&task),
        json!({"id": "", "owner": {}, "createdAt": null, "score": null, "times": "many"})
    );
}

#[test]
fn equality_is_about_values_not_their_spelling() {
    let user = |json: &str| User::from_json(json.as_bytes()).unwrap();
    assert_eq!(
        user(r#"{"seenAt": "2024-01-01T00:00:00.000Z"}"#),
        user(r#"{"seenAt": "2024-01-01T01:00:00+01:00"}"#)
    );
    assert_ne!(user(r#"{"seenAt": ""}"#), User::default());
    assert_ne!(user(r#"{"x": 1}"#), User::default());
}

#[test]
fn unit_is_decoded_from_objects_only() {
    assert_eq!(decode::<()>(b"{}", None), Ok(()));
    let mut drift = Vec::new();
    assert_eq!(decode::<()>(b"{\"new\": 1}", Some(&mut drift)), Ok(()));
    assert!(
        matches!(&drift[..], [Drift { kind: DriftKind::UnknownProperty, name, .. }] if name == "new")
    );
    for body in [&b""[..], b"null", b"[]", b"\"\"", b"{", b"<html>", b"\xff"] {
        assert!(decode::<()>(body, None).is_err(), "{body:?}");
    }
}

#[test]
fn lists_and_free_form_values_are_bodies_too() {
    assert_eq!(
        decode::<Vec<User>>(br#"[{"name": "a"}, {}]"#, None).map(|users| users.len()),
        Ok(2)
    );
    let error = decode::<Vec<User>>(br#"[{}, {"name": x}]"#, None).unwrap_err();
    assert_eq!(error.path(), "[1].name");
    assert_eq!(decode::<Value>(b" [1, {}] ", None), Ok(json!([1, {}])));
}

#[test]
fn numbers_without_digits_are_null() {
    let task = Task { score: Some(f64::NAN), ..Task::default() };
    assert_eq!(encode(&task)["score"], Value::Null);
}

#[test]
fn an_unpaired_surrogate_is_read_as_another_character_and_is_drift() {
    // The path is that of the first.
    for (sent, read, name) in [
        (r"\ud800", "\u{fffd}", r"\ud800"),
        (r"a\uDFFFb\udc00", "a\u{fffd}b\u{fffd}", r"\uDFFF"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}", r"\ud83d"),
        (r"\ud800\u0041\\ud800", "\u{fffd}A\\ud800", r"\ud800"),
    ] {
        for (path, json) in [
            ("id", format!(r#"{{"id":"{sent}","owner":{{}},"score":1.5}}"#)),
            (
                "children[0].id",
                format!(r#"{{"id":"1","owner":{{}},"children":[{{"id":"{sent}"}}]}}"#),
            ),
            ("new", format!(r#"{{"id":"1","owner":{{}},"new":["{sent}",{{"{sent}":1e400}}]}}"#)),
            ("labels", format!(r#"{{"id":"1","owner":{{}},"labels":{{"{sent}":1}}}}"#)),
        ] {
            let mut drift: Vec<Drift> = Vec::new();
            let task: Task = decode(json.as_bytes(), Some(&mut drift)).unwrap();
            let found: Vec<_> = drift.iter().filter(|it| it.name == name).collect();
            assert!(
                matches!(&found[..], [it] if it.path == path && it.kind == DriftKind::Format),
                "{json}: {drift:?}"
            );
            let sent = String::from_utf8(task.to_json()).unwrap();
            assert!(sent.contains(&read.replace('\\', r"\\")), "{json}: {sent}");
        }
    }
    // A pair, and what only looks like a surrogate.
    let mut drift: Vec<Drift> = Vec::new();
    let texts = decode::<Vec<String>>(br#"["\ud83d\ude00\\ud800"]"#, Some(&mut drift)).unwrap();
    assert!(texts == ["\u{1f600}\\ud800"] && drift.is_empty());
    // The place of another error is that in the body.
    for json in [r#"["\ud800",x]"#, r#"["\ud800", "\u12"]"#, r"[\ud800]", r#"["\ud800\é"]"#] {
        let error = Vec::<String>::from_json(json.as_bytes()).unwrap_err();
        assert!(error.column() > Some(1), "{json}: {error}");
    }
}
