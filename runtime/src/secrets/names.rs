//! Values that are probably secrets by their names or their form, in texts and JSON without a described type.

pub(crate) use secret_names::is_secret;
use serde_json::Value;

use super::REDACTED;
use crate::url::query::decoded;

/// Replaces the values of properties with the names of secrets.
pub(crate) fn redact(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(redact),
        Value::Object(properties) => {
            for (name, value) in properties {
                match value {
                    Value::Null | Value::Bool(_) => {}
                    _ if is_secret(name) => *value = REDACTED.into(),
                    _ => redact(value),
                }
            }
        }
        _ => {}
    }
}

/// Returns whether a text has a URL with user information, or a value that its name makes a secret, as in the query of a
/// presigned URL.
pub(crate) fn names_secret(text: &str) -> bool {
    let ends = |char: char| char.is_whitespace() || "?&#;".contains(char);
    let authority = |rest: &str| rest.split(|char| ends(char) || char == '/').next()?.find('@');
    let names = |text: &str| {
        let mut pairs = text.split(ends).filter_map(|pair| pair.split_once('='));
        text.split("://").skip(1).any(|rest| authority(rest).is_some())
            || pairs.any(|(name, _)| is_secret(&decoded(name)))
    };
    names(text) || text.contains('%') && names(&decoded(text))
}
