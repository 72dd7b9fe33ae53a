//! The URLs of providers, and their variables.

use crate::ir::UrlVariable;
use crate::names;

/// Names of the other arguments of the methods that take variables.
const OTHERS: [&str; 2] = ["client_id", "secret"];

/// Returns whether a URL is the real one, not a placeholder in a domain that never exists (RFC 6761, section 6.4).
pub fn is_usable(url: &str) -> bool {
    let after_scheme = url.split_once("://").map_or("", |(_, after_scheme)| after_scheme);
    let host = after_scheme.split(['/', '?', '#', ':']).next().unwrap_or_default();
    !url.is_empty() && !host.ends_with(".invalid")
}

/// Returns the variables of URLs, such as `{tenant}`, each once. `None` if they cannot be arguments, because a brace is
/// not closed, or because two have the same name in Rust.
pub fn variables<'u>(urls: impl IntoIterator<Item = &'u str>) -> Option<Vec<UrlVariable>> {
    let mut variables: Vec<UrlVariable> = Vec::new();
    for url in urls {
        let mut rest = url;
        while let Some((_, after)) = rest.split_once('{') {
            let (wire, after) = after.split_once('}')?;
            rest = after;
            if variables.iter().any(|variable| variable.wire == wire) {
                continue;
            }
            let name = names::variable(wire);
            if OTHERS.contains(&name.as_str()) || variables.iter().any(|other| other.name == name) {
                return None;
            }
            variables.push(UrlVariable { name, wire: wire.to_owned() });
        }
    }
    Some(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_arguments() {
        for (urls, expected) in [
            (&["https://login.example/token"][..], Some(&[][..])),
            (&["https://{tenant}.example/{tenant}", "/{Realm}/token"], Some(&["tenant", "realm"])),
            (&["https://{type}.example"], Some(&["r#type"])),
            (&["https://{a}.example/{A}"], None),
            (&["https://{client-id}.example"], None),
            (&["https://{tenant.example"], None),
        ] {
            let found = variables(urls.iter().copied());
            let found: Option<Vec<_>> = found
                .as_ref()
                .map(|variables| variables.iter().map(|variable| variable.name.as_str()).collect());
            assert_eq!(found.as_deref(), expected, "{urls:?}");
        }
    }

    #[test]
    fn placeholders_are_left_to_the_user() {
        for (url, expected) in [
            ("https://login.example/token", true),
            ("/token", true),
            ("https://{tenant}.example/token", true),
            ("", false),
            ("https://tenant.invalid/token", false),
            ("https://tenant.invalid:8443/token", false),
        ] {
            assert_eq!(is_usable(url), expected, "{url}");
        }
    }
}
