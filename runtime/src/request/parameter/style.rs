//! Styles and places of parameters.

use crate::request::parameter::escape::Escape;

/// A style: the syntax of lists and objects (OpenAPI 3.2, "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `blue,black`: of paths and headers (RFC 6570, section 3.2.2).
    Simple,
    /// `.blue.black`: of paths (RFC 6570, section 3.2.5).
    Label,
    /// `;color=blue;color=black`: of paths (RFC 6570, section 3.2.7).
    Matrix,
    /// `color=blue&color=black`: of queries and forms (RFC 6570, section 3.2.8). Cookies are separated by `; ` instead.
    Form,
    /// `color=blue%20black`: of queries and forms.
    SpaceDelimited,
    /// `color=blue%7Cblack`: of queries and forms.
    PipeDelimited,
    /// `color[R]=100&color[G]=200`: of queries and forms. The standard leaves lists undefined.
    DeepObject(ListKeys),
    /// `color=blue; color=black`: of cookies, without percent-encoding.
    Cookie,
    /// The value as JSON: a parameter that is described by `content`.
    Json,
}

/// The content of the brackets of a list element in `deepObject`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListKeys {
    /// The index: `tags[0]=a&tags[1]=b`.
    #[default]
    Indices,
    /// Nothing: `tags[]=a&tags[]=b`.
    Brackets,
    /// There are no brackets: `tags=a&tags=b`.
    Repeated,
}

/// The syntax of a style: a column of the table in RFC 6570, appendix A.
pub(super) struct Syntax {
    /// The text before the first pair in a path.
    pub first: &'static str,
    pub separator: &'static str,
    /// The separator of the elements of a list, and of the names and values of an object, in one text. The second is
    /// percent-encoded.
    pub delimiter: [&'static str; 2],
    /// Whether pairs have the name of the parameter.
    pub is_named: bool,
    /// Whether a name without a text has a `=`.
    pub has_equals: bool,
}

impl Style {
    pub(super) fn syntax(self) -> Syntax {
        let row = |first, separator, delimiter, is_named| Syntax {
            first,
            separator,
            delimiter,
            is_named,
            has_equals: true,
        };
        match self {
            Self::Simple => row("", ",", [","; 2], false),
            Self::Label => row(".", ".", [","; 2], false),
            Self::Matrix => Syntax { has_equals: false, ..row(";", ";", [","; 2], true) },
            Self::Form | Self::DeepObject(_) | Self::Json => row("", "&", [","; 2], true),
            Self::SpaceDelimited => row("", "&", [" ", "%20"], true),
            Self::PipeDelimited => row("", "&", ["|", "%7C"], true),
            Self::Cookie => row("", "; ", [","; 2], true),
        }
    }
}

/// Where a parameter is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Path,
    Query,
    /// The query as a whole.
    QueryString,
    Header,
    Cookie,
}

/// A parameter of an operation, as emitted code describes it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) place: Location,
    pub(crate) name: &'static str,
    pub(crate) style: Style,
    /// Whether each element of a list, and each property of an object, is a pair of its own.
    pub(crate) explode: bool,
    pub(crate) escape: Escape,
    /// Whether integers are strings in JSON.
    pub(crate) as_text: bool,
    /// Whether errors and recordings redact the value.
    pub(crate) is_secret: bool,
}

impl Parameter {
    /// Returns a parameter in the path.
    pub const fn path(name: &'static str) -> Self {
        Self::new(Location::Path, name, Style::Simple, Escape::Unreserved)
    }

    /// Returns a parameter in the query.
    pub const fn query(name: &'static str) -> Self {
        Self::new(Location::Query, name, Style::Form, Escape::Unreserved)
    }

    /// Returns a parameter that is the whole query.
    pub const fn query_string(name: &'static str) -> Self {
        Self::new(Location::QueryString, name, Style::Form, Escape::Unreserved)
    }

    /// Returns a header. Its texts are not percent-encoded (OpenAPI 3.2, appendix D).
    pub const fn header(name: &'static str) -> Self {
        Self::new(Location::Header, name, Style::Simple, Escape::None)
    }

    /// Returns a cookie.
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(Location::Cookie, name, Style::Form, Escape::Unreserved)
    }

    const fn new(place: Location, name: &'static str, style: Style, escape: Escape) -> Self {
        let explode = matches!(style, Style::Form);
        Self { place, name, style, explode, escape, as_text: false, is_secret: false }
    }

    /// Sets the style.
    #[must_use]
    pub const fn style(self, style: Style, explode: bool) -> Self {
        let escape = if matches!(style, Style::Cookie) { Escape::None } else { self.escape };
        Self { style, explode, escape, ..self }
    }

    /// Writes integers as strings in JSON.
    #[must_use]
    pub const fn as_text(self) -> Self {
        Self { as_text: true, ..self }
    }

    /// Redacts the value in errors and recordings.
    #[must_use]
    pub const fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// Sends names and texts without percent-encoding.
    pub(crate) const fn plain(self) -> Self {
        Self { escape: Escape::None, ..self }
    }

    /// Sends reserved characters unescaped, unless they would end the segment, the parameter or the query (RFC 6570,
    /// section 3.2.3).
    #[must_use]
    pub const fn allow_reserved(self) -> Self {
        let escape = match self.place {
            Location::Path => Escape::ReservedInPath,
            _ => Escape::ReservedInQuery,
        };
        Self { escape, ..self }
    }
}
