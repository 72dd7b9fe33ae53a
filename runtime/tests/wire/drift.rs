//! What is told about whatever is not described.

use access_governance_runtime::internal::{Wire, decode};
use access_governance_runtime::{Drift, DriftKind};

use crate::models::{Policy, Task, Window};

fn drift<T: Wire + Default>(json: &str) -> Vec<(String, DriftKind, String)> {
    let mut drift: Vec<Drift> = Vec::new();
    decode::<T>(json.as_bytes(), Some(&mut drift)).unwrap();
    drift.into_iter().map(|drift| (drift.path, drift.kind, drift.name)).collect()
}

#[track_caller]
fn told<T: Wire + Default>(json: &str, expected: &[(&str, DriftKind, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(path, kind, name)| ((*path).to_owned(), *kind, (*name).to_owned()))
        .collect();
    assert_eq!(drift::<T>(json), expected);
}

#[test]
fn described_bodies_have_none() {
    told::<Task>(r#"{"id": 1, "wait": {}}"#.replace('1', "\"1\"").as_str(), &[]);
    told::<Task>(
        r#"{"createdAt": "2024-01-01T00:00:00.000Z", "labels": {"a": 1}, "limits": {"a": 1}, "actions": [null]}"#,
        &[],
    );
}

#[test]
fn undescribed_members() {
    told::<Task>(
        r#"{"wait": {"users": [{}, {"x": 1}]}, "y": 2, "parent": {"owner": {"z": 3}, "times": 1}}"#,
        &[
            ("wait.users[1]", DriftKind::Member, "x"),
            ("parent.owner", DriftKind::Member, "z"),
            ("", DriftKind::Member, "y"),
        ],
    );
}

#[test]
fn values_that_an_enum_does_not_list() {
    told::<Task>(
        r#"{"children": [{"actions": ["ACTION_CLOSE", "ACTION_FLY"]}]}"#,
        &[("children[0].actions[1]", DriftKind::Value, "ACTION_FLY")],
    );
}

#[test]
fn members_that_may_have_joined_a_group() {
    told::<Task>(r#"{"id": "1", "fly": {}}"#, &[("", DriftKind::UnionMember, "fly")]);
    told::<Policy>(r#"{"fly": {}}"#, &[("", DriftKind::UnionMember, "fly")]);
    told::<Window>(r#"{"fly": {}}"#, &[("", DriftKind::Member, "fly")]);
    told::<Task>(
        r#"{"policy": {"manual": {"x": 1}, "y": 1}}"#,
        &[("policy.manual", DriftKind::Member, "x"), ("policy", DriftKind::Member, "y")],
    );
}

#[test]
fn several_members_of_a_group_at_once() {
    told::<Task>(
        r#"{"parent": {"wait": {}, "times": "1"}}"#,
        &[("parent", DriftKind::UnionMembers, "times")],
    );
}
