//! Secrets out of texts that others wrote: some servers repeat in an error what they were sent.

use std::borrow::Cow;

use crate::percent;

/// What stands in place of a secret.
const MASK: &str = "[redacted]";

/// The shortest secret that is looked for, in bytes. A shorter one would be found in ordinary
/// words, and hides nothing.
const SHORTEST: usize = 4;

/// Returns a text without any of these secrets, be they as they are or percent-encoded.
pub(crate) fn mask<'t>(text: &'t str, secrets: &[&str]) -> Cow<'t, str> {
    let mut forms = Vec::new();
    for secret in secrets {
        let mut encoded = String::new();
        percent::push(&mut encoded, secret);
        forms.extend([(*secret).to_owned(), encoded]);
    }
    forms.retain(|form| form.len() >= SHORTEST);
    // One secret can be part of another, whose rest would stay.
    forms.sort_by_key(|form| usize::MAX - form.len());
    let mut text = Cow::Borrowed(text);
    for form in &forms {
        if text.contains(form) {
            text = Cow::Owned(text.replace(form, MASK));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_every_form() {
        for (text, masked) in [
            ("no such token: abcd/ef", "no such token: [redacted]"),
            ("abcd/ef was sent, yes abcd/ef", "[redacted] was sent, yes [redacted]"),
            ("token=abcd%2Fef&x=1", "token=[redacted]&x=1"),
            ("token=abcd/ef-and-more", "token=[redacted]"),
            ("nothing of it", "nothing of it"),
        ] {
            assert_eq!(mask(text, &["abcd/ef", "abcd/ef-and-more", "no"]), masked);
        }
    }
}
