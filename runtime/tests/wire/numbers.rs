//! Numbers beyond 64 bits, and beyond all floats.

use std::collections::BTreeMap;

use openapi_bindings_runtime::internal::{self, decode};
use openapi_bindings_runtime::{
    Drift, DriftKind, Map, Model, UnknownProperties, UnknownVariant, Value,
};

use crate::models::{Label, Source, Task};

#[derive(Clone, Default)]
#[non_exhaustive]
struct Reading {
    id: i64,
    wide: Option<i128>,
    value: Option<f64>,
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
        wide: "wide",
        value: "value",
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

/// Integers beyond 64 bits, and numbers beyond all floats.
const BEYOND: [&str; 5] = [
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "1e400",
    "-1E+999",
];

fn read(json: &str) -> Reading {
    Reading::from_json(json.as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Decodes and encodes a value, and asserts that all digits are retained.
#[track_caller]
fn keeps(json: &str) -> Reading {
    let reading = read(json);
    let sent = String::from_utf8(reading.to_json()).unwrap();
    assert_eq!(sent, written(json));
    reading
}

/// Returns a JSON text as it is written: as it was read, but with exponents as `e+400` if a crate of the program enables
/// `arbitrary_precision`, as `ci --all` does.
fn written(json: &str) -> String {
    if serde_json::from_str::<Value>("1e400").is_err() {
        return json.to_owned();
    }
    json.replace('E', "e").replace("1e400", "1e+400")
}

fn drift<T: Model>(json: &str) -> Vec<(String, DriftKind)> {
    let mut drift: Vec<Drift> = Vec::new();
    decode::<T>(json.as_bytes(), Some(&mut drift)).unwrap();
    drift.into_iter().map(|drift| (drift.name, drift.kind)).collect()
}

#[test]
fn numbers_beyond_their_types_keep_their_digits() {
    for digits in BEYOND {
        for json in [
            format!(r#"{{"id":{digits}}}"#),
            format!(r#"{{"id":1,"values":[1,{digits},2]}}"#),
            format!(r#"{{"id":1,"byName":{{"a":1,"b":{digits}}}}}"#),
            format!(r#"{{"id":1,"any":{digits}}}"#),
            format!(r#"{{"id":1,"any":[{{"a":[{digits}]}}]}}"#),
            format!(r#"{{"id":1,"object":{{"a":{digits}}}}}"#),
            format!(r#"{{"id":1,"other":{digits}}}"#),
            format!(r#"{{"id":1,"amount":{{"id":2,"values":[{digits}]}}}}"#),
        ] {
            let reading = keeps(&json);
            let text = serde_json::to_string(&reading).unwrap();
            assert_eq!(serde_json::from_str::<Reading>(&text).unwrap(), reading, "{json}");
        }
    }
}

#[test]
fn numbers_beyond_their_types_are_drift() {
    for digits in BEYOND {
        let json = format!(r#"{{"id":{digits},"any":{digits}}}"#);
        assert_eq!(drift::<Reading>(&json), [("id".to_owned(), DriftKind::WrongType)], "{json}");
    }
    let beyond = [("value".to_owned(), DriftKind::WrongType)];
    assert_eq!(drift::<Reading>(r#"{"id":1,"value":1e400}"#), beyond);
    keeps(r#"{"id":1,"value":-1e400}"#);
}

#[test]
fn wide_integers_hold_all_integers_of_64_bits() {
    for (digits, value) in [
        ("18446744073709551615", u64::MAX.into()),
        ("-9223372036854775808", i64::MIN.into()),
        ("18446744073709551616", i128::from(u64::MAX) + 1),
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
fn numbers_are_the_nearest_float() {
    for digits in ["123456789012345680000000000000", "1e300"] {
        let json = format!(r#"{{"id":1,"value":{digits}}}"#);
        assert_eq!(read(&json).value, digits.parse().ok());
        assert_eq!(drift::<Reading>(&json), []);
        let json = format!(r#"{{"id":1,"amount":{digits}}}"#);
        let amount = read(&json).amount;
        assert!(matches!(amount, Some(Amount::Number(it)) if Ok(it) == digits.parse()), "{json}");
    }
    let series = read(r#"{"id":1,"series":[18446744073709551616,1]}"#).series;
    assert!(
        matches!(series, Some(Series::Numbers(it)) if it == [18_446_744_073_709_551_616.0, 1.0])
    );
    assert!(matches!(keeps(r#"{"id":1,"amount":1e400}"#).amount, Some(Amount::Unknown(_))));
}

#[test]
fn a_body_is_read_again_from_its_start() {
    let json = r#"{"id":1,"values":[1,2],"any":1e400,"other":3}"#;
    assert_eq!(keeps(json).values, Some(vec![1, 2]));
    assert_eq!(drift::<Reading>(json), [("other".to_owned(), DriftKind::UnknownProperty)]);
}

#[test]
fn numbers_that_are_not_json_are_errors() {
    for digits in ["0123456789012345678901234567890", "1e", "-", "1e400x", "+1e400"] {
        let json = format!(r#"{{"id":1,"any":{digits}}}"#);
        assert!(Reading::from_json(json.as_bytes()).is_err(), "{json}");
    }
}

#[test]
fn a_number_with_any_digits_is_not_an_object() {
    for digits in ["123456789012345678901234567890", "1E400"] {
        for name in ["owner", "data", "labels", "limits", "policy", "settings", "wait", "totals"] {
            let json = format!(r#"{{"id":"1","{name}":{digits}}}"#);
            let error = Task::from_json(json.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("expected an object, found a number"), "{json}: {error}");
        }
        let json = format!(r#"{{"object":"card","owner":{digits},"digits":1}}"#);
        let source = Source::from_json(json.as_bytes()).unwrap();
        let sent = String::from_utf8(source.to_json()).unwrap();
        let expected = format!(r#"{{"object":"card","digits":1,"owner":{digits}}}"#);
        assert_eq!(sent, written(&expected));
        let json = format!(r#"{{"owner":{{"new":{{"a":[{digits}]}},"name":"b"}},"id":"1"}}"#);
        let sent = String::from_utf8(Task::from_json(json.as_bytes()).unwrap().to_json()).unwrap();
        let expected = format!(r#"{{"id":"1","owner":{{"name":"b","new":{{"a":[{digits}]}}}}}}"#);
        assert_eq!(sent, written(&expected));
    }
}

#[test]
fn a_number_with_any_digits_is_no_variant_of_objects() {
    let json = "1e+400";
    let label = Label::from_json(json.as_bytes()).unwrap();
    assert!(matches!(label, Label::Unknown(_)));
    assert_eq!(label.to_json(), json.as_bytes());
    assert_eq!(drift::<Label>(json), [(String::new(), DriftKind::NoVariant)]);
}

#[test]
fn an_object_with_more_than_digits_is_not_a_number() {
    const NAME: &str = "$serde_json::private::Number";
    for json in [
        format!(r#"{{"object":"card","digits":{{"{NAME}":"1e+400","x":2}}}}"#),
        format!(r#"{{"digits":{{"{NAME}":"1e+400","x":2}},"object":"card"}}"#),
        format!(r#"{{"{NAME}":"1e+400","object":"bank","big":1e+400}}"#),
        format!(r#"{{"object":"bank","{NAME}":"1e+400","big":1e+400}}"#),
    ] {
        let source = Source::from_json(json.as_bytes()).unwrap();
        let sent = source.to_json();
        let expected: Value = decode(json.as_bytes(), None).unwrap();
        assert_eq!(decode::<Value>(&sent, None).unwrap(), expected, "{json}");
        assert_eq!(sent.len(), json.len(), "{json}");
    }
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
        assert!(matches!(&drift[..], [it] if it.kind == DriftKind::WrongType), "{drift:?}");
        assert_eq!(String::from_utf8(task.to_json()).unwrap(), body);
        task.ratio = Some(1.5);
        assert!(String::from_utf8(task.to_json()).unwrap().contains(r#""ratio":1.5"#));
        task.ratio = None;
        assert!(!String::from_utf8(task.to_json()).unwrap().contains("ratio"));
        // In unions, too.
        let level = Level::from_json(json.as_bytes()).unwrap();
        assert_eq!(str::from_utf8(&level.to_json()), Ok(json));
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
