//! The base URL that paths are appended to.

use http::uri::{self, Uri};

use super::origin::Origin;
use super::template::unfilled;

/// Maximum length of a [`Uri`], in bytes.
const MAX_LENGTH: usize = 65_534;

/// An absolute `http` or `https` URL without query, fragment, credentials and trailing slash.
#[derive(Clone, Debug)]
pub(crate) struct BaseUrl {
    pub(crate) text: String,
    uri: Uri,
    pub(crate) origin: Origin,
}

impl BaseUrl {
    /// Parses a base URL, or returns why it is invalid, without its name as the subject.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong =
            |what: &str| Err(format!("{what}; use one such as `https://tenant.example.com`"));
        if text.is_empty() {
            return wrong("is empty");
        }
        if let Some(why) = unfilled(text) {
            return Err(why);
        }
        // These can contain secrets, so the URL is not quoted.
        if text.contains('@') {
            return wrong("contains credentials (`@`); remove them");
        }
        if text.contains(['?', '#']) {
            return wrong("has a query or a fragment; remove it");
        }
        if !text.contains("://") {
            return wrong(&format!("`{text}` has no scheme"));
        }
        let Ok(uri) = text.parse::<Uri>() else {
            return wrong(&format!("`{text}` is not a URL"));
        };
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return wrong(&format!("`{text}` is neither http nor https"));
        }
        let Some(origin) = Origin::new(&uri) else {
            return wrong(&format!("`{text}` has no host or an invalid port"));
        };
        if uri.path().split('/').any(is_dot_segment) {
            return wrong(&format!("`{text}` has a `.` or `..` in its path"));
        }
        Ok(Self { text: text.trim_end_matches('/').to_owned(), uri, origin })
    }

    /// Returns the path, empty or without a trailing slash.
    pub(crate) fn prefix(&self) -> &str {
        self.uri.path().trim_end_matches('/')
    }

    /// Returns the number of bytes by which a URL with this path and query is too long.
    pub(crate) fn excess(&self, path_and_query: &str) -> Option<usize> {
        let origin = self.text.len() - self.prefix().len();
        let excess = (origin + path_and_query.len()).saturating_sub(MAX_LENGTH);
        (excess > 0).then_some(excess)
    }

    /// Returns the URL of a path and query that begin with the prefix.
    pub(crate) fn with_path_and_query(&self, path_and_query: String) -> Result<Uri, http::Error> {
        uri::Builder::from(self.uri.clone()).path_and_query(path_and_query).build()
    }

    /// Resolves a reference, absolute or relative, against this URL as a folder (RFC 3986, section
    /// 5.2).
    pub(crate) fn resolve(&self, reference: &str) -> Option<Uri> {
        let base = format!("{}/", self.text).parse().ok()?;
        resolve(&base, reference)
    }
}

/// Returns whether a segment of a path is `.` or `..`, percent-encoded or not (WHATWG URL, "single-dot URL path segment").
pub(crate) fn is_dot_segment(segment: &str) -> bool {
    segment.len() <= "%2e%2e".len()
        && matches!(&*segment.to_ascii_lowercase().replace("%2e", "."), "." | "..")
}

/// Resolves a reference against a URL (RFC 3986, section 5.2), without its fragment.
pub(crate) fn resolve(base: &Uri, reference: &str) -> Option<Uri> {
    let reference = reference.split('#').next()?.trim();
    let scheme = base.scheme_str()?;
    let authority = base.authority()?;
    let is_absolute = reference.split(['/', '?']).next().is_some_and(|head| head.contains(':'));
    let url = if is_absolute {
        reference.to_owned()
    } else if reference.starts_with("//") {
        format!("{scheme}:{reference}")
    } else if reference.starts_with('/') {
        format!("{scheme}://{authority}{reference}")
    } else if reference.is_empty() {
        return Some(base.clone());
    } else if reference.starts_with('?') {
        format!("{scheme}://{authority}{}{reference}", base.path())
    } else {
        let folder = base.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{reference}")
    };
    let url: Uri = url.parse().ok()?;
    if !url.path().split('/').any(|segment| matches!(segment, "." | "..")) {
        return Some(url);
    }
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let target = format!("{}{query}", without_dot_segments(url.path()));
    uri::Builder::from(url).path_and_query(target).build().ok()
}

/// Removes the segments `.` and `..` of an absolute path (RFC 3986, section 5.2.4).
fn without_dot_segments(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    let mut rest = path.split('/').skip(1).peekable();
    while let Some(segment) = rest.next() {
        let is_dots = matches!(segment, "." | "..");
        if segment == ".." {
            segments.pop();
        }
        match (is_dots, rest.peek()) {
            (false, _) => segments.push(segment),
            (true, None) => segments.push(""),
            (true, Some(_)) => {}
        }
    }
    format!("/{}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_slashes_are_removed() {
        for (given, expected) in [
            ("https://a.example", "https://a.example"),
            ("https://a.example/", "https://a.example"),
            (" https://a.example/tenant/x/ ", "https://a.example/tenant/x"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(BaseUrl::parse(given).unwrap().text, expected);
        }
    }

    #[test]
    fn invalid_urls_are_refused() {
        for (given, what) in [
            ("", "is empty"),
            ("tenant.example.com", "has no scheme"),
            ("ftp://a.example", "neither http nor https"),
            ("https://user:hunter2@a.example", "contains credentials"),
            ("https://a.example/?key=hunter2", "has a query"),
            ("https://a.example:99999", "an invalid port"),
            ("https://a.example:0", "an invalid port"),
            ("https://a.example:http", "an invalid port"),
            ("https://a.example?x=1", "query or a fragment"),
            ("https://a.example/#x", "query or a fragment"),
            ("https://a.example/../x", "`..` in its path"),
            ("https://a.example/%2E%2e/x", "`..` in its path"),
            ("https://", "is not a URL"),
            ("https://{tenant}.example", "no valid value for its variable `tenant`"),
            ("https://a b.example", "is not a URL"),
        ] {
            let error = BaseUrl::parse(given).unwrap_err();
            assert!(error.contains(what), "{given}: {error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn references_are_resolved() {
        let base = BaseUrl::parse("https://a.example:8443/tenant").unwrap();
        for (reference, url) in [
            ("auth/token", "https://a.example:8443/tenant/auth/token"),
            ("/auth/token", "https://a.example:8443/auth/token"),
            ("//b.example/token", "https://b.example/token"),
            ("https://b.example/token?x=1", "https://b.example/token?x=1"),
            ("?x=1", "https://a.example:8443/tenant/?x=1"),
            ("/a#fragment", "https://a.example:8443/a"),
        ] {
            assert_eq!(base.resolve(reference).unwrap(), url);
        }
        assert!(base.resolve("https://a b/").is_none());
    }

    #[test]
    fn references_are_resolved_as_in_the_examples_of_the_standard() {
        let base: Uri = "http://a/b/c/d;p?q".parse().unwrap();
        for (reference, url) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g/"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("?at=1:2", "http://a/b/c/d;p?at=1:2"),
        ] {
            assert_eq!(resolve(&base, reference).unwrap(), url, "{reference}");
        }
    }
}
