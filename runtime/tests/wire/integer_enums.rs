//! Open enums of integers, and enums with only one value.

use openapi_bindings_runtime::internal::{Param, decode, encode};
use openapi_bindings_runtime::{
    DriftKind, UnknownInteger, UnknownProperties, UnknownValue, internal,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Level {
    Low,
    High,
    Below,
    Unknown(UnknownInteger),
}

internal::integer_enum! { Level { Low = 0, High = 10, Below = -1 } }

/// The only value is that of a new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Version {
    Two,
    Unknown(UnknownInteger),
}

internal::integer_enum! { Version { Two = 2 } }

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Tool,
    Unknown(UnknownValue),
}

internal::open_enum! { Kind { Tool = "tool" } }

#[derive(Clone, Default)]
struct Tool {
    kind: Kind,
    version: Version,
    unknown: UnknownProperties,
}

internal::object! { Tool { kind!: "kind", version!: "version" } unknown }

#[test]
fn integers_are_read_and_written() {
    for (known, value) in Level::KNOWN.iter().zip([0, 10, -1]) {
        assert_eq!(known.as_i64(), value);
        assert_eq!(known.to_string(), value.to_string());
        assert_eq!(known.to_param(), value.to_string());
        assert_eq!(Level::from(value), *known);
        assert_eq!(value.to_string().parse(), Ok(*known));
        assert_eq!(serde_json::to_string(known).unwrap(), value.to_string());
        assert_eq!(serde_json::from_str::<Level>(&value.to_string()).unwrap(), *known);
    }
    assert!("ten".parse::<Level>().is_err());
}

#[test]
fn unknown_integers_are_retained_and_drift() {
    let mut drift = Vec::new();
    let json = "[10,10.0,7,-9223372036854775808]";
    let levels: Vec<Level> = decode(json.as_bytes(), Some(&mut drift)).unwrap();
    assert_eq!(levels[1], Level::High);
    assert!(matches!(levels[2], Level::Unknown(value) if value.get() == 7));
    assert_eq!(encode(&levels), b"[10,10,7,-9223372036854775808]");
    let drift: Vec<_> = drift.iter().map(|it| (&*it.path, it.kind, &*it.name)).collect();
    let unknown = DriftKind::UnknownValue;
    assert_eq!(drift, [("[2]", unknown, "7"), ("[3]", unknown, "-9223372036854775808")]);
}

#[test]
fn only_known_integers_are_converted_strictly() {
    assert_eq!(Level::try_from_i64(10), Ok(Level::High));
    let error = Level::try_from_i64(7).unwrap_err();
    assert_eq!((error.get(), &*error.to_string()), (7, "unknown value 7"));
    assert!(Level::from(7).is_unknown() && !Level::Low.is_unknown());
}

#[test]
fn integers_are_ordered_by_their_value() {
    let mut levels = [10, -1, 7, 0].map(Level::from);
    levels.sort();
    assert_eq!(levels.map(Level::as_i64), [-1, 0, 7, 10]);
    assert_eq!(Level::default(), Level::Low);
}

#[test]
fn the_only_value_is_written_by_itself() {
    assert_eq!(encode(&Tool::default()), br#"{"kind":"tool","version":2}"#);
}

#[test]
fn the_only_value_is_not_added_to_what_was_received() {
    for json in ["{}", r#"{"kind":"pen"}"#, r#"{"version":3}"#] {
        let tool: Tool = decode(json.as_bytes(), None).unwrap();
        assert_eq!(encode(&tool), json.as_bytes());
    }
    let mut tool: Tool = decode(br#"{"kind":null}"#, None).unwrap();
    assert_eq!(encode(&tool), br#"{"kind":null}"#);
    (tool.kind, tool.version) = (Kind::Tool, Version::Two);
    assert_eq!(encode(&tool), br#"{"kind":"tool","version":2}"#);
}
