//! The query of a request.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::url::percent;

/// Query parameters in the order in which they were set.
#[derive(Clone, Default)]
pub(crate) struct Query {
    pairs: Vec<(Cow<'static, str>, String)>,
}

impl Query {
    /// Sets a parameter, replacing all its values.
    pub(crate) fn set(&mut self, name: Cow<'static, str>, value: String) {
        self.remove(&name);
        self.pairs.push((name, value));
    }

    /// Removes a parameter.
    pub(crate) fn remove(&mut self, name: &str) {
        self.pairs.retain(|(other, _)| other != name);
    }

    /// Adds a value to a parameter.
    pub(crate) fn add(&mut self, name: Cow<'static, str>, value: String) {
        self.pairs.push((name, value));
    }

    /// Returns the length of the query in bytes, before encoding.
    pub(crate) fn len(&self) -> usize {
        self.pairs.iter().map(|(name, value)| name.len() + value.len() + 2).sum()
    }

    /// Returns the parameter whose encoded values are longest, and their length in bytes.
    pub(crate) fn longest(&self) -> Option<(&str, usize)> {
        let mut lengths = BTreeMap::<&str, usize>::new();
        for (name, value) in &self.pairs {
            *lengths.entry(name).or_default() +=
                percent::encode(value).map(str::len).sum::<usize>();
        }
        lengths.into_iter().max_by_key(|(_, length)| *length)
    }

    /// Returns the names of the parameters. Values may be secret.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_ref())
    }

    /// Appends `?name=value&…` to a URL that may have a query, unless there are no parameters.
    pub(crate) fn push_to(&self, url: &mut String) {
        let mut separator = if url.contains('?') { '&' } else { '?' };
        for (name, value) in &self.pairs {
            url.push(std::mem::replace(&mut separator, '&'));
            url.extend(percent::encode(name));
            url.push('=');
            url.extend(percent::encode(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_values_as_data() {
        let mut query = Query::default();
        query.set("page_size".into(), "1".to_owned());
        query.set("filter".into(), "a&b=c d+é".to_owned());
        query.set("page_size".into(), "50".to_owned());
        query.add("tag".into(), "x".to_owned());
        query.add("tag".into(), "y".to_owned());
        let mut url = String::from("/a");
        query.push_to(&mut url);
        assert_eq!(url, "/a?filter=a%26b%3Dc%20d%2B%C3%A9&page_size=50&tag=x&tag=y");
        let mut url = String::from("/a?beta=true");
        query.push_to(&mut url);
        assert!(url.starts_with("/a?beta=true&filter="), "{url}");
    }

    #[test]
    fn longest_counts_all_encoded_values() {
        let mut query = Query::default();
        assert_eq!(query.longest(), None);
        query.set("plain".into(), "a".repeat(9));
        query.set("encoded".into(), "é".repeat(2));
        assert_eq!(query.longest(), Some(("encoded", 12)));
        for _ in 0..3 {
            query.add("list".into(), "12345".to_owned());
        }
        assert_eq!(query.longest(), Some(("list", 15)));
    }
}
