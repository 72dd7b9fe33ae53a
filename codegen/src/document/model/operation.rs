//! Paths, operations, parameters, bodies and responses.

use super::Schema;
use crate::source_map::Pointer;

/// Something written in place, or a `$ref` to it.
#[derive(Clone, Debug)]
pub enum RefOr<T> {
    /// A reference.
    Ref(Reference),
    /// The thing itself.
    Item(T),
}

impl<T> RefOr<T> {
    /// Returns what is written in place.
    pub fn item(&self) -> Option<&T> {
        match self {
            Self::Item(item) => Some(item),
            Self::Ref(_) => None,
        }
    }
}

/// A `$ref` as written.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Where the object that holds the `$ref` is written.
    pub pointer: Pointer,
    /// The reference's target, as written (`#/components/…`).
    pub target: String,
}

/// The fields of a path item that hold an operation, with the HTTP methods (RFC 9110 §9.3, RFC 5789).
pub(crate) const METHODS: [(&str, &str); 8] = [
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("options", "OPTIONS"),
    ("head", "HEAD"),
    ("patch", "PATCH"),
    ("trace", "TRACE"),
];

/// Returns whether a field of a path item holds an operation.
pub(crate) fn is_method(field: &str) -> bool {
    METHODS.iter().any(|(name, _)| *name == field)
}

/// The operations of one path.
#[derive(Clone, Debug)]
pub struct PathItem {
    /// Where the path item is written.
    pub pointer: Pointer,
    /// A one-line summary for all operations.
    pub summary: Option<String>,
    /// A description for all operations.
    pub description: Option<String>,
    /// Parameters of all operations.
    pub parameters: Vec<RefOr<Parameter>>,
    /// The operations.
    pub operations: Vec<(&'static str, Operation)>,
}

/// One operation.
#[derive(Clone, Debug)]
#[allow(clippy::struct_field_names, reason = "the fields are called as in the standard")]
pub struct Operation {
    /// Where the operation is written.
    pub pointer: Pointer,
    /// The `operationId`.
    pub operation_id: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// A one-line summary.
    pub summary: Option<String>,
    /// A description in CommonMark.
    pub description: Option<String>,
    /// Parameters, beside those of the path item.
    pub parameters: Vec<RefOr<Parameter>>,
    /// The request body.
    pub request_body: Option<RefOr<RequestBody>>,
    /// The responses by status.
    pub responses: Vec<(StatusKey, RefOr<Response>)>,
    /// Whether the operation is deprecated.
    pub deprecated: bool,
    /// The `x-rust-name` extension.
    pub rust_name: Option<String>,
}

/// The key of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusKey {
    /// One status code.
    Code(u16),
    /// A range such as `4XX`, by its first digit.
    Range(u8),
    /// `default`.
    Default,
}

/// Where a parameter is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParameterIn {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In a cookie.
    Cookie,
}

/// How a parameter's value is written (OpenAPI 3.1 §4.8.12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `matrix`.
    Matrix,
    /// `label`.
    Label,
    /// `simple`.
    Simple,
    /// `form`.
    Form,
    /// `spaceDelimited`.
    SpaceDelimited,
    /// `pipeDelimited`.
    PipeDelimited,
    /// `deepObject`.
    DeepObject,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Where the parameter is written.
    pub pointer: Pointer,
    /// The name on the wire.
    pub name: String,
    /// Where it is sent.
    pub location: ParameterIn,
    /// A description in CommonMark.
    pub description: Option<String>,
    /// Whether it must be given. Always true in the path.
    pub required: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    #[allow(dead_code, reason = "lists and objects are sent as text so far")]
    /// The style, its default filled in from the location.
    pub style: Style,
    #[allow(dead_code, reason = "lists and objects are sent as text so far")]
    /// Whether arrays and objects are written as separate parameters, its default filled in from the style.
    pub explode: bool,
    /// What the value is.
    pub content: ParameterContent,
    /// The `x-rust-name` extension.
    pub rust_name: Option<String>,
}

/// What a parameter's value is.
#[derive(Clone, Debug)]
pub enum ParameterContent {
    /// A schema, written in the parameter's style.
    Schema(Box<Schema>),
    /// A serialized media type.
    Media,
    /// Neither is given: any text.
    Unspecified,
}

/// A request body.
#[derive(Clone, Debug)]
pub struct RequestBody {
    /// Where the body is written.
    pub pointer: Pointer,
    /// Whether it must be sent.
    pub required: bool,
    /// The media types.
    pub content: Vec<MediaType>,
}

/// One media type of a body.
#[derive(Clone, Debug)]
pub struct MediaType {
    /// Where the media type is written.
    pub pointer: Pointer,
    /// Its name, such as `application/json`, as written.
    pub name: String,
    /// The schema of the body.
    pub schema: Option<Schema>,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Response {
    /// Where the response is written.
    pub pointer: Pointer,
    /// The media types.
    pub content: Vec<MediaType>,
}
