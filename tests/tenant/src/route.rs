//! The operation that a request calls.

use std::cmp::Reverse;

/// Returns a path of the spec with `*` for the parameters of a segment.
pub(crate) fn template(path: &str) -> String {
    let segments = path.split('/').map(|segment| match (segment.find('{'), segment.rfind('}')) {
        (Some(start), Some(end)) => format!("{}*{}", &segment[..start], &segment[end + 1..]),
        _ => segment.to_owned(),
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Returns the value of the template with the fewest parameters that a line matches, and the values of these.
pub(crate) fn find<'t, T>(
    templates: impl Iterator<Item = (&'t str, T)>,
    line: &str,
) -> Option<(T, Vec<String>)> {
    let matching = templates
        .filter_map(|(template, value)| Some((template, value, parameters(template, line)?)));
    let best = matching.min_by_key(|(template, _, path)| (path.len(), Reverse(template.len())));
    best.map(|(_, value, path)| (value, path))
}

/// Returns the values of the parameters of a template.
fn parameters(template: &str, line: &str) -> Option<Vec<String>> {
    let mut names = template.split('/');
    let mut parts = line.split('/');
    let mut found = Vec::new();
    loop {
        match (names.next(), parts.next()) {
            (None, None) => return Some(found),
            (Some(name), Some(part)) => match name.split_once('*') {
                Some((start, end)) => {
                    found.push(decoded(part.strip_prefix(start)?.strip_suffix(end)?));
                }
                None if name == part => {}
                None => return None,
            },
            _ => return None,
        }
    }
}

/// Returns a text without percent-encoding.
pub(crate) fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{find, template};

    #[test]
    fn the_most_specific_path_is_called() {
        let paths = ["/hooks/{id}", "/hooks/search", "/hooks/{id}:pause", "/diff/{from}...{to}"];
        let templates = paths.map(template);
        for (path, called, values) in [
            ("/hooks/7", 0, &["7"][..]),
            ("/hooks/search", 1, &[]),
            ("/hooks/a%3Ab:pause", 2, &["a:b"]),
            ("/diff/a...b", 3, &["a...b"]),
        ] {
            let all = templates.iter().enumerate().map(|(index, path)| (path.as_str(), index));
            let (index, found) = find(all, path).unwrap_or_default();
            assert_eq!((index, found), (called, values.iter().map(ToString::to_string).collect()));
        }
        assert!(find([("/hooks/*", ())].into_iter(), "/hooks/7/log").is_none());
    }
}
