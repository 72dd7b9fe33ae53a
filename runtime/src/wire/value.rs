//! JSON without a description.

/// Any JSON value.
pub type Value = serde_json::Value;

/// Any JSON object.
pub type Map = serde_json::Map<String, Value>;

/// Returns the object with these properties: `map([("reason", "audit")])`, or with values from [`json!`](crate::json).
pub fn map<K: Into<String>, V: Into<Value>>(properties: impl IntoIterator<Item = (K, V)>) -> Map {
    properties.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}
