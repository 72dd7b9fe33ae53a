//! Whether the returned JSON is equal by value to the sent JSON: numbers as numbers, date-times as instants. A null
//! property is the same as none, and null elements may be left out where no object is around them.

use jiff::Timestamp;
use serde_json::{Number, Value};

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Name(String),
    Index(usize),
}

/// Returns a path as errors of decoding have it: `steps[3].webhook`.
pub fn path_text(path: &[Step]) -> String {
    let is_plain = |name: &str| {
        let is_word = |char: char| char.is_alphanumeric() || "_-$@".contains(char);
        !name.is_empty() && name.chars().all(is_word)
    };
    path.iter().fold(String::new(), |path, step| match step {
        Step::Name(name) if !is_plain(name) => format!("{path}[\"{}\"]", name.escape_debug()),
        Step::Name(name) if path.is_empty() => name.clone(),
        Step::Name(name) => format!("{path}.{name}"),
        Step::Index(index) => format!("{path}[{index}]"),
    })
}

/// Returns whether a value contains an integer that its nearest float of 64 bits changes.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // Whether they lose something is the question.
pub fn has_rounded_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.as_i128().is_some_and(|value| value as f64 as i128 != value)
        }
        Value::Array(items) => items.iter().any(has_rounded_integer),
        Value::Object(properties) => properties.values().any(has_rounded_integer),
        _ => false,
    }
}

/// Returns whether a body contains a leap second, which no timestamp equals.
pub fn has_leap_second(body: &str) -> bool {
    body.contains(":60Z")
}

/// Returns a value as JSON with the properties of all objects in the reverse order.
pub fn reversed(value: &Value) -> String {
    let all = match value {
        Value::Array(items) => items.iter().map(reversed).collect::<Vec<_>>().join(","),
        Value::Object(object) => {
            let properties = object
                .iter()
                .rev()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), reversed(value)));
            properties.collect::<Vec<_>>().join(",")
        }
        scalar => return scalar.to_string(),
    };
    if value.is_array() { format!("[{all}]") } else { format!("{{{all}}}") }
}

/// Returns the value at a path.
pub fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get(name),
        Step::Index(index) => value.get(index),
    })
}

/// Where null elements may be left out, because nothing could retain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gaps {
    Nowhere,
    /// In lists outside of objects.
    InLists,
    /// In all lists: the objects around them may be maps.
    InMaps,
}

/// Compares the sent value with the returned one. The error describes the difference, without the values.
pub fn compare(sent: &Value, back: &Value) -> Result<(), &'static str> {
    compare_part(sent, back, Gaps::InLists)
}

/// Does the same for a type that may be a map.
pub fn compare_maps(sent: &Value, back: &Value) -> Result<(), &'static str> {
    compare_part(sent, back, Gaps::InMaps)
}

/// Compares parts of values.
fn compare_part(sent: &Value, back: &Value, gaps: Gaps) -> Result<(), &'static str> {
    match (sent, back) {
        (Value::Object(sent), Value::Object(back)) => {
            let within = if gaps == Gaps::InMaps { gaps } else { Gaps::Nowhere };
            for (name, value) in sent {
                match back.get(name) {
                    Some(back) => compare_part(value, back, within)?,
                    None if value.is_null() => {}
                    None => return Err("a property was left out"),
                }
            }
            let is_new = |name: &String| !sent.contains_key(name);
            if back.keys().any(is_new) { Err("a property was added") } else { Ok(()) }
        }
        (Value::Array(sent), Value::Array(back)) => {
            let keeps_nulls = gaps == Gaps::Nowhere || sent.len() == back.len();
            let sent = sent.iter().filter(|element| keeps_nulls || !element.is_null());
            if sent.clone().count() != back.len() {
                return Err("an array has another length");
            }
            sent.zip(back).try_for_each(|(sent, back)| compare_part(sent, back, gaps))
        }
        (sent, back) if sent == back => Ok(()),
        (Value::Number(sent), Value::Number(back)) if is_same_number(sent, back) => Ok(()),
        (Value::String(sent), Value::String(back)) if is_same_instant(sent, back) => Ok(()),
        // An integer that the spec puts into a string.
        (Value::Number(sent), Value::String(back)) if sent.to_string() == *back => Ok(()),
        (Value::Number(_), Value::Number(_)) => Err("a number has another value"),
        (Value::String(_), Value::String(_)) => Err("a string has another value"),
        _ => Err("a value is of another kind"),
    }
}

/// Returns whether numbers are equal if one of them is a float. Integers are compared exactly before.
fn is_same_number(sent: &Number, back: &Number) -> bool {
    (sent.is_f64() || back.is_f64()) && sent.as_f64() == back.as_f64()
}

fn is_same_instant(sent: &str, back: &str) -> bool {
    match (sent.parse::<Timestamp>(), back.parse::<Timestamp>()) {
        (Ok(sent), Ok(back)) => sent == back,
        _ => false,
    }
}
