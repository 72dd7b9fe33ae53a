//! Reports for bodies that deviate from the spec.

use openapi_bindings_runtime::internal::{Wire, decode};
use openapi_bindings_runtime::{Drift, DriftKind, Model as _, UnknownProperties, UnknownValue};
use serde_json::{Value, json};

use crate::models::{Dates, Inclusive, Login, Moment, Open, Policy, Stamp, Task, Window};
use crate::wrong;

const NO_DATE_TIME: DriftKind = wrong("a date-time (RFC 3339)", "a string");

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
fn a_reply_may_omit_a_required_property_that_is_write_only() {
    reported::<Login>(r#"{"name": "a"}"#, &[]);
    reported::<Login>(r#"{"password": "b"}"#, &[("", DriftKind::MissingProperty, "name")]);
    let received = Login::from_json(br#"{"name":"a"}"#).unwrap();
    assert_eq!(received.to_json(), br#"{"name":"a"}"#);
    assert_eq!(Login::default().to_json(), br#"{"name":"","password":""}"#);
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
fn properties_that_a_union_allows_are_retained_by_each_variant_without_drift() {
    const BOTH: &str = r#"{"from":{"at":"now"},"at":"then"}"#;
    const MORE: &str = r#"{"at":"now","fax":1}"#;
    const WITHIN: &str = r#"{"from":{"fax":1,"from":2},"at":"then"}"#;
    let within = |name| ("from", DriftKind::UnknownProperty, name);
    reported::<Inclusive>(BOTH, &[]);
    reported::<Inclusive>(MORE, &[("", DriftKind::UnknownProperty, "fax")]);
    reported::<Inclusive>(WITHIN, &[within("fax"), within("from")]);
    reported::<Open>(BOTH, &[]);
    reported::<Open>(MORE, &[]);
    reported::<Open>(WITHIN, &[within("fax"), within("from")]);
    for json in [BOTH, MORE, WITHIN] {
        let sent = Inclusive::from_json(json.as_bytes()).unwrap().to_json();
        assert_eq!(str::from_utf8(&sent), Ok(json));
    }
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
fn a_value_that_its_type_cannot_hold_is_retained_and_drift() {
    const DATE_TIME: &str = "a date-time (RFC 3339)";
    for (name, value, expected, found) in [
        ("level", "1.5", "a 32-bit integer", "a number"),
        ("level", "2147483648", "a 32-bit integer", "a number"),
        ("size", r#""x""#, "an unsigned 64-bit integer", "a string"),
        ("size", r#""-1""#, "an unsigned 64-bit integer", "a string"),
        ("createdAt", r#""today""#, DATE_TIME, "a string"),
        ("createdAt", r#""9999-12-31""#, DATE_TIME, "a string"),
        ("createdAt", r#""9999-13-31T23:59:59Z""#, DATE_TIME, "a string"),
        ("createdAt", r#""9999-12-31T24:00:00Z""#, DATE_TIME, "a string"),
        ("createdAt", r#""2024-05-06T07:08:09+""#, DATE_TIME, "a string"),
        ("createdAt", r#""10000-01-01T00:00:00Z""#, DATE_TIME, "a string"),
        ("data", r#""x""#, "an object", "a string"),
        ("data", "[{}]", "an object", "an array"),
        ("settings", "7", "an object", "a number"),
        ("policy", "[]", "an object", "an array"),
    ] {
        let json = format!(r#"{{"id":"1","owner":{{}},"{name}":{value}}}"#);
        reported::<Task>(&json, &[(name, wrong(expected, found), "")]);
        let task = Task::from_json(json.as_bytes()).unwrap();
        assert_eq!(str::from_utf8(&task.to_json()), Ok(json.as_str()));
        let known = Task::from_json(br#"{"id":"1","owner":{}}"#).unwrap();
        assert_eq!(Task { unknown: UnknownProperties::default(), ..task }, known);
    }
}

#[test]
fn a_date_time_without_an_offset_is_read_as_utc_and_sent_as_it_was() {
    for text in ["2024-01-02T03:04:05", "2024-01-02 03:04:05", "2024-01-02T03:04:05.0000000001"] {
        let json =
            json!({"id": "1", "owner": {"seenAt": text}, "deadlines": {"a": text}}).to_string();
        reported::<Task>(
            &json,
            &[("deadlines.a", NO_DATE_TIME, ""), ("owner.seenAt", NO_DATE_TIME, "")],
        );
        let mut task = Task::from_json(json.as_bytes()).unwrap();
        let utc = "2024-01-02T03:04:05Z".parse().unwrap();
        assert_eq!((task.owner.seen_at, task.deadlines.clone().unwrap()["a"]), (Some(utc), utc));
        let sent = |task: &Task| serde_json::from_slice::<Value>(&task.to_json()).unwrap();
        assert_eq!(sent(&task), serde_json::from_str::<Value>(&json).unwrap());
        task.owner.seen_at = Some(utc + std::time::Duration::from_secs(1));
        assert_eq!(sent(&task)["owner"]["seenAt"], "2024-01-02T03:04:06Z");
    }
    let dates = r#"{"a":"2024-01-02T03:04:05"}"#;
    reported::<Dates>(dates, &[("a", NO_DATE_TIME, "")]);
    let mut received = Dates::from_json(dates.as_bytes()).unwrap();
    assert_eq!(str::from_utf8(&received.to_json()), Ok(dates));
    let other = "2024-01-02T00:00:00Z".parse().unwrap();
    received.additional_properties.insert("a".to_owned(), other);
    assert_eq!(received.to_json(), br#"{"a":"2024-01-02T00:00:00Z"}"#);
    let json = r#"{"openAt": "2024-01-02T03:04:05"}"#;
    reported::<Window>(json, &[("openAt", NO_DATE_TIME, "")]);
    // An object of a union has it as any object.
    let json = r#"{"object":"s","at":"2024-01-02T03:04:05"}"#;
    reported::<Stamp>(json, &[("at", NO_DATE_TIME, "")]);
    let stamp = Stamp::from_json(json.as_bytes()).unwrap();
    let Stamp::Only(stamped) = &stamp else { panic!("{stamp:?}") };
    assert_eq!(stamped.at.to_string(), "2024-01-02T03:04:05Z");
    assert_eq!(str::from_utf8(&stamp.to_json()), Ok(json));
}

#[test]
fn a_leap_second_or_more_than_nanoseconds_is_read_as_the_instant_before_and_sent_as_it_was() {
    for (text, before) in [
        ("2024-01-02T03:04:05.1234567891Z", "2024-01-02T03:04:05.123456789Z"),
        ("2024-01-02 03:04:05.00000000001-08:00", "2024-01-02T11:04:05Z"),
        ("9999-12-31T23:59:59.9999999999Z", "9999-12-31T23:59:59.999999999Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("2016-12-31t15:59:60.5-08:00", "2016-12-31T23:59:59.5Z"),
        ("2016-12-31 12:00:60", "2016-12-31T12:00:59Z"),
        ("20161231T235960Z", "2016-12-31T23:59:59Z"),
    ] {
        let json = json!({"id": "1", "owner": {"seenAt": text}}).to_string();
        reported::<Task>(&json, &[("owner.seenAt", NO_DATE_TIME, "")]);
        let task = Task::from_json(json.as_bytes()).unwrap();
        assert_eq!(task.owner.seen_at, Some(before.parse().unwrap()));
        assert_eq!(str::from_utf8(&task.to_json()), Ok(json.as_str()));
    }
    reported::<Task>(
        r#"{"id": "1", "owner": {"seenAt": "2024-01-02T03:04:05.1234567890-02:01"}}"#,
        &[],
    );
}

#[test]
fn a_leap_second_in_a_union_is_read_as_the_second_before_and_sent_as_it_was() {
    let before = "2016-12-31T23:59:59Z".parse().unwrap();
    let json = r#"{"object":"s","at":"2016-12-31T23:59:60Z"}"#;
    let stamp = Stamp::from_json(json.as_bytes()).unwrap();
    let Stamp::Only(stamped) = &stamp else { panic!("{stamp:?}") };
    assert_eq!(stamped.at, before);
    assert_eq!(str::from_utf8(&stamp.to_json()), Ok(json));
    let json = r#"{"at":"2016-12-31T23:59:60Z"}"#;
    let moment = Moment::from_json(json.as_bytes()).unwrap();
    let Moment::Time(time) = &moment else { panic!("{moment:?}") };
    assert_eq!(time.at, Some(before));
    assert_eq!(str::from_utf8(&moment.to_json()), Ok(json));
}

#[test]
fn an_offset_of_a_day_or_more_is_not_of_the_format() {
    for (offset, expected) in [
        ("+23:59", &[][..]),
        ("+24:00", &[("owner.seenAt", DriftKind::Format, "2024-01-02T00:00:00+24:00")]),
        ("-25:59", &[("owner.seenAt", DriftKind::Format, "2024-01-02T00:00:00-25:59")]),
    ] {
        let text = format!("2024-01-02T00:00:00{offset}");
        let json = json!({"id": "1", "owner": {"seenAt": text}}).to_string();
        reported::<Task>(&json, expected);
    }
}

#[test]
fn a_message_names_the_property_of_the_wrong_type() {
    let message = |json| drift::<Task>(json)[0].to_string();
    assert_eq!(
        message(
            r#"{"id": "1", "owner": {}, "children": [{"id": "2", "owner": {}, "level": 0.5}]}"#
        ),
        "children[0].level: expected a 32-bit integer, found a number"
    );
    assert_eq!(
        message(r#"{"id": "1", "owner": {}, "counts": ["0.5"]}"#),
        "counts[0]: expected a 64-bit integer, found a string"
    );
}

#[test]
fn a_field_that_is_set_replaces_the_value_that_was_retained_for_it() {
    let json =
        br#"{"id":"1","owner":{},"createdAt":"today","level":1.5,"limits":{"a":"x","b":"y"}}"#;
    let mut task = Task::from_json(json).unwrap();
    task.level = Some(2);
    task.limits.as_mut().unwrap().additional_properties.insert("b".to_owned(), 3);
    assert_eq!(
        serde_json::from_slice::<Value>(&task.to_json()).unwrap(),
        json!({"id": "1", "owner": {}, "createdAt": "today", "level": 2, "limits": {"a": "x", "b": "3"}})
    );
    assert!(task.set_unknown("level", 7));
    assert_eq!(serde_json::to_value(&task).unwrap()["level"], 7);
}

#[test]
fn a_value_that_a_property_of_a_union_cannot_hold_is_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "until": "x", "policies": [{"after": "y"}]}"#,
        &[("until", NO_DATE_TIME, ""), ("policies[0].after", NO_DATE_TIME, "")],
    );
}

#[test]
fn the_last_of_several_values_of_an_additional_property_counts() {
    let json = br#"{"id":"1","owner":{},"limits":{"a":"x","a":null}}"#;
    let task = Task::from_json(json).unwrap();
    assert_eq!(serde_json::to_value(&task).unwrap()["limits"], json!({"a": null}));
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
    ] {
        let json =
            json!({"id": "1", "owner": {}, "reminders": ["2024-01-01t00:00:00.50+00:00", text]});
        reported::<Task>(&json.to_string(), &[("reminders[1]", DriftKind::Format, text)]);
    }
}

#[test]
fn non_canonical_integers_in_strings_are_drift() {
    for text in ["+7", "007", "-0", "-07"] {
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
fn undescribed_nulls_in_lists_and_maps_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "actions": [null], "grid": [[1, null]], "totals": {"a": null}}"#,
        &[
            ("actions[0]", DriftKind::NullElement, ""),
            ("grid[0][1]", DriftKind::NullElement, ""),
            ("totals.a", DriftKind::NullElement, ""),
        ],
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
    let properties =
        [r#""automatic": {}"#, r#""manual": {}"#, r#""before": "2024-01-01T00:00:00Z""#];
    for [one, two, three] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let json = [one, two, three].map(|index| properties[index]).join(", ");
        let mut names: Vec<_> = drift::<Policy>(&format!("{{{json}}}"))
            .into_iter()
            .map(|drift| (drift.kind, drift.name))
            .collect();
        names.sort_by(|left, right| left.1.cmp(&right.1));
        let expected = ["automatic", "before"];
        assert_eq!(
            names,
            expected.map(|name| (DriftKind::SeveralVariants, name.to_owned())),
            "{json}"
        );
    }
}

#[test]
fn findings_are_limited_to_one_thousand() {
    let json = format!(r#"{{"children": [{}{{}}]}}"#, "{},".repeat(600));
    let drift = drift::<Task>(&json);
    assert_eq!(drift.len(), 1_000);
    assert_eq!((&*drift[999].path, &*drift[999].name), ("children[499]", "owner"));
}

#[test]
fn integers_that_do_not_fit_are_drift() {
    reported::<Task>(
        r#"{"id": "1", "owner": {}, "level": 2147483648, "parent": {"id": "2", "owner": {}, "size": "-1"}}"#,
        &[
            ("level", wrong("a 32-bit integer", "a number"), ""),
            ("parent.size", wrong("an unsigned 64-bit integer", "a string"), ""),
        ],
    );
}
