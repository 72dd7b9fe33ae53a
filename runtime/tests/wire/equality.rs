//! Equality of models.

use access_governance_runtime::Model;
use serde_json::{Value, json};

use crate::models::Task;

fn task(json: &Value) -> Task {
    Task::from_json(json.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Properties, each with different values.
fn properties() -> Vec<(&'static str, Vec<Value>)> {
    let (early, late) = ("2024-05-06T07:08:09Z", "2024-05-06T07:08:10Z");
    vec![
        ("id", vec![json!("1"), json!("2")]),
        (
            "owner",
            vec![
                json!({}),
                json!({"name": ""}),
                json!({"name": "a"}),
                json!({"x": 1}),
                json!({"x": 2}),
            ],
        ),
        (
            "actions",
            vec![json!([]), json!(["ACTION_CLOSE"]), json!(["ACTION_DENY"]), json!(["ACTION_FLY"])],
        ),
        ("numericId", vec![json!("0"), json!("-1")]),
        ("size", vec![json!("0"), json!("18446744073709551615")]),
        ("counts", vec![json!([]), json!(["1"]), json!(["1", "2"]), json!(["2", "1"])]),
        (
            "totals",
            vec![
                json!({}),
                json!({"a": "1"}),
                json!({"a": "2"}),
                json!({"b": "1"}),
                json!({"a": "1", "b": "1"}),
            ],
        ),
        ("data", vec![json!({}), json!({"a": null}), json!({"a": 1})]),
        ("anything", vec![json!([]), json!({}), json!(1)]),
        ("createdAt", vec![json!(early), json!(late)]),
        ("score", vec![json!(0.0), json!(1.5)]),
        ("ratio", vec![json!(0.0), json!(0.1)]),
        ("urgent", vec![json!(false), json!(true)]),
        ("names", vec![json!([]), json!(["a"]), json!(["b"])]),
        ("parent", vec![json!({"id": "2", "owner": {}}), json!({"id": "3", "owner": {}})]),
        ("wait", vec![json!({}), json!({"users": []}), json!({"x": 1})]),
        ("until", vec![json!(early), json!(late)]),
        (
            "policy",
            vec![
                json!({}),
                json!({"new": 1}),
                json!({"new": 2}),
                json!({"after": early}),
                json!({"after": late}),
                json!({"before": late}),
            ],
        ),
        (
            "policy",
            vec![
                json!({"manual": {}}),
                json!({"automatic": {}}),
                json!({"manual": {}, "beside": 1}),
            ],
        ),
        ("token", vec![json!(""), json!("t")]),
        ("settings", vec![json!({}), json!({"a": 1})]),
        ("limits", vec![json!({}), json!({"a": "1"}), json!({"a": "2"})]),
        ("undescribed", vec![json!(null), json!(1), json!(2)]),
    ]
}

#[test]
fn a_single_difference_is_enough() {
    for (name, values) in properties() {
        let tasks: Vec<Task> = values
            .iter()
            .map(|value| task(&json!({"id": "0", "owner": {}, name: value})))
            .chain([Task::default()])
            .collect();
        for (place, one) in tasks.iter().enumerate() {
            for (other_place, other) in tasks.iter().enumerate() {
                assert_eq!(one == other, place == other_place, "{one:?}, {other:?}");
            }
            assert_eq!(one, &one.clone());
        }
    }
}

#[test]
fn a_number_that_is_none_equals_nothing() {
    let task = Task { score: Some(f64::NAN), ..Task::default() };
    assert_ne!(task, task.clone());
}
