//! Where the parts of HTTP messages are, as documents name it.

use std::fmt;

/// A status or a range of statuses: the key of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// A range such as `4XX`, by its first digit.
    Range(u8),
    /// `default`.
    Default,
}

impl Status {
    /// Parses the key of a response (OpenAPI 3.1.1 §4.8.16.2).
    pub(crate) fn parse(key: &str) -> Option<Self> {
        let [first @ b'1'..=b'5', rest @ ..] = key.as_bytes() else {
            return (key == "default").then_some(Self::Default);
        };
        match rest {
            [b'X' | b'x', b'X' | b'x'] => Some(Self::Range(first - b'0')),
            [b'0'..=b'9', b'0'..=b'9'] => key.parse().ok().map(Self::Code),
            _ => None,
        }
    }

    /// Returns whether the range contains the statuses of another key.
    pub fn contains(self, other: Self) -> bool {
        match (self, other) {
            (Self::Default, _) => true,
            (Self::Range(range), Self::Code(code)) => code / 100 == u16::from(range),
            (one, other) => one == other,
        }
    }
}

/// The key in the document; a phrase for the default.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Range(range) => write!(f, "{range}XX"),
            Self::Default => f.write_str("any other status"),
        }
    }
}

/// Where a parameter is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// As the whole query (OpenAPI 3.2).
    QueryString,
    /// In a header.
    Header,
    /// In a cookie.
    Cookie,
}

impl Location {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Path, Self::Query, Self::QueryString, Self::Header, Self::Cookie];
        all.into_iter().find(|location| location.name() == name)
    }

    /// Returns the name of the location.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::QueryString => "querystring",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn codes_ranges_and_the_default_are_keys_of_responses() {
        assert_eq!(Status::parse("204"), Some(Status::Code(204)));
        assert_eq!(Status::parse("4XX"), Some(Status::Range(4)));
        assert_eq!(Status::parse("default"), Some(Status::Default));
        for wrong in ["", "2", "20", "2000", "099", "600", "2X0", "4X", "ok", "2é"] {
            assert_eq!(Status::parse(wrong), None, "{wrong}");
        }
    }
}
