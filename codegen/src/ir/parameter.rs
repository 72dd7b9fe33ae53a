//! Parameters of operations.

use super::{Docs, FieldName, Location, Type};

/// A parameter of an operation.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub location: Location,
    /// The name of the argument or the setter.
    pub name: FieldName,
    /// The name on the wire.
    pub wire: String,
    /// The type of its value.
    pub ty: Type,
    /// The kind of its value, as its style distinguishes them.
    pub kind: ParameterKind,
    /// How its value is written.
    pub serialization: Serialization,
    /// Whether callers have to pass it.
    pub required: bool,
    /// The only value that the document allows, of a required parameter: requests have it from the start.
    pub constant: Option<String>,
    /// Whether its value, or a part of it, is a secret.
    pub is_secret: bool,
    /// Whether it is the header by which the server recognizes the attempts of a call. Calls have one by themselves.
    pub is_idempotency_key: bool,
    /// The documentation of the parameter.
    pub docs: Docs,
    /// The JSON pointer to the parameter.
    pub pointer: String,
}

/// The kind of the value of a parameter, as styles distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A scalar with one textual form.
    Scalar,
    /// A list of such scalars, also where one of them is allowed instead.
    List,
    /// Any other value.
    Value,
}

/// How the value of a parameter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serialization {
    pub style: Style,
    /// Whether each element of a list, and each property of an object, is a pair of its own.
    pub explode: bool,
    /// Whether reserved characters are sent as they are.
    pub allow_reserved: bool,
}

impl Serialization {
    /// Returns how values at a location are written by default.
    pub fn of(location: Location) -> Self {
        let style = match location {
            Location::Path | Location::Header => Style::Simple,
            Location::Query | Location::QueryString | Location::Cookie => Style::Form,
        };
        Self { style, explode: style == Style::Form, allow_reserved: false }
    }
}

/// A style (OpenAPI 3.2, "Style Values").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    /// `deepObject`, with the content of the brackets of a list element.
    DeepObject(ListKeys),
    Cookie,
    /// No style: the value is JSON, as `content` describes it.
    Json,
}

/// The content of the brackets of a list element in `deepObject`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListKeys {
    /// Its index: `name[0]=`.
    #[default]
    Indices,
    /// Nothing: `name[]=`.
    Brackets,
    /// There are no brackets: `name=`.
    Repeated,
}

impl ListKeys {
    /// Returns the keys of a name in `codegen.toml`.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Indices, Self::Brackets, Self::Repeated];
        all.into_iter().find(|keys| keys.name() == name)
    }

    /// Returns their name in `codegen.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Indices => "indices",
            Self::Brackets => "brackets",
            Self::Repeated => "repeated",
        }
    }
}

impl Style {
    /// All styles.
    pub const ALL: [Self; 11] = [
        Self::Simple,
        Self::Label,
        Self::Matrix,
        Self::Form,
        Self::SpaceDelimited,
        Self::PipeDelimited,
        Self::DeepObject(ListKeys::Indices),
        Self::DeepObject(ListKeys::Brackets),
        Self::DeepObject(ListKeys::Repeated),
        Self::Cookie,
        Self::Json,
    ];

    /// Returns the name of the style: the document's, except for JSON and for the keys of lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Label => "label",
            Self::Matrix => "matrix",
            Self::Form => "form",
            Self::SpaceDelimited => "spaceDelimited",
            Self::PipeDelimited => "pipeDelimited",
            Self::DeepObject(ListKeys::Indices) => "deepObject",
            Self::DeepObject(ListKeys::Brackets) => "deepObjectBrackets",
            Self::DeepObject(ListKeys::Repeated) => "deepObjectRepeated",
            Self::Cookie => "cookie",
            Self::Json => "json",
        }
    }

    /// Returns the style of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }
}

impl Parameter {
    /// Returns whether the value is written by default, so that nothing has to be set.
    pub fn is_plain(&self) -> bool {
        let default = Serialization::of(self.location);
        self.kind == ParameterKind::Scalar
            && self.serialization.style == default.style
            && !self.serialization.allow_reserved
    }

    /// Returns the separator of a list that is one text.
    pub fn separator(&self) -> Option<&'static str> {
        let Serialization { style, explode, .. } = self.serialization;
        let is_list = self.kind == ParameterKind::List;
        match style {
            Style::SpaceDelimited => Some(" "),
            Style::PipeDelimited => Some("|"),
            _ => Some(","),
        }
        .filter(|_| is_list && !explode)
    }
}
