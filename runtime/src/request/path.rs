//! Path templates and the values that fill them.

use std::borrow::Cow;
use std::fmt;

use crate::percent;

/// A path template, such as `/api/v1/automations/{id}`, and the values filled in so far.
#[derive(Clone)]
pub(crate) struct Path {
    template: &'static str,
    filled: Cow<'static, str>,
    /// Whether a value is `.` or `..`.
    has_dots: bool,
    /// The parameter with the longest encoded value, and its length in bytes.
    longest: Option<(&'static str, usize)>,
    fault: Option<PathFault>,
}

/// Why a path cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathFault {
    /// The value is empty, and so would be its segment.
    Empty(&'static str),
    /// The template has no such parameter.
    Unknown(&'static str),
    /// A parameter in this segment of the template has no value.
    Missing(String),
    /// The values make this segment of the template `.` or `..`.
    DotSegment(String),
}

impl Path {
    pub(crate) const fn new(template: &'static str) -> Self {
        Self {
            template,
            filled: Cow::Borrowed(template),
            has_dots: false,
            longest: None,
            fault: None,
        }
    }

    /// Fills in a parameter.
    ///
    /// Encoded values contain neither braces nor slashes, so the rest of the template is unaffected.
    pub(crate) fn fill(&mut self, name: &'static str, value: &str) {
        if value.is_empty() {
            self.fault.get_or_insert(PathFault::Empty(name));
            return;
        }
        let Some((before, after)) = split_at_parameter(&self.filled, name) else {
            self.fault.get_or_insert(PathFault::Unknown(name));
            return;
        };
        let mut filled = String::with_capacity(before.len() + value.len() + after.len() + 8);
        filled.push_str(before);
        filled.extend(percent::encode(value));
        let length = filled.len() - before.len();
        filled.push_str(after);
        if self.longest.is_none_or(|(_, longest)| length > longest) {
            self.longest = Some((name, length));
        }
        self.filled = Cow::Owned(filled);
        self.has_dots |= value == "." || value == "..";
    }

    /// Returns the parameter with the longest encoded value, and its length in bytes.
    pub(crate) fn longest(&self) -> Option<(&str, usize)> {
        self.longest
    }

    /// Returns the encoded path.
    pub(crate) fn finish(&self) -> Result<&str, PathFault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        // The fast path: nothing to check segment by segment.
        if !self.has_dots && !self.filled.as_bytes().contains(&b'{') {
            return Ok(&self.filled);
        }
        for (segment, template) in self.filled.split('/').zip(self.template.split('/')) {
            if segment.contains('{') {
                return Err(PathFault::Missing(template.to_owned()));
            }
            // URL parsers drop dot segments, percent-encoded or not (WHATWG URL, "double-dot URL
            // path segment"), so the request would reach another resource.
            if matches!(segment, "." | "..") && segment != template {
                return Err(PathFault::DotSegment(template.to_owned()));
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

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(name) => write!(
                f,
                "the path parameter `{name}` is empty; give the identifier of the resource"
            ),
            Self::Unknown(name) => write!(f, "the path has no parameter `{name}`"),
            Self::Missing(segment) => write!(f, "the path parameter in `{segment}` is missing"),
            Self::DotSegment(segment) => write!(
                f,
                "the path parameter in `{segment}` is `.` or `..`, \
                 which is not a valid path segment; give the identifier of the resource"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(
        template: &'static str,
        values: &[(&'static str, &str)],
    ) -> Result<String, PathFault> {
        let mut path = Path::new(template);
        for (name, value) in values {
            path.fill(name, value);
        }
        path.finish().map(str::to_owned)
    }

    #[test]
    fn encodes_values_into_one_segment() {
        let hostile = "a/b c%2F?x=1#y{id}ü\\";
        assert_eq!(
            filled("/apps/{app_id}/keys/{id}", &[("app_id", hostile), ("id", "7")]),
            Ok("/apps/a%2Fb%20c%252F%3Fx%3D1%23y%7Bid%7D%C3%BC%5C/keys/7".to_owned())
        );
    }

    #[test]
    fn fills_in_any_order() {
        assert_eq!(filled("/a/{x}/{y}", &[("y", "2"), ("x", "1")]), Ok("/a/1/2".to_owned()));
    }

    #[test]
    fn fills_parts_of_segments() {
        assert_eq!(filled("/a/{x}:pause", &[("x", "..")]), Ok("/a/..:pause".to_owned()));
        assert_eq!(filled("/a/{x}.{y}", &[("x", "1"), ("y", "2")]), Ok("/a/1.2".to_owned()));
    }

    #[test]
    fn faults_name_the_parameter() {
        assert_eq!(filled("/a/{x}", &[("x", "")]), Err(PathFault::Empty("x")));
        assert_eq!(filled("/a/{x}", &[("y", "1"), ("x", "1")]), Err(PathFault::Unknown("y")));
        assert_eq!(filled("/a/{x}/{y}", &[("x", "1")]), Err(PathFault::Missing("{y}".to_owned())));
        assert_eq!(
            filled("/a/{x}/b", &[("x", "..")]),
            Err(PathFault::DotSegment("{x}".to_owned()))
        );
        assert_eq!(
            filled("/a/{x}{y}", &[("x", "."), ("y", ".")]),
            Err(PathFault::DotSegment("{x}{y}".to_owned()))
        );
    }
}
