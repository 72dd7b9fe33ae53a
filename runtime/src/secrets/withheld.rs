//! The texts of a request that errors do not show although a server repeats them.

use std::borrow::Cow;

use super::{MIN_PART, is_secret, redact};
use crate::url::query::decoded;

/// What separates the parts of a value: the elements of a list, and the literals of a filter or of JSON.
const SEPARATORS: [char; 4] = [',', '|', '"', '\''];

/// The top-level types of media types (RFC 6838, section 4.2; RFC 8081; RFC 9695).
const MEDIA: [&str; 10] = [
    "application", "audio", "font", "haptics", "image", "message", "model", "multipart", "text",
    "video",
];

/// The texts of a request that errors do not show.
#[derive(Clone, Default)]
pub(crate) struct Withheld {
    /// Secrets, by their types or by their names.
    pub(crate) secrets: Vec<String>,
    /// Other values of the query, which can be shown in the path: that is not a text of the server.
    values: Vec<String>,
}

impl Withheld {
    /// Returns the secrets of a request, and the values of its query with their parts.
    pub(crate) fn new(secrets: &[String], url: &str) -> Self {
        let mut all = Self { secrets: secrets.to_owned(), values: Vec::new() };
        let (_, query) = url.split_once('?').unwrap_or_default();
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or(("", pair));
            // In links, `+` is a space.
            let value = decoded(&value.replace('+', " "));
            let parts = value.split(SEPARATORS).chain([&*value]).map(str::trim);
            if is_secret(&decoded(name)) {
                all.secrets.extend(parts.map(str::to_owned));
            } else {
                let long = parts.filter(|part| part.len() >= MIN_PART);
                all.values.extend(long.map(str::to_owned));
            }
        }
        for texts in [&mut all.secrets, &mut all.values] {
            texts.sort_unstable();
            texts.dedup();
        }
        all
    }

    /// Redacts a text of the server, or of a cause.
    pub(crate) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        redact(text, &self.secrets.iter().chain(&self.values).collect::<Vec<_>>())
    }

    /// Redacts a text with places in a body that is not decoded: values that look like names are names of properties, as in
    /// `fields=id,description`, or media types.
    pub(crate) fn redact_except_names<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let values = self.values.iter().filter(|value| !is_name(value));
        redact(text, &self.secrets.iter().chain(values).collect::<Vec<_>>())
    }

    pub(crate) fn redact_secrets<'t>(&self, text: &'t str) -> Cow<'t, str> {
        redact(text, &self.secrets)
    }
}

/// Returns whether a text can be the name of a property, or is a media type. A number is neither.
fn is_name(text: &str) -> bool {
    let (name, others) = match text.split_once('/') {
        None => (text, "_"),
        // RFC 6838, section 4.2. The names of other resources have slashes, too, and a `+` is also read as a space.
        Some((kind, subtype)) if MEDIA.contains(&kind) => (subtype, "!#$&-^_.+ "),
        Some(_) => return false,
    };
    !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|char| char.is_ascii_alphanumeric() || others.contains(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_without_blanks_and_in_the_spelling_of_links() {
        let url = "/pets?names=jane+public,+john+public&filter=a,%20first+part&pin=%201+2%203";
        let withheld = Withheld::new(&[], url);
        let text = "john public, jane public, first+part, 1+2 3 or 1 2 3";
        let redacted = "[redacted], [redacted], [redacted], [redacted] or [redacted]";
        assert_eq!(withheld.redact(text), redacted);
        assert_eq!(withheld.redact("not john public."), "not [redacted].");
    }

    #[test]
    fn names_and_media_types_are_not_redacted_as_such() {
        let url = "/pets?fields=id,description&accept=application/vnd.a-b+json,text/x-a\
                   &q=jane.doe%40a.example,01234567,users/jane.doe,text/0123";
        let withheld = Withheld::new(&["s3cr3t_token".to_owned()], url);
        let text = "items[0].description: application/vnd.a-b+json or text/x-a of jane.doe@a.example \
                    01234567 s3cr3t_token users/jane.doe text/0123";
        let redacted = "items[0].description: application/vnd.a-b+json or text/x-a of [redacted] \
                        [redacted] [redacted] [redacted] [redacted]";
        assert_eq!(withheld.redact_except_names(text), redacted);
    }
}
