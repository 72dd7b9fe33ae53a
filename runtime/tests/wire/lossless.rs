//! Decoded values are encoded as they were.

use openapi_bindings_runtime::{Map, Model};
use serde_json::{Value, json};

use crate::models::{Kind, Policy, Task, Window};
use crate::{decode, encode};

fn elements(array: Value) -> Vec<Value> {
    serde_json::from_value(array).unwrap()
}

/// Decodes and encodes, and expects no change.
#[track_caller]
fn keeps(json: &Value) {
    assert_eq!(encode(&decode::<Task>(json)), *json);
}

/// Decodes and encodes these properties of a task, and expects no change.
#[track_caller]
fn keeps_properties(mut json: Value) {
    json["id"] = json!("1");
    json["owner"] = json!({});
    keeps(&json);
}

#[test]
fn properties_of_all_types() {
    keeps_properties(json!({
        "actions": ["ACTION_CLOSE", "ACTION_FLY", "", "action_close"], "numericId": "-42", "size": "18446744073709551615",
        "counts": ["1", "2"], "totals": {"a": "1"}, "data": {"a": [1, null]}, "anything": [{}],
        "createdAt": "2024-05-06T07:08:09.5Z", "reminders": ["2024-05-06T07:08:09Z"],
        "deadlines": {"a": "2024-05-06T07:08:09Z"}, "score": 1.5, "ratio": 0.1, "level": -3, "limit": u32::MAX,
        "urgent": false, "grid": [[1, 2.5], []], "names": ["a", null], "parent": {"id": "2", "owner": {}},
        "children": [{"id": "3", "owner": {"name": ""}}], "token": "t", "settings": {"a": 1},
        "labels": {"@type": "x", "\"\u{1e}": "y", "a": 1}, "limits": {"a": "1"}, "window": {},
    }));
    keeps_properties(json!({
        "new": {"a": null}, "newer": null, "owner2": 1, "parent": {"id": "2", "owner": {"x": [null]}, "": 1},
        "wait": {"users": [{"x": 1}, {"name": "a", "y": {}}]}, "policy": {"manual": {"x": 1}},
    }));
}

#[test]
fn nulls_of_optional_properties_are_the_same_as_their_absence() {
    let task: Task = decode(
        &json!({"id": "1", "owner": {}, "actions": null, "wait": null, "policy": null, "createdAt": null}),
    );
    assert_eq!(encode(&task), json!({"id": "1", "owner": {}}));
}

#[test]
fn required_properties_that_are_absent_or_null() {
    let tasks =
        json!([{}, {"id": null}, {"owner": null, "id": "1"}, {"id": "", "owner": {"x": 1}}]);
    elements(tasks).iter().for_each(keeps);
}

#[test]
fn required_properties_that_were_absent_are_written_once_they_are_set() {
    let mut task: Task = decode(&json!({"id": null}));
    task.id = "1".to_owned();
    task.owner.name = Some("a".to_owned());
    assert_eq!(encode(&task), json!({"id": "1", "owner": {"name": "a"}}));
}

#[test]
fn date_times_in_any_spelling() {
    for text in [
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00.000Z",
        "2024-01-01T00:00:00.120Z",
        "2024-01-01T00:00:00.123456789Z",
        "2024-01-01T02:00:00+02:00",
        "2024-01-01T00:00:00+00:00",
        "2024-01-01T00:00:00-00:00",
        "2024-01-01t00:00:00z",
        "2024-01-01 00:00:00Z",
        "2016-12-31T23:59:60Z",
        "0001-01-01T00:00:00Z",
        "9999-12-30T22:00:00Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.9999999999-23:59",
        "2024-01-01T00:00:00.12345678900000Z",
        "2024-01-01T02:00:00.1234567891+02:00",
        "",
    ] {
        keeps_properties(json!({
            "createdAt": text, "reminders": [text, "2024-01-01T00:00:00Z", text], "deadlines": {"a": text, "b": text},
            "until": text, "policy": {"after": text}, "policies": [{"after": text}, {"manual": {"users": [{"seenAt": text}]}}],
        }));
    }
}

#[test]
fn integers_in_any_spelling() {
    for number in elements(json!(["7", 7, "007", "+7", "0", 0, 7.0, ""])) {
        keeps_properties(json!({
            "numericId": number, "size": number, "counts": [number, "1", number], "totals": {"a": number, "b": "2"},
            "times": number, "limits": {"a": number, "b": "2"},
        }));
    }
    keeps_properties(json!({"numericId": "-0", "counts": ["-007", "-7"]}));
    keeps_properties(json!({"level": 7.0, "limit": 0.0, "numericId": i64::MIN, "size": u64::MAX}));
}

#[test]
fn numbers_in_any_spelling() {
    let unit = 0.300_000_000_000_000_04;
    for number in elements(json!([0, 0.0, -0.0, 1, 1.0, -3, 0.1, 1e300, 5e-324, unit, f64::MAX])) {
        keeps_properties(json!({"score": number, "grid": [[number, 1], [1.5, number]]}));
    }
    let (exact, inexact) = (9_007_199_254_740_991_u64, 9_007_199_254_740_993_u64);
    for number in elements(json!([exact, inexact, u64::MAX, i64::MIN, 16_777_217])) {
        keeps_properties(json!({"score": number, "ratio": number, "grid": [[number]]}));
    }
    for number in elements(json!([0, 0.5, 0.1, 0.100_000_01, 1e39, 16_777_216, 1.0])) {
        keeps_properties(json!({"ratio": number}));
    }
}

#[test]
fn nulls_among_elements() {
    keeps_properties(json!({
        "actions": [null, "ACTION_CLOSE", null, null, "ACTION_DENY", null], "counts": [null], "reminders": [null, ""],
        "grid": [null, [1, null, 2.0], [null]], "names": [null, "a", null], "children": [null, {"id": "2"}, null],
        "totals": {"a": null, "b": "1", "c": 2}, "deadlines": {"a": null}, "limits": {"a": null, "b": "1"},
        "labels": {"a": null}, "policies": [null, {"after": ""}, null],
    }));
}

#[test]
fn nulls_among_elements_are_dropped_once_an_element_changes() {
    let mut task: Task = decode(&json!({
        "id": "1", "owner": {}, "actions": ["ACTION_CLOSE", null], "counts": [null, "1", 2], "totals": {"a": null, "b": "1"},
    }));
    task.actions = Some(vec!["ACTION_DENY".into()]);
    task.counts.as_mut().unwrap()[1] = 3;
    task.totals.as_mut().unwrap().insert("b".to_owned(), 3);
    assert_eq!(
        encode(&task),
        json!({"id": "1", "owner": {}, "actions": ["ACTION_DENY"], "counts": ["1", "3"], "totals": {"b": "3"}})
    );
    let mut task: Task = decode(
        &json!({"id": "1", "owner": {}, "counts": [null, "1", 2], "totals": {"a": null, "b": "1"}}),
    );
    task.counts.as_mut().unwrap().push(3);
    task.totals.as_mut().unwrap().insert("c".to_owned(), 3);
    assert_eq!(
        encode(&task),
        json!({"id": "1", "owner": {}, "counts": ["1", 2, "3"], "totals": {"b": "1", "c": "3"}})
    );
}

#[test]
fn what_is_cleared_is_left_out_however_it_was_spelled() {
    let mut task: Task = decode(&json!({
        "id": "1", "owner": {}, "reminders": [""], "counts": [""], "deadlines": {"a": ""},
        "until": "", "policy": {"after": ""}, "policies": [{"after": ""}],
    }));
    task.reminders = None;
    task.counts = None;
    task.deadlines = None;
    task.kind = None;
    task.policy = None;
    task.policies = None;
    assert_eq!(encode(&task), json!({"id": "1", "owner": {}}));
}

#[test]
fn another_property_of_a_union_replaces_the_original() {
    let mut task: Task =
        decode(&json!({"id": "1", "owner": {}, "until": "", "policy": {"after": ""}}));
    task.kind = Some(Kind::Times(0));
    task.policy = Some(Policy::Automatic(Map::new()));
    assert_eq!(
        encode(&task),
        json!({"id": "1", "owner": {}, "times": "0", "policy": {"automatic": {}}})
    );
}

#[test]
fn changed_values_are_written_plainly() {
    let json = json!({
        "id": "1", "owner": {}, "createdAt": "2024-01-01T00:00:00.000Z", "score": 1.0, "numericId": 7,
        "reminders": ["2024-01-01T00:00:00.000Z", "2024-01-02T00:00:00.000Z"],
    });
    let mut task: Task = decode(&json);
    task.created_at = Some("2025-01-01T00:00:00Z".parse().unwrap());
    task.score = None;
    task.numeric_id = Some(8);
    task.reminders.as_mut().unwrap()[0] = "2025-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(
        encode(&task),
        json!({
            "id": "1", "owner": {}, "createdAt": "2025-01-01T00:00:00Z", "numericId": "8",
            "reminders": ["2025-01-01T00:00:00Z", "2024-01-02T00:00:00.000Z"],
        })
    );
}

#[test]
fn the_last_of_properties_with_the_same_name_counts() {
    let json = br#"{"id":"1","id":"2","owner":{"name":"a","x":1,"seenAt":"2024-01-01T00:00:00.0Z"},"owner":{"y":1},
        "createdAt":"2024-01-01T00:00:00.0Z","createdAt":"2024-01-01T00:00:00Z","actions":["ACTION_CLOSE"],"actions":null,
        "totals":{"a":1,"a":null,"b":null,"b":"2","c":7,"c":"7"},"wait":{"x":1},"wait":{"y":1},"new":1,"new":2,
        "limits":{"a":1,"a":"2","b":null,"b":"1"}}"#;
    let expected = json!({"id": "2", "owner": {"y": 1}, "createdAt": "2024-01-01T00:00:00Z",
        "totals": {"a": null, "b": "2", "c": "7"}, "wait": {"y": 1}, "new": 2, "limits": {"a": "2", "b": "1"}});
    assert_eq!(encode(&Task::from_json(json).unwrap()), expected);
}

#[test]
fn additional_properties_do_not_repeat_described_members() {
    let mut labels = crate::models::Labels::default();
    labels.additional_properties.insert("@type".to_owned(), json!("b"));
    assert_eq!(encode(&labels), json!({"@type": "b"}));
    labels.r#type = Some("a".to_owned());
    assert_eq!(encode(&labels), json!({"@type": "a"}));
}

#[test]
fn several_flattened_unions() {
    for json in elements(json!([
        {},
        {"openAt": "2024-01-01T00:00:00.000Z", "closeNever": {"x": 1}},
        {"openAt": "2024-01-01T00:00:00.000Z", "openWhen": {"name": "a"}, "closeAt": ""},
        {"openSesame": {}, "closeAt": "2024-01-01T00:00:00Z"},
        {"openSesame": {}, "closed": true},
    ])) {
        assert_eq!(encode(&decode::<Window>(&json)), json);
    }
}

#[test]
fn text_with_characters_that_json_escapes() {
    let all: String =
        (0..0x250).filter_map(char::from_u32).chain("\u{2028}\u{fffd}😀".chars()).collect();
    keeps_properties(
        json!({"token": all, "names": [all.as_str(), "\"", "\\", "\u{8}\u{c}\n\r\t\u{0}\u{1f}", "é\"é"], all.as_str(): all.as_str()}),
    );
    for length in 0..40 {
        for place in 0..length {
            let mut text = "a".repeat(length);
            text.replace_range(place..=place, "\"");
            keeps_properties(
                json!({"token": text, "names": [text.replace('"', "\u{1f}"), text.replace('"', "\\"), text.replace('"', "ÿ")]}),
            );
        }
    }
}
