//! Values at the bounds of what a scalar may be, and random ones.
//!
//! Bounds of numbers are followed. Lengths and patterns of strings are not: no Rust type depends on them. What
//! `serde_json` does not read at all is not tried: numbers beyond `f64`, halves of surrogate pairs, more than 127 levels.

use serde_json::{Value, json};

use crate::shape::Scalar;
use crate::tape::Tape;

/// Returns the values that must be tried wherever a scalar stands.
pub fn of(scalar: &Scalar<'_>) -> Vec<Value> {
    let mut values = match (scalar.kind, scalar.format) {
        ("boolean", _) => vec![json!(true), json!(false)],
        ("integer", format) => integers(format),
        ("number", format) => numbers(format),
        ("string", format) => strings(format).iter().map(|&text| json!(text)).collect(),
        _ => vec![Value::Null],
    };
    let [least, greatest] = scalar.bounds;
    values.retain(|value| {
        let is_within = |value| {
            least.is_none_or(|least| value > least) && greatest.is_none_or(|most| value < most)
        };
        value.as_f64().is_none_or(is_within)
    });
    if values.is_empty() {
        values.extend(least.or(greatest).map(Value::from));
    }
    values
}

/// Returns a random value, or nothing where random ones are of no use.
pub fn random(scalar: &Scalar<'_>, tape: &mut Tape<'_>) -> Option<Value> {
    let finite = |value: f64| value.is_finite().then(|| json!(value));
    match (scalar.kind, scalar.format) {
        ("integer" | "number", _) if scalar.bounds != [None; 2] => None,
        ("integer", None | Some("int64")) => Some(json!(tape.integer())),
        ("integer", Some("uint64")) => Some(json!(tape.number() >> tape.below(64))),
        ("integer", Some("int32")) => i32::try_from(tape.integer() >> 32).ok().map(Value::from),
        ("number", Some("float")) => {
            let bits = u32::try_from(tape.number() >> 32).unwrap_or_default();
            finite(f32::from_bits(bits).into())
        }
        ("number", _) => finite(f64::from_bits(tape.number())),
        ("string", Some("date-time")) => Some(json!(tape.date_time())),
        ("string", Some("int64")) => Some(json!(tape.integer().to_string())),
        ("string", None) => Some(json!(tape.text())),
        _ => None,
    }
}

/// Returns the values that must be tried where anything may stand.
pub fn free() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-0.0),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(f64::MIN_POSITIVE),
        json!("null"),
        json!([]),
        json!({}),
        json!([null, [null], {"": null}]),
        json!({"type": null, "@type": "x", "\u{0}\"\\/": [1, 1.0, "\u{7f}\u{2028}\u{10ffff}"]}),
        json!({"$serde_json::private::Number": "1"}),
    ]
}

fn integers(format: Option<&str>) -> Vec<Value> {
    let (least, greatest): (i64, u64) = match format {
        Some("int8") => (i8::MIN.into(), 0x7f),
        Some("int16") => (i16::MIN.into(), 0x7fff),
        Some("int32") => (i32::MIN.into(), 0x7fff_ffff),
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint64") => (0, u64::MAX),
        // Of integers of unknown size, those are tried that nearly every language has.
        _ => (i64::MIN, 0x7fff_ffff_ffff_ffff),
    };
    let mut values = vec![json!(0), json!(1), json!(least), json!(greatest), json!(2.0)];
    values.extend((greatest > 1 << 53).then(|| json!((1_u64 << 53) + 1)));
    values
}

fn numbers(format: Option<&str>) -> Vec<Value> {
    let mut values: Vec<_> =
        [-0.0, 1.5, 0.1, -1e-7, 3.0, 3.402_823_466_385_288_6e38].map(Value::from).to_vec();
    values.extend([json!(0), json!(16_777_217)]);
    if format != Some("float") {
        values.extend([f64::MAX, 5e-324, 1e21, 0.123_456_789_012_345_68].map(Value::from));
        values.extend([json!(i64::MIN), json!(u64::MAX), json!((1_u64 << 53) + 1)]);
    }
    values
}

fn strings(format: Option<&str>) -> &'static [&'static str] {
    match format {
        Some("date-time") => &[
            "2024-02-29T12:34:56Z",
            "2024-02-29T12:34:56.789Z",
            "2024-02-29T12:34:56.120Z",
            "2024-02-29T12:34:56.123456789Z",
            "2024-02-29T12:34:56.1234567891Z",
            "2024-02-29T12:34:56.000000000Z",
            "2024-02-29T12:34:56+00:00",
            "2024-02-29T12:34:56.5-07:30",
            "2024-02-29t12:34:56z",
            "2016-12-31T23:59:60Z",
            "1969-12-31T23:59:59.999999999Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
        ],
        Some("date") => &["2024-02-29", "0001-01-01", "9999-12-31"],
        Some("time") => &["12:34:56Z", "00:00:00.5+02:00"],
        Some("int64") => {
            &["0", "1", "-1", "9007199254740993", "-9223372036854775808", "9223372036854775807"]
        }
        Some("uint64") => &["0", "1", "9007199254740993", "18446744073709551615"],
        Some("byte") => &["", "aGVsbG8=", "+/==", "-_"],
        Some("uuid") => {
            &["00000000-0000-0000-0000-000000000000", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"]
        }
        _ => &[
            "",
            "text",
            "null",
            " \u{0}\u{1f}\"\\/\u{7f}\r\n\t\u{e9}\u{2028}\u{fffd}\u{1f980}\u{10ffff}",
        ],
    }
}
