//! Numbers beyond 64 bits, and beyond all floats.

use std::collections::BTreeMap;

use openapi_bindings_runtime::internal::{self, decode};
use openapi_bindings_runtime::{
    Drift, DriftKind, Map, Model, Secret, UnknownInteger, UnknownProperties, UnknownVariant, Value,
};

use crate::models::{Label, Source, Task};
use crate::wrong;

#[derive(Clone, Default)]
#[non_exhaustive]
struct Reading {
    id: i64,
    unsigned: Option<u64>,
    in_text: Option<i64>,
    level: Option<Rank>,
    secret: Option<Secret<i64>>,
    wide: Option<i128>,
    value: Option<f64>,
    floats: Option<Vec<f64>>,
    readings: Option<Vec<Reading>>,
    values: Option<Vec<i64>>,
    by_name: Option<BTreeMap<String, u32>>,
    amount: Option<Amount>,
    series: Option<Series>,
    any: Option<Value>,
    object: Option<Map>,
    unknown: UnknownProperties,
}

internal::object! {
    Reading {
        id!: "id",
        unsigned: "unsigned",
        in_text: "inText" as text,
        level: "level",
        secret: "secret",
        wide: "wide",
        value: "value",
        floats: "floats",
        readings: "readings",
        values: "values",
        by_name: "byName",
        amount: "amount",
        series: "series",
        any: "any",
        object: "object",
    }
    unknown
}

#[derive(Clone)]
#[non_exhaustive]
enum Amount {
    Number(f64),
    Object(Box<Reading>),
    Unknown(UnknownVariant),
}

internal::choice! {
    Amount { Number, Object }
    number => Number,
    object => Object,
}

#[derive(Clone)]
#[non_exhaustive]
enum Series {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
    Unknown(UnknownVariant),
}

internal::choice! {
    Series { Numbers, Texts }
    array => items {
        number => Numbers,
        string => Texts,
        empty => Numbers,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Rank {
    Low,
    Unknown(UnknownInteger),
}

internal::integer_enum! { Rank { Low = 0 } }

/// Numbers that `serde_json` changes: integers beyond 64 bits, numbers beyond all floats, and more digits than a float has.
const NUMBERS: [&str; 9] = [
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "123456789012345680000",
    "1e400",
    "-1E+999",
    "123456789012345678901e2",
    "0.123456789012345678901234567890",
    "18446744073709551615.00000000000000000001",
];

fn read(json: &str) -> Reading {
    Reading::from_json(json.as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn sent(reading: &Reading) -> String {
    String::from_utf8(reading.to_json()).unwrap()
}

/// Decodes and encodes a value, and asserts that all digits are retained.
#[track_caller]
fn keeps(json: &str) -> Reading {
    let reading = read(json);
    assert_eq!(sent(&reading), json);
    reading
}

/// Returns the nearest number.
fn nearest(digits: &str) -> Value {
    let float: f64 = digits.parse().unwrap();
    digits.parse().map_or_else(|_| Value::from(float.clamp(f64::MIN, f64::MAX)), Value::Number)
}

/// Returns whether the nearest number is another one.
fn is_changed(digits: &str) -> bool {
    let is_integer = digits.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    let float: f64 = digits.parse().unwrap();
    float.is_infinite() || is_integer && digits != "123456789012345680000"
}

fn drift<T: Model>(json: &str) -> Vec<(String, String, DriftKind)> {
    let mut drift: Vec<Drift> = Vec::new();
    decode::<T>(json.as_bytes(), Some(&mut drift)).unwrap();
    drift.into_iter().map(|drift| (drift.path, drift.name, drift.kind)).collect()
}

fn entry(path: &str, name: &str, kind: DriftKind) -> (String, String, DriftKind) {
    (path.to_owned(), name.to_owned(), kind)
}

#[test]
fn a_typed_field_retains_all_digits() {
    for digits in NUMBERS {
        for (path, name, value, found_at) in [
            ("", "id", digits.to_owned(), "id"),
            ("", "unsigned", digits.to_owned(), "unsigned"),
            ("", "inText", digits.to_owned(), "inText"),
            ("", "level", digits.to_owned(), "level"),
            ("", "secret", digits.to_owned(), "secret"),
            ("", "values", format!("[1,{digits},2]"), "values[1]"),
            ("", "byName", format!(r#"{{"a":1,"b":{digits},"c":2}}"#), "byName.b"),
            ("amount", "id", digits.to_owned(), "amount.id"),
            ("amount", "values", format!("[1,{digits},2,{digits}]"), "amount.values[3]"),
            (
                "amount",
                "readings",
                format!(r#"[{{"id":{digits}}},7,{digits}]"#),
                "amount.readings[2]",
            ),
        ] {
            let property = format!(r#""{name}":{value}"#);
            let json = match (path, name) {
                ("", "id") => format!("{{{property}}}"),
                ("", _) => format!(r#"{{"id":1,{property}}}"#),
                (_, "id") => format!(r#"{{"id":1,"amount":{{{property}}}}}"#),
                _ => format!(r#"{{"id":1,"amount":{{"id":2,{property}}}}}"#),
            };
            let mut reading = keeps(&json);
            let found = drift::<Reading>(&json);
            assert!(found.iter().any(|it| it.0 == found_at), "{json}: {found:?}");
            let is_wrong = |kind| matches!(kind, DriftKind::WrongType { found: "a number", .. });
            assert!(found.iter().all(|it| is_wrong(it.2)), "{json}: {found:?}");
            assert_eq!(reading, read(&json));
            let debug = format!("{reading:?}");
            assert!(!debug.contains("private"));
            if name == "secret" {
                assert!(!debug.contains("Number"), "{debug}");
            }
            if let Some(value) = reading.unknown_properties().get(name)
                && value.is_number()
            {
                assert_eq!(*value, nearest(digits), "{json}");
            }
            // A field that is set replaces it.
            if name == "unsigned" {
                reading.unsigned = Some(5);
                assert_eq!(sent(&reading), r#"{"id":1,"unsigned":5}"#);
            }
            // Another format has the nearest number.
            let text = serde_json::to_string(&keeps(&json)).unwrap();
            assert!(serde_json::from_str::<Reading>(&text).is_ok(), "{text}");
        }
    }
}

#[test]
fn numbers_with_the_same_float_are_different() {
    let [one, other] = ["1e400", "1e401"].map(|it| read(&format!(r#"{{"id":1,"unsigned":{it}}}"#)));
    assert_ne!(one, other);
}

#[test]
fn small_numbers_next_to_long_ones_are_the_same_for_both_readers() {
    let json = r#"{"id":1,"floats":[5e-324,18446744073709551615]}"#;
    assert_eq!(serde_json::from_str::<Reading>(json).unwrap(), read(json));
}

#[test]
fn json_without_a_type_has_the_nearest_number() {
    for digits in NUMBERS {
        let number = nearest(digits);
        for (path, template, kinds) in [
            ("any", r#"{"id":1,"any":#}"#, &[][..]),
            ("any", r#"{"id":1,"any":[{"a":[#]}]}"#, &[]),
            ("any", r#"{"id":1,"any":{"a":[[#]]}}"#, &[]),
            ("object", r#"{"id":1,"object":{"a":#}}"#, &[]),
            ("other", r#"{"id":1,"other":#}"#, &[("", "other", DriftKind::UnknownProperty)]),
            ("other", r#"{"id":1,"other":{"a":#}}"#, &[("", "other", DriftKind::UnknownProperty)]),
            ("series", r#"{"id":1,"series":#}"#, &[("series", "", DriftKind::NoVariant)]),
            ("series", r#"{"id":1,"series":[{"a":#}]}"#, &[("series", "", DriftKind::NoVariant)]),
        ] {
            let json = template.replace('#', digits);
            let reading = read(&json);
            let expected: Value =
                serde_json::from_str(&template.replace('#', &number.to_string())).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&sent(&reading)).unwrap(), expected, "{json}");
            assert_eq!(serde_json::to_value(&reading).unwrap(), expected, "{json}");
            let mut found = drift::<Reading>(&json);
            let is_drift = found.iter().any(|it| *it == entry(path, digits, DriftKind::Format));
            assert_eq!(is_drift, is_changed(digits), "{json}: {found:?}");
            found.retain(|it| it.2 != DriftKind::Format);
            let kinds: Vec<_> =
                kinds.iter().map(|(path, name, kind)| entry(path, name, *kind)).collect();
            assert_eq!(found, kinds, "{json}");
        }
    }
}

#[test]
fn a_float_is_the_nearest() {
    for digits in NUMBERS {
        let float: f64 = digits.parse().unwrap();
        let json = format!(r#"{{"id":1,"value":{digits}}}"#);
        assert_eq!(read(&json).value, Some(float).filter(|it| it.is_finite()));
        let back: Value = serde_json::from_str(&sent(&read(&json))).unwrap_or_default();
        assert!(sent(&read(&json)) == json || back["value"] == float, "{json}: {back}");
        let json = format!(r#"{{"id":1,"floats":[1,{digits}]}}"#);
        let floats = [1.0, float].into_iter().filter(|float| float.is_finite()).collect();
        assert_eq!(read(&json).floats, Some(floats));
        assert!(float.is_finite() || sent(&read(&json)) == json, "{json}");
    }
    for digits in ["123456789012345680000000000000", "1e300", "0.123456789012345678901234567890"] {
        let json = format!(r#"{{"id":1,"value":{digits},"floats":[{digits}],"amount":{digits}}}"#);
        let reading = read(&json);
        assert_eq!(reading.value, digits.parse().ok());
        assert_eq!(reading.floats, digits.parse().ok().map(|float| vec![float]));
        assert!(matches!(reading.amount, Some(Amount::Number(it)) if Ok(it) == digits.parse()));
        assert_eq!(drift::<Reading>(&json), []);
    }
    let series = read(r#"{"id":1,"series":[18446744073709551616,1]}"#).series;
    assert!(
        matches!(series, Some(Series::Numbers(it)) if it == [18_446_744_073_709_551_616.0, 1.0])
    );
    assert!(matches!(read(r#"{"id":1,"amount":1e400}"#).amount, Some(Amount::Unknown(_))));
}

#[test]
fn wide_integers_hold_all_integers_of_64_bits() {
    for (digits, value) in [
        ("18446744073709551615", u64::MAX.into()),
        ("-9223372036854775808", i64::MIN.into()),
        ("18446744073709551616", i128::from(u64::MAX) + 1),
        ("123456789012345680000", 123_456_789_012_345_680_000),
        ("0", 0),
    ] {
        let json = format!(r#"{{"id":1,"wide":{digits}}}"#);
        let reading = keeps(&json);
        assert_eq!(reading.wide, Some(value));
        assert_eq!(drift::<Reading>(&json), []);
        assert_eq!(reading, read(&json));
    }
    assert_ne!(read(r#"{"id":1,"wide":1}"#), read(r#"{"id":1,"wide":2}"#));
}

#[test]
fn text_in_an_integer_field_is_retained() {
    let json = r#"{"id":1,"inText":"99999999999999999999"}"#;
    assert_eq!(keeps(json).in_text, None);
    let kind = wrong("a 64-bit integer", "a string");
    assert_eq!(drift::<Reading>(json), [entry("inText", "", kind)]);
}

#[test]
fn a_body_is_read_again_from_its_start() {
    let json = r#"{"id":1,"values":[1,2],"other":3,"unsigned":1e400}"#;
    assert_eq!(keeps(json).values, Some(vec![1, 2]));
    let unsigned = entry("unsigned", "", wrong("an unsigned 64-bit integer", "a number"));
    let other = entry("", "other", DriftKind::UnknownProperty);
    assert_eq!(drift::<Reading>(json), [unsigned, other]);
}

#[test]
fn every_number_has_its_own_digits() {
    let numbers: Vec<String> = (1..2000).map(|it| format!("{it}e400")).collect();
    let others = r#"5e-324,1e-320,-1e-323,1.5,"5e-324","\\\"1e400","\\""#;
    let values = format!("[{},{others}]", numbers.join(","));
    let json = format!(r#"{{"id":1,"value":5e-324,"amount":{{"id":2,"values":{values}}}}}"#);
    assert_eq!(keeps(&json).value, Some(5e-324));
    for digits in ["18446744073709551616", "-9223372036854775809"] {
        for before in 0..64 {
            let json = format!(r#"{{"id":1,"a":"{}","unsigned":{digits}}}"#, "-".repeat(before));
            assert!(sent(&read(&json)).contains(digits), "{json}");
        }
    }
}

#[test]
fn numbers_that_are_not_json_are_errors() {
    for digits in ["0123456789012345678901234567890", "1e", "-", "1e400x", "+1e400"] {
        let json = format!(r#"{{"id":1,"any":{digits}}}"#);
        assert!(Reading::from_json(json.as_bytes()).is_err(), "{json}");
    }
    // The column is that in the body.
    let error = Reading::from_json(br#"{"id":123456789012345678901,"any":x}"#).unwrap_err();
    assert_eq!(error.column(), Some(35));
}

#[test]
fn a_number_with_any_digits_is_not_an_object() {
    for digits in ["123456789012345678901234567890", "1E400"] {
        for name in ["owner", "labels", "limits", "policy", "wait", "totals"] {
            let json = format!(r#"{{"id":"1","{name}":{digits}}}"#);
            let task = Task::from_json(json.as_bytes()).unwrap();
            // An unknown property of a union has no place for the digits.
            let is_kept = str::from_utf8(&task.to_json()).unwrap().contains(digits);
            assert!(is_kept || name == "wait", "{json}");
        }
        let json = format!(r#"{{"object":"card","owner":{digits},"digits":1}}"#);
        let source = Source::from_json(json.as_bytes()).unwrap();
        let sent = String::from_utf8(source.to_json()).unwrap();
        assert_eq!(sent, format!(r#"{{"object":"card","digits":1,"owner":{digits}}}"#));
    }
}

#[test]
fn a_number_with_any_digits_is_no_variant_of_objects() {
    let label = Label::from_json(b"1e+400").unwrap();
    assert!(matches!(label, Label::Unknown(_)));
    let found = drift::<Label>("1e+400");
    assert_eq!(
        found,
        [entry("", "", DriftKind::NoVariant), entry("", "1e+400", DriftKind::Format)]
    );
}

#[derive(Clone)]
pub enum Level {
    Number(f64),
    Text(String),
    Unknown(UnknownVariant),
}

internal::choice! { Level { Number, Text } number => Number, string => Text, }

#[test]
fn integers_that_a_float_would_change_are_retained() {
    for json in [
        "9007199254740993",
        "-9223372036854775807",
        "18446744073709551615",
        "123456789012345678901",
    ] {
        let body = format!(r#"{{"id":"","owner":{{}},"ratio":{json}}}"#);
        let mut drift: Vec<Drift> = Vec::new();
        let mut task: Task = decode(body.as_bytes(), Some(&mut drift)).unwrap();
        assert_eq!(task.ratio, json.parse().ok(), "the nearest float");
        assert!(matches!(&drift[..], [it] if it.kind == DriftKind::Format), "{drift:?}");
        assert_eq!(String::from_utf8(task.to_json()).unwrap(), body);
        task.ratio = Some(1.5);
        assert!(String::from_utf8(task.to_json()).unwrap().contains(r#""ratio":1.5"#));
        task.ratio = None;
        assert!(!String::from_utf8(task.to_json()).unwrap().contains("ratio"));
        // In unions, too.
        let level = Level::from_json(json.as_bytes()).unwrap();
        let expected = nearest(json).to_string();
        assert_eq!(str::from_utf8(&level.to_json()), Ok(&*expected));
    }
    // In lists, too.
    let body = br#"{"id":"","owner":{},"grid":[[1,9007199254740993]]}"#;
    let mut drift: Vec<Drift> = Vec::new();
    let task: Task = decode(body, Some(&mut drift)).unwrap();
    assert_eq!(task.grid, Some(vec![vec![1.0, 9_007_199_254_740_992.0]]));
    assert_eq!((drift[0].path.as_str(), drift[0].kind), ("grid[0][1]", DriftKind::Format));
    assert_eq!(task.to_json(), body);
    // The second is a float as JavaScript writes it.
    for (json, written) in [
        ("9007199254740991", "9007199254740991"),
        ("-9223372036854775808", "-9.223372036854776e+18"),
        ("-1152921504606847000", "-1.152921504606847e+18"),
        ("123456789012345680000", "1.2345678901234568e+20"),
        ("0", "0"),
        ("-0.0", "-0.0"),
        ("1.5", "1.5"),
    ] {
        let mut drift: Vec<Drift> = Vec::new();
        let level: Level = decode(json.as_bytes(), Some(&mut drift)).unwrap();
        assert!(matches!(level, Level::Number(_)) && drift.is_empty(), "{json}");
        assert_eq!(str::from_utf8(&level.to_json()), Ok(written));
    }
}

#[test]
fn an_option_of_a_default_is_set() {
    let json = br#"{"id":"","owner":{},"level":1.5,"createdAt":"today","score":9007199254740993}"#;
    let mut task = Task::from_json(json).unwrap();
    task.level = Some(0);
    task.created_at = Some(openapi_bindings_runtime::Timestamp::default());
    task.score = Some(0.0);
    let written: Value = serde_json::from_slice(&task.to_json()).unwrap();
    assert_eq!(written["level"], 0);
    assert_eq!(written["createdAt"], "1970-01-01T00:00:00Z");
    assert_eq!(written["score"], 0);
    // A required object that was missing, and has such a property now.
    let mut task = Task::from_json(br#"{"id":""}"#).unwrap();
    task.owner.name = Some(String::new());
    assert_eq!(str::from_utf8(&task.to_json()), Ok(r#"{"id":"","owner":{"name":""}}"#));
}

#[test]
fn numbers_in_strings_are_read_as_drift_and_sent_as_they_were() {
    for (name, text, number) in [("level", "-7", "-7"), ("score", "1.50", "1.5")] {
        let json = format!(r#"{{"id":"","owner":{{}},"{name}":"{text}"}}"#);
        let mut drift: Vec<Drift> = Vec::new();
        let task: Task = decode(json.as_bytes(), Some(&mut drift)).unwrap();
        let read = task.level.map(f64::from).or(task.score);
        assert_eq!(read, number.parse().ok());
        assert_eq!(drift.len(), 1, "{drift:?}");
        assert_eq!(drift[0].path, name);
        assert!(matches!(drift[0].kind, DriftKind::WrongType { found: "a string", .. }));
        assert_eq!(str::from_utf8(&task.to_json()), Ok(json.as_str()));
    }
    let mut drift: Vec<Drift> = Vec::new();
    let numbers: Vec<i64> = decode(br#"["1",2]"#, Some(&mut drift)).unwrap();
    assert_eq!(numbers, [1, 2]);
    let kind = wrong("a 64-bit integer", "a string");
    assert_eq!((drift[0].path.as_str(), drift[0].kind), ("[0]", kind));
}

/// The placeholder of a number is as long as the number, and the width of a format has 16 bits.
#[test]
fn a_number_can_have_more_digits_than_a_format_is_wide() {
    let digits = "1".repeat(1 << 16);
    let reading = Reading::from_json(format!(r#"{{"id":{digits}}}"#).as_bytes()).unwrap();
    assert!(String::from_utf8(reading.to_json()).unwrap().contains(&digits));
    let error = Reading::from_json(format!(r#"{{"id":{digits},"value":[}}"#).as_bytes());
    assert!(error.unwrap_err().column() > Some(digits.len()));
}

#[test]
fn a_number_that_only_a_float_makes_whole_is_no_integer() {
    for digits in ["1e-400", "-1E-999", "1.0000000000000001", "0.5e-99999999999999999999"] {
        let json = format!(r#"{{"id":1,"unsigned":{digits}}}"#);
        assert_eq!(keeps(&json).unsigned, None, "{digits}");
        let kind = wrong("an unsigned 64-bit integer", "a number");
        assert_eq!(drift::<Reading>(&json), [entry("unsigned", "", kind)]);
    }
    for (digits, whole) in [
        ("0.0", 0),
        ("-0.0e+1", 0),
        ("0e-400", 0),
        ("0e170141183460469231731687303715884105727", 0),
        ("7.0", 7),
        ("70e-1", 7),
        ("0.07E2", 7),
        ("700.00e-2", 7),
    ] {
        let json = format!(r#"{{"id":1,"unsigned":{digits}}}"#);
        assert_eq!(read(&json).unsigned, Some(whole), "{digits}");
        assert_eq!(drift::<Reading>(&json), []);
    }
}
