//! Values in texts that their names make secrets.

use std::ops::Range;

/// Maximum length of a name, or of the start tag of an element of XML, in bytes.
const MAX_NAME: usize = 256;

/// Returns the places of values in a text without escapes: in pairs of a query or a form, in JSON, also in a part of it, in
/// elements of XML, and the users of URLs. In messages, a name without quotes before a colon has none (`has_lines`).
pub(super) fn places(
    text: &str,
    is_secret: &dyn Fn(&str) -> bool,
    has_lines: bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    let separators = text.bytes().enumerate().filter(|(_, byte)| b"=:/>".contains(byte));
    separators.filter_map(move |(at, separator)| {
        // What is within a value is not read again.
        let value = (at >= end).then(|| value(text, (at, separator), is_secret, has_lines))??;
        end = value.end;
        Some(value).filter(|value| !value.is_empty())
    })
}

/// Returns the place of the value after a separator, if it is a secret.
fn value(
    text: &str,
    (at, separator): (usize, u8),
    is_secret: &dyn Fn(&str) -> bool,
    has_lines: bool,
) -> Option<Range<usize>> {
    let rest = &text[at + 1..];
    if separator == b'/' {
        let mut parts = rest.split(|char| ends(char) || char == '/');
        let authority = text[..at].ends_with('/').then(|| parts.next())??;
        return Some(at + 1..at + 1 + authority.rfind('@')?);
    }
    let first = (at.saturating_sub(MAX_NAME)..=at).find(|it| text.is_char_boundary(*it))?;
    let before = text[first..at].trim_end();
    let quotes = ['"', '\''];
    let is_end = |it| ends(it) || it == '=' || it == ':';
    let is_quoted = before.ends_with(quotes);
    let name = match separator {
        b'>' => {
            let (_, tag) = before.rsplit_once('<')?;
            tag.split(char::is_whitespace).next().filter(|_| !tag.ends_with('/'))?
        }
        b':' if !is_quoted && !has_lines => return None,
        // A run of separators has no names.
        _ => before.trim_end_matches(quotes).rsplit(is_end).next()?,
    };
    // A quote after a backslash does not end a name, and a slash begins an end tag.
    if name.ends_with('\\') || name.starts_with('/') || !is_secret(name) {
        return None;
    }
    let trimmed = rest.trim_start();
    let raw = trimmed.strip_prefix("<![CDATA[").filter(|_| separator == b'>');
    let value = raw.unwrap_or(trimmed);
    // Three quotes can begin a text (GraphQL, section 2.9.4).
    let value = value.strip_prefix("\"\"").filter(|it| it.starts_with('"')).unwrap_or(value);
    let start = text.len() - value.len();
    let length = match value.chars().next()? {
        _ if raw.is_some() => value.find("]]>"),
        _ if separator == b'>' => value.find(&format!("</{name}")),
        // A quote before a letter was escaped.
        quote @ ('"' | '\'') => value.match_indices(quote).skip(1).map(|(at, _)| at).find(|at| {
            !value[..*at].ends_with('\\') && !value[at + 1..].starts_with(char::is_alphanumeric)
        }),
        '{' | '[' => None,
        _ if separator == b':' && !is_quoted => value.find(['\r', '\n']),
        _ => value.find(ends),
    };
    let skipped = usize::from(value.starts_with(quotes) && separator != b'>');
    Some(start + skipped..length.map_or(text.len(), |length| start + length))
}

/// Returns whether a character ends a name or a value.
fn ends(char: char) -> bool {
    char.is_whitespace() || char.is_ascii() && b"?&#;,\"'<>(){}".contains(&(char as u8))
}
