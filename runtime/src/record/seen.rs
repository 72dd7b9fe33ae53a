//! The secrets of this exchange and of those before it.

use std::collections::BTreeSet;
use std::ops::Bound::{Included, Unbounded};

use crate::secrets::MIN_PART;

/// Maximum size of all secrets that are remembered, in bytes.
const MAX_REMEMBERED: usize = 2 << 20;

/// The secrets of the exchange and of earlier ones, without those that are so short that many texts contain them by chance.
#[derive(Default)]
pub(super) struct Seen {
    /// None of them begins with another one: to search for each of many would take too long.
    secrets: BTreeSet<String>,
    size: usize,
}

impl Seen {
    /// Adds the secrets of an exchange. If those before it are too many, they are forgotten.
    pub(super) fn extend<'s>(&mut self, secrets: impl IntoIterator<Item = &'s String>) {
        if self.size > MAX_REMEMBERED {
            *self = Self::default();
        }
        for secret in secrets.into_iter().filter(|secret| secret.len() >= MIN_PART) {
            if self.begin(secret) {
                continue;
            }
            // Whatever contains a longer one contains this one, too.
            while let Some(next) = self.secrets.range(secret.clone()..).next().cloned()
                && next.starts_with(secret)
            {
                self.secrets.remove(&next);
            }
            self.size += secret.len();
            self.secrets.insert(secret.clone());
        }
    }

    /// Returns whether a text contains one of the secrets.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.char_indices().any(|(at, _)| self.begin(&text[at..]))
    }

    /// Returns whether a text begins with one of the secrets, which then is the last one before the text.
    fn begin(&self, text: &str) -> bool {
        let before = self.secrets.range::<str, _>((Unbounded, Included(text))).next_back();
        before.is_some_and(|secret| text.starts_with(secret))
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;

    fn seen(secrets: &[&str]) -> Seen {
        let mut seen = Seen::default();
        seen.extend(&secrets.iter().map(|&secret| secret.to_owned()).collect::<Vec<_>>());
        seen
    }

    #[test]
    fn secrets_are_found_that_begin_with_each_other() {
        for secrets in
            [["12345678", "12345678-1", "12345678-2"], ["12345678-2", "12345678-1", "12345678"]]
        {
            for text in ["12345678", "é12345678-3", "x12345678zzz", "12345678-1"] {
                assert!(seen(&secrets).is_in(text), "{secrets:?}: {text}");
            }
        }
        for text in ["", "1234567", "12345679", "2345678-1"] {
            assert!(!seen(&["12345678", "1234567", "é2345678"]).is_in(text), "{text}");
        }
    }

    /// A search for each of them would take minutes.
    #[test]
    fn many_secrets_with_one_beginning_are_found_at_once() {
        let secrets: Vec<_> = (0..1 << 17).map(|number| format!("aaaaaaaa{number}.")).collect();
        let mut seen = Seen::default();
        seen.extend(&secrets);
        for number in 0..1 << 12 {
            assert!(!seen.is_in(&format!("{}{number}", "a".repeat(57))));
        }
        assert!(seen.is_in("aaaaaaaaa131071."));
    }
}
