//! Templates of URLs, whose variables are parts of them: `https://{tenant}.example.com/{version}`.

use std::net::Ipv6Addr;

/// Returns a URL with values in place of its variables, such as `{tenant}`. A variable remains if it has no value, or a
/// value that would change more of the URL than its own part; `unfilled` describes it.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    fill(template, |name, part| {
        let (_, value) = values.iter().find(|(variable, _)| *variable == name)?;
        part.takes(value, "").then_some(value.as_str())
    })
}

/// Returns a URL with the values that a function returns for its variables.
pub(super) fn fill<'v>(template: &str, value: impl Fn(&str, Part) -> Option<&'v str>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, variable, after)) = next(rest) {
        text.push_str(before);
        let start = template.len() - rest.len() + before.len();
        match value(variable, Part::new(&template[..start], after)) {
            Some(value) => text.push_str(value),
            None => text.extend(["{", variable, "}"]),
        }
        rest = after;
    }
    text + rest
}

/// Returns why a URL cannot be used if a variable of its template remains.
pub(crate) fn unfilled(url: &str) -> Option<String> {
    let (before, variable, after) = next(url)?;
    let what = match Part::new(before, after) {
        Part::Scheme => "`http` or `https`",
        Part::Start => "a URL, or one segment of a path",
        Part::Host => "the name of a host",
        Part::Label => "a label of a host: letters, digits, `-` and `_`",
        Part::Port => "a port: digits",
        Part::Segment => "one segment of a path",
        Part::Query => "letters, digits, `-`, `.`, `_` and `~`",
    };
    Some(format!("has no valid value for its variable `{variable}`; it must be {what}"))
}

/// Returns the text before the first variable, its name, and the text after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (variable, after) = rest.split_once('}')?;
    Some((before, variable, after))
}

/// The part of a URL that a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Scheme,
    /// The start of the URL, with or without its host.
    Start,
    /// The host, which may include the port.
    Host,
    /// A label of the host, or a part of one.
    Label,
    Port,
    /// A segment of the path, or a part of one.
    Segment,
    Query,
}

impl Part {
    /// Returns the part between two texts.
    fn new(before: &str, after: &str) -> Self {
        let authority = match before.split_once("//") {
            Some((_, authority)) => authority,
            None if before.contains(['?', '#']) => return Self::Query,
            None if before.contains('/') => return Self::Segment,
            None if after.starts_with("://") => return Self::Scheme,
            None if before.is_empty() => return Self::Start,
            None => return Self::Segment,
        };
        let is_whole = after.is_empty() || after.starts_with([':', '/', '?', '#']);
        match authority.find(['/', '?', '#']) {
            Some(end) if authority[end..].contains(['?', '#']) => Self::Query,
            Some(_) => Self::Segment,
            None if authority.contains(':') => Self::Port,
            None if authority.is_empty() && is_whole => Self::Host,
            None => Self::Label,
        }
    }

    /// Returns whether a value changes no other part. One that has a default may have several labels or segments if the default
    /// has.
    pub(super) fn takes(self, value: &str, default: &str) -> bool {
        match self {
            Self::Scheme => {
                value.chars().all(|char| char.is_ascii_alphabetic()) && !value.is_empty()
            }
            Self::Start if value.contains("://") => !value.contains(['{', '}', '?', '#']),
            Self::Host => is_host(value),
            Self::Label if default.contains('.') => value.split('.').all(is_label),
            Self::Label => is_label(value),
            Self::Port => is_port(value),
            Self::Start | Self::Segment if default.trim_matches('/').contains('/') => {
                value.trim_matches('/').split('/').all(is_segment)
            }
            Self::Start | Self::Segment => is_segment(value),
            Self::Query => !value.is_empty() && value.chars().all(is_unreserved),
        }
    }
}

/// Returns whether a text is a host with or without a port: an address of IPv6, or labels.
fn is_host(text: &str) -> bool {
    let address = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    let (is_name, port) = if let Some((address, port)) = address {
        (address.parse::<Ipv6Addr>().is_ok(), port)
    } else {
        let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
        (name.split('.').all(is_label), port)
    };
    is_name && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_ascii_digit())
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|char| char.is_ascii_alphanumeric() || "-_".contains(char))
}

/// Returns whether a text is one segment of a path (RFC 3986, section 3.3). Those with `%` are refused, because servers decode
/// them at different times.
fn is_segment(text: &str) -> bool {
    let is_part = |char: char| is_unreserved(char) || "!$&'()*+,;=:".contains(char);
    !text.is_empty() && text != "." && text != ".." && text.chars().all(is_part)
}

/// RFC 3986, section 2.3.
fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '.' | '_' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the URL of a template with a value for all its variables, or `None` if they remain.
    fn url(template: &str, value: &str) -> Option<String> {
        let filled = fill(template, |_, part| part.takes(value, "").then_some(value));
        assert_eq!(unfilled(&filled).is_some(), filled == template, "{filled}");
        (filled != template).then_some(filled)
    }

    #[test]
    fn values_fill_their_part() {
        for (template, value, expected) in [
            ("https://{tenant}.example.com", "acme-1", "https://acme-1.example.com"),
            ("https://api-{region}.example.com/v1", "eu", "https://api-eu.example.com/v1"),
            ("//{tenant}.example.com", "acme", "//acme.example.com"),
            ("https://{host}", "acme.example.com:8443", "https://acme.example.com:8443"),
            ("https://{host}/v1", "[::1]:80", "https://[::1]:80/v1"),
            ("https://{host}:443/v1", "acme.example.com", "https://acme.example.com:443/v1"),
            ("https://example.com:{port}/v1", "8443", "https://example.com:8443/v1"),
            ("{scheme}://example.com", "http", "http://example.com"),
            ("{url}/v1", "https://example.com/api", "https://example.com/api/v1"),
            ("{version}/token", "v1", "v1/token"),
            ("https://example.com/{version}", "v1,(a)", "https://example.com/v1,(a)"),
            ("/{realm}/token", "a..b", "/a..b/token"),
            (
                "https://example.com/token?p={policy}",
                "B2C_1~a",
                "https://example.com/token?p=B2C_1~a",
            ),
            ("https://{a}.{a}.com/{a}", "x", "https://x.x.com/x"),
        ] {
            assert_eq!(url(template, value).as_deref(), Some(expected), "{template}");
        }
    }

    #[test]
    fn no_value_changes_another_part() {
        let hostile = [
            "", "/", "evil.test/", "evil.test#", "evil.test?", "evil.test\\", "a@evil.test",
            "a/../b", "..", "a b", "a%2fb", "a\tb", "a\nb", "{a}", "{", "\u{ff0f}", "\u{e9}",
            "a?b", "a#b",
        ];
        for value in hostile {
            for template in [
                "https://{tenant}.example.com",
                "https://{host}",
                "https://{host}/v1",
                "https://example.com:{port}",
                "{scheme}://example.com",
                "{version}/token",
                "https://example.com/{version}/x",
                "/{realm}/token",
            ] {
                assert_eq!(url(template, value), None, "{template} {value:?}");
            }
        }
        for (template, value) in [
            ("https://{tenant}.example.com", "a.b"),
            ("https://{tenant}.example.com", "a:80"),
            ("https://{a}{b}.example.com", "a."),
            ("https://example.com:{port}", "80a"),
            ("https://{host}", "a:b"),
            ("https://{host}", "[evil.test]"),
            ("https://{host}", "a..b"),
            ("{scheme}://example.com", "https://evil.test"),
            ("/{realm}/token", "https://evil.test"),
            ("https://example.com/token?p={policy}", "a&b"),
            ("https://example.com/token?p={policy}", "a#b"),
        ] {
            assert_eq!(url(template, value), None, "{template} {value:?}");
        }
    }

    #[test]
    fn a_default_shows_how_many_parts_a_value_has() {
        assert!(Part::Label.takes("eu.example.com", "example.com"));
        assert!(!Part::Label.takes("eu.example.com/", "example.com"));
        assert!(Part::Segment.takes("api/v2", "api/v1"));
        assert!(Part::Segment.takes("/api/v2/", "/api/v1"));
        assert!(!Part::Segment.takes("api/../v2", "api/v1"));
        assert!(!Part::Segment.takes("api//v2", "api/v1"));
    }

    #[test]
    fn the_reason_names_the_variable_and_its_part() {
        for (url, expected) in [
            ("https://{tenant}.example.com", "`tenant`; it must be a label of a host"),
            ("https://{host}/v1", "`host`; it must be the name of a host"),
            ("https://a.example:{port}/v1", "`port`; it must be a port"),
            ("https://a.example/{version}", "`version`; it must be one segment of a path"),
            ("{scheme}://a.example", "`scheme`; it must be `http` or `https`"),
            ("{base}/v1", "`base`; it must be a URL, or one segment"),
            ("https://a.example/?a={a}", "`a`; it must be letters"),
        ] {
            let why = unfilled(url).unwrap();
            assert!(why.contains(expected), "{url}: {why}");
        }
        assert_eq!(unfilled("https://a.example/{"), None);
    }
}
