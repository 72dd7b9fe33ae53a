//! Values at the bounds of what a scalar may be, and random ones.
//!
//! Bounds of numbers are followed. Lengths and patterns of strings are not: no Rust type depends on them. What
//! `serde_json` does not read at all is not tried: numbers beyond `f64`, halves of surrogate pairs, more than 127 levels.

use fastrand::Rng;
use serde_json::{Number, Value, json};

use super::form::{Form, Kind};

/// Returns the values of a kind that must be tried wherever `form` stands.
pub fn of(form: &Form<'_>, kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Boolean => vec![json!(true), json!(false)],
        Kind::Integer => bounded(form, integers(form.format)),
        Kind::Number => bounded(form, numbers(form.format)),
        Kind::String => strings(form.format),
        Kind::Array | Kind::Object => Vec::new(),
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
    let mut values = vec![json!(least), json!(greatest), json!(0), json!(1), json!(2.0)];
    if greatest > 1 << 53 {
        values.push(json!((1_u64 << 53) + 1));
    }
    values
}

fn numbers(format: Option<&str>) -> Vec<Value> {
    let mut values = vec![
        json!(0),
        json!(-0.0),
        json!(1.5),
        json!(0.1),
        json!(-1e-7),
        json!(3.0),
        json!(16_777_217),
        json!(3.402_823_466_385_288_6e38),
    ];
    if format != Some("float") {
        values.extend([
            json!(f64::MAX),
            json!(5e-324),
            json!(1e21),
            json!(i64::MIN),
            json!(u64::MAX),
            json!((1_u64 << 53) + 1),
            json!(0.123_456_789_012_345_68),
        ]);
    }
    values
}

fn strings(format: Option<&str>) -> Vec<Value> {
    let values: &[&str] = match format {
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
    };
    values.iter().map(|&text| json!(text)).collect()
}

fn bounded(form: &Form<'_>, mut values: Vec<Value>) -> Vec<Value> {
    let (least, greatest) = form.bounds;
    values.retain(|value| {
        let value = value.as_f64().unwrap_or_default();
        least.is_none_or(|least| value > least) && greatest.is_none_or(|greatest| value < greatest)
    });
    if values.is_empty() {
        values.extend(least.or(greatest).map(number));
    }
    values
}

fn number(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// Returns a random value of a kind, or nothing where random ones are of no use.
pub fn random(form: &Form<'_>, kind: Kind, random: &mut Rng) -> Option<Value> {
    let is_bounded = form.bounds.0.is_some() || form.bounds.1.is_some();
    match (kind, form.format) {
        (Kind::Integer, None | Some("int64")) if !is_bounded => Some(json!(integer(random))),
        (Kind::Integer, Some("uint64")) if !is_bounded => {
            Some(json!(random.u64(..) >> random.u32(..64)))
        }
        (Kind::Integer, Some("int32")) if !is_bounded => Some(json!(random.i32(..))),
        (Kind::Number, Some("float")) if !is_bounded => {
            Some(number(f32::from_bits(random.u32(..)).into())).filter(Value::is_number)
        }
        (Kind::Number, _) if !is_bounded => {
            Some(number(f64::from_bits(random.u64(..)))).filter(Value::is_number)
        }
        (Kind::String, Some("date-time")) => Some(json!(instant(random))),
        (Kind::String, Some("int64")) => Some(json!(integer(random).to_string())),
        (Kind::String, None) => Some(json!(text(random))),
        _ => None,
    }
}

/// Returns an integer of any length in digits.
fn integer(random: &mut Rng) -> i64 {
    random.i64(..) >> random.u32(..64)
}

/// Returns a date-time (RFC 3339, section 5.6) with any fraction and offset.
fn instant(random: &mut Rng) -> String {
    let (month, day, hour) = (random.u8(1..=12), random.u8(1..=28), random.u8(..24));
    let year = random.u16(1..9999);
    let (minute, second) = (random.u8(..60), random.u8(..60));
    let digits = format!(".{:09}", random.u32(..1_000_000_000));
    let fraction = match random.usize(..=9) {
        0 => "",
        length => digits.get(..=length).unwrap_or_default(),
    };
    let offset = match random.u8(..4) {
        0 => format!("+{:02}:{:02}", random.u8(..15), random.u8(..60)),
        1 => format!("-{:02}:00", random.u8(..13)),
        _ => "Z".to_owned(),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{offset}")
}

/// Returns a text of a few characters, among them those that JSON escapes.
pub fn text(random: &mut Rng) -> String {
    const NASTY: [char; 12] = [
        '"',
        '\\',
        '/',
        '\u{0}',
        '\n',
        '\u{7f}',
        '\u{e9}',
        '\u{2028}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{1f600}',
        ' ',
    ];
    (0..random.usize(..8))
        .map(|_| match random.usize(..3) {
            0 => random.choice(NASTY).unwrap_or(' '),
            _ => random.alphanumeric(),
        })
        .collect()
}
