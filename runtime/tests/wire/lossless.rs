//! Decoded values are encoded to JSON that is equal by value.

use openapi_bindings_runtime::{DriftKind, Model, Timestamp, UnknownProperties, internal};
use serde_json::{Value, json};

use crate::models::{Task, Window};
use crate::{decode, drift, encode, retained, wrong};

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
fn properties_of_all_types_are_retained() {
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
fn a_null_optional_property_equals_an_absent_one() {
    let task: Task = decode(
        &json!({"id": "1", "owner": {}, "actions": null, "wait": null, "policy": null, "createdAt": null}),
    );
    assert_eq!(encode(&task), json!({"id": "1", "owner": {}}));
}

#[test]
fn absent_and_null_required_properties_are_retained() {
    let tasks =
        json!([{}, {"id": null}, {"owner": null, "id": "1"}, {"id": "", "owner": {"x": 1}}]);
    for task in elements(tasks) {
        keeps(&task);
    }
}

#[test]
fn required_properties_that_were_absent_are_written_once_they_are_set() {
    let mut task: Task = decode(&json!({"id": null}));
    task.id = "1".to_owned();
    task.owner.name = Some("a".to_owned());
    assert_eq!(encode(&task), json!({"id": "1", "owner": {"name": "a"}}));
}

#[test]
fn date_times_come_back_as_the_same_instant() {
    for (text, back) in [
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00.120Z", "2024-01-01T00:00:00.12Z"),
        ("2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123456789Z"),
        ("2024-01-01T00:00:00.12345678900000Z", "2024-01-01T00:00:00.123456789Z"),
        ("2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00Z"),
        ("2024-01-01 00:00:00-00:00", "2024-01-01T00:00:00Z"),
        ("0001-01-01t00:00:00z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.9999999990-23:59", "9999-12-31T23:59:59.999999999-23:59"),
    ] {
        let task = |text| {
            json!({
                "id": "1", "owner": {}, "createdAt": text, "reminders": [text, text], "deadlines": {"a": text},
                "until": text, "policies": [{"after": text}, {"manual": {"users": [{"seenAt": text}]}}],
            })
        };
        assert_eq!(encode(&decode::<Task>(&task(text))), task(back));
    }
}

#[test]
fn integers_come_back_as_the_same_number() {
    for (number, back) in [
        (json!("7"), "7"),
        (json!(7), "7"),
        (json!("007"), "7"),
        (json!(7.0), "7"),
        (json!("-0"), "0"),
        (json!(i64::MAX), "9223372036854775807"),
    ] {
        let task = |number: &Value| {
            json!({
                "id": "1", "owner": {}, "numericId": number, "size": number, "counts": [number, "1"],
                "totals": {"a": number}, "times": number, "limits": {"a": number},
            })
        };
        assert_eq!(encode(&decode::<Task>(&task(&number))), task(&json!(back)));
    }
    keeps_properties(json!({"numericId": i64::MIN.to_string(), "size": u64::MAX.to_string()}));
}

#[test]
fn numbers_come_back_as_the_same_number() {
    let number = |value: &Value| value.as_f64().unwrap();
    for sent in [0.0, -0.0, 1.0, -3.0, 0.1, 1e300, 5e-324, 0.300_000_000_000_000_04, f64::MAX] {
        let task = json!({"id": "1", "owner": {}, "score": sent, "grid": [[sent]]});
        let back = encode(&decode::<Task>(&task));
        let found = [number(&back["score"]), number(&back["grid"][0][0])];
        assert_eq!(found.map(f64::to_bits), [sent.to_bits(); 2], "{sent} {back}");
    }
    for sent in elements(json!([0, 0.5, 0.1, -3, 16_777_216, 3.402_823_5e38])) {
        keeps_properties(json!({"ratio": sent}));
    }
    keeps_properties(json!({"score": 9_007_199_254_740_991_u64}));
    keeps_properties(json!({"unknown": [u64::MAX, i64::MIN, 1.0, 0.1, 1e300]}));
}

/// What other numbers of a text need makes no difference for one that is written as its nearest float is.
#[test]
fn a_list_without_an_element_is_equal_after_it_was_sent() {
    for list in [
        "[null,5e-324,-9223372036854775808]",
        "[null,0.30000000000000004,-9223372036854775808]",
        "[null,18446744073709551616,5e-324]",
    ] {
        let body = format!(r#"{{"id":"1","owner":{{}},"grid":[{list}]}}"#);
        let task = Task::from_json(body.as_bytes()).unwrap();
        assert!(Task::from_json(&task.to_json()).unwrap() == task, "{list}");
    }
}

/// Values of lists and maps that their types do not have.
fn with_gaps() -> Value {
    json!({
        "id": "1", "owner": {}, "actions": [null, "ACTION_CLOSE", null], "counts": [null, ""],
        "reminders": ["2024-01-01T00:00:00Z", ""], "grid": [null, [1, null, 2.5], [null]], "names": [null, "a"],
        "totals": {"a": null, "b": "1", "c": ""}, "limits": {"a": null, "b": "1"}, "labels": {"a": null},
        "policies": [null, {"after": ""}, null], "until": "", "createdAt": "", "new": [null, ""],
        "children": [null, {"id": "2", "owner": {}, "counts": [null, "1"]}],
    })
}

#[test]
fn values_that_lists_and_maps_cannot_hold_are_retained_at_their_place() {
    let task: Task = retained(&with_gaps());
    assert_eq!(task.counts, Some(vec![]));
    assert_eq!(task.grid, Some(vec![vec![1.0, 2.5], vec![]]));
    assert_eq!(task.totals.as_ref().unwrap().len(), 1);
    assert_eq!(encode(&task.clone()), with_gaps());
    let again: Task = serde_json::from_value(with_gaps()).unwrap();
    assert!(again == task);
    let large = json!({"id": "1", "owner": {}, "grid": [[1, 9_007_199_254_740_993_i64], [2]]});
    retained::<Task>(&large);
}

#[test]
fn changed_lists_are_written_as_they_are() {
    let mut task: Task = decode(&with_gaps());
    task.counts.as_mut().unwrap().push(3);
    task.totals.as_mut().unwrap().insert("c".to_owned(), 3);
    task.grid.as_mut().unwrap()[0][1] = 7.5;
    task.reminders = None;
    task.children.as_mut().unwrap()[0].owner.name = Some("a".to_owned());
    let mut changed = with_gaps();
    changed["counts"] = json!(["3"]);
    changed["totals"] = json!({"b": "1", "c": "3"});
    changed["grid"] = json!([[1, 7.5], []]);
    changed["children"] = json!([{"id": "2", "owner": {"name": "a"}, "counts": [null, "1"]}]);
    changed.as_object_mut().unwrap().remove("reminders");
    assert_eq!(encode(&task), changed);
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
fn several_flattened_unions_are_retained() {
    for json in elements(json!([
        {},
        {"openAt": "2024-01-01T00:00:00Z", "closeNever": {"x": 1}},
        {"openAt": "2024-01-01T00:00:00Z", "openWhen": {"name": "a"}},
        {"openSesame": {}, "closeAt": "2024-01-01T00:00:00Z"},
        {"openSesame": {}, "closed": true},
    ])) {
        assert_eq!(encode(&decode::<Window>(&json)), json);
    }
}

#[test]
fn characters_that_json_escapes_are_retained() {
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

#[test]
fn integers_that_do_not_fit_are_retained() {
    keeps_properties(
        json!({"level": 2_147_483_648_u32, "limit": -1, "parent": {"limit": u64::MAX}}),
    );
    keeps_properties(json!({"numericId": "9223372036854775808", "size": "-1"}));
    keeps_properties(json!({"size": "340282366920938463463374607431768211456"}));
    keeps_properties(
        json!({"counts": ["1", "9223372036854775808", "2"], "totals": {"a": "-1", "b": "1"}}),
    );
    let task: Task = decode(&json!({"level": 2_147_483_648_u32, "score": 2}));
    assert_eq!((task.level, task.score), (None, Some(2.0)));
}

#[test]
fn an_empty_text_in_place_of_a_date_time_or_an_integer_is_retained() {
    let body = json!({
        "id": "1", "owner": {"seenAt": ""}, "numericId": "", "createdAt": "", "until": "",
        "limits": {"until": "", "more": ""}, "window": {"openAt": "", "closeAt": ""},
        "policy": {"after": ""},
    });
    let task: Task = retained(&body);
    assert_eq!((task.numeric_id, task.created_at), (None, None));
    let found = drift::<Task>(&body);
    assert_eq!(found.len(), 9, "{found:?}");
    let is_wrong = |kind| matches!(kind, DriftKind::WrongType { .. });
    assert!(found.iter().all(|(_, kind)| is_wrong(*kind)), "{found:?}");
    let mut task = task;
    task.created_at = Some("2026-01-01T00:00:00Z".parse().unwrap());
    assert_eq!(encode(&task)["createdAt"], "2026-01-01T00:00:00Z");
    // A required one.
    let reading: Due = retained(&json!({"at": "", "number": ""}));
    assert_eq!((reading.number, encode(&reading)["number"].as_str()), (0, Some("")));
    // In lists and maps they are left out, and drift.
    let body = json!({"id": "1", "owner": {}, "reminders": [""], "deadlines": {"a": ""}});
    let kind = wrong("a date-time (RFC 3339)", "a string");
    let paths = ["deadlines.a", "reminders[0]"].map(|path| (path.to_owned(), kind));
    assert_eq!(drift::<Task>(&body), paths);
}

#[derive(Clone, Default)]
struct Due {
    at: Timestamp,
    number: i64,
    unknown: UnknownProperties,
}

internal::object! { Due { at!: "at", number!: "number" as text } unknown }
