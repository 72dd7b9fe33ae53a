//! JSON without a description.

/// Any JSON value.
///
/// An integer beyond 64 bits, or a number beyond `f64`, is an object that retains its digits and is written as the number:
/// `{"$serde_json::private::Number": "1e400"}`.
pub type Value = serde_json::Value;

/// Any JSON object.
pub type Map = serde_json::Map<String, Value>;

/// Returns the object with these properties: `map([("reason", "audit")])`, or with values from [`json!`](crate::json).
pub fn map<K: Into<String>, V: Into<Value>>(properties: impl IntoIterator<Item = (K, V)>) -> Map {
    properties.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
