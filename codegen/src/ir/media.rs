//! Media types of request bodies.

use super::Serialization;
use crate::media_type::{MediaKind, is_merge_patch};

/// The media type of a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The name that is sent, such as `application/json`.
    pub name: String,
    /// How the value of the body is written.
    pub format: Format,
    /// The JSON pointer to it, unless it is the default of its operation.
    pub pointer: Option<String>,
}

/// The form of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    /// A form (`application/x-www-form-urlencoded`), and the properties that are not written by their type.
    Form(Vec<Encoding>),
    /// A form in parts, such as `multipart/form-data`, and the properties that are not written by their type. In a list of
    /// parts, the encodings have the indices of elements instead of names, and `*` for all others.
    Multipart(Vec<Encoding>),
    /// A list of JSON values, each in a line or a record.
    Lines,
    Text,
    /// Content that is sent as it is.
    Upload,
}

/// The encoding of a property of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The name of the property on the wire.
    pub property: String,
    /// How its value is written.
    pub rule: EncodingRule,
    pub headers: Vec<PartHeader>,
}

/// A header that a part of a form needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartHeader {
    pub name: String,
    /// The value that is sent; without one, callers add the header to the file.
    pub value: Option<String>,
}

impl EncodingRule {
    /// Returns whether content is written in JSON: its only media type is JSON, and not a range.
    pub fn is_json(&self) -> bool {
        match self {
            Self::Content(names) => {
                !names.contains([',', '*']) && MediaKind::of(names) == MediaKind::Json
            }
            Self::Type | Self::Style(_) => false,
        }
    }

    /// Returns whether content is bytes.
    pub fn is_bytes(&self) -> bool {
        matches!(self, Self::Content(names) if MediaKind::is_bytes(names))
    }

    /// Returns whether lists and objects can be written: as JSON, or by a style.
    pub fn can_encode(&self) -> bool {
        match self {
            Self::Content(names) => names.split(',').any(|it| MediaKind::of(it) == MediaKind::Json),
            Self::Type | Self::Style(_) => true,
        }
    }
}

/// How the value of a property of a form is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodingRule {
    Type,
    /// As content of these media types, separated by commas.
    Content(String),
    /// By a style, like a parameter of the query.
    Style(Serialization),
}

impl Media {
    /// The media type of bodies without another.
    pub const JSON: &str = "application/json";

    /// Returns the encodings of the properties of a form.
    pub fn encodings(&self) -> &[Encoding] {
        match &self.format {
            Format::Form(encodings) | Format::Multipart(encodings) => encodings,
            Format::Json | Format::Lines | Format::Text | Format::Upload => &[],
        }
    }

    /// Returns whether the file determines the media type: the name is a range, such as `image/*`.
    pub fn is_range(&self) -> bool {
        self.name.contains('*')
    }

    /// Returns whether the body is a JSON merge patch (RFC 7396).
    pub fn is_merge_patch(&self) -> bool {
        self.format == Format::Json && is_merge_patch(&self.name)
    }

    /// Returns whether the body is written in JSON.
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Returns whether the body is written in JSON and sent as that.
    pub fn is_plain_json(&self) -> bool {
        self.format == Format::Json && self.name == Self::JSON
    }
}
