//! Open enums.

use std::collections::HashSet;
use std::convert::Infallible;

use access_governance_runtime::internal::Param;

use crate::models::Action;

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
fn other_values_are_kept() {
    let action = Action::from("ACTION_FLY");
    assert!(matches!(&action, Action::Unknown(value) if value.as_str() == "ACTION_FLY"));
    assert_eq!(format!("{action:>12}"), "  ACTION_FLY");
    assert_eq!(action, "ACTION_FLY".into());
    assert!(!Action::KNOWN.contains(&action));
}

#[test]
fn the_default_is_no_known_value() {
    assert_eq!(Action::default(), Action::from(""));
}

#[test]
fn known_and_other_values_can_be_told_apart_in_sets() {
    let set: HashSet<_> =
        ["ACTION_CLOSE", "ACTION_CLOSE", "ACTION_FLY", ""].map(Action::from).into();
    assert_eq!(set.len(), 3);
}

#[test]
fn serde_reads_and_writes_the_text() {
    assert_eq!(serde_json::to_string(&Action::Deny).unwrap(), r#""ACTION_DENY""#);
    assert_eq!(serde_json::from_str::<Action>(r#""ACTION_DENY""#).unwrap(), Action::Deny);
    assert!(serde_json::from_str::<Action>("1").is_err());
}
