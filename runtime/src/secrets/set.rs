//! Many secrets, which are looked for together.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::{Searched, percent_encoded, without_escapes};

/// Secrets that are looked for together: the time depends on the size of the text, and hardly on their number.
#[derive(Default)]
pub(crate) struct SecretSet {
    /// The secrets as they are, and percent-encoded.
    literal: Starts,
    /// The secrets without their escapes.
    plain: Starts,
    size: usize,
}

/// Texts, none of which is the beginning of another.
#[derive(Default)]
struct Starts(BTreeSet<String>);

impl SecretSet {
    /// Adds a secret.
    pub(crate) fn insert(&mut self, secret: &str) {
        let mut is_new = self.literal.insert(secret);
        if let Some(encoded) = percent_encoded(secret) {
            is_new |= self.literal.insert(&encoded);
        }
        if let Some(plain) = without_escapes(secret) {
            is_new |= self.plain.insert(&plain);
        }
        if is_new {
            self.size += secret.len();
        }
    }

    /// Returns the total size of the secrets that were added, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns whether a text contains one of the secrets, in any spelling if that is long enough.
    pub(crate) fn is_in(&self, searched: &Searched<'_>) -> bool {
        self.literal.is_in(searched.text)
            || searched.plain.as_ref().is_some_and(|plain| self.plain.is_in(&plain.text))
    }
}

impl Starts {
    /// Adds a text, unless one of these texts is its beginning.
    fn insert(&mut self, text: &str) -> bool {
        if text.is_empty() || self.has_start_of(text) {
            return false;
        }
        let from = (Bound::Included(text), Bound::Unbounded);
        while let Some(longer) = self.0.range::<str, _>(from).next()
            && longer.starts_with(text)
        {
            let longer = longer.clone();
            self.0.remove(&longer);
        }
        self.0.insert(text.to_owned())
    }

    fn is_in(&self, text: &str) -> bool {
        !self.0.is_empty() && text.char_indices().any(|(at, _)| self.has_start_of(&text[at..]))
    }

    /// Returns whether a text starts with one of these. As none of them starts with another, only the last text that is not
    /// greater can be its start.
    fn has_start_of(&self, text: &str) -> bool {
        let until = (Bound::Unbounded, Bound::Included(text));
        self.0.range::<str, _>(until).next_back().is_some_and(|last| text.starts_with(&**last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(secrets: &[&str]) -> SecretSet {
        let mut set = SecretSet::default();
        for secret in secrets {
            set.insert(secret);
        }
        set
    }

    #[test]
    fn secrets_that_start_with_each_other_are_found() {
        let secrets = ["abcd-2", "abcd", "abcd-1", "", "b", "abc", "ac/d"];
        for order in [secrets.to_vec(), secrets.iter().rev().copied().collect()] {
            let set = set(&order);
            for (text, is_found) in [
                ("an abcd-1", true),
                ("abcc", true),
                ("xb", true),
                ("aac%2Fd", true),
                (r"aac\/d", true),
                ("ac/", false),
                ("aa", false),
                ("", false),
            ] {
                assert_eq!(set.is_in(&Searched::new(text)), is_found, "{text} in {order:?}");
            }
        }
    }

    #[test]
    fn a_secret_is_found_without_its_escapes_next_to_one_that_is_too_short_for_that() {
        let set = set(&["%41%41%41", "%41%41%41%42"]);
        assert!(set.is_in(&Searched::new("+AAAB")) && !set.is_in(&Searched::new("+AAA")));
    }

    /// The spellings of a secret are prepared once.
    #[test]
    fn a_search_for_many_secrets_allocates_nothing() {
        let mut set = SecretSet::default();
        for number in 0..1_000 {
            set.insert(&format!("{}{number}", "ey".repeat(1_000)));
        }
        let searched = Searched::new("eyeyeyey & no %20 secret");
        let work = allocation_counter::measure(|| assert!(!set.is_in(&searched)));
        assert_eq!(work.count_total, 0);
    }
}
