//! Unions, separate and flattened.

use openapi_bindings_runtime::Model;
use serde_json::{Value, json};

use crate::models::{Kind, Opening, Policy, Task, Window};
use crate::{decode, drift, encode, wrong};

fn flattened(json: &Value) -> Option<Kind> {
    let task: Task = decode(json);
    assert_eq!(encode(&task), *json);
    task.kind
}

fn own(json: &Value) -> Policy {
    let policy: Policy = decode(json);
    assert_eq!(encode(&policy), *json);
    policy
}

#[test]
fn a_union_without_a_property_is_absent() {
    assert!(flattened(&json!({"id": "1"})).is_none());
    let task = Task::from_json(br#"{"wait": null, "run": null}"#).unwrap();
    assert!(task.kind.is_none());
}

#[test]
fn a_union_with_one_property_holds_it() {
    assert!(
        matches!(flattened(&json!({"wait": {"duration": "1s"}})), Some(Kind::Wait(wait)) if wait.duration.as_deref() == Some("1s"))
    );
    assert!(matches!(flattened(&json!({"times": "3", "new": {}})), Some(Kind::Times(3))));
    let task = Task::from_json(br#"{"run": null, "wait": {}, "times": null}"#).unwrap();
    assert!(matches!(task.kind, Some(Kind::Wait(_))));
    let task = Task::from_json(br#"{"wait": {}, "wait": null}"#).unwrap();
    assert!(task.kind.is_none());
}

#[test]
fn several_properties_are_retained() {
    let json =
        json!({"until": "2024-01-01T00:00:00Z", "wait": {"users": [{}]}, "times": "3", "x": 1});
    let Some(Kind::Unknown(union)) = flattened(&json) else { panic!("several properties") };
    let names: Vec<_> = union.properties().keys().collect();
    assert_eq!(names, ["times", "until", "wait"]);
}

#[test]
fn the_order_of_several_properties_makes_no_difference() {
    let [one, other] = [
        r#"{"wait": {"duration": null, "x": null}, "times": 3}"#,
        r#"{"times": 3, "wait": {"x": null, "duration": null}}"#,
    ]
    .map(|json| Task::from_json(json.as_bytes()).unwrap());
    assert_eq!(one, other);
    assert_eq!(Task::from_json(&one.to_json()).unwrap(), one);
    let json = json!({"times": "3", "wait": {"duration": 7}});
    let task: Task = decode(&json);
    assert_eq!(encode(&task), json);
    let found = drift::<Task>(&json);
    assert!(found.contains(&("wait.duration".to_owned(), wrong("a string", "a number"))));
}

#[test]
fn a_single_union_takes_undescribed_properties_when_it_is_absent() {
    let Some(Kind::Unknown(union)) = flattened(&json!({"id": "1", "fly": {"height": 3}})) else {
        panic!("an unknown property")
    };
    assert_eq!(union.properties()["fly"], json!({"height": 3}));
    assert!(flattened(&json!({"fly": null})).is_none());
}

#[test]
fn undescribed_properties_stay_with_the_object_when_they_may_belong_to_several_unions() {
    let window = Window::from_json(br#"{"openSesame": {}}"#).unwrap();
    assert!(window.open.is_none() && window.close.is_none());
    assert_eq!(window.unknown_properties().len(), 1);
}

#[test]
fn a_separate_union_holds_its_property() {
    assert!(matches!(own(&json!({"manual": {}})), Policy::Manual(_)));
    assert!(matches!(own(&json!({"after": "2024-01-01T00:00:00Z"})), Policy::After(_)));
    assert!(
        matches!(own(&json!({"automatic": {"a": null}})), Policy::Automatic(map) if map.contains_key("a"))
    );
}

#[test]
fn a_separate_union_without_a_known_property_retains_all() {
    for json in [
        json!({}),
        json!({"new": {"a": 1}}),
        json!({"new": null}),
        json!({"manual": {"x": 1}, "automatic": {}}),
    ] {
        let Policy::Unknown(union) = own(&json) else { panic!("no single known property") };
        assert_eq!(Value::Object(union.properties().clone()), json);
    }
}

#[test]
fn undescribed_properties_beside_a_known_one_are_retained_with_its_value() {
    let policy = own(&json!({"manual": {"x": 1}, "new": 2}));
    assert_eq!(policy.unknown_properties()["new"], 2);
    let Policy::Manual(wait) = policy else { panic!("a known property") };
    assert_eq!(wait.unknown_properties()["x"], 1);
}

#[test]
fn undescribed_properties_beside_a_value_without_place_for_them_make_it_unknown() {
    assert!(matches!(own(&json!({"automatic": {"a": 1}, "new": 2})), Policy::Unknown(_)));
}

#[test]
fn a_list_with_an_element_that_it_has_no_place_for_makes_it_unknown() {
    for days in [json!([1, null]), json!([1, "2"])] {
        let window: Window = decode(&json!({"openDays": days}));
        assert!(matches!(window.open, Some(Opening::Unknown(_))), "{days}");
        assert_eq!(encode(&window), json!({"openDays": days}));
    }
    for times in [json!([null]), json!([""])] {
        assert!(matches!(own(&json!({"on": times})), Policy::Unknown(_)), "{times}");
    }
    assert!(matches!(own(&json!({"on": []})), Policy::On(days) if days.is_empty()));
}

#[test]
fn the_default_holds_nothing() {
    assert_eq!(Policy::default().to_json(), b"{}");
    assert!(matches!(Kind::default(), Kind::Unknown(union) if union.properties().is_empty()));
}
