//! The secrets of exchanges: of this one, by the names of their properties, and of those before it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::secrets::{MIN_PART, names};

/// Maximum size of all secrets that are remembered, in bytes.
const MAX_REMEMBERED: usize = 2 << 20;

/// The secrets of the exchange and of earlier ones, without those that are so short that many texts contain them by chance.
#[derive(Default)]
pub(super) struct Seen {
    /// The secrets by their first bytes: to search for each of many would take too long.
    secrets: HashMap<[u8; MIN_PART], HashSet<String>>,
    size: usize,
}

impl Seen {
    /// Adds the secrets of an exchange. If those before it are too many, they are forgotten.
    pub(super) fn extend<'s>(&mut self, secrets: impl IntoIterator<Item = &'s String>) {
        if self.size > MAX_REMEMBERED {
            *self = Self::default();
        }
        for secret in secrets {
            if let Some(start) = secret.as_bytes().first_chunk()
                && self.secrets.entry(*start).or_default().insert(secret.clone())
            {
                self.size += secret.len();
            }
        }
    }

    /// Returns whether a text contains one of the secrets.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        bytes.windows(MIN_PART).enumerate().any(|(at, start)| {
            let begins = |secret: &String| bytes[at..].starts_with(secret.as_bytes());
            self.secrets.get(start).is_some_and(|secrets| secrets.iter().any(begins))
        })
    }
}

/// Adds the texts and the numbers that their names in JSON make secrets.
pub(super) fn add_named(json: &Value, is_secret: bool, found: &mut Vec<String>) {
    match json {
        Value::String(text) if is_secret => found.push(text.clone()),
        Value::Number(number) if is_secret => found.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| add_named(item, is_secret, found)),
        Value::Object(object) => {
            for (name, value) in object {
                add_named(value, is_secret || names::is_secret(name), found);
            }
        }
        _ => {}
    }
}
