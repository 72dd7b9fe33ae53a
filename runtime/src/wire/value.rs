//! JSON without a description.

/// Any JSON value.
///
/// An integer beyond 64 bits, or a number beyond `f64`, is the nearest number, unless a crate of the program enables the
/// feature `arbitrary_precision` of `serde_json`.
pub type Value = serde_json::Value;

/// Any JSON object.
pub type Map = serde_json::Map<String, Value>;

/// Returns the object with these properties: `map([("reason", "audit")])`, or with values from [`json!`](crate::json).
pub fn map<K: Into<String>, V: Into<Value>>(properties: impl IntoIterator<Item = (K, V)>) -> Map {
    properties.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
