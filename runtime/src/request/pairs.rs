//! The query and the cookies of a request.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::request::parameter::Pair;
use crate::url::percent;

/// Parameters in the order in which they were set, each with its pairs.
#[derive(Clone, Default)]
pub(crate) struct Pairs {
    pairs: Vec<(Cow<'static, str>, Written)>,
}

/// A pair as it is sent.
#[derive(Clone)]
enum Written {
    /// The name of the parameter with this encoded text.
    Own(String),
    /// A whole pair, which can have another name or none.
    Whole(String),
}

impl Pairs {
    /// Sets a parameter to a text, replacing all its pairs, and those of this name that are properties of an object.
    pub(crate) fn set(&mut self, name: Cow<'static, str>, text: &str) {
        self.pairs.retain(|pair| !is_called(pair, &name));
        self.add(name, text);
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.pairs.retain(|(other, _)| other != name);
    }

    pub(crate) fn add(&mut self, name: Cow<'static, str>, text: &str) {
        self.pairs.push((name, Written::Own(percent::encode(text).to_string())));
    }

    pub(crate) fn extend(&mut self, parameter: &'static str, pairs: Vec<Pair>) {
        self.pairs.extend(pairs.into_iter().map(|Pair { name, text }| {
            let whole = name.map_or(text.clone(), |name| format!("{name}={text}"));
            (parameter.into(), Written::Whole(whole))
        }));
    }

    /// Returns the length in bytes: with its names not encoded, an estimate.
    pub(crate) fn len(&self) -> usize {
        self.pairs.iter().map(|(name, written)| name.len() + written.text().len() + 2).sum()
    }

    /// Returns the names of the parameters. Values may be secret.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_ref())
    }

    /// Returns the names of the parameters that the operation describes, which emitted code sets.
    #[cfg(feature = "record")]
    pub(crate) fn described(&self) -> impl Iterator<Item = &'static str> {
        self.pairs.iter().filter_map(|(name, _)| match name {
            Cow::Borrowed(name) => Some(*name),
            Cow::Owned(_) => None,
        })
    }

    /// Returns the texts of a parameter, and of the pairs of this name that are properties of an object.
    pub(crate) fn texts_of(&self, name: &str) -> impl Iterator<Item = String> {
        let pairs = self.pairs.iter().filter(move |pair| is_called(pair, name));
        pairs.map(|(_, written)| {
            let text = match written {
                Written::Own(text) => text,
                Written::Whole(pair) => {
                    pair.split_once('=').map_or(pair.as_str(), |(_, text)| text)
                }
            };
            percent_decode_str(text).decode_utf8_lossy().into_owned()
        })
    }

    /// Appends `?name=text&…` to a URL that may have a query, unless there are no parameters.
    pub(crate) fn push_to(&self, url: &mut String) {
        let first = if url.contains('?') { "&" } else { "?" };
        self.write(first, "&", url);
    }

    /// Returns the value of the header `Cookie` (RFC 6265, section 4.2.1), if there are any.
    pub(crate) fn cookies(&self) -> Option<String> {
        let mut cookies = String::new();
        self.write("", "; ", &mut cookies);
        (!cookies.is_empty()).then_some(cookies)
    }

    fn write(&self, first: &str, separator: &str, text: &mut String) {
        let mut before = first;
        for (name, written) in &self.pairs {
            text.push_str(std::mem::replace(&mut before, separator));
            if let Written::Own(_) = written {
                text.extend(percent::encode(name));
                text.push('=');
            }
            text.push_str(written.text());
        }
    }
}

/// Returns whether a pair is of a parameter, or has its name itself.
fn is_called((parameter, written): &(Cow<'static, str>, Written), name: &str) -> bool {
    let own = match written {
        Written::Own(_) => None,
        Written::Whole(pair) => pair.split_once('='),
    };
    parameter == name || own.is_some_and(|(own, _)| percent_decode_str(own).eq(name.bytes()))
}

impl Written {
    fn text(&self) -> &str {
        match self {
            Self::Own(text) | Self::Whole(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_as_data() {
        let mut query = Pairs::default();
        query.set("page_size".into(), "1");
        query.set("filter".into(), "a&b=c d+é");
        query.set("page_size".into(), "50");
        query.add("tag".into(), "x");
        query.add("tag".into(), "y");
        let mut url = String::from("/a");
        query.push_to(&mut url);
        assert_eq!(url, "/a?filter=a%26b%3Dc%20d%2B%C3%A9&page_size=50&tag=x&tag=y");
        let mut url = String::from("/a?beta=true");
        query.push_to(&mut url);
        assert!(url.starts_with("/a?beta=true&filter="), "{url}");
    }
}
