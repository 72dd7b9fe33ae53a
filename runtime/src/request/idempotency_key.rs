//! Keys by which a server recognizes the attempts of one call.

use std::hash::{BuildHasher, RandomState};

use http::HeaderValue;

use super::call::CallParts;
use crate::client::given_header;

impl CallParts {
    /// Adds a new key if the operation takes one, unless the call or the client sends one to its server.
    pub(crate) fn add_idempotency_key(&mut self) {
        let Some(name) = self.idempotency_key else { return };
        if self.idempotency_key().is_none()
            && let Ok((name, key)) = given_header::parse(name, &uuid(), &[])
        {
            self.headers.insert(name, key);
        }
    }

    /// Returns whether the request has a key that its operation describes.
    pub(crate) fn has_idempotency_key(&self) -> bool {
        self.idempotency_key().is_some_and(|key| !key.is_empty())
    }

    fn idempotency_key(&self) -> Option<&HeaderValue> {
        let name = self.idempotency_key?;
        self.headers.get(name).or_else(|| {
            let shared = &self.client.shared;
            let server = shared.base_url_of(self.servers).ok()?;
            shared
                .headers_for(&server.origin)
                .find(|(other, _)| *other == name)
                .map(|(_, value)| value)
        })
    }
}

/// Returns a random UUID (version 4; RFC 9562, section 5.4).
fn uuid() -> String {
    // Each `RandomState` has new keys, so that keys are unique. They need not be unpredictable.
    let random = || RandomState::new().hash_one(());
    let high = random() & 0xffff_ffff_ffff_0fff | 0x4000;
    let low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::uuid;

    #[test]
    fn keys_are_different_uuids_of_version_4() {
        let keys: BTreeSet<String> = (0..1000).map(|_| uuid()).collect();
        assert_eq!(keys.len(), 1000);
        for key in &keys {
            let lengths: Vec<usize> = key.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{key}");
            assert!(key.chars().all(|char| char == '-' || char.is_ascii_hexdigit()), "{key}");
            assert_eq!(&key[14..15], "4", "{key}");
            assert!("89ab".contains(&key[19..20]), "{key}");
        }
        for digit in [0, 9, 20, 35] {
            let found: BTreeSet<&str> = keys.iter().map(|key| &key[digit..=digit]).collect();
            assert_eq!(found.len(), 16, "the digit {digit} is not random");
        }
    }
}
