//! The secrets of this exchange and of those before it.

use std::collections::{HashMap, HashSet};

use crate::secrets::MIN_PART;

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
            let mut secrets = self.secrets.get(start).into_iter().flatten();
            secrets.any(|secret| bytes[at..].starts_with(secret.as_bytes()))
        })
    }
}
