//! Date-times up to the last one of RFC 3339, which is beyond the range of jiff.

use std::time::{Duration, SystemTime};

use openapi_bindings_runtime::Timestamp;
use serde_json::json;

use crate::models::{Task, User};
use crate::{decode, encode};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_last_instant_of_9999_is_read_and_sent_unchanged() {
    for text in [
        "9999-12-30T22:00:00.999999999Z",
        "9999-12-30T22:00:01Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59.9999999Z",
        "9999-12-31T23:59:59-23:59",
    ] {
        let body = json!({"name": "a", "seenAt": text});
        let user: User = decode(&body);
        let seen_at = user.seen_at.unwrap();
        assert_eq!(seen_at.to_string(), text);
        assert_eq!(seen_at, at(text));

        let copy = Task { created_at: Some(seen_at), ..Task::default() };
        assert_eq!(encode(&copy)["createdAt"], text);
        assert_eq!(encode(&user), body);
    }
}

#[test]
fn durations_are_added_and_subtracted_within_the_range() {
    let second = Duration::from_secs(1);
    let mut time = at("9999-12-30T22:00:00Z");
    for expected in ["9999-12-30T22:00:01Z", "9999-12-30T22:00:02Z"] {
        time += second;
        assert_eq!(time, at(expected), "beyond the last instant of jiff");
    }
    time -= second * 2;
    assert_eq!(time, at("9999-12-30T22:00:00Z"));
    assert_eq!((time - (time + second)).as_secs(), -1);
    let last = at("9999-12-31T23:59:59.999999999-23:59");
    assert_eq!(time + Duration::MAX, last);
    assert_eq!(last + second, last);
    assert_eq!((last - Duration::MAX) - Duration::MAX, last - Duration::MAX);
    assert!(last - Duration::MAX < at("0000-01-01T00:00:00Z"));
}

#[test]
fn times_of_the_system_are_converted_both_ways() {
    for (text, seconds) in [("1970-01-01T00:00:07Z", 7), ("9999-12-31T00:00:00Z", 253_402_214_400)]
    {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(Timestamp::from(time), at(text));
        assert_eq!(SystemTime::from(at(text)), time);
    }
    let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1500);
    assert_eq!(Timestamp::from(before), at("1969-12-31T23:59:58.5Z"));
    assert_eq!(SystemTime::from(at("1969-12-31T23:59:58.5Z")), before);
}

#[test]
fn other_spellings_are_the_same_instant() {
    assert_eq!(at("9999-12-31T23:59:59Z"), at("9999-12-31T20:59:59.000-03:00"));
    assert_eq!(at("9999-12-31T23:59:59.1234567891Z"), at("9999-12-31T23:59:59.123456789Z"));
    assert_eq!(at("9999-12-31T20:00:00-04:00").to_string(), "9999-12-31T00:01:00-23:59");
}

#[test]
fn instants_are_ordered_beyond_jiff() {
    let order = [
        "0000-01-01T00:00:00Z",
        "2024-01-01T00:00:00Z",
        "9999-12-30T22:00:00.999999999Z",
        "9999-12-30T22:00:01Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-00:01",
    ]
    .map(at);
    assert!(order.is_sorted_by(|one, other| one < other), "{order:?}");
    assert!(order[4] > jiff::Timestamp::MAX && order[2] == jiff::Timestamp::MAX);
}

#[test]
fn instants_are_those_of_jiff() {
    let instant = at("2024-05-06T07:08:09.5+02:00");
    assert_eq!(instant.as_millisecond(), 1_714_972_089_500);
    assert_eq!(instant.to_string(), "2024-05-06T05:08:09.5Z");
    assert_eq!(Timestamp::from(*instant), instant);
    assert_eq!(*at("9999-12-31T23:59:59Z"), jiff::Timestamp::MAX);
    assert_eq!(serde_json::to_value(instant).unwrap(), json!("2024-05-06T05:08:09.5Z"));
    assert_eq!(
        serde_json::from_value::<Timestamp>(json!("2024-05-06T05:08:09.5Z")).unwrap(),
        instant
    );
}
