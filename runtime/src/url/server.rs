//! Servers that a spec names.

use std::borrow::Cow;
use std::fmt;

use super::template::{Part, fill};

/// A server that some operations have instead of the base URL; emitted crates list them in `servers`.
pub trait Server: Into<String> {
    /// The index of the server in the service.
    #[doc(hidden)]
    const INDEX: usize;
}

/// A server of operations, as in the spec.
#[derive(Debug)]
pub struct OwnServer {
    /// The name of its type.
    pub name: &'static str,
    /// The environment variable with its URL, after the prefix of the API.
    pub variable: &'static str,
    /// Its URL, with the defaults of the variables. It can be relative to the base URL.
    pub url: &'static str,
}

/// The URL of a server: a template and the values of its variables.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl {
    template: Cow<'static, str>,
    variables: Vec<Variable>,
}

#[derive(Clone, PartialEq, Eq)]
struct Variable {
    name: &'static str,
    default: &'static str,
    /// The value, and whether the spec lists it.
    value: Option<(String, bool)>,
}

impl ServerUrl {
    /// Returns the URL of a template, with the defaults of its variables.
    pub fn new(template: &'static str, defaults: &[(&'static str, &'static str)]) -> Self {
        let variables =
            defaults.iter().map(|(name, default)| Variable { name, default, value: None });
        Self { template: Cow::Borrowed(template), variables: variables.collect() }
    }

    /// Returns another URL.
    pub fn at(url: impl Into<String>) -> Self {
        Self { template: Cow::Owned(url.into()), variables: Vec::new() }
    }

    /// Sets a variable, if the URL has it. A value that the spec does not list, and that changes more of the URL than its own
    /// part, is left out, so that no client can be built.
    pub fn set(&mut self, variable: &str, value: impl AsRef<str>, is_listed: bool) {
        for found in self.variables.iter_mut().filter(|found| found.name == variable) {
            found.value = Some((value.as_ref().to_owned(), is_listed));
        }
    }
}

impl Variable {
    fn text(&self, part: Part) -> Option<&str> {
        let Some((value, is_listed)) = &self.value else { return Some(self.default) };
        let is_valid = *is_listed || value == self.default || part.takes(value, self.default);
        is_valid.then_some(value)
    }
}

impl From<ServerUrl> for String {
    fn from(url: ServerUrl) -> Self {
        fill(&url.template, |name, part| {
            url.variables.iter().find(|variable| variable.name == name)?.text(part)
        })
    }
}

/// Shows the URL unless it could contain a password.
impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = String::from(self.clone());
        let shown = if url.contains('@') { "(with credentials)" } else { &url };
        f.debug_tuple("ServerUrl").field(&shown).finish()
    }
}

/// Adds the impls of the type of a server, after its definition.
#[doc(hidden)]
#[macro_export]
macro_rules! __server {
    ($type:ident = $url:literal { $($variable:literal = $default:literal),* $(,)? }) => {
        impl $type {
            /// The URL in the spec.
            pub const URL: &'static str = $url;

            /// Returns the server of the spec, with the defaults of its variables.
            pub fn new() -> Self {
                Self { url: $crate::internal::ServerUrl::new(Self::URL, &[$(($variable, $default)),*]) }
            }

            /// Returns a server with another URL, such as one in a test.
            pub fn at(url: impl ::core::convert::Into<::std::string::String>) -> Self {
                Self { url: $crate::internal::ServerUrl::at(url) }
            }
        }

        impl ::core::default::Default for $type {
            fn default() -> Self {
                Self::new()
            }
        }

        #[allow(clippy::from_over_into, reason = "the impl belongs to the server in the documentation")]
        impl ::core::convert::Into<::std::string::String> for $type {
            fn into(self) -> ::std::string::String {
                self.url.into()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_defaults_and_values() {
        let mut url = ServerUrl::new("https://{a}.{b}.x/{c}", &[("a", "one"), ("b", "{a}")]);
        assert_eq!(String::from(url.clone()), "https://one.{a}.x/{c}");
        url.set("b", "two", false);
        url.set("c", "nothing", false);
        assert_eq!(String::from(url), "https://one.two.x/{c}");
        assert_eq!(String::from(ServerUrl::new("{", &[])), "{");
    }

    #[test]
    fn only_listed_values_change_other_parts() {
        let mut url = ServerUrl::new("https://{at}", &[("at", "example.com/v1")]);
        url.set("at", "eu.example.com/v1", false);
        assert_eq!(String::from(url.clone()), "https://{at}");
        url.set("at", "eu.example.com/v1", true);
        assert_eq!(String::from(url.clone()), "https://eu.example.com/v1");
        url.set("at", "example.com/v1", false);
        assert_eq!(String::from(url), "https://example.com/v1");
    }

    #[test]
    fn passwords_are_not_shown() {
        assert!(!format!("{:?}", ServerUrl::at("https://me:hunter2@x")).contains("hunter2"));
    }
}
