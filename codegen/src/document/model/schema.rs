//! Schemas: JSON Schema 2020-12 as OpenAPI 3.1 uses it, and the dialect of 3.0, in one view.

use super::Node;
use crate::source_map::Pointer;

/// A primitive type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaType {
    /// `null`.
    Null,
    /// `boolean`.
    Boolean,
    /// `integer`.
    Integer,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `array`.
    Array,
    /// `object`.
    Object,
}

/// A schema. Keywords that are absent are `None` or empty.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are those of the standard")]
pub struct Schema {
    /// Where the schema is written.
    pub pointer: Pointer,
    /// The `$ref`, as written. In 3.1 other keywords may be beside it; in 3.0 they are ignored by the standard,
    /// but `description`, `nullable`, `readOnly`, `writeOnly` and `deprecated` beside it are kept because real documents use them.
    pub reference: Option<String>,
    /// The types; empty if there is no `type`. 3.0's `nullable: true` does not add `null` here.
    pub types: Vec<SchemaType>,
    /// 3.0's `nullable` (also found in documents of 3.1).
    pub nullable: bool,
    /// The `format`.
    pub format: Option<String>,
    /// The `title`.
    pub title: Option<String>,
    /// The `description`, in CommonMark.
    pub description: Option<String>,
    /// The `default`.
    pub default: Option<Node>,
    /// The allowed values.
    pub enumeration: Option<Vec<Node>>,
    /// The one allowed value.
    pub constant: Option<Node>,
    /// Whether the property is only sent in responses.
    pub read_only: bool,
    /// Whether the property is only sent in requests.
    pub write_only: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The properties of an object.
    pub properties: Vec<(String, Schema)>,
    /// The names of the required properties.
    pub required: Vec<String>,
    /// Which other properties an object can have.
    pub additional_properties: Option<AdditionalProperties>,
    /// Properties by pattern.
    pub pattern_properties: Vec<(String, Schema)>,
    /// The elements of an array.
    pub items: Option<Box<Schema>>,
    /// The first elements of an array, one by one.
    pub prefix_items: Vec<Schema>,
    /// All of these apply.
    pub all_of: Vec<Schema>,
    /// Any of these apply.
    pub any_of: Vec<Schema>,
    /// Exactly one of these applies.
    pub one_of: Vec<Schema>,
    /// The `x-rust-name` extension.
    pub rust_name: Option<String>,
    /// Keywords that are valid JSON Schema but not read into a field here and that would change the type
    /// (`not`, `if`, `dependentSchemas`, `unevaluatedProperties`, …), by name.
    pub unread: Vec<String>,
}

/// The `additionalProperties` keyword.
#[derive(Clone, Debug)]
pub enum AdditionalProperties {
    /// `true` (or the empty schema): any other property. `false`: none.
    Any(bool),
    /// Other properties, all of this schema.
    Schema(Box<Schema>),
}
