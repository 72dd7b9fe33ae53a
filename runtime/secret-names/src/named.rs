//! Values in texts that their names make secrets.

use std::ops::Range;

use super::is_secret;

/// Returns the places of values in a text without escapes: in pairs of a query or a form, in JSON, also in a part of it, in
/// elements of XML, and the users of URLs.
pub(super) fn places(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    text.match_indices(['=', ':', '/', '>']).filter_map(move |(at, separator)| {
        // What is within a value is not read again.
        let value = (at >= end).then(|| value(text, at, separator))??;
        end = value.end;
        Some(value).filter(|value| !value.is_empty())
    })
}

/// Returns the place of the value after a separator, if it is a secret.
fn value(text: &str, at: usize, separator: &str) -> Option<Range<usize>> {
    let rest = &text[at + 1..];
    if separator == "/" {
        let authority = rest.split(|char| ends(char) || char == '/').next()?;
        let user = authority.rfind('@').filter(|_| text[..at].ends_with('/'))?;
        return Some(at + 1..at + 1 + user);
    }
    let before = text[..at].trim_end();
    let first = before.char_indices().nth_back(128).map_or(0, |(first, _)| first);
    let name = before[first..].trim_end_matches(['"', '\'']).rsplit(ends).next()?;
    let is_named = match separator {
        ":" => before.ends_with(['"', '\'']),
        ">" => text[..at].strip_suffix(name)?.ends_with('<') && !name.starts_with('/'),
        _ => true,
    };
    if !is_named || !is_secret(name) {
        return None;
    }
    let value = rest.trim_start();
    let start = text.len() - value.len();
    let length = match value.chars().next()? {
        _ if separator == ">" => value.find('<'),
        // A quote before a letter was escaped.
        quote @ ('"' | '\'') => value
            .match_indices(quote)
            .skip(1)
            .map(|(at, _)| at)
            .find(|at| !value[at + 1..].starts_with(char::is_alphanumeric)),
        '{' | '[' => None,
        _ => value.find(ends),
    };
    let skipped = usize::from(value.starts_with(['"', '\'']));
    Some(start + skipped..length.map_or(text.len(), |length| start + length))
}

/// Returns whether a character ends a name or a value.
fn ends(char: char) -> bool {
    char.is_whitespace() || "?&#;,\"'<>(){}".contains(char)
}
