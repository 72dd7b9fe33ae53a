//! What errors, logs and recordings do not show.

pub(crate) mod debug;
#[cfg(feature = "client")]
mod headers;
mod withheld;

use std::borrow::Cow;

#[cfg(feature = "client")]
pub(crate) use secret_names::MIN_LENGTH;
pub(crate) use secret_names::is_secret;

pub(crate) use self::withheld::Withheld;

/// The text that takes the place of a secret.
pub(crate) const REDACTED: &str = "[redacted]";

/// Minimum size of a text that few others contain by chance, in bytes. Secrets of this size are redacted also as a part of
/// texts that are not data, and so are texts that are probably no secrets.
pub(crate) const MIN_PART: usize = 8;

/// Replaces these secrets in a text, and the values that their names make secrets.
pub(crate) fn redact<'t>(text: &'t str, secrets: &[impl AsRef<str>]) -> Cow<'t, str> {
    secret_names::redact(text, secrets, REDACTED)
}
