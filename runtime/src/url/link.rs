//! Links in headers (RFC 8288).

use http::HeaderMap;
use http::header::LINK;
use wire_rules::quoted::unquoted;

const BLANK: [char; 2] = [' ', '\t'];

/// A link with the parameters that describe its target.
pub(crate) struct Link<'a> {
    pub(crate) target: &'a str,
    /// The relations of the first `rel`, separated by spaces.
    pub(crate) relations: Option<String>,
    /// Whether it is a link of another resource than the response.
    pub(crate) has_anchor: bool,
}

/// Returns the target of the first link to the next page, as it is written.
pub(crate) fn next(headers: &HeaderMap) -> Option<&str> {
    let values = headers.get_all(LINK).iter();
    let texts = values.filter_map(|value| str::from_utf8(value.as_bytes()).ok());
    texts.flat_map(links).find(Link::is_next).map(|link| link.target)
}

pub(crate) fn links(mut rest: &str) -> impl Iterator<Item = Link<'_>> {
    std::iter::from_fn(move || link(&mut rest))
}

/// Reads a link, and goes on to the next one (RFC 8288, appendix B.2). What is not a link ends the header.
fn link<'a>(rest: &mut &'a str) -> Option<Link<'a>> {
    *rest = rest.trim_start_matches([',', ' ', '\t']);
    let (target, after) = rest.strip_prefix('<')?.split_once('>')?;
    *rest = after.trim_start_matches(BLANK);
    let mut link = Link { target: target.trim(), relations: None, has_anchor: false };
    while let Some(after) = rest.strip_prefix(';') {
        *rest = after.trim_start_matches(BLANK);
        let name = token(rest);
        let value = match rest.strip_prefix('=') {
            None => String::new(),
            Some(after) => {
                *rest = after.trim_start_matches(BLANK);
                value(rest)
            }
        };
        if name.eq_ignore_ascii_case("rel") {
            link.relations.get_or_insert(value);
        } else if name.eq_ignore_ascii_case("anchor") {
            link.has_anchor = true;
        }
    }
    *rest = rest.split_once(',').map_or("", |(_, after)| after);
    Some(link)
}

/// Reads a token and the blanks after it.
fn token<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find(['=', ';', ',', ' ', '\t']).unwrap_or(rest.len());
    let (token, after) = rest.split_at(end);
    *rest = after.trim_start_matches(BLANK);
    token
}

/// Reads the value of a parameter: a token, or a quoted string (RFC 9110, section 5.6.4).
fn value(rest: &mut &str) -> String {
    let Some(quoted) = rest.strip_prefix('"') else { return token(rest).to_owned() };
    let (value, after) = unquoted(quoted);
    *rest = after.trim_start_matches(BLANK);
    value
}

impl Link<'_> {
    fn is_next(&self) -> bool {
        let mut relations = self.relations.iter().flat_map(|relations| relations.split(BLANK));
        !self.has_anchor && relations.any(|relation| relation.eq_ignore_ascii_case("next"))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_next_page_is_found_as_the_grammar_says() {
        for (values, expected) in [
            (
                &["<https://a.example/x?page=2>; rel=\"next\", </x?page=9>; rel=\"last\""][..],
                Some("https://a.example/x?page=2"),
            ),
            (&["</x?page=1>; rel=prev, </x?page=3>; rel=next"], Some("/x?page=3")),
            (&["</x?a=1,2;b=>; REL = \"last Next\""], Some("/x?a=1,2;b=")),
            (&["</1>; title=\"a, <b>; rel=next\"; rel=prev", "</2>;rel=next"], Some("/2")),
            (&["</1>; title=\"a \\\" b\"; rel=\"ne\\xt\""], Some("/1")),
            (&["</1>; rel=prev; rel=next"], None),
            (&["</1>; rel=next; anchor=\"#part\", </2>; rel=\"next\""], Some("/2")),
            (&["</1>; rel=\"nextpage\", </2>; rel=\"x-next\""], None),
            (&["</1>; crossorigin; rel=next"], Some("/1")),
            (&[", ,</1> ; rel=next"], Some("/1")),
            (&["</1>; rel=\"next"], Some("/1")),
            (&["</1>; rel=next other, </2>; rel=next"], Some("/1")),
            (&["<>; rel=next"], Some("")),
            (&["</1; rel=next", "/1; rel=next", "", "</1>", "</1>; rel", "</1>; rel=", "<"], None),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(LINK, HeaderValue::from_static(value));
            }
            assert_eq!(next(&headers), expected, "{values:?}");
        }
    }
}
