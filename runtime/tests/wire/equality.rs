//! Equality of models.

use serde_json::json;

use crate::decode;
use crate::models::Task;

#[test]
fn values_that_differ_in_one_property_are_unequal() {
    // Properties, each with different values.
    let properties = json!({
        "id": ["1", "2"],
        "owner": [{}, {"name": ""}, {"name": "a"}, {"x": 1}, {"x": 2}],
        "actions": [[], ["ACTION_CLOSE"], ["ACTION_DENY"], ["ACTION_FLY"]],
        "numericId": ["0", "-1"],
        "size": ["0", "18446744073709551615"],
        "counts": [[], ["1"], ["1", "2"], ["2", "1"]],
        "totals": [{}, {"a": "1"}, {"a": "2"}, {"b": "1"}, {"a": "1", "b": "1"}],
        "data": [{}, {"a": null}, {"a": 1}],
        "anything": [[], {}, 1],
        "createdAt": ["2024-05-06T07:08:09Z", "2024-05-06T07:08:10Z"],
        "score": [0.0, 1.5],
        "ratio": [0.0, 0.1],
        "urgent": [false, true],
        "names": [[], ["a"], ["b"]],
        "parent": [{"id": "2", "owner": {}}, {"id": "3", "owner": {}}],
        "wait": [{}, {"users": []}, {"x": 1}],
        "until": ["2024-05-06T07:08:09Z", "2024-05-06T07:08:10Z"],
        "policy": [
            {}, {"new": 1}, {"new": 2}, {"manual": {}}, {"automatic": {}}, {"manual": {}, "beside": 1},
            {"after": "2024-05-06T07:08:09Z"}, {"after": "2024-05-06T07:08:10Z"}, {"before": "2024-05-06T07:08:10Z"},
        ],
        "token": ["", "t"],
        "settings": [{}, {"a": 1}],
        "limits": [{}, {"a": "1"}, {"a": "2"}],
        "undescribed": [null, 1, 2],
    });
    for (name, values) in properties.as_object().unwrap() {
        let values = values.as_array().unwrap().iter();
        let tasks: Vec<Task> = values
            .map(|value| decode(&json!({"id": "0", "owner": {}, name: value})))
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
fn nan_does_not_equal_itself() {
    let task = Task { score: Some(f64::NAN), ..Task::default() };
    assert_ne!(task, task.clone());
}
