//! Redaction of secrets in texts from servers, which may repeat the request in an error.

use std::borrow::Cow;

use crate::url::percent;
use crate::wire::REDACTED;

/// The shortest secret that is looked for, in bytes. A shorter one would be found in ordinary words.
const MIN_LENGTH: usize = 4;

/// Replaces these secrets in a text, plain or percent-encoded.
pub(crate) fn redact<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    let mut forms: Vec<_> = secrets
        .iter()
        .flat_map(|secret| [(*secret).to_owned(), percent::encode(secret).to_string()])
        .filter(|form| form.len() >= MIN_LENGTH)
        .collect();
    // A secret can be part of another one: the longest goes first, or its rest would remain.
    forms.sort_by_key(|form| usize::MAX - form.len());
    let mut text = Cow::Borrowed(text);
    for form in &forms {
        if text.contains(form) {
            text = Cow::Owned(text.replace(form, REDACTED));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_encoded_secrets_are_redacted() {
        for (text, redacted) in [
            ("no such token: abcd/ef", "no such token: [redacted]"),
            ("abcd/ef was sent, yes abcd/ef", "[redacted] was sent, yes [redacted]"),
            ("token=abcd%2Fef&x=1", "token=[redacted]&x=1"),
            ("token=abcd/ef-and-more", "token=[redacted]"),
            ("no secret", "no secret"),
        ] {
            assert_eq!(redact(text, &["abcd/ef", "abcd/ef-and-more", "no"]), redacted);
        }
    }
}
