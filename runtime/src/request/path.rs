//! Path templates and the values that fill them.

use std::borrow::Cow;

use crate::url::{base_url, percent};

/// A path template, such as `/api/v1/automations/{id}`, and the values filled in so far.
#[derive(Clone)]
pub(crate) struct Path {
    template: &'static str,
    filled: Cow<'static, str>,
    /// The reason why the path cannot be sent.
    fault: Option<String>,
}

impl Path {
    pub(crate) const fn new(template: &'static str) -> Self {
        Self { template, filled: Cow::Borrowed(template), fault: None }
    }

    /// Fills in a parameter.
    ///
    /// Encoded values contain neither braces nor slashes, so the rest of the template is unaffected.
    pub(crate) fn fill(&mut self, name: &'static str, value: &str) {
        if value.is_empty() {
            return self.refuse_empty(name);
        }
        self.fill_encoded(name, percent::encode(value));
    }

    /// Fails because a value is empty.
    pub(crate) fn refuse_empty(&mut self, name: &str) {
        self.refuse(format!(
            "the path parameter `{name}` is empty; pass the identifier of the resource"
        ));
    }

    /// Fills in a parameter with an encoded value.
    pub(crate) fn fill_encoded<'a>(
        &mut self,
        name: &'static str,
        value: impl IntoIterator<Item = &'a str>,
    ) {
        let Some((before, after)) = split_at_parameter(&self.filled, name) else {
            return self.refuse(format!("the path has no parameter `{name}`"));
        };
        let mut filled = String::with_capacity(self.filled.len() + 24);
        filled.push_str(before);
        filled.extend(value);
        filled.push_str(after);
        self.filled = Cow::Owned(filled);
    }

    fn refuse(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    /// Returns the encoded path, or the reason why it cannot be sent.
    pub(crate) fn finish(&self) -> Result<&str, String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        for (segment, template) in self.filled.split('/').zip(self.template.split('/')) {
            if segment.contains('{') {
                return Err(format!("the path parameter in `{template}` is missing"));
            }
            // URL parsers drop dot segments, so the request would reach another resource. A template can have a query.
            let in_path = segment.split('?').next().unwrap_or(segment);
            if base_url::is_dot_segment(in_path) && segment != template {
                return Err(format!(
                    "the path parameter in `{template}` is `.` or `..`, \
                     which is not a valid path segment; give the identifier of the resource"
                ));
            }
        }
        Ok(&self.filled)
    }
}

fn split_at_parameter<'a>(path: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    path.match_indices('{').find_map(|(at, _)| {
        let after = path[at..].strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?;
        Some((&path[..at], after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fill_parameters_in_any_order() {
        let hostile = "a/b c%2F?x=1#y{id}ü\\";
        for (template, values, expected) in [
            ("/a/{x}/{y}", &[("y", "2"), ("x", "1")][..], Ok("/a/1/2")),
            ("/a/{x}/b", &[("x", hostile)], Ok("/a/a%2Fb%20c%252F%3Fx%3D1%23y%7Bid%7D%C3%BC%5C/b")),
            ("/a/{x}:pause", &[("x", "..")], Ok("/a/..:pause")),
            ("/a/{x}?b=1", &[("x", "1")], Ok("/a/1?b=1")),
            ("/a/{x}?b=1", &[("x", "..")], Err("is `.` or `..`")),
            ("/a/{x}.{y}", &[("x", "1"), ("y", "2")], Ok("/a/1.2")),
            ("/a/{x}", &[("x", "")], Err("`x` is empty")),
            ("/a/{x}", &[("y", "1"), ("x", "1")], Err("has no parameter `y`")),
            ("/a/{x}/{y}", &[("x", "1")], Err("parameter in `{y}` is missing")),
            ("/a/{x}/b", &[("x", "..")], Err("in `{x}` is `.` or `..`")),
            ("/a/{x}{y}", &[("x", "."), ("y", ".")], Err("in `{x}{y}` is `.` or `..`")),
        ] {
            let mut path = Path::new(template);
            for (name, value) in values {
                path.fill(name, value);
            }
            match (path.finish(), expected) {
                (Err(fault), Err(expected)) => assert!(fault.contains(expected), "{fault}"),
                (filled, expected) => assert_eq!(filled.as_deref(), Ok(expected.unwrap())),
            }
        }
    }
}
