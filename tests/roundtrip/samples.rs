//! Values at the bounds of scalar types, which must be tried for every scalar, and random ones.
//!
//! Bounds, lengths and patterns that a schema sets are not followed: no Rust type depends on them. Values that
//! `serde_json` cannot read are not tried: numbers beyond `f64`, halves of surrogate pairs, more than 127 levels.

use std::sync::LazyLock;

use serde_json::{Value, json};

use tests::Tape;

/// The kind of a schema that allows any value.
pub const ANY: &str = "any";

/// By kind and format; of integers of unknown size, those that nearly every language has.
static SAMPLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("samples.json")).unwrap_or_default());

/// Returns the values for a kind and format.
pub fn values(kind: &str, format: Option<&str>) -> &'static [Value] {
    let kind = SAMPLES.get(kind);
    let find = |format| kind?.get(format)?.as_array().map(Vec::as_slice);
    find(format.unwrap_or_default()).or_else(|| find("")).unwrap_or_default()
}

/// Returns a random value, or nothing where random ones are of no use.
pub fn random(kind: &str, format: Option<&str>, tape: &mut Tape<'_>) -> Option<Value> {
    let value = match (kind, format) {
        ("integer", None | Some("int64")) => json!(tape.integer()),
        ("integer", Some("uint64")) => json!(tape.number() >> tape.below(64)),
        ("integer", Some("int32")) => json!(tape.integer() >> 32),
        ("number", _) => json!(f64::from_bits(tape.number())),
        ("string", Some("date-time")) => json!(tape.date_time()),
        ("string", Some("int64")) => json!(tape.integer().to_string()),
        ("string", None) => json!(tape.text()),
        _ => Value::Null,
    };
    // Numbers that are not finite are null as well.
    Some(value).filter(|value| !value.is_null())
}
