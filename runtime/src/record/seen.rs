//! The secrets of exchanges: of this one, by the names of their properties, and of those before it.

use serde_json::Value;

use crate::secrets::{MIN_PART, SecretSet};

/// Maximum size of all secrets that are remembered, in bytes.
const MAX_REMEMBERED: usize = 2 << 20;

/// The secrets of the exchange and of earlier ones, without those that are so short that many texts contain them by chance.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) secrets: SecretSet,
}

impl Seen {
    /// Adds the secrets of an exchange. If those before it are too many, they are forgotten.
    pub(super) fn extend<'s>(&mut self, secrets: impl IntoIterator<Item = &'s String>) {
        if self.secrets.size() > MAX_REMEMBERED {
            self.secrets = SecretSet::default();
        }
        let long = secrets.into_iter().filter(|secret| secret.len() >= MIN_PART);
        long.for_each(|secret| self.secrets.insert(secret));
    }
}

/// Adds the texts and the numbers that their names in JSON make secrets.
pub(super) fn add_named(
    json: &Value,
    is_secret: bool,
    is_secret_name: &dyn Fn(&str) -> bool,
    found: &mut Vec<String>,
) {
    match json {
        Value::String(text) if is_secret => found.push(text.clone()),
        Value::Number(number) if is_secret => found.push(number.to_string()),
        Value::Array(items) => {
            for item in items {
                add_named(item, is_secret, is_secret_name, found);
            }
        }
        Value::Object(object) => {
            for (name, value) in object {
                add_named(value, is_secret || is_secret_name(name), is_secret_name, found);
            }
        }
        _ => {}
    }
}
