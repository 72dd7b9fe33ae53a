//! Reports for bodies that deviate from the spec.

use openapi_bindings_runtime::internal::{Wire, decode};
use openapi_bindings_runtime::{Drift, DriftKind, UnknownValue};
use serde_json::json;

use crate::models::{Policy, Task, Window};

fn drift<T: Wire + Default>(json: &str) -> Vec<Drift> {
    let mut drift = Vec::new();
    decode::<T>(json.as_bytes(), Some(&mut drift))
        .unwrap_or_else(|error| panic!("{error}: {json}"));
    drift
}

#[track_caller]
fn reported<T: Wire + Default>(json: &str, expected: &[(&str, DriftKind, &str)]) {
    let drift = drift::<T>(json);
    let reported: Vec<_> =
        drift.iter().map(|drift| (&*drift.path, drift.kind, &*drift.name)).collect();
    assert_eq!(reported, expected);
}

#[test]
fn bodies_as_described_are_without_drift() {
    reported::<Task>(r#"{"id": "1", "owner": {}, "wait": {}}"#, &[]);
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "createdAt": "2024-01-01T00:00:00.000Z", "labels": {"a": 1}, "limits": {"a": "1"},
        "numericId": "7", "score": 1, "level": 7.0, "parent": null}"#,
        &[],
    );
}

#[test]
fn undescribed_properties_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "wait": {"users": [{}, {"x": 1}]}, "y": 2, "parent": {"id": "2", "owner": {"z": 3}, "times": "1"}}"#,
        &[
            ("wait.users[1]", DriftKind::UnknownProperty, "x"),
            ("parent.owner", DriftKind::UnknownProperty, "z"),
            ("", DriftKind::UnknownProperty, "y"),
        ],
    );
}

#[test]
fn unknown_enum_values_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "children": [{"id": "2", "owner": {}, "actions": ["ACTION_CLOSE", "ACTION_FLY"]}]}"#,
        &[("children[0].actions[1]", DriftKind::UnknownValue, "ACTION_FLY")],
    );
}

#[test]
fn other_strings_are_not_drift_of_an_enum_with_any_string() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum Speed {
        Fast,
        Unknown(UnknownValue),
    }

    openapi_bindings_runtime::internal::open_enum! { Speed { Fast = "fast" } any }

    reported::<Vec<Speed>>(r#"["fast", "6 knots", ""]"#, &[]);
}

#[test]
fn missing_and_null_required_properties_are_drift() {
    reported::<Task>(
        "{}",
        &[("", DriftKind::MissingProperty, "id"), ("", DriftKind::MissingProperty, "owner")],
    );
    reported::<Task>(
        r#"{"owner": null, "id": "", "children": [{"owner": {}}]}"#,
        &[
            ("", DriftKind::MissingProperty, "owner"),
            ("children[0]", DriftKind::MissingProperty, "id"),
        ],
    );
}

#[test]
fn date_times_outside_of_rfc_3339_are_drift() {
    for text in [
        "2024-01-01 00:00:00Z",
        "2024-01-01T00:00Z",
        "2024-01-01T00:00:00,5Z",
        "2024-01-01T02:00:00+0200",
        "2024-01-01T02:00:00+02",
        "2024-01-01T00:00:00Z[UTC]",
        "20240101T000000Z",
        "",
    ] {
        let json =
            json!({"id": "1", "owner": {}, "reminders": ["2024-01-01t00:00:00.50+00:00", text]});
        reported::<Task>(&json.to_string(), &[("reminders[1]", DriftKind::Format, text)]);
    }
}

#[test]
fn non_canonical_integers_in_strings_are_drift() {
    for text in ["+7", "007", "-0", "-07", ""] {
        let json = json!({"id": "1", "owner": {}, "counts": ["7", "-7", "0", text]});
        reported::<Task>(&json.to_string(), &[("counts[3]", DriftKind::Format, text)]);
    }
}

#[test]
fn integers_without_their_quotes_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "numericId": 7, "totals": {"a": 7.0}}"#,
        &[("numericId", DriftKind::Format, "7"), ("totals.a", DriftKind::Format, "7.0")],
    );
}

#[test]
fn null_elements_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "actions": [null], "grid": [[1, null]], "totals": {"a": null}}"#,
        &[("actions[0]", DriftKind::NullElement, ""), ("grid[0][1]", DriftKind::NullElement, "")],
    );
}

#[test]
fn undescribed_properties_next_to_a_union_are_unknown_variants() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "fly": {}}"#,
        &[("", DriftKind::UnknownVariant, "fly")],
    );
    reported::<Policy>(r#"{"fly": {}}"#, &[("", DriftKind::UnknownVariant, "fly")]);
    reported::<Window>(r#"{"fly": {}}"#, &[("", DriftKind::UnknownProperty, "fly")]);
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "policy": {"manual": {"x": 1}, "y": 1}}"#,
        &[
            ("policy.manual", DriftKind::UnknownProperty, "x"),
            ("policy", DriftKind::UnknownProperty, "y"),
        ],
    );
}

#[test]
fn several_properties_of_a_union_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "parent": {"id": "2", "owner": {}, "wait": {}, "times": "1"}}"#,
        &[("parent", DriftKind::SeveralVariants, "times")],
    );
}

#[test]
fn findings_end_at_one_thousand() {
    let json = format!(r#"{{"children": [{}{{}}]}}"#, "{},".repeat(600));
    let drift = drift::<Task>(&json);
    assert_eq!(drift.len(), 1_000);
    assert_eq!((&*drift[999].path, &*drift[999].name), ("children[499]", "owner"));
}

#[test]
fn integers_that_do_not_fit_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "level": 2147483648, "parent": {"id": "2", "owner": {}, "size": "-1"}}"#,
        &[("parent", DriftKind::WrongType, "size"), ("", DriftKind::WrongType, "level")],
    );
}
