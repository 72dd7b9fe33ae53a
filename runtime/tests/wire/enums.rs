//! Open enums.

use std::convert::Infallible;

use std::collections::BTreeMap;

use openapi_bindings_runtime::internal::{self, Param};
use openapi_bindings_runtime::{DriftKind, UnknownProperties, UnknownVariant};
use serde_json::json;

use crate::models::Action;
use crate::{drift, retained};

#[test]
fn known_values_are_read_and_written() {
    for (known, text) in Action::KNOWN.iter().zip(["ACTION_CLOSE", "ACTION_APPROVE", "ACTION_DENY"])
    {
        assert_eq!(known.as_str(), text);
        assert_eq!(known.as_ref(), text);
        assert_eq!(known.to_string(), text);
        assert_eq!(known.to_param(), text);
        assert_eq!(text.parse::<Action>(), Ok::<_, Infallible>(known.clone()));
        assert_eq!(Action::from(text), *known);
        assert_eq!(Action::from(text.to_owned()), *known);
    }
}

#[test]
fn unknown_values_are_retained() {
    let action = Action::from("ACTION_FLY");
    assert!(matches!(&action, Action::Unknown(value) if value.as_str() == "ACTION_FLY"));
    assert_eq!(format!("{action:>12}"), "  ACTION_FLY");
    assert_eq!(action, "ACTION_FLY".into());
    assert!(!Action::KNOWN.contains(&action));
}

#[test]
fn only_known_values_are_parsed_strictly() {
    assert_eq!(Action::try_parse("ACTION_DENY"), Ok(Action::Deny));
    let error = Action::try_parse("ACTION_FLY").unwrap_err();
    assert_eq!(
        (error.as_str(), &*error.to_string()),
        ("ACTION_FLY", r#"unknown value "ACTION_FLY""#)
    );
    assert!(Action::from("ACTION_FLY").is_unknown() && !Action::Deny.is_unknown());
}

#[test]
fn values_are_ordered_by_their_text() {
    let mut values = ["ACTION_FLY", "ACTION_DENY", "ACTION_CLOSE", ""].map(Action::from);
    values.sort();
    assert_eq!(
        values.map(|value| value.to_string()),
        ["", "ACTION_CLOSE", "ACTION_DENY", "ACTION_FLY"]
    );
}

#[test]
fn the_default_is_not_a_known_value() {
    assert_eq!(Action::default(), Action::from(""));
}

#[test]
fn serde_reads_and_writes_the_text() {
    assert_eq!(serde_json::to_string(&Action::Deny).unwrap(), r#""ACTION_DENY""#);
    assert_eq!(serde_json::from_str::<Action>(r#""ACTION_DENY""#).unwrap(), Action::Deny);
    assert!(serde_json::from_str::<Action>("1").is_err());
}

/// The enum with only its values, and at places that allow any text.
#[derive(Clone, Default)]
#[non_exhaustive]
struct Actions {
    known: Option<Action>,
    any: Option<Action>,
    list: Option<Vec<Action>>,
    map: Option<BTreeMap<String, Action>>,
    variant: Option<Step>,
    unknown: UnknownProperties,
}

internal::object! {
    Actions {
        known: "known",
        any: "any" as text,
        list: "list" as text,
        map: "map" as text,
        variant: "variant",
    }
    unknown
}

#[derive(Clone)]
#[non_exhaustive]
enum Step {
    Action(Action),
    Count(i64),
    Unknown(UnknownVariant),
}

internal::choice! {
    Step { Action as text, Count }
    number => Count,
    string => Action,
}

#[test]
fn unknown_values_are_drift_except_at_places_that_allow_any_text() {
    let any = json!({"any": "x", "list": ["x"], "map": {"a": "x"}, "variant": "x"});
    let actions = retained::<Actions>(&any);
    assert_eq!(actions.any, Some("x".into()));
    assert!(matches!(actions.variant, Some(Step::Action(action)) if action.is_unknown()));
    assert_eq!(drift::<Actions>(&any), []);
    let known = json!({"known": "x", "any": "ACTION_DENY"});
    assert_eq!(drift::<Actions>(&known), [("known".to_owned(), DriftKind::UnknownValue)]);
}
